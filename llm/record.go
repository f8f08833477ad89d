package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
)

// recording is one request and the result.
type recording struct {
	Request  sentRequest     `json:"request"`
	Response *storedResponse `json:"response,omitempty"`
	Error    *recordedError  `json:"error,omitempty"`
}

type recordedError struct {
	Class    Class  `json:"class"`
	Provider string `json:"provider"`
	Status   int    `json:"status,omitempty"`
	Message  string `json:"message"`
}

// Record writes every answer to a file of dir that Replay finds by the
// request's digest; an equal request replaces it. A refusal, a request that is
// too long and a 200 without an answer to use are recorded too, since they
// belong to the model; other errors are not. An answer that cannot be recorded is an error.
func Record(next Client, dir string) Client { return &record{next, dir} }

type record struct {
	next Client
	dir  string
}

func (r *record) Complete(ctx context.Context, req Request) (Response, error) {
	res, err := r.next.Complete(ctx, req)
	entry := recording{Request: sentOf(req, "")}
	var e *Error
	switch {
	case err == nil:
		stored := storedOf(res)
		entry.Response = &stored
	case errors.As(err, &e) && ofModel(e):
		entry.Error = &recordedError{e.Class, e.Provider, e.Status, fmt.Sprint(e.Err)}
	default:
		return res, err
	}
	if werr := writeJSON(recordFile(r.dir, entry.Request), entry); werr != nil {
		return Response{}, errors.Join(fmt.Errorf("recording a call: %w", werr), err)
	}
	return res, err
}

// ofModel reports whether an error belongs to the model.
func ofModel(e *Error) bool {
	return e.Class == Refused || e.Class == TooLong || e.Class == Malformed && e.Status == http.StatusOK
}

// Replay answers from what Record wrote and makes no requests. A request that
// was not recorded is an error of class Invalid that names it.
func Replay(dir string) Client { return replay(dir) }

type replay string

func (r replay) Complete(ctx context.Context, req Request) (Response, error) {
	if err := ctx.Err(); err != nil {
		return Response{}, err
	}
	sent := sentOf(req, "")
	name := recordFile(string(r), sent)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Response{}, missing(req, sent.digest(), string(r))
	}
	var entry recording
	if err == nil {
		err = json.Unmarshal(data, &entry)
	}
	switch {
	case err != nil:
		return Response{}, replayError(fmt.Errorf("reading recording %s: %w", name, err))
	case entry.Error != nil:
		e := entry.Error
		return Response{}, &Error{Class: e.Class, Provider: e.Provider, Status: e.Status, Err: errors.New(e.Message)}
	case entry.Response == nil:
		return Response{}, replayError(fmt.Errorf("recording %s holds no answer", name))
	}
	return entry.Response.response(), nil
}

func missing(req Request, digest, dir string) error {
	purpose := ""
	if req.Purpose != "" {
		purpose = " for " + req.Purpose
	}
	return replayError(fmt.Errorf("no recording%s of request %s (model %s, sample %d) in %s", purpose, digest, req.Model, req.Sample, dir))
}

func replayError(err error) error {
	return &Error{Class: Invalid, Provider: "replay", Err: err}
}

func recordFile(dir string, sent sentRequest) string {
	return filepath.Join(dir, sent.digest()+".json")
}
