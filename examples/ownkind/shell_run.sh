# sh run.sh REPORT FILE...: runs the tests of the files.
report=$1
shift
n=0
failed=0
echo "TAP version 13" >"$report"
for file in "$@"; do
	for name in $(sed -n 's/^\(test_[A-Za-z0-9_]*\)() {.*/\1/p' "$file"); do
		n=$((n + 1))
		if sh -c '. "./$1" && "$2"' sh "$file" "$name"; then
			echo "ok $n - $file::$name" >>"$report"
		else
			echo "not ok $n - $file::$name" >>"$report"
			failed=1
		fi
	done
done
echo "1..$n" >>"$report"
exit $failed
