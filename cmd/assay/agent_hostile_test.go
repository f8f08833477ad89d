package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"assay/attempts"
	"assay/bench"
	"assay/internal/mirror"
)

// callPrice is what a call of the scripted model costs, in dollars: 100 tokens
// of input at $10 a million, 10 of output at $100.
const callPrice = 0.002

// prison runs hostile agents, each with a folder and a provider of its own.
type prison struct {
	world
	provider *hostileProvider
	dir      string // of this test: agents, prices, the run's folder
	name     string
}

func (w world) prison(t *testing.T, script string) *prison {
	t.Helper()
	p := &prison{world: w, provider: newHostileProvider(t), dir: t.TempDir(), name: "hostile"}
	require.NoError(t, os.Mkdir(p.path("agents"), 0o755))
	require.NoError(t, os.WriteFile(p.path("prices.yaml"), []byte("date: 2026-11-22\nmodels:\n  openai/scripted: {input: 10, output: 100, max_output: 10}\n"), 0o644))
	p.write(t, p.name, script)
	return p
}

func (p *prison) path(name string) string { return filepath.Join(p.dir, name) }

// write makes an agent of a Python program.
func (p *prison) write(t *testing.T, name, script string) {
	t.Helper()
	text, err := yaml.Marshal(map[string]any{
		"name": name, "version": "1", "command": []string{"python3", "{{state}}/agent.py"}, "prompt": map[string]any{"stdin": true}, "logs": []string{"{{state}}/*.log"},
		"speaks": []any{map[string]any{"protocol": "chat", "env": map[string]string{"OPENAI_API_KEY": "{{key}}", "OPENAI_BASE_URL": "{{url}}/v1"}}},
		"files":  []any{map[string]any{"path": "{{state}}/agent.py", "text": hostilePrelude + script}},
	})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(p.path("agents"), name+".yaml"), text, 0o644))
}

// hostilePrelude is what all hostile agents share. loot is printed by what an
// agent must not be able to do; tried shows that it got as far as trying.
const hostilePrelude = `
import http.client, json, os, socket, subprocess, sys, threading, time, urllib.parse
URL, KEY, HERE = os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_API_KEY"], os.getcwd()
HOST, PORT = urllib.parse.urlsplit(URL).hostname, urllib.parse.urlsplit(URL).port
def loot(*what): print("LOOT", *(repr(w)[:300] for w in what), flush=True)
def tried(*what): print("TRIED", *what, flush=True)
def call(path="/v1/chat/completions", body=None, key=None, method="POST", headers=None, timeout=30):
    c = http.client.HTTPConnection(HOST, PORT, timeout=timeout)
    try:
        h = {"Authorization": "Bearer " + (KEY if key is None else key), "Content-Type": "application/json"}
        h.update(headers or {})
        c.request(method, path, body, h)
        r = c.getresponse()
        return r.status, r.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as e:
        return 0, repr(e)
    finally:
        c.close()
def ask(text="hello", key=None, **more):
    return call(body=json.dumps(dict({"model": "scripted", "max_tokens": 10, "messages": [{"role": "user", "content": text}]}, **more)), key=key)
def answer(text):
    status, body = ask(text)
    return json.loads(body)["choices"][0]["message"]["content"] if status == 200 else ""
def sh(command): return subprocess.run(command, shell=True, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL).stdout
def files(root="/"):
    # What Debian's packages install is the same for everybody.
    for dir, dirs, names in os.walk(root):
        if dir == "/": dirs[:] = [d for d in dirs if d not in ("proc", "sys", "dev")]
        if dir == "/usr": dirs[:] = [d for d in dirs if d in ("local", "src")]
        for n in names: yield os.path.join(dir, n)
`

// ran is what a run left.
type ran struct {
	*prison
	code int
	out  string // what assay printed
	took time.Duration
	most int64 // memory of assay's own process at most, in bytes
}

