"""A package index on loopback that shows another one as of a date.

pip knows no such option. Files that were uploaded on that date or later are
left out; an index that tells no dates is shown as it is.
"""
import base64
import html
import http.server
import json
import os
import re
import ssl
import threading
import urllib.error
import urllib.parse
import urllib.request

ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.1"


def fetch(index, name):
    """Returns the index's files for a normalised name, as dictionaries."""
    parts = urllib.parse.urlsplit(index)
    host = parts.netloc.rpartition("@")[2]
    url = urllib.parse.urlunsplit((parts.scheme, host, parts.path.rstrip("/") + "/" + name + "/", "", ""))
    headers = {"Accept": ACCEPT}
    if parts.username:
        pair = urllib.parse.unquote(parts.username) + ":" + urllib.parse.unquote(parts.password or "")
        headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
    context = ssl.create_default_context(cafile=os.environ.get("PIP_CERT") or os.environ.get("SSL_CERT_FILE") or None)
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=120, context=context) as answer:
        base, data, kind = answer.geturl(), answer.read(), answer.headers.get("Content-Type", "")
    if "json" in kind:
        files = json.loads(data.decode())["files"]
    else:
        files = [{"filename": n.strip(), "url": html.unescape(u)} for u, n in re.findall(r'<a [^>]*href="([^"]+)"[^>]*>([^<]+)<', data.decode(errors="replace"))]
    for f in files:
        f["url"] = urllib.parse.urljoin(base, f["url"])
    return files


def page(files, until):
    """The page of a name, in the form that every pip reads; until is "" for today."""
    out = ["<!DOCTYPE html><html><body>"]
    for f in files:
        if until and f.get("upload-time", "") >= until:
            continue
        digest = (f.get("hashes") or {}).get("sha256")
        url = f["url"] + ("#sha256=" + digest if digest and "#" not in f["url"] else "")
        attributes = ' href="%s"' % html.escape(url, quote=True)
        if f.get("requires-python"):
            attributes += ' data-requires-python="%s"' % html.escape(f["requires-python"], quote=True)
        if f.get("yanked"):
            attributes += ' data-yanked=""'
        out.append("<a%s>%s</a><br>" % (attributes, html.escape(f["filename"])))
    return "\n".join(out + ["</body></html>"])


class DatedIndex:
    """Serves until the process ends; url is its address."""

    def __init__(self, index, date, later):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                name = re.sub(r"[-_.]+", "-", self.path.strip("/").rpartition("/")[2]).lower()
                try:
                    # A day counts until its beginning, as in uv.
                    text, code = page(fetch(index, name), later.get(name, date)), 200
                except urllib.error.HTTPError as err:
                    text, code = str(err), err.code
                except (OSError, ValueError) as err:
                    text, code = str(err), 502
                self.send_response(code)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *words):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = "http://127.0.0.1:%d/simple/" % server.server_address[1]
