//go:build !linux

package docker

import (
	"github.com/docker/docker/api/types/container"
)

type layers struct{ upper string }

// overlayTree is on Linux only; its place is never taken here.
type overlayTree struct {
	archiveTree
	layers   layers
	point    string
	fallback tree
}

func overlayReachable(*engine) bool { return false }

func layersOf(container.InspectResponse) (layers, bool) { return layers{}, false }