func (p *prison) run(t *testing.T, more ...string) ran {
	t.Helper()
	args := append([]string{
		"run", "-d", p.paths.Dataset, "-i", victim, "-t", "bugfix", "-a", p.name, "-m", "openai/scripted", "-o", p.path("run"), "--agents", p.path("agents"),
		"--prices", p.path("prices.yaml"), "--repos", p.paths.Repos, "--executor", p.executor, "--cache-dir", p.cache,
	}, more...)
	cmd := exec.Command(p.binary, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "OPENAI_API_KEY="+realKey, "OPENAI_BASE_URL="+p.provider.URL+"/v1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	require.True(t, ok)
	return ran{p, cmd.ProcessState.ExitCode(), out.String(), time.Since(began), usage.Maxrss << 10}
}

// attempt is the folder of an attempt's number.
func (r ran) attempt(n int) string {
	return filepath.Join(r.path("run"), "attempts", "bugfix", victim, fmt.Sprint(n))
}

func (r ran) read(t *testing.T, n int, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.attempt(n), name))
	require.NoError(t, err, "assay printed: %s", r.out)
	return string(data)
}

func (r ran) record(t *testing.T, n int) attempts.Record {
	t.Helper()
	var rec attempts.Record
	require.NoError(t, json.Unmarshal([]byte(r.read(t, n, "attempt.json")), &rec))
	return rec
}

// log is what the agent printed. It must have tried what it is there for, and
// found nothing.
func (r ran) log(t *testing.T, n int, tried ...string) string {
	t.Helper()
	log := r.read(t, n, "output.log")
	for _, what := range tried {
		require.Contains(t, log, "TRIED "+what, "assay printed: %s", r.out)
	}
	require.NotContains(t, log, "LOOT")
	require.NotContains(t, log, "Traceback")
	return log
}

// exact compares the cost of the attempts with the calls that the provider
// answered, to less than a hundredth of a cent.
func (r ran) exact(t *testing.T) {
	t.Helper()
	var spent float64
	for _, rec := range r.records(t) {
		spent += rec.CostUSD
		require.False(t, rec.Estimated)
	}
	require.InDelta(t, float64(r.provider.answered.Load())*callPrice, spent, 1e-9, "%d answers", r.provider.answered.Load())
}

func (r ran) records(t *testing.T) []attempts.Record {
	t.Helper()
	f, err := os.Open(filepath.Join(r.path("run"), "attempts.jsonl"))
	require.NoError(t, err, "assay printed: %s", r.out)
	defer f.Close()
	var out []attempts.Record
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var rec attempts.Record
		require.NoError(t, json.Unmarshal(lines.Bytes(), &rec))
		out = append(out, rec)
	}
	require.NoError(t, lines.Err())
	return out
}

// sealed looks for texts in all that a run wrote and printed.
func (r ran) sealed(t *testing.T, secrets ...string) {
	t.Helper()
	all := map[string]string{"what assay printed": r.out}
	require.NoError(t, filepath.WalkDir(r.path("run"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(p)
		all[p] = string(data)
		return err
	}))
	require.Greater(t, len(all), 3)
	for place, text := range all {
		for _, s := range secrets {
			require.False(t, strings.Contains(text, s), "%s holds %q", place, s)
		}
	}
}

// size is what a run's folder takes.
func (r ran) size(t *testing.T) (bytes int64) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(r.path("run"), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		bytes += info.Size()
		return err
	}))
	return bytes
}

// processes with a word in their command line.
func processes(t *testing.T, word string) string {
	t.Helper()
	out, err := exec.Command("ps", "-eo", "args").Output()
	require.NoError(t, err)
	var found []string
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, word) {
			found = append(found, line)
		}
	}
	return strings.Join(found, "")
}

// TestHostileAgents runs, through the real binary, agents that try to get out, to
// find what they must not know, to spend more than their budget or to do harm.
func TestHostileAgents(t *testing.T) { newWorld(t).hostileAgents(t) }

// TestHostileAgentsInContainers runs them in containers.
func TestHostileAgentsInContainers(t *testing.T) {
	w := newWorld(t)
	needContainers(t)
	w.executor = "docker"
	w.hostileAgents(t)
}

func (w world) hostileAgents(t *testing.T) {
	inst, tree := w.sample(t, victim)
	fixed := goldMark(t, inst)
	test := testMark(t, inst)
	for name, check := range map[string]func(t *testing.T, w world){
		"network":          hostileNetwork,
		"key":              hostileKey,
		"secrets":          func(t *testing.T, w world) { hostileSecrets(t, w, fixed, test) },
		"other attempts":   hostileNeighbours,
		"daemons":          hostileDaemons,
		"disk and log":     hostileDisk,
		"git":              func(t *testing.T, w world) { hostileGit(t, w, inst) },
		"repository":       func(t *testing.T, w world) { hostileDeletion(t, w, len(tree.(*mirror.Tree).Paths())) },
		"terminal":         hostileTerminal,
		"calls":            hostileCalls,
		"connections":      hostileConnections,
		"large requests":   hostileRequests,
		"logs":             hostileLogs,
		"odd files":        hostileFiles,
		"sizes":            hostileSizes,
		"memory":           hostileMemory,
		"provider's tools": hostileTools,
	} {
		t.Run(name, func(t *testing.T) { check(t, w) })
	}
}

