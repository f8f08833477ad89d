package proxy

// Ledger holds what all attempts of a run may spend together. It is safe for
// concurrent use.
type Ledger struct{ account *account }

// NewLedger returns a ledger with a limit in dollars; 0 means no
// limit, and less that nothing is left.
func NewLedger(usd float64) *Ledger { return &Ledger{newAccount(usd)} }

// Add counts dollars that were spent before, as by the run that is resumed.
func (l *Ledger) Add(usd float64) { l.account.add(usd) }

// Spent is what was spent so far, in dollars, reservations not included.
func (l *Ledger) Spent() float64 { return l.account.total() }

// Limit is the limit in dollars; 0 means none.
func (l *Ledger) Limit() float64 { return l.account.limit }
