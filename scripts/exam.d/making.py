"""Media drawn at random: what a film or a stream of the examination is made of, and how it is made with ffmpeg.

A draw is a dictionary of choices. `PLAIN` holds the plainest value of each choice; shrinking a failing draw puts these back one by one."""

from __future__ import annotations

import math
import pathlib
import subprocess

import fragments
import judge

# Width and height; some codecs have odd ones.
SIZES = [[160, 90], [160, 90], [162, 92], [98, 54], [176, 144], [90, 160], [200, 150]]
ODD_SIZES = [[161, 91], [99, 54]]
ODD = {"mpeg1", "mpeg2", "mpeg4", "vp8", "vp9", "mjpeg"}

# Container: ending, video codecs, audio codecs that ffmpeg writes into it and that are found in it.
CONTAINERS = {
    "mp4": (["h264", "hevc", "mpeg4", "av1"], ["aac", "mp3", "ac3", "eac3", "opus", "alac", "flac"]),
    "fragmented": (["h264", "hevc"], ["aac", "ac3", "opus"]),
    "mov": (["h264", "hevc", "mjpeg", "mpeg4"], ["aac", "pcm", "alac"]),
    "mkv": (["h264", "hevc", "mpeg2", "mpeg4", "vp8", "vp9", "av1", "mjpeg"], ["aac", "mp3", "ac3", "eac3", "opus", "vorbis", "flac", "pcm", "mp2"]),
    "webm": (["vp8", "vp9", "av1"], ["opus", "vorbis"]),
    "ts": (["h264", "hevc", "mpeg2"], ["aac", "mp3", "mp2", "ac3", "eac3"]),
    "m2ts": (["h264", "mpeg2"], ["ac3", "eac3"]),
    "ps": (["mpeg2", "mpeg1"], ["mp2", "ac3"]),
    "flv": (["h264"], ["aac", "mp3"]),
    "avi": (["mpeg4", "h264", "mjpeg"], ["mp3", "ac3", "pcm", "mp2"]),
    "hls-ts": (["h264", "hevc", "mpeg2"], ["aac", "mp3", "ac3", "eac3"]),
    "hls-fmp4": (["h264", "hevc"], ["aac", "ac3", "eac3", "flac"]),
}
ENDINGS = {"fragmented": "mp4", "ps": "mpg"}
FORMATS = {"ps": "vob", "m2ts": "mpegts", "ts": "mpegts", "fragmented": "mp4"}
VIDEO = {
    "h264": ["libx264", "-preset", "ultrafast", "-sc_threshold", "0"], "hevc": ["libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:scenecut=0"],
    "mpeg1": ["mpeg1video"], "mpeg2": ["mpeg2video"], "mpeg4": ["mpeg4"], "vp8": ["libvpx", "-deadline", "realtime", "-cpu-used", "8"],
    "vp9": ["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"], "av1": ["libsvtav1", "-preset", "12"], "mjpeg": ["mjpeg", "-q:v", "3"],
}
AUDIO = {
    "aac": ["aac"], "mp3": ["libmp3lame"], "ac3": ["ac3"], "eac3": ["eac3"], "opus": ["libopus"], "vorbis": ["libvorbis"], "flac": ["flac", "-strict", "-2"],
    "alac": ["alac"], "pcm": ["pcm_s16le"], "mp2": ["mp2"],
}
# Codecs whose encoder here takes two-way pictures.
REORDERING = {"h264", "hevc", "mpeg2", "mpeg1"}
RATES = {"24": (24, 1, 48), "25": (25, 1, 50), "30": (30, 1, 60), "24000/1001": (24000, 1001, 60), "30000/1001": (30000, 1001, 60), "50": (50, 1, 50), "12": (12, 1, 60),
         "60": (60, 1, 60), "60000/1001": (60000, 1001, 60), "15": (15, 1, 60)}

