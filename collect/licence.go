package collect

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/internal/mirror"
)

// licenceTexts are the words by which a licence's text is known, in the order in
// which they are looked for: longer texts may quote shorter ones.
func licenceTexts() [][2]string {
	return [][2]string{
		{"AGPL-3.0", `gnu affero general public license\s+version 3`},
		{"LGPL-3.0", `gnu lesser general public license\s+version 3`},
		{"LGPL-2.1", `gnu lesser general public license\s+version 2\.1`},
		{"GPL-3.0", `gnu general public license\s+version 3`},
		{"GPL-2.0", `gnu general public license\s+version 2`},
		{"MPL-2.0", `mozilla public license,?\s+version 2\.0`},
		{"EPL-2.0", `eclipse public license\s+-\s+v\s?2\.0`},
		{"EPL-1.0", `eclipse public license\s+-\s+v\s?1\.0`},
		{"Apache-2.0", `apache license,?\s+version 2\.0`},
		{"BSL-1.0", `boost software license\s+-\s+version 1\.0`},
		{"Unlicense", `this is free and unencumbered software released into the public domain`},
		{"ISC", `permission to use, copy, modify, and(?:/or)? distribute this software`},
		{"BSD-3-Clause", `redistribution and use in source and binary forms(?s:.*)neither the name|redistribution and use in source and binary forms(?s:.*)names? of (?s:.*)may not be used`},
		{"BSD-2-Clause", `redistribution and use in source and binary forms`},
		{"MIT", `permission is hereby granted, free of charge, to any person obtaining a\s+copy`},
	}
}

// permissive are the licences that only ask for a notice.
func permissive() []string {
	return []string{"Apache-2.0", "BSL-1.0", "Unlicense", "ISC", "BSD-3-Clause", "BSD-2-Clause", "MIT"}
}

// IsPermissive reports whether a licence, by its SPDX identifier, only asks for a
// notice.
func IsPermissive(licence string) bool { return slices.Contains(permissive(), licence) }

var licenceName = regexp.MustCompile(`(?i)^(?:licen[cs]e|copying|unlicense)(?:[-_.].*)?$`)

// Licence is the SPDX identifier of the licence at the root of a commit's tree;
// "" where there is none that is known.
func Licence(ctx context.Context, repo *mirror.Repo, commit string) (string, error) {
	tree, err := repo.Tree(ctx, commit)
	if err != nil {
		return "", err
	}
	for _, p := range tree.Paths() {
		if path.Dir(p) != "." || !licenceName.MatchString(p) {
			continue
		}
		file, err := tree.Read(p)
		if err != nil {
			return "", err
		}
		if l := licenceOf(string(file.Data)); l != "" {
			return l, nil
		}
	}
	return "", nil
}

func licenceOf(text string) string {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	for _, l := range licenceTexts() {
		if regexp.MustCompile(l[1]).MatchString(text) {
			return l[0]
		}
	}
	return ""
}
