"""The demo content, its server, and an excerpt of it."""

import os
import pathlib
import shutil
import subprocess

from measure import BenchError, say

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent


def demo_folder() -> pathlib.Path:
    """The folder of the demo feed; makes it if it is missing."""
    say("demo content")
    made = subprocess.run([SCRIPTS / "demo-content"], stdout=subprocess.PIPE, text=True, check=False)
    if made.returncode != 0 or not made.stdout.strip():
        raise BenchError("the demo content could not be made; scripts/demo-content says why.")
    return pathlib.Path(made.stdout.strip().splitlines()[-1]).parent


class Origin:
    """`scripts/demo-content serve` for the duration of the `with`; each request is delayed by `latency` milliseconds. `root` is served in
    place of the demo content."""

    def __init__(self, latency: int = 0, root: pathlib.Path | None = None) -> None:
        self._options = ["--latency", str(latency)] + (["--root", str(root)] if root else [])

    def __enter__(self) -> str:
        command = [SCRIPTS / "demo-content", "serve", "--port", "0", *self._options]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            words = [word for word in line.split() if word.startswith("http://")]
            if words:
                return words[0].rsplit("/", 1)[0] if words[0].endswith(".json") else words[0].rstrip("/")
        self.__exit__()
        raise BenchError("the local origin did not start; scripts/demo-content serve says why.")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()


def excerpt(master: pathlib.Path, variant: str, sound: str, seconds: float, folder: pathlib.Path) -> pathlib.Path:
    """A presentation of one variant and one audio rendition, cut to its first `seconds`, so that both sides decode exactly
    the same. The segments are the original files."""
    for name in (variant, sound):
        os.symlink(master.parent / name, folder / name)
        lines, length = [], 0.0
        for line in (master.parent / f"{name}.m3u8").read_text().splitlines():
            lines.append(line)
            if line.startswith("#EXTINF:"):
                length += float(line.removeprefix("#EXTINF:").split(",")[0])
            elif not line.startswith("#") and length > seconds - 0.5:
                break
        (folder / f"{name}.m3u8").write_text("\n".join(lines + ["#EXT-X-ENDLIST", ""]))
    lines = master.read_text().splitlines()
    at = lines.index(f"{variant}.m3u8")
    media = [line for line in lines if f'URI="{sound}.m3u8"' in line]
    stream = lines[at - 1].replace(',SUBTITLES="captions"', "")
    cut = folder / "master.m3u8"
    cut.write_text("\n".join(["#EXTM3U", "#EXT-X-VERSION:6", *media, stream, lines[at], ""]))
    return cut


def need(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise BenchError(f"{program} is not installed; run scripts/setup, then this again.")
    return path
