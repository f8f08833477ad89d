package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// hash reads size bytes and returns their SHA-256 in hex digits.
func hash(r io.Reader, size int64) (string, error) {
	h := sha256.New()
	if _, err := io.CopyN(h, r, size); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
