package bench

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// badPatches takes the bad patches in any of their published forms: a list
// of objects, a list of patches, JSON text of either, or, in the field
// bad_patch, one patch.
func (r *record) badPatches() []BadPatch {
	raw, ok := r.take("bad_patches")
	if !ok {
		if one := r.text("bad_patch", "a diff"); one != "" {
			return []BadPatch{{Patch: one}}
		}
		return nil
	}
	if text, err := unquote(raw); err == nil {
		text = strings.TrimSpace(text)
		if text == "" {
			return nil
		}
		if json.Valid([]byte(text)) {
			raw = []byte(text)
		}
	}
	if raw[0] != '[' {
		r.fail("bad_patches", "a list of objects or of diffs", raw)
		return nil
	}
	var out []BadPatch
	for i, element := range elements(raw) {
		b, errs := badPatch(element, fmt.Sprintf("%sbad_patches[%d]", r.path, i), i)
		r.errs = append(r.errs, errs...)
		out = append(out, b)
	}
	renumber(out)
	return out
}

// badPatch decodes one bad patch, by default numbered by its position.
func badPatch(raw []byte, path string, position int) (BadPatch, []*FieldError) {
	if patch, err := unquote(raw); err == nil {
		return BadPatch{Index: position, Patch: patch}, nil
	}
	r, wrong := newRecord(raw, path)
	if wrong != nil {
		wrong.Expected = "an object or a diff"
		return BadPatch{}, []*FieldError{wrong}
	}
	if _, ok := r.fields["patch"]; !ok {
		r.fail("patch", expectedDiff, nil)
	}
	b := BadPatch{
		Index:    r.index("idx", position),
		Source:   r.text("source", "a string"),
		Patch:    r.text("patch", expectedDiff),
		Review:   r.text("review", "a string or null"),
		Category: r.text("category", "a string"),
		Level:    r.level(),
	}
	b.Extra = r.extra()
	return b, r.errs
}

// level takes the level of a bad patch.
func (r *record) level() Level {
	raw := r.fields["level"]
	level := Level(r.text("level", "a level"))
	switch level {
	case LevelUnmeasured, LevelUnapplied, LevelUnbuilt, LevelLikeBase, LevelBreaksP2P,
		LevelFailsF2P, LevelPassesAll, LevelUndecided:
	default:
		r.fail("level", "the level of a bad patch", raw)
	}
	return level
}

// renumber gives every bad patch its position as index where published
// indices are not unique, since results name bad patches by index. The
// published one is kept among the extra fields.
func renumber(patches []BadPatch) {
	seen := make(map[int]bool, len(patches))
	for _, b := range patches {
		seen[b.Index] = true
	}
	if len(seen) == len(patches) {
		return
	}
	for i := range patches {
		b := &patches[i]
		if b.Extra == nil {
			b.Extra = make(map[string]json.RawMessage, 1)
		}
		if _, ok := b.Extra["published_idx"]; !ok {
			b.Extra["published_idx"] = json.RawMessage(strconv.Itoa(b.Index))
		}
		b.Index = i
	}
}
