package docker

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/docker/docker/api/types/image"

	"assay/harness"
)

// bootstrapScheme names what a bootstrapped image holds. It changes with
// the way it is made.
const bootstrapScheme = "debootstrap minbase, 2"

func bootstrapTag(suite string) string {
	sum := sha256.Sum256([]byte(bootstrapScheme + "\n" + suite))
	return fmt.Sprintf("%s:%s-%x", baseRepository, suite, sum[:6])
}

// bootstrap makes a base image of a Debian release from its packages, with
// the mirror and the keys of the host's own apt where these serve.
func (d *Driver) bootstrap(ctx context.Context, suite string) (id string, err error) {
	if err := bootstrapReady(); err != nil {
		return "", err
	}
	began := time.Now()
	dir := d.scratch("bootstrap-" + suite)
	defer os.RemoveAll(filepath.Dir(dir))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", infraFile("making a directory for a base image", err)
	}
	if err := debootstrap(ctx, suite, dir); err != nil {
		return "", err
	}
	if err := tidy(dir, suite); err != nil {
		return "", infraFile("tidying a base image", err)
	}
	if err := d.importDir(ctx, dir, bootstrapTag(suite)); err != nil {
		return "", err
	}
	id, err = d.imageID(ctx, bootstrapTag(suite))
	d.log.Info("bootstrapped a base image", "image", bootstrapTag(suite), "seconds", int(time.Since(began).Seconds()))
	return id, infra(ctx, "looking for the base image", err)
}

// bootstrapReady describes what is missing to make a base image.
func bootstrapReady() error {
	if os.Geteuid() != 0 {
		return fmt.Errorf("%w: no registry gives the base image, and only root can make one; load it with: docker load -i FILE", harness.ErrUnavailable)
	}
	if _, err := exec.LookPath("debootstrap"); err != nil {
		return fmt.Errorf("%w: no registry gives the base image, and debootstrap, to make one, is missing; install it with: sudo apt-get install debootstrap", harness.ErrUnavailable)
	}
	return nil
}

// mirror is where the host's apt gets a release from, empty where it does not
// use that release, and the keys for it.
func mirror(suite string) (uri, keyring string, err error) {
	keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
	sources, err := hostSources()
	if err != nil {
		return "", "", broken("reading the host's package sources", err)
	}
	for _, s := range sources {
		if s.suite == suite && slices.Contains(s.components, "main") && strings.Contains(s.uri, "debian") {
			uri = s.uri
			if strings.HasPrefix(s.signedBy, "/") && filepath.Ext(s.signedBy) == ".gpg" {
				keyring = s.signedBy
			}
			break
		}
	}
	if _, err := os.Stat(keyring); err != nil {
		return "", "", fmt.Errorf("%w: Debian's keys, to check a base image's packages by, are missing (%w); install them with: sudo apt-get install debian-archive-keyring", harness.ErrUnavailable, err)
	}
	return uri, keyring, nil
}

// debootstrap runs in a mount namespace of its own, as it mounts /proc in
// what it makes and leaves that when it is killed.
func debootstrap(ctx context.Context, suite, dir string) error {
	uri, keyring, err := mirror(suite)
	if err != nil {
		return err
	}
	args := []string{"--variant=minbase", "--force-check-gpg", "--keyring=" + keyring, suite, dir}
	if uri != "" {
		args = append(args, uri) // else debootstrap's default
	}
	cmd := exec.CommandContext(ctx, "debootstrap", args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive")
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("bootstrapping %s: %w", suite, ctx.Err())
	}
	return &harness.InfraError{
		Op: "bootstrapping " + suite, Retryable: true,
		Err: fmt.Errorf("debootstrap: %w: %s", err, out[max(0, len(out)-1000):]),
	}
}

// tidy removes what the bootstrap needed only, and what it copied from this
// machine. A mirror of the host's is not named in the image: set-up steps get
// it each time.
func tidy(dir, suite string) error {
	uri, _, err := mirror(suite)
	if err != nil {
		return err
	}
	globs := []string{
		"var/cache/apt/archives/*.deb", "var/cache/apt/*.bin", "var/lib/apt/lists/*", "var/log/*.log", "var/log/apt/*",
		"etc/resolv.conf", "etc/hostname", "debootstrap",
	}
	if uri != "" {
		globs = append(globs, "etc/apt/sources.list")
	}
	var errs []error
	for _, glob := range globs {
		names, err := filepath.Glob(filepath.Join(dir, glob))
		errs = append(errs, err)
		for _, name := range names {
			errs = append(errs, os.RemoveAll(name))
		}
	}
	return errors.Join(errs...)
}

// importDir makes an image of a directory.
func (d *Driver) importDir(ctx context.Context, dir, tag string) error {
	cmd := exec.CommandContext(ctx, "tar", "--numeric-owner", "--one-file-system", "--exclude=./dev/*", "-C", dir, "-c", ".")
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return infra(ctx, "packing a base image", err)
	}
	// The tag is given once the archive was read whole.
	stream, err := d.engine.ImageImport(ctx, image.ImportSource{Source: out, SourceName: "-"}, "", image.ImportOptions{
		Message: "made of Debian's packages",
		Changes: append(labelChanges(with(d.owner.labels(), map[string]string{labelKind: "base"})), `CMD ["/bin/sh"]`),
	})
	packed := cmd.Wait()
	if err != nil {
		return infra(ctx, "importing a base image", err)
	}
	defer stream.Close()
	id, err := lastStatus(stream, func() {})
	if err == nil && packed != nil {
		_, gone := d.engine.ImageRemove(ctx, id, image.RemoveOptions{})
		d.logged("removing half a base image", gone)
		err = fmt.Errorf("tar: %w: %s", packed, complaints.String())
	}
	if err == nil {
		err = d.engine.ImageTag(ctx, id, tag)
	}
	return infra(ctx, "importing a base image", err)
}