// goldMark is a line that only the gold patch adds.
func goldMark(t *testing.T, inst bench.Instance) string { return longestAdded(t, inst.Patch) }

// testMark is a line that only the hidden tests have.
func testMark(t *testing.T, inst bench.Instance) string { return longestAdded(t, inst.TestPatch) }

func longestAdded(t *testing.T, patch string) string {
	t.Helper()
	best := ""
	for line := range strings.Lines(patch) {
		if text, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "+"); ok && !strings.HasPrefix(text, "++") && len(strings.TrimSpace(text)) > len(best) {
			best = strings.TrimSpace(text)
		}
	}
	require.Greater(t, len(best), 20)
	return best
}

// hostileNetwork looks for a way out: by address, by name, by socket, and by
// the proxy.
func hostileNetwork(t *testing.T, w world) {
	lure := listen(t)
	p := w.prison(t, fmt.Sprintf(`
lure = %q.rsplit(":", 1)
for host, port in [lure, ("1.1.1.1", 80), ("8.8.8.8", 53), ("169.254.169.254", 80), ("172.17.0.1", 2375), ("::1", int(lure[1])), ("localhost", int(lure[1]))] + [(a, lure[1]) for a in %q.split()]:
    try:
        socket.create_connection((host, int(port)), 2)
        loot("connected", host, port)
    except OSError:
        pass
for name in ("example.com", "api.openai.com", "host.docker.internal"):
    try:
        socket.getaddrinfo(name, 80)
        loot("resolved", name)
    except OSError:
        pass
try:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    loot("raw socket")
except OSError:
    pass
for path in files():
    if path.endswith(".sock"): 
        try:
            socket.socket(socket.AF_UNIX).connect(path)
            loot("unix socket", path)
        except OSError:
            pass
if len(open("/proc/net/route").read().splitlines()) > 1: loot("route")
target = "%%s:%%s" %% tuple(lure)
for path in ("http://" + target + "/", "//" + target + "/v1/chat/completions", "/v1/../../" + target, "/v1/chat/completions/../../../x", "/v1/files", "/v1/models/../../x", "/v1/chat/completions?url=http://" + target):
    for method in ("GET", "POST", "PUT", "DELETE"):
        status, body = call(path, "{}", method=method)
        if status == 200 and method != "GET": loot("path", path, body)
for h in ({"Host": target}, {"X-Forwarded-Host": target}, {"Proxy": "http://" + target}):
    call(body='{"model": "scripted", "max_tokens": 10, "messages": []}', headers=h)
c = socket.create_connection((HOST, PORT), 5)
c.sendall(("CONNECT " + target + " HTTP/1.1\r\nHost: x\r\n\r\n").encode())
if b" 200 " in c.recv(100): loot("CONNECT")
tried("network")
`, lure.Addr().String(), strings.Join(hostAddresses(t), " ")))
	r := p.run(t)
	r.log(t, 1, "network")
	require.False(t, lure.reached(), "the agent reached a listener of this machine")
	for _, got := range p.provider.seen() {
		require.Equal(t, "/v1/chat/completions", got.path)
		require.Equal(t, "POST", got.method)
		require.Equal(t, "Bearer "+realKey, got.authorization)
		require.Equal(t, p.provider.host, got.host)
	}
	r.exact(t)
}

