package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// tries is how often a request is made in all.
const tries = 5

// get reads a JSON answer, and returns the address of its next page.
func (c *Client) get(ctx context.Context, address string, into any) (next string, _ error) {
	resp, err := c.request(ctx, address, 0)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(io.LimitReader(resp.Body, 256<<20)).Decode(into); err != nil {
		return "", fmt.Errorf("reading the hub's answer to %s: %w", address, err)
	}
	if m := regexp.MustCompile(`<([^>]+)>; *rel="next"`).FindStringSubmatch(resp.Header.Get("Link")); m != nil {
		base := resp.Request.URL
		ref, err := base.Parse(m[1])
		if err != nil || ref.Host != base.Host {
			return "", fmt.Errorf("the hub's next page %q is on another server", m[1])
		}
		return ref.String(), nil
	}
	return "", nil
}

// request asks for what is at an address from a byte on, and tries again
// where the hub is busy or can't be reached.
func (c *Client) request(ctx context.Context, address string, from int64) (*http.Response, error) {
	for try := 1; ; try++ {
		resp, err := c.once(ctx, address, from)
		if ctx.Err() != nil {
			return resp, err
		}
		wait := time.Second << (try - 1)
		switch {
		case err == nil && resp.StatusCode < 300:
			return resp, nil
		case err == nil && resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < 500:
			defer resp.Body.Close()
			return nil, refusal(resp)
		case err == nil:
			wait = max(wait, retryAfter(resp.Header.Get("Retry-After")))
			err = refusal(resp)
			resp.Body.Close()
		}
		if try == tries {
			return nil, fmt.Errorf("after %d tries: %w", tries, err)
		}
		if err := c.Sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (c *Client) once(ctx context.Context, address string, from int64) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	return c.HTTP.Do(req)
}

// retryAfter reads how long to wait, in seconds; at most five minutes.
func retryAfter(header string) time.Duration {
	seconds, err := strconv.Atoi(header)
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, 5*time.Minute)
}

// refusal explains why the hub gave nothing, and what helps.
func refusal(resp *http.Response) error {
	code := resp.Header.Get("X-Error-Code")
	switch {
	case code == "GatedRepo":
		return fmt.Errorf("the dataset is gated: accept its terms on its page and set HF_TOKEN (the hub says %s)", resp.Status)
	case code == "RevisionNotFound":
		return fmt.Errorf("there is no such revision (the hub says %s)", resp.Status)
	case code == "EntryNotFound":
		return fmt.Errorf("there is no such file (the hub says %s)", resp.Status)
	case resp.StatusCode == http.StatusUnauthorized, resp.StatusCode == http.StatusForbidden, resp.StatusCode == http.StatusNotFound:
		return fmt.Errorf("there is no such dataset, or it is private: check the name, or set HF_TOKEN to a token that may read it (the hub says %s)", resp.Status)
	}
	return fmt.Errorf("the hub says %s %s", resp.Status, resp.Header.Get("X-Error-Message"))
}
