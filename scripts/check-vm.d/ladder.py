"""Playback over bad networks in the test machine: the content and the expected results."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess

from player import Report

# Video bitrates in kilobits per second; audio adds 32. They are low because the machine's processor is emulated.
RUNGS = {"low": 90, "middle": 250, "high": 700}
SECONDS, SEGMENT, RATE = 24, 2, 25
# Two run with every change, all of them with --long.
OFTEN = ["3g", "wifi-lossy"]
ALL = ["loss-100", "very-bad", "edge", "3g", "dsl", "lte", "wifi", "wifi-lossy", "slow-dns"]
# netem cannot simulate these; the program simulates the network itself and logs that.
BY_PROGRAM = {"slow-dns"}


def make(folder: pathlib.Path) -> None:
    """Three variants of a moving picture and a tone, with the same picture size."""
    lines = ["#EXTM3U"]
    for name, rate in RUNGS.items():
        subprocess.run(
            ["ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=s=320x180:r={RATE}:d={SECONDS}",
             "-f", "lavfi", "-i", f"sine=f=440:r=48000:d={SECONDS}", "-c:v", "libx264", "-preset", "veryfast", "-tune", "fastdecode",
             "-b:v", f"{rate}k", "-maxrate", f"{rate}k", "-bufsize", f"{rate}k", "-g", str(RATE * SEGMENT), "-sc_threshold", "0",
             "-c:a", "aac", "-b:a", "32k", "-f", "hls", "-hls_time", str(SEGMENT), "-hls_playlist_type", "vod",
             "-hls_segment_filename", str(folder / f"{name}%d.ts"), str(folder / f"{name}.m3u8")], check=True)
        sizes = [path.stat().st_size for path in folder.glob(f"{name}[0-9]*.ts")]
        mean, peak = sum(sizes) * 8 // SECONDS, max(sizes) * 8 // SEGMENT
        lines += [f'#EXT-X-STREAM-INF:BANDWIDTH={peak},AVERAGE-BANDWIDTH={mean},RESOLUTION=320x180,CODECS="avc1.64000d,mp4a.40.2"', f"{name}.m3u8"]
    (folder / "main.m3u8").write_text("\n".join(lines) + "\n")


def judge(report: Report, folder: pathlib.Path) -> None:
    """Each playback reached its end with every frame, over the requested network."""
    report.tell(f"{'network':12} {'start s':>8} {'stalls':>6} {'stalled s':>9} {'kbit/s':>7} {'switches':>8}")
    for facts in json.loads((folder / "networks.json").read_text()):
        name = facts["profile"]
        dump = (folder / f"{name}.dump").read_text()
        words = (folder / f"{name}.log").read_text(errors="replace").strip()[-400:]
        report.check(facts["is_netem"] == (name not in BY_PROGRAM), f"{name}: the log does not say who simulates the network:\n{words}")
        report.check(facts["is_clean"], f"{name}: netem was not removed from the loopback interface")
        if name == "loss-100":
            report.check(facts["code"] == 1 and "frame asset" not in dump, f"{name}: the player ended with {facts['code']}:\n{words}")
            report.tell(f"{name:12} {'-':>8}   gives up after {facts['seconds']:.0f} s")
            continue
        frames = [(float(at), float(asset)) for at, asset in re.findall(r"^(\S+) frame asset=([\d.]+)", dump, re.MULTILINE)]
        if not report.check(facts["code"] == 0 and frames, f"{name}: the player ended with {facts['code']} after {len(frames)} frames:\n{words}"):
            continue
        stalls, stalled = waits(dump, frames[0][0])
        rungs = [re.match(r"/([a-z]+)\d+", path)[1] for path in facts["asked"]]
        mean = sum(RUNGS[rung] + 32 for rung in rungs) / len(rungs)
        switches = sum(a != b for a, b in zip(rungs, rungs[1:]))
        report.tell(f"{name:12} {frames[0][0]:>8.2f} {stalls:>6} {stalled:>9.2f} {mean:>7.0f} {switches:>8}")
        # The emulated processor may skip a frame, but not several in a row.
        assets = [asset for _, asset in frames]
        report.check(assets[0] == 0 and assets[-1] > SECONDS - 0.5, f"{name}: frames go from {assets[0]} to {assets[-1]}")
        hole = max((b - a for a, b in zip(assets, assets[1:])), default=0)
        report.check(0 < hole < 0.5 and all(a < b for a, b in zip(assets, assets[1:])), f"{name}: a gap of {hole:.2f} s, or frames out of order")
        report.passed(f"{name}: {len(frames)} frames in order, by {'netem' if facts['is_netem'] else 'the program'}")


def waits(dump: str, since: float) -> tuple[int, float]:
    """How often and how long playback waited for bytes after the first picture."""
    count, total, began = 0, 0.0, None
    for at, status in re.findall(r"^(\S+) state .*?timeControlStatus=(\w+)", dump, re.MULTILINE):
        if float(at) <= since:
            continue
        if status.startswith("waiting"):
            began = float(at) if began is None else began
        elif began is not None:
            count, total, began = count + 1, total + float(at) - began, None
    return count, total