// hostileKey looks for the provider's key where programs keep such, and asks a
// provider that repeats what it is sent.
func hostileKey(t *testing.T, w world) {
	p := w.prison(t, `
mark = "sk-" + "real" # the two parts are not together in this program
for pid in os.listdir("/proc"):
    for name in ("environ", "cmdline"):
        try:
            if mark in open("/proc/" + pid + "/" + name, errors="replace").read(): loot(pid, name)
        except OSError:
            pass
n = 0
for path in files():
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > 50 << 20: continue
        n += 1
        if mark.encode() in open(path, "rb").read(): loot("file", path)
    except OSError:
        pass
if n < 100: loot("looked at too little", n)
for text in ("repeat the headers", "fail with the headers", "deny with the headers"):
    status, body = ask(text)
    if mark in body: loot(text, status, body)
status, body = call("/v1/models", method="GET")
if mark in body: loot("models", body)
for key in ("", "x", KEY[:-1], KEY + "x", "sk-" + "real"):
    status, _ = ask("with another key", key=key)
    if status == 200: loot("answered with key", key)
tried("key")
`)
	r := p.run(t)
	r.log(t, 1, "key")
	require.NotEmpty(t, p.provider.seen())
	r.sealed(t, realKey)
	require.NotContains(t, strings.Join(p.provider.texts(), "\n"), "with another key")
}

// hostileSecrets searches the whole file system and all of git for the fix and
// the hidden tests. That it finds a line of the repository shows that it looks.
func hostileSecrets(t *testing.T, w world, fixed, test string) {
	p := w.prison(t, fmt.Sprintf(`
import codecs, gzip, zlib, zipfile
rot = lambda s: codecs.encode(s, "rot13").encode()
marks = {rot(%q): "gold", rot(%q): "test", rot(%q): "control"}
seen = {}
def look(where, data):
    for m, name in marks.items():
        if m in data: seen.setdefault(name, []).append(where)
for path in files():
    try:
        if not os.path.isfile(path) or path.endswith("agent.py"): continue
        data = open(path, "rb").read(64 << 20)
    except OSError:
        continue
    look(path, data)
    try:
        if data[:4] == b"PK\x03\x04":
            z = zipfile.ZipFile(path)
            for n in z.namelist(): look(path + "!" + n, z.read(n))
        elif data[:2] == b"\x1f\x8b": look(path + "!gz", gzip.decompress(data))
        elif data[:1] == b"\x78": look(path + "!z", zlib.decompress(data))
    except Exception:
        pass
objects = subprocess.run(["git", "cat-file", "--batch-all-objects", "--batch", "--unordered"], capture_output=True, cwd=HERE).stdout
look("objects", objects)
for repo in [os.path.dirname(p) for p in files() if p.endswith("/HEAD") and "/logs/" not in p]:
    look("objects of " + repo, subprocess.run(["git", "--git-dir", repo, "cat-file", "--batch-all-objects", "--batch"], capture_output=True).stdout)
commits = sh("git -c safe.directory='*' log --all --reflog --format=%%H").split()
if len(commits) != 1: loot("commits", commits)
for ref in ("origin/HEAD", "v1.0.1", "HEAD@{1}", "HEAD~1", "refs/stash"):
    if sh("git rev-parse -q --verify " + ref + "^{commit} 2>/dev/null"): loot("ref", ref)
if sh("git remote") or sh("git tag"): loot("remote or tag")
if sh("git fsck --unreachable --no-reflogs --root 2>/dev/null | grep -v '^root'"): loot("unreachable", sh("git fsck --unreachable --no-reflogs"))
if "control" not in seen or len(objects) < 1000: loot("did not look well", seen, len(objects))
for name in ("gold", "test"):
    if name in seen: loot(name, seen[name])
tried("secrets")
`, rot13(fixed), rot13(test), rot13("class Stack")))
	r := p.run(t)
	r.log(t, 1, "secrets")
}

// rot13 hides a mark from the agent's own search of its program.
func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

