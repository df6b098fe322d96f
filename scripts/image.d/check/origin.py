"""An HTTPS server for bundles, on this machine: ranges, counted bytes, and faults."""

import http.server
import os
import re
import ssl
import subprocess
import threading


def make_certificate(folder):
    """A certificate for the emulated network's name of this machine; the box trusts it by network.ca_file. Returns the paths of certificate and key."""
    certificate, key = os.path.join(folder, "origin.pem"), os.path.join(folder, "origin.key")
    if not os.path.exists(certificate):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=10.0.2.2",
             "-addext", "subjectAltName=IP:10.0.2.2", "-keyout", key, "-out", certificate],
            check=True, capture_output=True)
    return certificate, key


class Origin:
    """Serves the files of a folder. `cut_after` ends every connection after this number of bytes in total, as a server that dies does."""

    def __init__(self, folder):
        self.folder, self.sent, self.cut_after, self.lock = folder, 0, None, threading.Lock()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*make_certificate(folder))
        origin = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_HEAD(self):
                origin.answer(self, with_body=False)

            def do_GET(self):
                origin.answer(self, with_body=True)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self, name):
        """As the box sees it."""
        return f"https://10.0.2.2:{self.server.server_address[1]}/{name}"

    def reset(self, cut_after=None):
        with self.lock:
            self.sent, self.cut_after = 0, cut_after

    def answer(self, request, with_body):
        path = os.path.join(self.folder, os.path.basename(request.path))
        if not os.path.exists(path):
            request.send_error(404)
            return
        size = os.path.getsize(path)
        first, last, status = 0, size - 1, 200
        if words := re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("Range", "")):
            first, last, status = int(words[1]), min(int(words[2] or last), last), 206
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
                    if self.cut_after is not None and self.sent + len(data) > self.cut_after:
                        request.close_connection = True
                        request.connection.close()
                        return
                    self.sent += len(data)
                request.wfile.write(data)
                left -= len(data)
