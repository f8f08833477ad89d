package tolerant

import "assay/languages"

func cppManner() manner {
	return manner{language: languages.Cpp, braces: true, apart: 1, within: 1}
}
