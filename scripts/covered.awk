# Reads a list of files and functions, the functions of a profile with their
# lines, and the profile; prints the share of statements run in each function of
# the list, and in all of it.
FNR == 1 { part++ }
part == 1 && NF && !/^#/ { if (NF == 1) whole[$1] = 1; else one[$1, $2] = 1; next }
part == 2 {
	split($1, place, ":"); sub(/^assay\//, "", place[1])
	if (place[1] in whole || (place[1], $2) in one) {
		names[++n] = place[1] " " $2
		file[n] = place[1]; first[n] = place[2] + 0
	}
	starts[place[1], ++count[place[1]]] = place[2] + 0
	next
}
part == 3 && FNR > 1 {
	split($1, place, ":"); sub(/^assay\//, "", place[1])
	split(place[2], range, "[.,]")
	block = place[1] ":" place[2]
	size[block] = $2; if ($3 > 0) run[block] = 1
	at[block] = range[1] + 0; of[block] = place[1]
}
END {
	for (b in size) {
		start = 0
		for (i = 1; i <= count[of[b]]; i++) if (starts[of[b], i] <= at[b] && starts[of[b], i] > start) start = starts[of[b], i]
		all[of[b], start] += size[b]; if (b in run) ran[of[b], start] += size[b]
	}
	for (i = 1; i <= n; i++) {
		k = file[i] SUBSEP first[i]
		if (!(k in all)) continue
		printf "%5.1f %%  %s\n", 100 * ran[k] / all[k], names[i]
		sum += all[k]; hit += ran[k]; functions++; if (ran[k] > 0) executed++
	}
	printf "%d of %d functions run, %.1f %% of their %d statements\n", executed, functions, 100 * hit / sum, sum
}