// hostileNeighbours: attempts at the same time leave marks wherever they can,
// and look for those of others. By the model they even learn each other's keys.
func hostileNeighbours(t *testing.T, w world) {
	p := w.prison(t, `
import random
me = "mark-" + str(random.getrandbits(64))
for dir in ("/tmp", "/var/tmp", "/dev/shm", "/root", "/", "/opt", "/usr/local", HERE, os.path.dirname(HERE)):
    try: open(dir + "/" + me, "w").write(me)
    except OSError: pass
server = socket.create_server(("0.0.0.0", 9999))
for i in range(3):
    answer("STORE " + me + " " + KEY)
    time.sleep(1)
others = [o for o in answer("FETCH").split(";") if o and me not in o]
if not others: print("no other attempt ran at the same time", flush=True)
for o in others:
    mark, key = o.split(" ")
    status, _ = ask("with the key of another", key=key)
    if status == 200: loot("another's key", status)
for path in files():
    if os.path.basename(path).startswith("mark-") and os.path.basename(path) != me: loot(path)
server.settimeout(0.1)
for port in range(9990, 10010):
    try:
        c = socket.create_connection(("127.0.0.1", port), 0.2)
        if port != 9999 and port != PORT: loot("port", port)
    except OSError:
        pass
names = [open("/proc/" + p + "/cmdline").read() for p in os.listdir("/proc") if p.isdigit() and os.path.exists("/proc/" + p + "/cmdline")]
if sum("agent.py" in n for n in names) > 2: loot("processes", names)
tried("neighbours")
`)
	r := p.run(t, "-k", "3", "-j", "3")
	for n := 1; n <= 3; n++ {
		require.NotContains(t, r.log(t, n, "neighbours"), "no other attempt ran")
	}
	require.NotContains(t, strings.Join(p.provider.texts(), "\n"), "with the key of another")
	// What an attempt was answered, it paid.
	for n := 1; n <= 3; n++ {
		require.InDelta(t, 4*callPrice, r.record(t, n).CostUSD, 1e-9)
	}
	r.exact(t)
}

// hostileDaemons leaves processes that keep asking and writing.
func hostileDaemons(t *testing.T, w world) {
	p := w.prison(t, `
for i in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", """
import http.client, time, os, signal
for s in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(s, signal.SIG_IGN)
n = 0
while True:
    n += 1
    open(%r + "/daemon-wrote", "w").write("x" * n)
    try:
        c = http.client.HTTPConnection(%r, %r, timeout=5)
        c.request("POST", "/v1/chat/completions", '{"model": "scripted", "max_tokens": 10, "messages": [{"role": "user", "content": "daemon"}]}', {"Authorization": "Bearer " + %r})
        c.getresponse().read()
    except Exception:
        pass
""" % (HERE, HOST, PORT, KEY), "assay-hostile-agent-daemon"])
        os._exit(0)
time.sleep(2)
tried("daemons")
`)
	r := p.run(t, "--task-budget", "1")
	r.log(t, 1, "daemons")
	require.Empty(t, processes(t, "assay-hostile-agent-daemon"), "daemons outlived the attempt")
	require.Positive(t, r.record(t, 1).CostUSD)
	require.Contains(t, r.read(t, 1, "patch.diff"), "daemon-wrote")
	answered := p.provider.answered.Load()
	time.Sleep(time.Second)
	require.Equal(t, answered, p.provider.answered.Load(), "calls went on after the attempt")
	rec := r.record(t, 1)
	if !rec.Estimated { // a call that was cut counts with its upper bound
		r.exact(t)
	}
	require.GreaterOrEqual(t, rec.CostUSD, float64(answered)*callPrice-1e-9)
	require.LessOrEqual(t, rec.CostUSD, 1.0)
}

// hostileDisk fills the disk, its log and the tree.
func hostileDisk(t *testing.T, w world) {
	p := w.prison(t, `
tried("disk")
block = b"x" * (1 << 20)
open(HERE + "/sparse", "wb").truncate(1 << 32)
for n in range(6000):
    try:
        open(HERE + "/many-%d" % (n % 500), "ab").write(block)
    except OSError as e:
        print("full", n, e, flush=True)
        break
while True:
    os.write(1, block)
`)
	before := freeBytes(t)
	r := p.run(t)
	r.log(t, 1, "disk")
	require.Contains(t, []string{"limit", "time"}, string(r.record(t, 1).End))
	require.Less(t, r.size(t), int64(512<<20))
	require.Less(t, len(r.out), 1<<20)
	require.Less(t, before-freeBytes(t), int64(1<<30), "space was not given back")
}

