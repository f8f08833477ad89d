package harnesstest

import "slices"

// waits names the groups and checks that wait for seconds of real time, start
// many jobs or write much: short mode leaves them out.
func waits(name string) bool {
	return slices.Contains([]string{
		"time", "stop", "limits", "cancel", "many",
		"files/newer", "files/large", "script/timings", "script/long", "collect/after-timeout", "tree/still", "tree/deep", "tree/sparse", "output/limit",
		"prepare/timeout", "prepare/cancel", "prepare/once", "prepare/once-processes",
	}, name)
}

const notShort = "it waits for seconds of real time, or starts many jobs: not in short mode"
