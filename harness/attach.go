package harness

import (
	"fmt"
	"path"
	"strings"
)

// Attachment is a folder of another environment, at the same place in a job. All
// jobs share it: they may read it and not write to it.
type Attachment struct {
	// Environment is a name that Preparer.Prepare returned.
	Environment string
	// Dir is absolute. What the environment's recipe has there is made by one
	// layer.
	Dir string
}

func (a Attachment) validate() error {
	if a.Environment == "" {
		return fmt.Errorf("attaching %s: no environment is named", a.Dir)
	}
	if !path.IsAbs(a.Dir) || path.Clean(a.Dir) != a.Dir || strings.ContainsRune(a.Dir, 0) || strings.Count(a.Dir, "/") < 2 {
		return fmt.Errorf("attaching %q: expected an absolute path of two names or more", a.Dir)
	}
	return nil
}
