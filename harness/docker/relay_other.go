//go:build !linux

package docker

import (
	"context"
	"errors"

	"assay/harness"
	"assay/harness/relay"
)

func (d *Driver) relayable() error {
	return errors.New("relays need Linux, with the engine on this machine")
}

func (b *box) serve(context.Context, []harness.Relay) (*relay.Server, error) { return nil, nil }
