"""A server of the examination, on loopback. Each manner is one that real servers have."""

from __future__ import annotations

import gzip
import http.server
import pathlib
import re
import threading
import urllib.parse

TYPES = {".m3u8": "application/vnd.apple.mpegurl", ".ts": "video/mp2t", ".m4s": "video/mp4", ".mp4": "video/mp4", ".mkv": "video/x-matroska", ".webm": "video/webm"}


class Handler(http.server.BaseHTTPRequestHandler):
    """One request. `plain` answers byte ranges, `whole` knows none and `chunked` states no length either; `packed` compresses all texts, `squeezed` all
    that it sends whole;
    `redirect` sends everybody on by a 302; `short` breaks each second answer off in its middle; `star` does not tell
    how long a file is; `less` answers a range with its first half; `busy` answers 503 to the first request of each segment. (A film or playlist that cannot be had at first ends `marquee play`.)"""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *arguments: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        manner = self.server.manner
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        count = self.server.count(path)
        if manner == "redirect" and not path.startswith("/moved/"):
            return self.send(302, b"", {"Location": "/moved" + self.path})
        if manner == "busy" and count == 1 and "part" in path:
            return self.send(503, b"busy", {"Retry-After": "1"})
        file = self.server.folder / path.removeprefix("/moved").lstrip("/")
        if not file.is_file():
            return self.send(404, b"there is no such file", {})
        body, headers = file.read_bytes(), {"Content-Type": TYPES.get(file.suffix, "application/octet-stream")}
        if manner == "packed" and file.suffix in (".m3u8", ".vtt"):
            return self.send(200, gzip.compress(body), {**headers, "Content-Encoding": "gzip"})
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if manner == "squeezed" and not asked:
            return self.send(200, gzip.compress(body), {**headers, "Content-Encoding": "gzip"})
        if not asked or manner in ("whole", "chunked"):
            return self.send(200, body, headers, chunked=manner == "chunked", cut=manner == "short" and count % 2 == 1)
        first, last = int(asked[1]), min(int(asked[2] or len(body) - 1), len(body) - 1)
        if first >= len(body):
            return self.send(416, b"", {"Content-Range": f"bytes */{len(body)}"})
        if manner == "less" and last - first > 2000:
            last = (first + last) // 2
        headers["Content-Range"] = f"bytes {first}-{last}/{'*' if manner == 'star' else len(body)}"
        return self.send(206, body[first:last + 1], headers, cut=manner == "short" and count % 2 == 1)

    def send(self, status: int, body: bytes, headers: dict, chunked: bool = False, cut: bool = False) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        try:
            if chunked:
                for start in range(0, len(body), 30000):
                    piece = body[start:start + 30000]
                    self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                self.wfile.write(b"0\r\n\r\n")
            elif cut and len(body) > 2000:
                self.wfile.write(body[:len(body) // 2])
                self.close_connection = True
            else:
                self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


class Origin(http.server.ThreadingHTTPServer):
    """Serves a folder on any free port of loopback, until it is closed."""

    daemon_threads = True

    def __init__(self, folder: pathlib.Path, manner: str):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.manner, self.counts, self.guard = folder, manner, {}, threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.thread.start()

    def count(self, path: str) -> int:
        with self.guard:
            self.counts[path] = self.counts.get(path, 0) + 1
            return self.counts[path]

    def handle_error(self, request: object, client_address: object) -> None:
        pass

    def close(self) -> None:
        self.shutdown()
        self.server_close()
        self.thread.join()
