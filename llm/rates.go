package llm

// Price is what one model costs. The zero value is a price that is not known.
type Price struct {
	Known bool
	Rates Rates
	// Above holds for the whole call when its input has more than AboveTokens;
	// 0 means that there is no such tier.
	Above       Rates
	AboveTokens int
	// MaxOutput is the longest answer in tokens; 0 where it is not known.
	MaxOutput int
}

// Rates are in dollars per million tokens.
type Rates struct {
	Input, CachedInput float64
	// CacheWrite and CacheWriteHour are for input that the provider stores in
	// its prompt cache, for minutes and for an hour.
	CacheWrite, CacheWriteHour float64
	Output                     float64
}

// Cost is what the usage costs in dollars.
func (p Price) Cost(u Usage) float64 {
	r := p.Rates
	if p.AboveTokens > 0 && u.Input > p.AboveTokens {
		r = p.Above
	}
	hour := min(u.CacheWritesHour, u.CacheWrites)
	fresh := max(0, u.Input-u.CachedInput-u.CacheWrites)
	return (float64(fresh)*r.Input + float64(u.CachedInput)*r.CachedInput +
		float64(u.CacheWrites-hour)*r.CacheWrite + float64(hour)*r.CacheWriteHour + float64(u.Output)*r.Output) / 1e6
}

// Longest is the most tokens that an answer is taken to have.
func (p Price) Longest() int {
	if p.MaxOutput > 0 {
		return p.MaxOutput
	}
	return longestAnswer
}

// rates are Rates as a file gives them.
type rates struct {
	Input          *float64 `yaml:"input"`
	CachedInput    *float64 `yaml:"cached_input"`
	CacheWrite     *float64 `yaml:"cache_write"`
	CacheWriteHour *float64 `yaml:"cache_write_hour"`
	Output         *float64 `yaml:"output"`
}

func (r rates) amounts() []*float64 {
	return []*float64{r.Input, r.CachedInput, r.CacheWrite, r.CacheWriteHour, r.Output}
}

// filled sets what the file left out: input that is cached, or written to
// the cache, costs what other input costs.
func (r rates) filled() Rates {
	or := func(amount *float64, otherwise float64) float64 {
		if amount == nil {
			return otherwise
		}
		return *amount
	}
	out := Rates{Input: *r.Input, CachedInput: or(r.CachedInput, *r.Input), CacheWrite: or(r.CacheWrite, *r.Input), Output: *r.Output}
	out.CacheWriteHour = or(r.CacheWriteHour, out.CacheWrite)
	return out
}

// price expects a row that was checked.
func (p price) price() Price {
	out := Price{Known: true, Rates: p.Rates.filled(), MaxOutput: p.MaxOutput}
	if p.Above != nil {
		out.Above, out.AboveTokens = p.Above.Rates.filled(), p.Above.Tokens
	}
	return out
}
