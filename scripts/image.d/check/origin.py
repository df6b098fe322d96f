"""An HTTPS server for bundles, on this machine: ranges, counted bytes, and faults."""

import http.server
import os
import re
import ssl
import subprocess
import threading
import time

# Validity in days of each certificate: the second one ended before it began.
CERTIFICATES = {"origin": 2, "expired": -1}


def make_certificates(folder):
    """Certificates for the emulated network's name of this machine, NAME.pem with NAME.key; the box trusts them by network.ca_file."""
    for name, days in CERTIFICATES.items():
        key, request = os.path.join(folder, f"{name}.key"), os.path.join(folder, f"{name}.request")
        subprocess.run(
            ["openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN=10.0.2.2/OU={name}",
             "-addext", "subjectAltName=IP:10.0.2.2", "-keyout", key, "-out", request], check=True, capture_output=True)
        subprocess.run(
            ["openssl", "x509", "-req", "-in", request, "-signkey", key, "-days", str(days), "-copy_extensions", "copy", "-out", os.path.join(folder, f"{name}.pem")],
            check=True, capture_output=True)


class Origin:
    """Serves the files of a folder, with one fault at a time (`reset`)."""

    def __init__(self, folder, certificate="origin"):
        self.folder, self.lock, self.released = folder, threading.Lock(), threading.Event()
        self.reset()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.path.join(folder, f"{certificate}.pem"), os.path.join(folder, f"{certificate}.key"))
        origin = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_HEAD(self):
                origin.answer(self, with_body=False)

            def do_GET(self):
                origin.answer(self, with_body=True)

        class Server(http.server.ThreadingHTTPServer):
            def verify_request(self, *_):
                """A dead server lets nobody in."""
                return not origin.is_dead()

        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self, name):
        """As the box sees it."""
        return f"https://10.0.2.2:{self.server.server_address[1]}/{name}"

    def reset(self, cut_after=None, stall_after=None, change_after=None, change_to=None):
        """Counts from zero. When this many bytes were sent in total: every connection ends and none begins (a server that dies), no byte comes any more (one
        that hangs), or the bytes are those of the file `change_to`. `failed_at` is when the server first died or hung, by the monotonic clock."""
        with self.lock:
            self.sent, self.requests, self.failed_at = 0, 0, None
            self.cut_after, self.stall_after, self.change_after, self.change_to = cut_after, stall_after, change_after, change_to
        # Requests that hang from before end.
        self.released.set()
        self.released = threading.Event()

    def is_dead(self):
        with self.lock:
            return self.cut_after is not None and self.failed_at is not None

    def answer(self, request, with_body):
        if self.is_dead():
            request.close_connection = True
            return
        path = os.path.join(self.folder, os.path.basename(request.path))
        with self.lock:
            self.requests += 1
            released = self.released
            if self.change_after is not None and self.sent > self.change_after:
                path = os.path.join(self.folder, self.change_to)
        if not os.path.exists(path):
            request.send_error(404)
            return
        size = os.path.getsize(path)
        first, last, status = 0, size - 1, 200
        if words := re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("Range", "")):
            first, last, status = int(words[1]), min(int(words[2] or last), last), 206
        if first >= size:
            request.send_error(416)
            return
        request.send_response(status)
        request.send_header("Accept-Ranges", "bytes")
        request.send_header("ETag", f'"{os.stat(path).st_mtime_ns}"')
        request.send_header("Content-Length", str(last - first + 1))
        if status == 206:
            request.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        request.end_headers()
        if not with_body:
            return
        with open(path, "rb") as file:
            file.seek(first)
            left = last - first + 1
            while left > 0:
                data = file.read(min(left, 1 << 16))
                with self.lock:
                    dies = self.cut_after is not None and self.sent + len(data) > self.cut_after
                    hangs = self.stall_after is not None and self.sent + len(data) > self.stall_after
                    if not dies and not hangs:
                        self.sent += len(data)
                    elif self.failed_at is None:
                        self.failed_at = time.monotonic()
                if hangs:
                    released.wait()
                if dies or hangs:
                    request.close_connection = True
                    request.connection.close()
                    return
                request.wfile.write(data)
                left -= len(data)
