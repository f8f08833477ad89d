package proxy

import (
	"fmt"
	"hash/maphash"
	"strings"

	"assay/internal/decoded"
)

// How many tokens a part can be at most that is not text. The largest known
// are 48,169 for an image (gpt-4o-mini, eight tiles) and, for a document, some
// thousand a page of at most a hundred.
const (
	imageTokens    = 50_000
	documentTokens = 500_000
)

// media is an image or a document inside a request.
type media struct {
	hash   uint64 // of its data, and how closely it is read
	length int    // of its data in the request
	tokens int    // at most
}

// findMedia looks for images and documents in messages. problem is why the
// request is refused: a part that the provider would have to fetch, or one
// whose tokens have no known bound.
func (q *query) findMedia(seed maphash.Seed, roots ...string) (problem string) {
	w := &mediaWalk{seed: seed, resolution: decoded.First(generationConfig(q), "mediaResolution", "media_resolution")}
	for _, root := range roots {
		w.walk(q.tree[root])
	}
	q.media = w.found
	return w.problem
}

type mediaWalk struct {
	seed       maphash.Seed
	resolution any // of all images (Gemini)
	found      []media
	problem    string
}

func (w *mediaWalk) walk(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			w.walk(e)
		}
	case map[string]any:
		if w.part(v) {
			return
		}
		for name, e := range v {
			// These hold what a tool gets or gives: text to the provider.
			if name != "arguments" && name != "args" && name != "input" && name != "response" && name != "tools" {
				w.walk(e)
			}
		}
	}
}

// part reports whether an object is a part that is not text.
func (w *mediaWalk) part(o map[string]any) bool {
	if inline := decoded.Object(decoded.First(o, "inlineData", "inline_data")); inline != nil {
		w.inline(decoded.Text(decoded.First(inline, "mimeType", "mime_type")), decoded.Text(inline["data"]), decoded.First(o, "mediaResolution", "media_resolution"))
		return true
	}
	if decoded.First(o, "fileData", "file_data") != nil && decoded.Text(o["type"]) == "" {
		w.fetched()
		return true
	}
	switch decoded.Text(o["type"]) {
	case "image_url", "input_image", "computer_screenshot":
		w.dataURL(o)
	case "image", "document":
		return w.source(decoded.Text(o["type"]), decoded.Object(o["source"]))
	case "input_file", "file", "container_upload":
		w.problem = "files are refused: only text and inline images can be sent"
	case "input_audio", "audio", "video", "video_url", "input_video":
		w.problem = "audio and video are refused: only text and inline images can be sent"
	default:
		return false
	}
	return true
}

func (w *mediaWalk) dataURL(o map[string]any) {
	address, detail := decoded.Text(o["image_url"]), o["detail"]
	if nested := decoded.Object(o["image_url"]); nested != nil {
		address, detail = decoded.Text(nested["url"]), nested["detail"]
	}
	head, data, found := strings.Cut(address, ",")
	mime, isData := strings.CutPrefix(head, "data:")
	if !found || !isData || o["file_id"] != nil {
		w.fetched()
		return
	}
	w.inline(mime, data, detail)
}

// source reads Anthropic's parts.
func (w *mediaWalk) source(kind string, source map[string]any) bool {
	switch decoded.Text(source["type"]) {
	case "base64":
		mime := decoded.Text(source["media_type"])
		if kind == "image" {
			mime = "image/"
		}
		w.inline(mime, decoded.Text(source["data"]), nil)
	case "text":
	case "content":
		w.walk(source["content"])
	default:
		if source == nil {
			return false // no part: some field of the agent's own
		}
		w.fetched()
	}
	return true
}

func (w *mediaWalk) fetched() {
	w.problem = "parts that the provider fetches (URLs, file ids) are refused: the sandbox has no network; send images inline"
}

// inline notes a part. detail is how closely it is to be read, as the protocol
// says that, which decides on its tokens.
func (w *mediaWalk) inline(mime, data string, detail any) {
	var h maphash.Hash
	h.SetSeed(w.seed)
	_, _ = fmt.Fprintf(&h, "%q %v %v\n", mime, detail, w.resolution) // never fails
	_, _ = h.WriteString(data)
	m := media{hash: h.Sum64(), length: len(data)}
	switch {
	case strings.HasPrefix(mime, "image/"):
		m.tokens = imageTokens
	case strings.HasPrefix(mime, "application/pdf"), strings.HasPrefix(mime, "text/"):
		m.tokens = documentTokens
	default:
		w.problem = "a part of type " + clip(mime, maxQuote) + " is refused: only text, images and PDF can be sent"
	}
	w.found = append(w.found, m)
}