PLAIN = {
    "container": "mp4", "video": "h264", "audio": "aac", "rate": "25", "seconds": 6, "group": 25, "reorder": 0, "samples": 48000, "channels": 2,
    "sound_offset": 0.0, "start": 0.0, "hole": None, "tracks": 1, "language": None, "captions": False, "segment": 2, "bytes": False, "key": False,
    "region": None, "words": None, "join": False, "cut": None, "server": "file", "aspect": "1", "rotation": 0, "edit": 0.0, "lie": None, "size": [160, 90], "tables": None,
}
# Choices that only some containers hold.
HELD = {
    "cut": {"ts", "m2ts"}, "captions": {"mp4", "mkv", "mov"}, "edit": {"mp4", "mov"}, "rotation": {"mp4", "mov"}, "hole": {"mp4", "mkv", "ts", "fragmented", "mov"},
    "tracks": {"mp4", "mkv", "ts", "mov"}, "tables": {"ts"},
}
# What the tables of a recording say in its second half: sound comes, goes, has another codec, or the tracks have other PIDs.
TABLES = ["added", "lost", "changed", "moved"]
# Languages of two renditions of the sound, and that of the viewer, who hears the second one.
REGIONS = [["pt-PT", "pt-BR", "pt-BR"], ["zh-Hans", "zh-Hant", "zh-Hant"], ["zh-Hans", "zh-Hant", "zh-TW"], ["en", "pt", "pt-BR"], ["es-ES", "es-419", "es-419"],
           ["fr-FR", "fr-CA", "fr-CA"], ["en-GB", "en-US", "en-US"], ["eng", "deu", "de"]]
# How the captions of a stream say when they are shown: by their segments' X-TIMESTAMP-MAP, or from the beginning of the programme; with numbers that count from one in each segment.
WORDS = ["map", "plain", "map-numbered", "plain-numbered"]
# Seconds without pictures and sound between the halves of a recording, so that none of them overlap.
BREAK = 0.2
# What packagers write into playlists besides the plain truth.
LIES = ["target", "times", "sequence", "lines", "unknown", "query", "breaks"]


def draw(numbers) -> dict:
    """One combination of choices that the container can hold."""
    spec = dict(PLAIN)
    spec["container"] = numbers.choice(list(CONTAINERS))
    videos, audios = CONTAINERS[spec["container"]]
    hls = spec["container"].startswith("hls")
    spec["video"] = numbers.choice(videos + ([None] if not hls and numbers.random() < 0.3 else []))
    spec["audio"] = numbers.choice(audios + ([None] if spec["video"] and numbers.random() < 0.5 else []))
    if spec["container"] in ("ps", "m2ts") and spec["video"] is None:
        spec["video"] = videos[0]
    spec["rate"] = numbers.choice([rate for rate in RATES if not (rate in ("12", "15") and spec["video"] in ("mpeg1", "mpeg2"))])
    spec["seconds"] = numbers.choice([3, 4, 6, 9])
    spec["group"] = round(RATES[spec["rate"]][0] / RATES[spec["rate"]][1] * numbers.choice([0.5, 1, 2, 4, 12]))
    if spec["video"] in REORDERING and spec["container"] != "avi":
        spec["reorder"] = numbers.choice([0, 0, 1, 2, 3])
    if spec["audio"] in ("aac", "mp3", "flac", "pcm", "vorbis", "alac"):
        spec["samples"] = numbers.choice([48000, 44100, 32000])
    if spec["container"] == "flv" and spec["audio"] == "mp3":
        spec["samples"] = 44100
    spec["channels"] = numbers.choice([1, 2])
    if spec["audio"] and spec["video"] and spec["container"] not in ("avi", "ps"):
        spec["sound_offset"] = numbers.choice([0, 0, 0, 0.3, -0.3, 2.0, -2.0, 5.0, -3.0])
    if spec["container"] in ("ts", "m2ts", "hls-ts", "mkv", "flv", "ps"):
        spec["start"] = numbers.choice([0, 0, 10, 3600, 95438])
    if spec["video"] and spec["container"] in ("mp4", "mkv", "ts", "fragmented", "mov"):
        spec["hole"] = numbers.choice([None, None, None, 0.5, 2.0])
    if spec["container"] in ("mp4", "mkv", "ts", "mov") and spec["audio"]:
        spec["tracks"] = numbers.choice([1, 1, 2])
        spec["language"] = numbers.choice([None, "fra", "deu"]) if spec["tracks"] == 2 else None
    if spec["video"] and spec["container"] in ("mp4", "mkv", "mov"):
        spec["captions"] = numbers.random() < 0.3
    if spec["container"] in ("ts", "m2ts") and spec["video"] and numbers.random() < 0.3:
        spec["cut"] = numbers.choice([0.2, 0.5])
    if spec["video"] == "mpeg2" or spec["video"] == "h264":
        spec["aspect"] = numbers.choice(["1", "1", "4/3", "16/11"])
    if spec["video"] and spec["container"] in ("mp4", "mov"):
        spec["rotation"] = numbers.choice([0, 0, 90, 180, 270])
        spec["edit"] = numbers.choice([0.0, 0.0, 0.7, 1.3]) if not spec["hole"] and not spec["captions"] and not spec["sound_offset"] else 0.0
    if spec["container"] == "ts" and spec["video"] and spec["audio"] and not spec["cut"] and not spec["hole"] and spec["tracks"] == 1 and not spec["sound_offset"]:
        spec["tables"] = numbers.choice([None, *TABLES])
    if hls:
        spec["lie"] = numbers.choice([None, None, *LIES])
        if spec["lie"] == "breaks":
            # No packager says that something new begins inside a group of pictures.
            spec["group"] = round(RATES[spec["rate"]][0] / RATES[spec["rate"]][1])
        spec["segment"] = numbers.choice([1, 2, 3, 6])
        spec["bytes"] = numbers.random() < 0.3
        spec["key"] = not spec["bytes"] and spec["container"] == "hls-ts" and numbers.random() < 0.3
        spec["join"] = not spec["bytes"] and not spec["key"] and numbers.random() < 0.25
        if spec["audio"] and not spec["join"] and not spec["sound_offset"]:
            spec["words"] = numbers.choice([None, None, *WORDS])
            if spec["container"] == "hls-ts" and not spec["words"] and not spec["bytes"] and numbers.random() < 0.3:
                spec["region"] = numbers.choice(REGIONS)
        spec["server"] = numbers.choice(["plain", "chunked", "packed", "squeezed", "redirect", "short", "busy", "whole", "star", "less"])
    elif numbers.random() < 0.4:
        spec["server"] = numbers.choice(["plain", "whole", "chunked", "redirect", "short", "star", "less"])
    if spec["video"] and numbers.random() < 0.3:
        spec["size"] = numbers.choice(SIZES + (ODD_SIZES if spec["video"] in ODD else []))
    return spec


