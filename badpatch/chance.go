package badpatch

import "strings"

// Weights of what is known of a candidate before it is run, in trials. They
// decide the order alone.
const (
	priorWeight    = 3.0
	operatorWeight = 0.7
	sourceWeight   = 0.15
	placeWeight    = 2.0
	removedWeight  = 4.0 // of a place whose code can go without any test noticing
	newSource      = 0.1 // for the first candidates of a source
	sameAgain      = 0.93
)

// chance estimates the probability that a candidate is bad: what such candidates
// are as a rule, corrected by the trials of the same operator and, above all,
// at the same place.
func (q *queue) chance(o *offer) float64 {
	weight := priorWeight
	hits := weight * prior(o)
	again, ofSource := 1.0, 0
	for _, e := range q.done {
		if e.offer.Source == o.Source {
			ofSource++
		}
		w := kinship(o, e.offer)
		if share := overlap(o, e.offer); e.placed && share > 0 {
			more := placeWeight
			if e.effect == 0 && removes(e.offer) {
				more = removedWeight
			}
			w += more * share
			if e.effect == 1 {
				again *= 1 - share*(1-sameAgain)
			}
		}
		weight += w
		hits += w * e.effect
	}
	return again*hits/weight + newSource/float64(1+ofSource)
}

// kinship is how much a trial says of another by what made them.
func kinship(a, b *offer) float64 {
	switch {
	case a.Source != b.Source:
		return 0
	case a.Operator == b.Operator:
		return operatorWeight
	}
	return sourceWeight
}

// prior is the share of bad patches among such candidates.
func prior(o *offer) float64 {
	p := 0.5
	switch {
	case o.Tier == Around:
		p = 0.25
	case o.Source == symptomSource:
		p = 0.3
	case o.Tier == Lines:
		p = 0.55
	}
	if o.known != reached {
		p *= 0.4
	}
	return p
}

// symptomSource is the name of the source of fixes at the wrong place.
const symptomSource = "symptom"

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
