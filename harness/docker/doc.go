// Package docker runs jobs in containers of an engine that speaks Docker's
// API, 1.41 or later: Docker itself, or Podman through its compatible
// socket. It is the only package that knows the engine's client.
//
// A job is one container: created, filled, started, watched, read out and
// removed. What belongs to us carries labels that name the process it
// belongs to; what a dead process left is removed by the next New.
//
// Environments are images: one layer of a recipe is one commit, tagged with
// the recipe's digest once it is whole.
package docker