class NotMade(Exception):
    """ffmpeg refuses a combination. It is counted apart."""


def is_possible(spec: dict) -> bool:
    """Whether the container of a draw holds its codecs, and whatever else was chosen."""
    videos, audios = CONTAINERS[spec["container"]]
    isHeld = all(spec[choice] == PLAIN[choice] or spec["container"] in containers for choice, containers in HELD.items())
    return isHeld and spec["video"] in (*videos, None) and spec["audio"] in (*audios, None) and (spec["video"] or spec["audio"]) is not None


def ffmpeg(*arguments: str | pathlib.Path) -> None:
    done = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotMade(f"ffmpeg {' '.join(map(str, arguments))}: {done.stderr[-600:]}")


def pictures(spec: dict, offset: int = 0) -> list[str]:
    """A source of pictures, each unlike the others."""
    width, height = spec["size"]
    source = f"testsrc2=s={width}x{height}:r={spec['rate']}:d={spec['seconds']},hue=h={offset}"
    if width % 2 or height % 2:
        source += f",scale={width}:{height}"
    source += f",setsar={spec['aspect']}"
    if spec["hole"]:
        middle = spec["seconds"] // 2
        source += f",setpts=PTS+gte(T\\,{middle})*{spec['hole']}/TB"
    return ["-f", "lavfi", "-i", source]


def sound(spec: dict, base: int) -> list[str]:
    """A beep of a fifth of a second at each whole second; its pitch tells the second, its base the track."""
    wave = f"if(lt(mod(t,1),0.2),0.5*sin(2*PI*({base}+100*floor(t))*t),0)"
    return ["-f", "lavfi", "-i", f"aevalsrc='{'|'.join([wave] * spec['channels'])}':s=48000:d={spec['seconds']}"]


