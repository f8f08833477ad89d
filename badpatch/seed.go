package badpatch

import "hash/fnv"

// Hash gives a name a number, which sets its random choices apart from those of
// others with the same seed.
func Hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
