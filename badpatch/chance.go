package badpatch

import "strings"

// Weights of what is known of a candidate before it is run, in trials. They
// decide the order alone.
const (
	priorWeight    = 3.0
	operatorWeight = 0.7
	sourceWeight   = 0.15
	placeWeight    = 2.0
	removedWeight  = 4.0  // of a place whose code can go without any test noticing
	containsWeight = 5.0  // of a trial all of whose place a candidate changes, and more
	twinWeight     = 8.0  // of the same mistake among other changes
	newSource      = 0.03 // for the first candidates of a source
)

// chance estimates the probability that a candidate is bad: what such candidates
// are as a rule, corrected by the trials of the same operator and, above all,
// at the same place. What resembles the bad patches that are there waits.
func (q *queue) chance(o *offer) float64 {
	weight := priorWeight
	hits := weight * q.prior(o)
	again, ofSource := 1.0, 0
	for _, e := range q.done {
		if e.offer.Source == o.Source {
			ofSource++
		}
		inside, around := overlap(o, e.offer), overlap(e.offer, o)
		w := kinship(o, e.offer)
		switch {
		case twins(o, e.offer):
			w += twinWeight
		case around == 1 && inside < 1 && (!e.placed || e.inner > e.effect):
			w += containsWeight
		}
		weight += w
		hits += w * e.effect
		if e.placed {
			said := e.inner
			if around == 1 { // not smaller
				said = e.effect
			}
			more := placeWeight * inside
			if e.inner == 0 && removes(e.offer) {
				more = removedWeight * inside
			}
			weight += more
			hits += more * said
		}
		if e.effect == 1 {
			again *= likeness(o, e.offer, inside)
		}
	}
	return again*hits/weight + newSource/float64(1+ofSource)
}

// kinship is how much a trial predicts about another one, by source and operator.
func kinship(a, b *offer) float64 {
	switch {
	case a.Source != b.Source:
		return 0
	case a.Operator == b.Operator:
		return operatorWeight
	}
	return sourceWeight
}

// likeness lowers the worth of one more bad patch of the same kind.
func likeness(a, b *offer, inside float64) float64 {
	same := a.Source == b.Source && a.Operator == b.Operator
	switch {
	case twins(a, b):
		return 0.5
	case same && inside == 1:
		return 0.6
	case same:
		return 0.96
	}
	return 1 - 0.03*inside
}

// twins reports whether two candidates make the same mistake at the same place,
// one of them perhaps among needless changes.
func twins(a, b *offer) bool {
	mistake := func(d Detail) string {
		what, _, _ := strings.Cut(d.What, "; and ")
		return what
	}
	return a.Detail.Line > 0 && a.Detail.Line == b.Detail.Line && a.Detail.Path == b.Detail.Path && mistake(a.Detail) == mistake(b.Detail)
}

// prior is the share of bad patches among such candidates: of the first tier's,
// half break a test of the issue, of the second's a fifth.
func (q *queue) prior(o *offer) float64 {
	p := 0.5
	switch {
	case o.Operator == catchOperator && !q.throws:
		p = 0.05 // nothing is thrown that could be caught
	case o.Source == symptomSource:
		p = 0.25
	case o.Source == partsOfGold || strings.HasSuffix(o.Operator, "hunks"):
		p = 0.2 // the parts need each other: it does not build, or behaves like base
	case o.Tier == Around:
		p = 0.25
	}
	if o.known != reached {
		p *= 0.4
	}
	return p
}

// symptomSource is the name of the source of fixes at the wrong place, and
// catchOperator that of its operator which catches the failure.
const (
	symptomSource = "symptom"
	catchOperator = "catch"
)

// overlap is the share of a candidate's place that a trial's covers.
func overlap(a, b *offer) float64 {
	if len(a.place.spots) == 0 {
		return 0
	}
	n := 0
	for s := range a.place.spots {
		if b.place.spots[s] {
			n++
		}
	}
	return float64(n) / float64(len(a.place.spots))
}

// removes reports whether a candidate leaves code out, so that what is left of
// it says nothing more.
func removes(o *offer) bool {
	return o.Source == partsOfGold || strings.HasPrefix(o.Operator, "drop-") || strings.HasPrefix(o.Operator, "delete-")
}