def cues(spec: dict) -> list[tuple[float, float, str]]:
    return [(second + 0.5, second + 1.2, f"Words {second} — ça va?") for second in range(0, spec["seconds"] - 1, 2)]


def film_options(spec: dict) -> list[str]:
    options = []
    if spec["video"]:
        options += ["-c:v", *VIDEO[spec["video"]], "-pix_fmt", "yuvj420p" if spec["video"] == "mjpeg" else "yuv420p", "-threads", "1"]
        if spec["video"] != "mjpeg":
            options += ["-g", str(spec["group"])]
        if spec["video"] in REORDERING:
            options += ["-bf", str(spec["reorder"])]
        if spec["video"] == "h264":
            options += ["-keyint_min", str(spec["group"])]
        if spec["video"] == "hevc" and spec["lie"] == "breaks":
            # In an open group, pictures before the key frame are stored behind it, and a cut by decoding times comes between them.
            options += ["-x265-params", "log-level=none:scenecut=0:open-gop=0"]
        options += ["-fps_mode", "passthrough"]
    if spec["audio"]:
        options += ["-c:a", *AUDIO[spec["audio"]], "-ar", str(spec["samples"]), "-b:a", "128k"]
    return options


def make_film(spec: dict, path: pathlib.Path, container: str, hue: int = 0, more: list[str] = ()) -> None:
    """Writes the drawn film as one file."""
    inputs, maps, index = [], [], 0
    if spec["video"]:
        inputs += (["-itsoffset", str(-spec["sound_offset"])] if spec["sound_offset"] < 0 else []) + pictures(spec, hue)
        maps += ["-map", f"{index}:v"]
        index += 1
    for track in range(spec["tracks"] if spec["audio"] else 0):
        inputs += (["-itsoffset", str(spec["sound_offset"])] if spec["sound_offset"] > 0 else []) + sound(spec, 400 if track == 0 else 2400)
        maps += ["-map", f"{index}:a"]
        index += 1
    options = film_options(spec)
    if spec["tracks"] == 2:
        # The codes of QuickTime are numbers, for which ffmpeg knows one name of each language.
        language = spec["language"] or "ita"
        language = {"deu": "ger"}.get(language, language) if container == "mov" else language
        options += ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", f"language={language}"]
    elif spec["audio"] and spec["captions"]:
        options += ["-metadata:s:a:0", "language=est"]
    if spec["captions"]:
        words = path.with_suffix(".srt")
        words.write_text("\n".join(f"{n + 1}\n{clock(a)} --> {clock(b)}\n{text}\n" for n, (a, b, text) in enumerate(cues(spec))))
        inputs += ["-i", str(words)]
        maps += ["-map", f"{index}:s"]
        options += ["-c:s", "srt" if container == "mkv" else "mov_text", "-metadata:s:s:0", "language=eng"]
    if spec["start"]:
        options += ["-output_ts_offset", str(spec["start"])]
    if spec["rotation"]:
        options += ["-metadata:s:v:0", f"rotate={spec['rotation']}"]
    if container == "fragmented":
        options += ["-movflags", "+frag_keyframe+delay_moov+default_base_moof"]
    if container == "m2ts":
        options += ["-mpegts_m2ts_mode", "1"]
    if container in FORMATS:
        options += ["-f", FORMATS[container]]
    ffmpeg(*inputs, *maps, *options, *more, path)


def clock(seconds: float) -> str:
    thousandths = round(seconds * 1000)
    return f"{thousandths // 3600000:02}:{thousandths // 60000 % 60:02}:{thousandths // 1000 % 60:02},{thousandths % 1000:03}"


