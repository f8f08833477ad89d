package measure

import (
	"maps"
	"slices"

	"assay/badpatch/killset"
)

// field is a prime. A rank over it is that over the rationals, unless it
// divides a minor: then it is smaller.
const field = 1_000_000_007

func rank(sets []killset.Set) int {
	columns := map[string]int{}
	for _, s := range sets {
		for _, k := range slices.Sorted(maps.Keys(s)) {
			if _, ok := columns[k]; !ok {
				columns[k] = len(columns)
			}
		}
	}
	rows := make([][]int64, len(sets))
	for i, s := range sets {
		rows[i] = make([]int64, len(columns))
		for k := range s {
			rows[i][columns[k]] = 1
		}
	}
	found := 0
	for c := 0; c < len(columns) && found < len(rows); c++ {
		p := found
		for p < len(rows) && rows[p][c] == 0 {
			p++
		}
		if p == len(rows) {
			continue
		}
		rows[found], rows[p] = rows[p], rows[found]
		eliminate(rows, found, c)
		found++
	}
	return found
}

// eliminate clears a column below a row that has something in it.
func eliminate(rows [][]int64, at, c int) {
	inverse := power(rows[at][c], field-2)
	for r := at + 1; r < len(rows); r++ {
		factor := rows[r][c] * inverse % field
		for k := c; factor != 0 && k < len(rows[r]); k++ {
			rows[r][k] = (rows[r][k] - factor*rows[at][k]%field + field) % field
		}
	}
}

func power(base int64, exponent int) int64 {
	out := int64(1)
	for base %= field; exponent > 0; exponent >>= 1 {
		if exponent&1 == 1 {
			out = out * base % field
		}
		base = base * base % field
	}
	return out
}
