"""The folder in which check-docs runs commands: the files that the documents name, and a server for the addresses in them."""

from __future__ import annotations

import base64
import functools
import hashlib
import http.server
import json
import pathlib
import subprocess
import threading

FEED = {
    "feedVersion": 1, "id": "hotel-7", "revision": 3,
    "items": [
        {"id": "film", "title": "Film", "duration": 100, "streams": [{"url": "film.mkv"}], "window": {"from": "2026-01-01T00:00:00Z", "to": "2026-02-01T00:00:00Z"}},
        {"id": "fine", "title": "Another", "streams": [{"url": "film.mkv"}]},
    ],
}
# What a box of docs/local-page.md plays.
PAGE = {
    "feedVersion": 1, "start": {"item": "e1"}, "series": [{"id": "hh", "title": "Happy", "seasons": [{"number": 1, "episodes": ["e1"]}]}],
    "items": [{"id": "e1", "type": "episode", "title": "Pilot", "streams": [{"url": "film.mkv"}]}],
}
# The fourth item is the one of docs/channel-feed.md.
WRONG = {"feedVersion": 1, "items": [{"id": f"i{n}", "title": "A", "streams": [{"url": "film.mkv"}], **({"duration": "22m"} if n == 3 else {})} for n in range(4)]}
NOTICE = {"updateVersion": 1, "version": "0.2.0", "bundle": "marquee-{board}-0.2.0.raucb", "boards": ["raspberrypi"]}
SETTINGS = {"settingsVersion": 1, "revision": 7, "groups": ["lobby"], "settings": {"sound": {"max_volume": 60}}}
COMPOSITION = {"compositionVersion": 1, "tracks": [{"id": 1, "type": "video", "segments": [{"url": "film.mkv", "source": {"start": 0, "duration": 2}}]}]}
MEDIA = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n{key}#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n"
FAIRPLAY = '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://key",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1"\n'
GUIDE = '<?xml version="1.0"?><tv><channel id="one"><display-name>One</display-name></channel></tv>'


def openssl(*arguments: object, given: bytes | None = None) -> bytes:
    return subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, input=given).stdout


def pinned(key: pathlib.Path) -> str:
    """The line of public_keys for a key."""
    public = openssl("pkey", "-in", key, "-pubout", "-outform", "DER")[-32:]
    return f"{key.stem}:{base64.b64encode(public).decode()}"


def film(path: pathlib.Path) -> None:
    """A film of 100 s that is soon encoded, with sound and chapters."""
    marks = path.with_suffix(".chapters")
    marks.write_text(";FFMETADATA1\ntitle=Film\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=50\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1\nSTART=50\nEND=100\ntitle=Two\n")
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=10:duration=100", "-f", "lavfi", "-i", "sine=frequency=440:duration=100", "-i", marks,
         "-map", "0", "-map", "1", "-map_metadata", "2", "-map_chapters", "2", "-c:v", "libx264", "-preset", "ultrafast", "-g", "20", "-c:a", "aac", path], check=True)


class Scratch:
    """A folder with the files that documents name."""

    def __init__(self, folder: pathlib.Path, kept: pathlib.Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        (folder / "film.mkv").symlink_to(kept)
        for name, value in (("feed", FEED), ("wrong", WRONG), ("page", PAGE), ("update", NOTICE), ("settings", SETTINGS), ("expiring", SETTINGS | {"expires": "2026-12-31T00:00:00Z"}), ("composition", COMPOSITION)):
            self.write(f"{name}.json", json.dumps(value))
        self.write("again.json", '{"feedVersion": 1, "feedVersion": 1, "items": []}')
        self.write("protected.json", json.dumps({"feedVersion": 1, "items": [{"id": "a", "title": "A", "streams": [{"url": "fairplay.m3u8"}]}]}))
        self.write("fairplay.m3u8", MEDIA.format(key=FAIRPLAY))
        self.write("clear.m3u8", MEDIA.format(key=""))
        twice = '#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:00Z",X-A="1",X-A="2"\n'
        self.write("twice.m3u8", MEDIA.format(key=twice))
        self.write("broken.m3u8", "no playlist\n")
        self.write("marquee.toml", '[feed]\nfile = "feed.json"\n[network]\naddress = "10.0.0.20/24 via 10.0.0.1"\n[api]\ncertificate = "page.pem"\nkey = "page-key.pem"\n')
        self.write("typo.toml", '[network]\nwifi_country = "FR"\nwifi_ssid = "hotel"\nwifi_pasword = "correct horse battery"\n')
        self.write("network.toml", '[network]\naddress = "10.0.0.20/24 via 192.168.9.1"\n')
        self.write("page.toml", '[api]\ncertificate = "page.pem"\nkey = "k1.pem"\n')
        self.write("authority.toml", '[network]\nca_file = "authority.pem"\n')
        self.write("authority.pem", "-----BEGIN CERTIFICATE-----\nMIIBAAAA\n-----END CERTIFICATE-----\n")
        self.write("list.m3u", "#EXTM3U\n#EXTINF:-1 tvg-id=\"one\",One\nhttps://media.example/one.m3u8\n")
        self.write("guide.xml", GUIDE)
        self.write("keys.txt", "1 ok\n2 back\n")
        subprocess.run(["gzip", "-k", "guide.xml"], cwd=folder, check=True)
        openssl("genpkey", "-algorithm", "ED25519", "-out", folder / "k1.pem")
        for name in ("s1", "spare"):
            openssl("genpkey", "-algorithm", "ED25519", "-out", folder / f"{name}.pem")
        self.write("room.toml", f'[box]\ngroup = "lobby"\n[settings]\nurl = "https://cdn.example/settings.json"\npublic_keys = ["{pinned(folder / "s1.pem")}"]\n')
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", folder / "page-key.pem", "-out", folder / "page.pem",
                "-subj", "/CN=room-214.example", "-days", "30")
        (folder / "state").mkdir()

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    @staticmethod
    def digest(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()


class Origin:
    """Serves a folder on the loopback interface, for the addresses of documents."""

    def __init__(self, folder: pathlib.Path) -> None:
        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
