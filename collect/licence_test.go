package collect

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLicence(t *testing.T) {
	for text, want := range map[string]string{
		"MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining\na copy of this":   "MIT",
		"                Apache License\n          Version 2.0, January 2004":                                    "Apache-2.0",
		"Redistribution and use in source and\nbinary forms, with":                                               "BSD-2-Clause",
		"Redistribution and use in source and binary forms, with\n3. Neither the name of the":                    "BSD-3-Clause",
		"GNU GENERAL PUBLIC LICENSE\n   Version 2, June 1991":                                                    "GPL-2.0",
		"GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007":                                                 "GPL-3.0",
		"GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3\nthe terms of version 3 of the GNU General Public License": "LGPL-3.0",
		"Boost Software License - Version 1.0 - August 17th, 2003":                                               "BSL-1.0",
		"All rights reserved": "",
	} {
		require.Equal(t, want, licenceOf(text), text)
	}
	require.True(t, IsPermissive("MIT"))
	require.False(t, IsPermissive("GPL-3.0"))
	require.False(t, IsPermissive(""))
	r := newRepository(t)
	r.commit("first", "README", "x\n", "licenses/LICENSE", "GNU GENERAL PUBLIC LICENSE Version 3\n")
	none, err := Licence(t.Context(), r.source().Repo, r.source().Head)
	require.NoError(t, err)
	require.Empty(t, none, "only the root counts")
	r.commit("second", "COPYING.md", "Permission is hereby granted, free of charge, to any person obtaining a copy")
	mit, err := Licence(t.Context(), r.source().Repo, r.source().Head)
	require.NoError(t, err)
	require.Equal(t, "MIT", mit)
}
