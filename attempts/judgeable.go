package attempts

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"assay/agents"
	"assay/internal/patch"
)

// judgeable drops a patch that no file of predictions can hold, since one such
// would keep all of the others from being read.
func judgeable(out agents.Outcome) agents.Outcome {
	why := ""
	if size := encodedSize(out.Patch); size > patch.MaxBytes {
		why = fmt.Sprintf("its patch takes %d bytes in a file of predictions, and %d can be judged", size, patch.MaxBytes)
	} else if !utf8.ValidString(out.Patch) {
		why = "its patch is not UTF-8, which predictions are"
	}
	if why == "" {
		return out
	}
	if out.Detail != "" {
		why = out.Detail + "; " + why
	}
	out.Patch, out.Detail = "", why
	return out
}

// encodedSize is the length of a text as JSON, where a control character takes
// six bytes.
func encodedSize(text string) int {
	data, err := json.Marshal(text)
	if err != nil {
		return len(text) // cannot be: strings always encode
	}
	return len(data)
}
