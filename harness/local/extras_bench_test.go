//go:build linux

package local

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

// BenchmarkExtras is what relays and trees add to a job: to one that does
// nothing, and of 5,000 files in its environment.
func BenchmarkExtras(b *testing.B) {
	d := newDriver(b)
	env, err := d.Prepare(b.Context(), harness.Recipe{Name: "files", Script: `mkdir -p /opt/tree; cd /opt/tree
for i in $(seq 100); do mkdir $i; for j in $(seq 50); do echo $i.$j > $i/$j; done; done`})
	require.NoError(b, err)
	relays := []harness.Relay{{Port: 8791, Serve: func(c net.Conn) { c.Close() }}}
	for name, job := range map[string]harness.Job{
		"plain": {}, "relay": {Relays: relays}, "tree": {Tree: &harness.TreeQuery{Dir: "/opt/tree"}},
	} {
		job.Environment, job.Script = env, "true"
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				res, err := d.Run(b.Context(), job)
				require.NoError(b, err)
				require.Equal(b, job.Tree != nil, len(res.Tree) == 5100)
			}
		})
	}
}
