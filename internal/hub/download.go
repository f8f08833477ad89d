package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// download fetches one file. A part of it is kept as NAME.part, and the next
// call requests the rest; the name itself only ever belongs to a whole file
// of the size and digest that were listed.
func (c *Client) download(ctx context.Context, s Snapshot, f file) error {
	path := filepath.Join(s.Folder, filepath.FromSlash(f.Path))
	if info, err := os.Stat(path); err == nil && info.Size() == f.Size {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	c.Tell(fmt.Sprintf("downloading %s of %s, %.1f MB", f.Path, s.Name, float64(f.Size)/1e6))
	part := path + ".part"
	address := fmt.Sprintf("%s/datasets/%s/resolve/%s/%s", c.Endpoint, s.Name.Repo, s.Name.Revision, escapePath(f.Path))
	for try := 1; ; try++ {
		err := c.append(ctx, address, part, f)
		if err == nil {
			return os.Rename(part, path)
		}
		var cut *cutError
		if !errors.As(err, &cut) || try == tries || ctx.Err() != nil {
			return err
		}
	}
}

func escapePath(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

// cutError is the error of a download after which another try makes sense.
type cutError struct{ err error }

func (e *cutError) Error() string { return e.err.Error() }
func (e *cutError) Unwrap() error { return e.err }

// append downloads the missing rest of a file, and checks the whole.
func (c *Client) append(ctx context.Context, address, part string, f file) (err error) {
	out, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	have, err := out.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if have > f.Size {
		have = 0
	}
	if have < f.Size {
		if err := c.copyRest(ctx, address, out, have); err != nil {
			return err
		}
	}
	return check(out, f)
}

// copyRest writes what is at an address from a byte on. A server that does
// not know ranges sends all of it.
func (c *Client) copyRest(ctx context.Context, address string, out *os.File, have int64) error {
	resp, err := c.request(ctx, address, have)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusPartialContent {
		have = 0
	}
	if err := out.Truncate(have); err != nil {
		return err
	}
	if _, err := out.Seek(have, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.Copy(out, resp.Body); err != nil {
		return &cutError{err}
	}
	return nil
}

// check holds a file against its size and digest; one that is not what was
// listed is emptied.
func check(out *os.File, f file) error {
	info, err := out.Stat()
	if err != nil {
		return err
	}
	if info.Size() < f.Size {
		return &cutError{fmt.Errorf("expected %d bytes, got %d", f.Size, info.Size())}
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(out, 0, info.Size())); err != nil {
		return err
	}
	got := hex.EncodeToString(h.Sum(nil))
	if info.Size() == f.Size && (f.LFS == nil || f.LFS.SHA256 == got) {
		return nil
	}
	want := fmt.Sprintf("%d bytes", f.Size)
	if f.LFS != nil {
		want += ", SHA-256 " + f.LFS.SHA256
	}
	return errors.Join(&cutError{fmt.Errorf("expected %s, got %d bytes, SHA-256 %s", want, info.Size(), got)}, out.Truncate(0))
}