def cut_start(path: pathlib.Path, share: float, packet: int) -> None:
    """A recording that begins somewhere: without its first bytes, cut between two packets."""
    content = path.read_bytes()
    path.write_bytes(content[int(len(content) * share) // packet * packet:])


def make_recording(spec: dict, folder: pathlib.Path) -> pathlib.Path:
    """Writes a recording whose tables change in its middle. Its time stamps go on."""
    whole = folder / "recording.ts"
    other = next(codec for codec in CONTAINERS["ts"][1] if codec != spec["audio"])
    for part in range(2):
        film = folder / f"film{part}.ts"
        mine = {**spec, "start": spec["start"] + part * (spec["seconds"] + BREAK)}
        if spec["tables"] == ("added" if part == 0 else "lost"):
            mine["audio"] = None
        if spec["tables"] == "changed" and part == 1:
            mine |= {"audio": other, "samples": 48000}
        make_film(mine, film, "ts", hue=90 * part, more=["-mpegts_start_pid", "0x200"] if spec["tables"] == "moved" and part == 1 else [])
        with whole.open("ab") as file:
            file.write(film.read_bytes())
    return whole


def make_stream(spec: dict, folder: pathlib.Path) -> pathlib.Path:
    """Writes the drawn stream: a playlist and its segments. With `join`, a second film follows behind a discontinuity."""
    lists = []
    for part in range(2 if spec["join"] else 1):
        film = folder / f"film{part}.{'ts' if spec['container'] == 'hls-ts' else 'mp4'}"
        make_film({**spec, "start": spec["start"] * (part + 1), "tracks": 2 if spec["region"] else 1}, film, "ts" if spec["container"] == "hls-ts" else "mp4", hue=90 * part)
        lists.append(folder / f"list{part}.m3u8")
        if spec["container"] == "hls-fmp4":
            lists[-1].write_text("\n".join(fragments.cut(film, folder, part, spec["segment"], spec["bytes"])) + "\n")
            continue
        options = ["-f", "hls", "-hls_time", str(spec["segment"]), "-hls_list_size", "0", "-hls_playlist_type", "vod", "-hls_flags",
                   "split_by_time" + ("+single_file" if spec["bytes"] else "")]
        if not spec["bytes"]:
            options += ["-hls_segment_filename", folder / f"part{part}-%d.ts"]
        if spec["key"]:
            (folder / "key.bin").write_bytes(bytes(range(16)))
            (folder / "key.txt").write_text(f"key.bin\n{folder / 'key.bin'}\n")
            options += ["-hls_key_info_file", folder / "key.txt"]
        ffmpeg("-copyts", "-i", film, *(["-map", "0:v"] if spec["region"] else ["-map", "0"]), "-c", "copy", "-muxdelay", "0", *options, lists[-1])
    playlist = folder / "index.m3u8"
    lines = lists[0].read_text().splitlines()
    if spec["join"]:
        second = lists[1].read_text().splitlines()
        begin = next(n for n, line in enumerate(second) if line.startswith(("#EXT-X-MAP", "#EXTINF")))
        target = max((line for line in lines + second if line.startswith("#EXT-X-TARGETDURATION")), key=lambda line: int(line.split(":")[1]))
        lines = [target if line.startswith("#EXT-X-TARGETDURATION") else line for line in lines if line != "#EXT-X-ENDLIST"]
        lines += ["#EXT-X-DISCONTINUITY", *second[begin:]]
    if spec["words"] or spec["region"]:
        playlist.write_text("\n".join(listed(spec, folder, folder / "film0.ts", lines)) + "\n")
        (folder / "video.m3u8").write_bytes(told(lines, spec["lie"]))
    else:
        playlist.write_bytes(told(lines, spec["lie"]))
    return playlist


def listed(spec: dict, folder: pathlib.Path, film: pathlib.Path, lines: list[str]) -> list[str]:
    """The multivariant playlist over a stream with captions, or with renditions of its sound. `lines` are those of its segments."""
    head = ["#EXTM3U"]
    if spec["words"]:
        captions(spec, folder, judge.first_stamp(film) if spec["container"] == "hls-ts" else 0, lines)
        head += ['#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="eesti",LANGUAGE="et",DEFAULT=YES,AUTOSELECT=YES',
                 '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="words",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,URI="words.m3u8"']
        return [*head, '#EXT-X-STREAM-INF:BANDWIDTH=900000,AUDIO="sound",SUBTITLES="words"', "video.m3u8"]
    for number, language in enumerate(spec["region"][:2]):
        ffmpeg("-copyts", "-i", film, "-map", f"0:a:{number}", "-c", "copy", "-muxdelay", "0", "-f", "hls", "-hls_time", str(spec["segment"]), "-hls_list_size", "0",
               "-hls_playlist_type", "vod", "-hls_segment_filename", folder / f"part-sound{number}-%d.ts", folder / f"sound{number}.m3u8")
        first = "YES" if number == 0 else "NO"
        head.append(f'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="{language}",LANGUAGE="{language}",DEFAULT={first},AUTOSELECT=YES,URI="sound{number}.m3u8"')
    return [*head, '#EXT-X-STREAM-INF:BANDWIDTH=900000,AUDIO="sound"', "video.m3u8"]


def captions(spec: dict, folder: pathlib.Path, first: float, lines: list[str]) -> None:
    """Writes the captions of a stream: a cue is in each segment that it lies in. `first` is the time stamp of the first picture."""
    entries, start = [line for line in lines if line.startswith(("#EXTM3U", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-PLAYLIST-TYPE"))], 0.0
    for index, length in enumerate(float(line[8:].split(",")[0]) for line in lines if line.startswith("#EXTINF")):
        blocks = ["WEBVTT" + (f"\nX-TIMESTAMP-MAP=MPEGTS:{round(first * 90000)},LOCAL:00:00:00.000" if spec["words"].startswith("map") else "") + "\n"]
        for begin, end, words in cues(spec):
            if begin < start + length and end > start:
                number = f"{len(blocks)}\n" if spec["words"].endswith("numbered") else ""
                blocks.append(f"{number}{clock(begin).replace(',', '.')} --> {clock(end).replace(',', '.')}\n{words}\n")
        (folder / f"words-{index}.vtt").write_text("\n".join(blocks))
        entries += [f"#EXTINF:{length:.6f},", f"words-{index}.vtt"]
        start += length
    (folder / "words.m3u8").write_text("\n".join([*entries, "#EXT-X-ENDLIST"]) + "\n")


def told(lines: list[str], lie: str | None) -> bytes:
    """A playlist as a packager may write it."""
    if lie == "target":
        lines = ["#EXT-X-TARGETDURATION:1" if line.startswith("#EXT-X-TARGETDURATION") else line for line in lines]
    elif lie == "times":
        # Rounded up to whole seconds, as those of version 2 are.
        lines = [f"#EXTINF:{math.ceil(float(line[8:].split(',')[0]))}," if line.startswith("#EXTINF") else line for line in lines]
    elif lie == "sequence":
        lines = [f"#EXT-X-MEDIA-SEQUENCE:{2 ** 63 + 5}" if line.startswith("#EXT-X-MEDIA-SEQUENCE") else line for line in lines]
    elif lie == "unknown":
        lines = [part for line in lines for part in ([line, "", "# a remark", "#EXT-X-OF-OURS:A=1"] if line.startswith("#EXTINF") else [line])]
    elif lie == "breaks":
        # Time stamps go on behind each.
        first = next(number for number, line in enumerate(lines) if line.startswith("#EXTINF"))
        lines = [part for number, line in enumerate(lines) for part in (
            ["#EXT-X-DISCONTINUITY", line] if number > first and line.startswith("#EXTINF") and lines[number - 1] != "#EXT-X-DISCONTINUITY" else [line])]
    elif lie == "query":
        lines = [line if line.startswith("#") or not line else f"{line}?token=a%20b&part=1" for line in lines]
    end, mark = ("\r\n", "\ufeff") if lie == "lines" else ("\n", "")
    return (mark + end.join(lines) + end).encode()


def make(spec: dict, folder: pathlib.Path) -> pathlib.Path:
    """Writes what was drawn into the folder; returns what is to be played."""
    if spec["container"].startswith("hls"):
        return make_stream(spec, folder)
    if spec["tables"]:
        return make_recording(spec, folder)
    path = folder / f"film.{ENDINGS.get(spec['container'], spec['container'])}"
    make_film(spec, path, spec["container"])
    if spec["edit"]:
        # Copied from a moment inside a group of pictures: an edit list hides what comes before it.
        whole = path.rename(path.with_stem("whole"))
        ffmpeg("-ss", str(spec["edit"]), "-i", whole, "-map", "0", "-c", "copy", path)
        whole.unlink()
    if spec["cut"]:
        cut_start(path, spec["cut"], 192 if spec["container"] == "m2ts" else 188)
    return path
