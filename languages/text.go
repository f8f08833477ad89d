package languages

import "encoding/json"

// jsonList writes strings as a JSON list.
func jsonList(list []string) []byte {
	data, err := json.Marshal(list)
	if err != nil {
		return []byte("[]") // no string fails
	}
	return data
}
