package reports

import (
	"bytes"
	"strings"
)

// readDoctestInText reads the XML of doctest's programs that is in the midst
// of other output. The alias of a sub-case is "case > sub-case", without the
// sub-cases between.
func readDoctestInText(c *collector, data []byte) bool {
	found := false
	for {
		i := bytes.Index(data, []byte("<doctest "))
		if i < 0 {
			break
		}
		data = data[i:]
		part := data
		if end := bytes.Index(data, []byte("</doctest>")); end >= 0 {
			part, data = data[:end+len("</doctest>")], data[end:]
		} else {
			data = nil
		}
		found = readDoctest(c, part) || found
	}
	for i, t := range c.tests {
		parts := strings.Split(t.ID, "/")
		if len(parts) > 1 {
			c.tests[i].Alias = parts[0] + " > " + parts[len(parts)-1]
		}
	}
	return found
}
