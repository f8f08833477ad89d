package bench

// cpp is C++ with C, which the same tools build, parse and lint. CUDA and
// Objective-C++ are dialects. Many languages have files to include that end in
// .inc: they say nothing of a repository's language.
func cpp() Language {
	return Language{
		Name: "cpp", Title: "C++", Aliases: []string{"c++", "cxx", "cc"},
		Sources:   []string{".cc", ".cpp", ".cxx", ".c++", ".c", ".cppm", ".ixx"},
		Headers:   []string{".h", ".hh", ".hpp", ".hxx", ".h++"},
		Fragments: []string{".ipp", ".tcc", ".tpp", ".inl", ".inc"},
		Dialects:  []string{".cu", ".mm"},
		Tests:     []string{".cc", ".cpp", ".cxx", ".c++", ".C", ".c"},
		Common:    []string{".inc"}, Column: 2, BuildFiles: []string{"cmakelists.txt", "*.cmake"},
	}
}