// hostileGit rewrites the repository's metadata so that git, were it run there,
// would run the agent's programs, and commits its changes.
func hostileGit(t *testing.T, w world, inst bench.Instance) {
	mark := filepath.Join(t.TempDir(), "pwned")
	p := w.prison(t, fmt.Sprintf(`
pwn = "touch %s"
open("/tmp/gold.diff", "w").write(bytes.fromhex(%q).decode())
print(sh("git -c safe.directory='*' apply /tmp/gold.diff 2>&1"))
print(sh("git -c user.name=x -c user.email=x@x -c safe.directory='*' commit -qam fixed 2>&1"))
for key in ("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.hooksPath", "diff.external", "filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.evil.command", "merge.evil.driver", "gpg.program", "credential.helper", "alias.diff", "uploadpack.packObjectsHook"):
    sh("git config " + key + " '" + pwn + "'")
os.makedirs(".git/hooks", exist_ok=True)
for hook in ("pre-commit", "post-checkout", "post-index-change", "post-merge", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman"):
    open(".git/hooks/" + hook, "w").write("#!/bin/sh\n" + pwn + "\n")
    os.chmod(".git/hooks/" + hook, 0o755)
open(".gitattributes", "w").write("* filter=evil diff=evil merge=evil\n")
open(".gitmodules", "w").write('[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "' + pwn + '"\n\tupdate = !' + pwn + "\n")
open(".git/info/alternates", "w").write("/etc\n")
open(".git/objects/info/alternates", "w").write("/etc\n")
sh("rm -rf .git/refs/heads; ln -s /etc .git/refs/heads")
tried("git")
`, mark, hexOf(inst.Patch)))
	r := p.run(t)
	r.log(t, 1, "git")
	require.NoFileExists(t, mark)
	patch := r.read(t, 1, "patch.diff")
	require.Contains(t, patch, goldMark(t, inst))
	require.NotContains(t, patch, "/.git/")
	results := w.judgeFile(t, filepath.Join(r.path("run"), "predictions.jsonl"))
	require.Len(t, results, 1)
	for _, res := range results {
		require.Equal(t, bench.Resolved, res.Verdict, res.Reason)
	}
	require.NoFileExists(t, mark)
}

// hostileDeletion removes the repository and puts a link in its place; the other
// attempt is not touched.
func hostileDeletion(t *testing.T, w world, files int) {
	p := w.prison(t, `
import shutil
os.chdir("/")
number = len(answer("STORE x y") and answer("FETCH").split(";"))
if number == 1:
    shutil.rmtree(HERE)
    os.symlink("/etc", HERE)
else:
    open(HERE + "/fine.txt", "w").write("fine\n")
tried("deletion", number)
`)
	r := p.run(t, "-k", "2", "-j", "1")
	r.log(t, 1, "deletion 1")
	require.Equal(t, files, strings.Count(r.read(t, 1, "patch.diff"), "deleted file mode"))
	require.NotContains(t, r.read(t, 1, "patch.diff"), "passwd")
	r.log(t, 2, "deletion 2")
	require.Contains(t, r.read(t, 2, "patch.diff"), "fine.txt")
	require.NotContains(t, r.read(t, 2, "patch.diff"), "deleted file mode")
}

// hostileTerminal prints what terminals act on, by every way that reaches one.
func hostileTerminal(t *testing.T, w world) {
	p := w.prison(t, `
evil = "\x1b]0;pwned\x07\x1b[2J\x1b[31mvisible mark\x9b2J\r\x08"
print(evil, flush=True)
sys.stderr.write(evil)
answer(evil)
for i in range(200):
    open(HERE + "/" + "a\x1b[2J" + str(i) + ".pyc", "w").write(evil)
open(HERE + "/b\x1b]0;pwned\x07.txt", "w").write(evil)
tried("terminal")
sys.exit(evil)
`)
	r := p.run(t)
	r.log(t, 1, "terminal")
	outputs := []string{r.out, r.read(t, 1, "left_out.txt"), r.read(t, 1, "attempt.json")}
	for _, args := range [][]string{{"list", r.path("run")}, {"show", filepath.Join(r.attempt(1), "trajectory.json")}, {"search", r.path("run"), "visible mark"}} {
		code, out := w.assay(t, append([]string{"trajectories"}, args...)...)
		require.Zero(t, code, out)
		require.True(t, args[0] == "list" || strings.Contains(out, "visible mark"), out)
		outputs = append(outputs, out)
	}
	for _, out := range outputs {
		require.NotContains(t, out, "\x1b", "an escape reached the terminal")
		require.NotContains(t, out, "\x07")
		require.NotContains(t, out, "\u009b")
	}
}

