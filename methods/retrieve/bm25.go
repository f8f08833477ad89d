// Package retrieve finds the files and functions of a tree that are about a text,
// by the words that they share with it: BM25, as Robertson and Zaragoza describe
// it (The Probabilistic Relevance Framework, 2009). Equal input gives equal
// output, to the last bit.
//
// The formula is written here since the one kept library that has it computes
// another one: bleve (2.6.3) divides lengths by the number of distinct words per
// document instead of their mean, squares a word's rarity in queries of several
// words, and multiplies by the share of words that a document has.
package retrieve

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// The parameters of BM25, as the literature has them: how soon repetitions of a
// word stop counting, and how much a document's length does.
const (
	saturation = 1.2  // k1
	byLength   = 0.75 // b
)

// Index is a collection of documents, ready to be ranked. It is not changed after
// NewIndex, and safe for concurrent use.
type Index struct {
	postings map[string][]posting // by word, in the order of the documents
	lengths  []int                // words of each document
	mean     float64              // of the lengths
}

// posting is how often a document has a word.
type posting struct{ doc, count int }

// Hit is a document that shares words with a query.
type Hit struct {
	Doc   int // its place in the list that NewIndex got
	Score float64
}

// NewIndex reads documents.
func NewIndex(docs []string) *Index {
	x := &Index{postings: map[string][]posting{}}
	total := 0
	for i, text := range docs {
		words := Words(text)
		x.lengths = append(x.lengths, len(words))
		total += len(words)
		for word, count := range counted(words) {
			x.postings[word] = append(x.postings[word], posting{i, count})
		}
	}
	x.mean = float64(total) / float64(max(1, len(docs)))
	return x
}

// Rank lists the documents that share a word with the query, the best one first,
// equal ones in their order. A word counts as often as the query has it.
func (x *Index) Rank(query string) []Hit {
	words := counted(Words(query))
	scores := map[int]float64{}
	for _, word := range slices.Sorted(maps.Keys(words)) { // the order of a sum shows in its last bits
		found := x.postings[word]
		weight := float64(words[word]) * rarity(len(found), len(x.lengths))
		for _, p := range found {
			scores[p.doc] += weight * x.share(p)
		}
	}
	out := make([]Hit, 0, len(scores))
	for doc, score := range scores {
		out = append(out, Hit{doc, score})
	}
	slices.SortFunc(out, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), a.Doc-b.Doc) })
	return out
}

// rarity is the weight of a word that some of all documents have; it is above 0.
func rarity(some, all int) float64 {
	n := float64(some)
	return math.Log(1 + (float64(all)-n+0.5)/(n+0.5))
}

// share is what a word's count in a document is worth.
func (x *Index) share(p posting) float64 {
	count := float64(p.count)
	length := float64(x.lengths[p.doc]) / x.mean
	return count * (saturation + 1) / (count + saturation*(1-byLength+byLength*length))
}

func counted(words []string) map[string]int {
	out := map[string]int{}
	for _, w := range words {
		out[w]++
	}
	return out
}
