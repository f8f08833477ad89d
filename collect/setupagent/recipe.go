package setupagent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"assay/collect"
)

var block = regexp.MustCompile("(?s)```[a-zA-Z]*[ \t]*\n(.*?)```")

// readRecipe reads the JSON object of an answer: the last code block that holds
// one, or the answer itself.
func readRecipe(answer, language string) (collect.Recipe, error) {
	text := strings.TrimSpace(answer)
	for _, m := range block.FindAllStringSubmatch(answer, -1) {
		if inner := strings.TrimSpace(m[1]); strings.HasPrefix(inner, "{") {
			text = inner
		}
	}
	if !strings.HasPrefix(text, "{") {
		return collect.Recipe{}, errors.New("there is no JSON object in it")
	}
	var r collect.Recipe
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		return collect.Recipe{}, fmt.Errorf("the JSON has another form: %w", err)
	}
	if err := r.Check(language); err != nil {
		return collect.Recipe{}, err
	}
	return r, nil
}