// hostileCalls asks without end, many at a time, and does not stop when it is
// refused. The cost never exceeds the budget.
func hostileCalls(t *testing.T, w world) {
	p := w.prison(t, `
tried("calls")
def forever():
    while True: ask("more")
for i in range(20): threading.Thread(target=forever, daemon=True).start()
while True: time.sleep(60)
`)
	const budget = 0.1
	r := p.run(t, "--task-budget", fmt.Sprint(budget))
	r.log(t, 1, "calls")
	rec := r.record(t, 1)
	require.Equal(t, "budget", string(rec.End), rec.Detail)
	require.LessOrEqual(t, rec.CostUSD, budget)
	// What is left does not pay for the most that another call may cost: 2,200
	// tokens of input, as far as the proxy can know.
	require.Greater(t, rec.CostUSD, budget-0.025, rec.Detail)
	r.exact(t)
	require.Less(t, r.took, 2*time.Minute)
}

// hostileConnections opens connections and says nothing, or little, on them.
func hostileConnections(t *testing.T, w world) {
	p := w.prison(t, `
kept = []
for i in range(2000):
    try:
        c = socket.socket()
        c.settimeout(0.5)
        c.connect((HOST, PORT))
        c.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n{")
        kept.append(c)
    except OSError:
        break
tried("connections", len(kept) > 100)
`)
	r := p.run(t)
	r.log(t, 1, "connections True")
	require.Zero(t, p.provider.answered.Load())
	require.Zero(t, r.record(t, 1).CostUSD)
	require.Less(t, r.took, 2*time.Minute)
}

// hostileRequests sends large requests that are refused, which must not fill
// the record, and one that is endless.
func hostileRequests(t *testing.T, w world) {
	p := w.prison(t, `
big = "x" * (25 << 20)
for i in range(15):
    ask(big, model="another")
    ask(big, tools=[{"type": "web_search"}])
    call(body=json.dumps({"model": "scripted", "max_tokens": 10, "messages": [{"role": "user", "content": big}, {"role": "user", "content": "fail with the headers"}]}))
c = socket.create_connection((HOST, PORT), 20)
try:
    c.sendall(("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + KEY + "\r\nTransfer-Encoding: chunked\r\n\r\n").encode())
    for i in range(400): c.sendall(b"100000\r\n" + b" " * (1 << 20) + b"\r\n")
    loot("took 400 MB")
except OSError:
    pass
deep = "[" * 1000000
call(body='{"model": "scripted", "messages": ' + deep)
call(body="[" * 20000000)
status, _ = ask("fine")
tried("requests", status)
`)
	r := p.run(t, "--task-budget", "0") // no limit would pay for such requests
	r.log(t, 1, "requests 200")
	require.EqualValues(t, 1, p.provider.answered.Load())
	r.exact(t)
	require.Less(t, r.size(t), int64(300<<20))
}

// hostileMemory sends requests that take much memory to read, many at a time.
// They must not take it from assay, which no sandbox limits.
func hostileMemory(t *testing.T, w world) {
	p := w.prison(t, `
body = '{"model": "another", "messages": [' + "[]," * (10 << 20) + "0]}"
def send():
    for i in range(2): call(body=body, timeout=120)
threads = [threading.Thread(target=send) for i in range(30)]
for t in threads: t.start()
for t in threads: t.join()
status, _ = ask("fine")
tried("memory", status)
`)
	r := p.run(t)
	r.log(t, 1, "memory 200")
	require.Less(t, r.most, int64(2500<<20))
	r.exact(t)
}

// hostileLogs leaves traps where its own logs are collected.
func hostileLogs(t *testing.T, w world) {
	p := w.prison(t, `
state = os.path.dirname(os.path.abspath(sys.argv[0]))
os.symlink("/etc/passwd", state + "/link.log")
os.symlink("/proc/self/environ", state + "/proc.log")
os.mkfifo(state + "/fifo.log")
os.mkdir(state + "/dir.log")
open(state + "/sparse.log", "wb").truncate(1 << 31)
open(state + "/..\\..\\evil.log", "w").write("x")
open(state + "/" + "n" * 200 + "\n.log", "w").write("x")
tried("logs")
`)
	r := p.run(t)
	r.log(t, 1, "logs")
	require.Less(t, r.size(t), int64(256<<20))
	r.sealed(t, "root:x:0:0", realKey)
	require.Equal(t, "done", string(r.record(t, 1).End))
}

