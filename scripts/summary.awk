# Says, from the output of go test -v: a line per package (none with packages=0), what failed, what was
# skipped with its reason, and how many of each.
# What a sub-test says stands below its own "=== RUN" (or NAME, CONT), and its
# verdict comes later, below its parent.
/^=== (RUN|NAME|CONT)/ { current = $3; next }
/^=== /       { next }
/^ *--- SKIP/ { skipped[++n] = $3 ": " last[$3]; next }
/^ *--- FAIL/ { print; failed++; next }
/^ *--- PASS/ { passed++; next }
/^(ok|FAIL|panic)/ { if (packages != "0") print }
{ line = $0; sub(/^ +[^ ]+\.go:[0-9]+: /, "", line); if (line != "") last[current] = line }
END {
	if (n) print "\nskipped:"
	for (i = 1; i <= n; i++) print "  " skipped[i]
	printf "\n%d passed, %d failed, %d skipped\n", passed, failed, n
}
