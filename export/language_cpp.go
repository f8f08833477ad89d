package export

import "assay/bench"

// cppResults is that of the whole: CTest's tests are programs, or cases, by other
// names than ids.
const cppResults = `word=FAIL
[ "$code" -ne 0 ] || word=PASS
sed "s/^/$word: /" "$ids"`

// cppContainer builds by CMake and runs all of CTest's tests.
func cppContainer() container {
	configure := func(env bench.Env) string { return "cmake -S . -B /build" + shellWords(env.Args) }
	return container{
		name: "cpp",
		base: func(bench.Env) string { return "gcc:12" },
		setup: func(_ bench.Instance, env bench.Env) []string {
			return []string{
				"RUN apt-get update && apt-get install -y --no-install-recommends cmake make && rm -rf /var/lib/apt/lists/*",
				"RUN " + configure(env) + " && cmake --build /build -j2 || true",
			}
		},
		test: func(env bench.Env, _ []string) string {
			return configure(env) + " && cmake --build /build -j2 && ctest --test-dir /build --output-on-failure --no-tests=error"
		},
		results: cppResults,
	}
}
