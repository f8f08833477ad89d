package prompts

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed all:variants
var variants embed.FS

// variantPrefix begins the name of prompts that come with assay and stand for a
// folder: those of SWT-Bench's agents (section 4.4).
const variantPrefix = "swt:"

// Variants are the names of further prompts that come with assay: swt:NAME for
// each of SWT-Bench's agents. Sorted.
func Variants() []string {
	entries, _ := variants.ReadDir("variants")
	var out []string
	for _, e := range entries {
		out = append(out, variantPrefix+e.Name())
	}
	slices.Sort(out)
	return out
}

// variant are the prompts of a name, without prefix.
func variant(name string) (fs.FS, error) {
	if !slices.Contains(Variants(), variantPrefix+name) {
		return nil, fmt.Errorf("prompts %s%s are not known; there are %s", variantPrefix, name, strings.Join(Variants(), ", "))
	}
	return fs.Sub(variants, "variants/"+name)
}
