package tolerant

import (
	"regexp"

	"assay/languages"
)

var pythonMember = regexp.MustCompile(`^\s*(?:async\s+)?def\s+\w+\s*\(\s*(?:self|cls)\b`)

func pythonManner() manner {
	return manner{language: languages.Python, member: pythonMember, apart: 2, within: 1}
}
