"""The services of docs/fleet on this machine, with the files of that folder: nginx, the receiver of reports, a broker. What differs is where files and ports are."""

import hashlib
import http.client
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import time

# What the boxes of one house have, and what a stranger tries.
TOKEN = "a token of the house"
HOUSE = "paris"
ROOT = "marquee"
SECRET = "secret"


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def program(name):
    """Where a program is that the set-up installs, also where an ordinary account does not look."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        sys.exit(f"scripts/fleet: {name} is not installed; run scripts/setup, then this again.")
    return found


def wait_for(words, condition, patience=60):
    until = time.monotonic() + patience
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError(f"{words}: not within {patience} s")
        time.sleep(0.1)


def accepts(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


class Services:
    """nginx, receiver and broker, until the end of the block.

    - boxes: the names of the boxes, each of which has an account at the broker.
    - metrics: HOST:PORT at which Prometheus asks the receiver."""

    def __init__(self, folder, files, boxes):
        self.folder = pathlib.Path(folder) / "services"
        for name in ("tls", "logs", "state", "broker", "feeds"):
            (self.folder / name).mkdir(parents=True)
        self.files = files
        self.processes = []
        self.web, self.broker, receiver = free_port(), free_port(), free_port()
        self.metrics = f"127.0.0.1:{receiver}"
        self.certificate = self.folder / "tls/server.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", self.folder / "tls/server.key",
             "-out", self.certificate, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
            check=True, capture_output=True)
        (self.folder / "tls/server.key").chmod(0o644)
        (self.folder / "report-tokens").write_text(f"# house:sha256\n{HOUSE}:{hashlib.sha256(TOKEN.encode()).hexdigest()}\n")
        (self.folder / "broker/mosquitto_sub").write_text(
            f"-h localhost\n-p {self.broker}\n--cafile {self.certificate}\n-u receiver\n-P {SECRET}\n-i receiver\n")
        passwords = self.folder / "passwords"
        passwords.write_text("".join(f"{name}:{SECRET}\n" for name in ["receiver", "desk", *boxes]))
        subprocess.run([program("mosquitto_passwd"), "-U", passwords], check=True)
        for one in (passwords, self.folder, self.folder.parent):
            one.chmod(0o755)
        self.written("nginx.conf", ("/var/log/marquee", f"{self.folder}/logs"), ("tls/server", f"{self.folder}/tls/server"), ("/srv", self.folder),
                     ("receiver:9109", self.metrics), ("8443", self.web), ("events {", f"pid {self.folder}/nginx.pid;\nevents {{"))
        self.written("mosquitto.conf", ("/mosquitto/tls", f"{self.folder}/tls"), ("/mosquitto/config/passwords", passwords),
                     ("/mosquitto/config/mosquitto.acl", f"{self.folder}/mosquitto.acl"), ("/mosquitto/data/", f"{self.folder}/state/"),
                     ("listener 8883", f"listener {self.broker} 127.0.0.1"), ("allow_anonymous", "user root\nallow_anonymous"))
        self.written("mosquitto.acl")

    def written(self, name, *changes):
        """A file of docs/fleet, with its places changed; returns where it is."""
        text = (self.files / name).read_text()
        for old, new in changes:
            if old not in text:
                sys.exit(f"scripts/fleet: docs/fleet/{name} has no {old}")
            text = text.replace(old, str(new))
        (self.folder / name).write_text(text)
        return self.folder / name

    def start(self, name, *command):
        with open(self.folder / f"{name}.log", "ab") as log:
            self.processes.append(subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=log, stderr=log))
        return self.processes[-1]

    def start_receiver(self):
        self.receiver = self.start(
            "receiver", sys.executable, self.files / "receiver.py", "--listen", self.metrics, "--tokens", self.folder / "report-tokens", "--folder",
            self.folder / "logs", "--state", self.folder / "state", "--broker", self.folder / "broker")
        wait_for("the receiver", lambda: accepts(int(self.metrics.rsplit(":", 1)[1])))

    def __enter__(self):
        try:
            self.start_broker()
            self.start_receiver()
            self.start("nginx", program("nginx"), "-p", self.folder, "-e", self.folder / "nginx-errors.log", "-c", self.folder / "nginx.conf", "-g", "daemon off;")
            wait_for("nginx", lambda: accepts(self.web))
        except BaseException:
            self.__exit__()
            for log in self.folder.glob("*.log"):
                print(f"{log.name}: {log.read_text()[-600:]}", file=sys.stderr)
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait()

    def end(self, process):
        process.terminate()
        process.wait()
        self.processes.remove(process)

    def start_broker(self):
        self.mosquitto = self.start("mosquitto", program("mosquitto"), "-c", self.folder / "mosquitto.conf")
        wait_for("the broker", lambda: accepts(self.broker))

    def restart_broker(self):
        self.end(self.mosquitto)
        self.start_broker()

    def restart_receiver(self):
        self.end(self.receiver)
        self.start_receiver()

    def connection(self):
        """To nginx, by TLS."""
        return http.client.HTTPSConnection("localhost", self.web, context=ssl.create_default_context(cafile=self.certificate), timeout=60)

    def ask(self, method, path, body=None, headers=None):
        """The status and the body of an answer of nginx."""
        connection = self.connection()
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def received(self):
        """The receiver's metrics as text."""
        host, port = self.metrics.rsplit(":", 1)
        connection = http.client.HTTPConnection(host, int(port), timeout=60)
        try:
            connection.request("GET", "/metrics")
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    def publish(self, user, topic, text, *further):
        subprocess.run(
            [program("mosquitto_pub"), "-h", "localhost", "-p", str(self.broker), "--cafile", self.certificate, "-u", user, "-P", SECRET, "-t", topic,
             "-q", "1", "-m", text, *further], check=True, capture_output=True)
