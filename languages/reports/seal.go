package reports

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// sealDigits is how many hex digits of a line's HMAC the report holds.
const sealDigits = 32

// Unseal verifies a report that PytestPlugin or UnittestRunner wrote under
// KeyVariable and returns its plain JSON Lines, to be read as PytestJSON.
//
// Every line is "<mac> <json>", where mac is the first 32 hex digits of
// HMAC-SHA256 (RFC 2104) of the mac of the line before ("" for the first) and
// the JSON as written. The chain shows what was forged, edited, dropped or
// put into another order; lines dropped from the end show only as a report
// without its finish.
//
// The lines end where the first does not verify. ok is false when that one is
// complete, and when the key is empty; the tail of a report whose writer was
// killed is left out and is not a forgery. The note, "" for none, describes
// what was wrong.
func Unseal(data, key []byte) (lines []byte, ok bool, note string) {
	if len(key) == 0 {
		return nil, false, "the report's seal cannot be checked without a key"
	}
	chain := hmac.New(sha256.New, key)
	var last []byte
	for n := 1; len(data) > 0; n++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		mac, text, _ := bytes.Cut(line, []byte(" "))
		chain.Reset()
		chain.Write(last)
		chain.Write(text)
		want := hex.AppendEncode(nil, chain.Sum(nil))[:sealDigits]
		switch {
		case hmac.Equal(mac, want):
		case whole:
			return lines, false, fmt.Sprintf("line %d of the report has no valid seal", n)
		default:
			return lines, true, fmt.Sprintf("line %d of the report is cut", n)
		}
		lines = append(append(lines, text...), '\n')
		last, data = want, rest
	}
	return lines, true, ""
}