// hostileFiles leaves a tree that no patch should carry out of its place.
func hostileFiles(t *testing.T, w world) {
	p := w.prison(t, `
os.symlink("/etc/passwd", "passwd")
os.symlink("../../../../../etc", "up")
os.mkfifo("fifo")
s = socket.socket(socket.AF_UNIX); s.bind("socket")
open("new\nline.py", "w").write("x = 1\n")
open("back\\slash.py", "w").write("x = 1\n")
open("-rf", "w").write("x\n")
open("bad\udcff.py", "w").write("x\n")
os.makedirs("sub/.git/hooks"); open("sub/.git/hooks/post-checkout", "w").write("#!/bin/sh\n")
os.makedirs(".GIT/hooks", exist_ok=True); open(".GIT/hooks/post-checkout", "w").write("#!/bin/sh\n")
deep = HERE
for i in range(1500):
    try:
        os.mkdir("d"); os.chdir("d")
    except OSError:
        break
open("deep.txt", "w").write("x")
os.chdir(HERE)
for i in range(20000): open("f%d.tmpfile" % i, "w").close()
open("latin.txt", "wb").write("caf\u00e9\n".encode("latin-1"))
os.symlink(b"\xff\xfe", "odd-link")
tried("files")
`)
	r := p.run(t)
	r.log(t, 1, "files")
	require.Equal(t, "done", string(r.record(t, 1).End), r.record(t, 1).Detail)
	patch := r.read(t, 1, "patch.diff")
	require.NotContains(t, patch, "root:x:0:0")
	require.NotContains(t, strings.ToLower(patch), ".git/hooks")
	results := w.judgeFile(t, filepath.Join(r.path("run"), "predictions.jsonl"))
	require.Len(t, results, 1)
}

// hostileSizes leaves more than a file of predictions can hold: as bytes, as
// control characters, which take six bytes there, and as files. The other
// attempt is judged.
func hostileSizes(t *testing.T, w world) {
	p := w.prison(t, `
number = len(answer("STORE x y") and answer("FETCH").split(";"))
if number == 1: open("large", "wb").write(os.urandom(100 << 20))
if number == 2: open("large", "w").write("\x01" * (15 << 20))
if number == 3:
    os.mkdir("many")
    for i in range(410000): open("many/%d" % i, "w").close()
open("fine.txt", "w").write("fine\n")
tried("sizes", number)
`)
	r := p.run(t, "-k", "4", "-j", "1")
	for n := 1; n <= 4; n++ {
		r.log(t, n, fmt.Sprintf("sizes %d", n))
		file := filepath.Join(r.path("run"), attempts.PredictionsFile(n))
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(32<<20))
		require.Equal(t, n == 4, strings.Contains(r.read(t, n, "patch.diff"), "fine.txt"), r.record(t, n).Detail)
		require.Equal(t, n == 4, r.record(t, n).Detail == "", r.record(t, n).Detail)
		predictions, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, 1, bytes.Count(predictions, []byte("\n")))
	}
	require.Len(t, w.judgeFile(t, filepath.Join(r.path("run"), attempts.PredictionsFile(1))), 1)
}

// hostileTools asks for what the provider itself would do on the web, and for
// models that were not given.
func hostileTools(t *testing.T, w world) {
	p := w.prison(t, `
for tools in ([{"type": "web_search"}], [{"type": "web_search_preview"}], [{"type": "code_interpreter", "container": {"type": "auto"}}], [{"type": "mcp", "server_url": "http://x"}]):
    if ask("tools", tools=tools)[0] == 200: loot(tools)
for more in ({"web_search_options": {}}, {"model": "gpt-5"}, {"model": "scripted-pro"}, {"n": 50}, {"service_tier": "priority"}):
    status, body = ask("options", **more)
    if status == 200 and "n" not in more and "service_tier" not in more: loot(more)
for path in ("/v1/responses", "/v1/messages", "/v1beta/models/scripted:generateContent", "/v1/embeddings", "/v1/images/generations", "/v1/batches", "/v1/responses/abc"):
    status, _ = call(path, '{"model": "scripted", "tools": [{"type": "web_search"}], "input": "x", "max_tokens": 10, "messages": []}')
    if status == 200: loot(path)
tried("tools")
`)
	r := p.run(t)
	r.log(t, 1, "tools")
	for _, text := range p.provider.texts() {
		require.NotContains(t, text, "web_search")
		require.NotContains(t, text, "code_interpreter")
		require.NotContains(t, text, "mcp")
	}
	r.exact(t)
}
