package trajectory

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// Content is a text, or parts where there is more than text.
type Content struct {
	Text  string
	Parts []Part // where it is not nil, Text is empty
}

// Part is a text, or an image or audio in a file.
type Part struct {
	Type   string  `json:"type"` // text, image or audio
	Text   *string `json:"text,omitempty"`
	Source *Media  `json:"source,omitempty"`
}

// Media is a file, or a URL.
type Media struct {
	MediaType string   `json:"media_type"`
	Path      string   `json:"path"`
	Duration  *float64 `json:"duration_sec,omitempty"`
}

// MarshalJSON writes a text, or a list of parts.
func (c Content) MarshalJSON() ([]byte, error) {
	if c.Parts != nil {
		return json.Marshal(c.Parts)
	}
	return json.Marshal(c.Text)
}

// UnmarshalJSON reads a text, or a list of parts.
func (c *Content) UnmarshalJSON(data []byte) error {
	*c = Content{}
	if json.Unmarshal(data, &c.Text) == nil && string(data) != "null" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&c.Parts); err != nil || c.Parts == nil {
		return errors.New("want a text or a list of parts")
	}
	return nil
}

// String is the text, with a mark for each part that is not text.
func (c Content) String() string {
	if c.Parts == nil {
		return c.Text
	}
	var out []string
	for _, p := range c.Parts {
		switch {
		case p.Text != nil:
			out = append(out, *p.Text)
		case p.Source != nil:
			out = append(out, "["+p.Type+" "+p.Source.Path+"]")
		}
	}
	return strings.Join(out, "\n")
}

func plain(text string) Content { return Content{Text: text} }
