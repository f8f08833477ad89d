package patch

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// maxBinary bounds the unpacked size of one binary file.
const maxBinary = 100 << 20

// patchBinary applies a binary change, at most left bytes large. Git names the
// old content by its hash; where the diff does, the content must be that.
func patchBinary(f *File, old []byte, left int) ([]byte, error) {
	refuse := func(reason string) ([]byte, error) {
		return nil, &ApplyError{Path: f.Path(), Reason: reason}
	}
	if f.diff.BinaryFragment == nil {
		return refuse("binary files differ, but the diff has no data")
	}
	if !f.New && !hasObjectName(old, f.diff.OldOIDPrefix) {
		return refuse("binary file has other content than the diff was made for")
	}
	var out bytes.Buffer
	limit := gitdiff.WithMaxBinaryFragmentBytes(int64(min(left, maxBinary)))
	if err := gitdiff.Apply(&out, bytes.NewReader(old), f.diff, limit); err != nil {
		return refuse(fmt.Sprintf("binary data: %v", err))
	}
	if !f.Deleted && !hasObjectName(out.Bytes(), f.diff.NewOIDPrefix) {
		return refuse("binary data does not give the content that the diff names")
	}
	return out.Bytes(), nil
}

// hasObjectName reports whether git's name of the content starts with the
// given prefix, in SHA-1 or, where it is longer, SHA-256. No name fits all,
// as does the null name.
func hasObjectName(data []byte, prefix string) bool {
	if strings.Trim(prefix, "0") == "" {
		return true
	}
	var sum hash.Hash = sha1.New()
	if len(prefix) > hex.EncodedLen(sha1.Size) {
		sum = sha256.New()
	}
	fmt.Fprintf(sum, "blob %d\x00", len(data))
	sum.Write(data)
	return strings.HasPrefix(hex.EncodeToString(sum.Sum(nil)), prefix)
}
