package llm

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

//go:embed prices.yaml
var embeddedPrices []byte

// longestAnswer is what a model is taken to write at most, in tokens, where
// neither the request nor the table says.
const longestAnswer = 65536

// Prices is a table of what models cost.
type Prices struct {
	// Date is when the embedded list was made, as YYYY-MM-DD.
	Date   string
	models map[string]price
}

// price is a row of the table, in dollars per million tokens.
type price struct {
	Rates     rates `yaml:",inline"`
	MaxOutput int   `yaml:"max_output"`
	Above     *tier `yaml:"above"`
}

type tier struct {
	Tokens int   `yaml:"tokens"`
	Rates  rates `yaml:",inline"`
}

type priceFile struct {
	Date   string           `yaml:"date"`
	Models map[string]price `yaml:"models"`
}

// LoadPrices reads the embedded table and replaces its rows with those of the
// user's file; an empty name means no file. The file has the embedded table's
// form (date is optional, models maps provider/model to input, cached_input
// and output in dollars per million tokens, cache_write, cache_write_hour,
// max_output and above); what it does not know is an error with file, line and
// column.
func LoadPrices(override string) (*Prices, error) {
	p, err := parsePrices("embedded prices", embeddedPrices)
	if err != nil || override == "" {
		return p, err
	}
	data, err := os.ReadFile(override)
	if err != nil {
		return nil, fmt.Errorf("reading prices: %w", err)
	}
	own, err := parsePrices(override, data)
	if err != nil {
		return nil, err
	}
	maps.Copy(p.models, own.models)
	return p, nil
}

func parsePrices(name string, data []byte) (*Prices, error) {
	var file priceFile
	err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&file)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("prices %s: %s", name, strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	for _, model := range slices.Sorted(maps.Keys(file.Models)) {
		if _, _, err := ParseModel(model); err != nil {
			return nil, fmt.Errorf("prices %s: %w", name, err)
		}
		if err := file.Models[model].check(); err != nil {
			return nil, fmt.Errorf("prices %s: %s: %w", name, model, err)
		}
	}
	return &Prices{Date: file.Date, models: file.Models}, nil
}

func (p price) check() error {
	if p.Rates.Input == nil || p.Rates.Output == nil {
		return errors.New("input and output must be given")
	}
	amounts := p.Rates.amounts()
	if p.Above != nil {
		if p.Above.Rates.Input == nil || p.Above.Rates.Output == nil || p.Above.Tokens <= 0 {
			return errors.New("above: tokens, input and output must be given")
		}
		amounts = append(amounts, p.Above.Rates.amounts()...)
	}
	for _, a := range amounts {
		if a != nil && (*a < 0 || math.IsNaN(*a) || math.IsInf(*a, 0)) {
			return fmt.Errorf("%v is no price", *a)
		}
	}
	if p.MaxOutput < 0 {
		return fmt.Errorf("max_output %d is negative", p.MaxOutput)
	}
	return nil
}

// Cost is what the usage costs in dollars. A model is found by its name, by
// its name without a date at the end, or by a row provider/*; known is false
// where there is none.
func (p *Prices) Cost(model string, u Usage) (usd float64, known bool) {
	row, known := p.find(model)
	if !known {
		return 0, false
	}
	return row.Cost(u), true
}

// Find returns the price of provider/model; one that is not known has Known
// false.
func (p *Prices) Find(model string) Price {
	row, _ := p.find(model)
	return row
}

// Bound is the most that a request may cost in dollars: no tokenizer makes
// more tokens than the text has bytes, and the answer is as long as allowed.
func (p *Prices) Bound(req Request) (usd float64, known bool) {
	const frame = 16 // tokens that mark a turn, generously
	u := Usage{Input: len(req.System) + frame, Output: req.MaxTokens}
	for _, m := range req.Messages {
		u.Input += len(m.Text) + frame
	}
	if u.Output <= 0 {
		u.Output = p.Find(req.Model).Longest()
	}
	return p.Cost(req.Model, u)
}

func (p *Prices) find(model string) (Price, bool) {
	provider, _, _ := strings.Cut(model, "/")
	for _, name := range []string{model, undated(model), provider + "/*"} {
		if row, ok := p.models[name]; ok {
			return row.price(), true
		}
	}
	return Price{}, false
}

// undated takes "-2025-08-07" or "-20250929" off the end.
func undated(model string) string {
	i := len(model)
	for i > 0 && (model[i-1] == '-' || model[i-1] >= '0' && model[i-1] <= '9') {
		i--
	}
	for ; i < len(model); i++ {
		if model[i] == '-' && isDate(model[i+1:]) {
			return model[:i]
		}
	}
	return model
}

// isDate expects digits and hyphens only.
func isDate(s string) bool {
	switch len(s) {
	case len("20250929"):
		return !strings.Contains(s, "-") && s[0] == '2'
	case len("2025-08-07"):
		return s[4] == '-' && s[7] == '-' && strings.Count(s, "-") == 2 && s[0] == '2'
	}
	return false
}
