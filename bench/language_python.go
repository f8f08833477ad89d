package bench

func python() Language {
	return Language{
		Name: "python", Title: "Python", Aliases: []string{"py", "python3"},
		Sources: []string{".py"}, Fragments: []string{".pyi"}, Dialects: []string{".pyx", ".pxd"}, Tests: []string{".py"},
		Column: 1, BuildFiles: []string{"pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini"},
	}
}
