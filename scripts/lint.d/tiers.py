"""The modules by tier, from which scripts/lint checks imports and makes the table of README.md."""

# Each module has one tier, as in docs/architecture.md, and what it is. The models import modules of tier 1 and one another, those of tier 1 import WireFormats, and
# between the box and the program are what commands share, the simulation, and the assembly of a box, so these have tiers in between.
TIERS = {
    6: {
        "marquee": "the program of the box: its commands, and what only they need", "MarqueeTools": "the program `marquee-tools`: feeds, media, compositions",
        "MarqueeBench": "the benches",
    },
    5.7: {"BoxAssembly": "a whole box, made of the real parts"},
    5.5: {
        "CommandSupport": "what commands share: their output, failures, options", "Simulation": "whole boxes in a simulated world of faults",
    },
    5: {
        "Appliance": "the box as viewers see it: feed, Home, player, the next item",
        "Housekeeping": "the life of the box: stored feeds, reports, supervision",
        "FeedProbing": "a feed compared with its streams",
        "MarqueePlayback": "the library for other programs, the public declarations",
    },
    4.5: {"EngineAssembly": "the engines of a machine, joined for a player"},
    4: {
        "Playback": "the player and its presentation scheduler", "Downloads": "programmes that are stored on the box",
        "KeptArtwork": "the interface's pictures, kept on the disk",
        "Export": "new files from films and compositions", "ControlServer": "the local page",
    },
    3: {
        "HLSStreaming": "segments and variants", "MediaCodec": "FFmpeg: containers, decoders, encoders", "Display": "the kernel's planes",
        "Sound": "ALSA, and files", "Speech": "speech-dispatcher", "Remote": "remotes, keyboards, key scripts", "NetworkConditions": "simulated networks",
        "Transfer": "libcurl, and files", "SegmentStore": "the store of downloads", "SupportBundle": "the report for support",
        "Library": "places and lists of the viewer", "ProgrammeGuide": "XMLTV", "Drawing": "Pango and Cairo: texts and pictures of the interface",
        "Configuration": "`marquee.toml`", "SystemServices": "the service manager, DNS-SD", "Supervision": "crash records, the watchdog",
        "Signatures": "pinned keys", "Updates": "when a box updates its system", "TransportSecurity": "libssl: the page's certificate",
        "MPRIS": "the player on the session bus", "WirelessNetworks": "Wi-Fi", "MQTT": "the operator's broker", "FeedConversion": "feeds from other formats",
    },
    2.4: {"Shell": "the rest of the interface: Home, pages, the PIN, keys, the stage"},
    2.2: {"Viewing": "one item on the screen: transport, search, panel, cards"},
    2: {
        "HLSPlaylist": "playlists", "ChannelFeed": "the feed and its rules", "Composition": "programmes made of pieces", "Metadata": "metadata of files",
        "Captions": "caption texts", "Screens": "the views, texts and sizes of the interface",
    },
    1.7: {"StatusModel": "the status and the log of a box, and the door through which others read them"},
    1.6: {
        "MediaSources": "the contract of streams and player", "BoxModel": "the common values of the parts of a box: keys, commands, positions, networks",
    },
    1.5: {
        "MediaModel": "frames, samples, scenes, errors, and the protocols of the engines", "MessageBus": "D-Bus",
        "CivilTime": "recurring times of day in a zone",
    },
    1: {
        "MediaTime": "exact time", "Languages": "language tags", "InterfaceTexts": "the texts of the interface", "URLReferences": "URLs without their secrets",
        "Cryptography": "libcrypto", "XMLEvents": "XML", "SQLite": "databases in files", "LinuxSupport": "clocks, threads, the main loop, files",
    },
    0.5: {"WireFormats": "hexadecimal, MP4 boxes, JSON", "TextDecoding": "texts from outside in any encoding", "Unpacking": "texts that come compressed"},
}
TIER = {module: tier for tier, modules in TIERS.items() for module in modules}

BEGIN, END = "<!-- Made by scripts/lint --table. -->", "<!-- The end of what scripts/lint --table makes. -->"


def table(verbs, tools):
    """The lines of README.md that say what there is: the modules, and the commands of the two programs (paths of words)."""
    lines = ["| tier | modules |", "| --- | --- |"]
    for tier, modules in TIERS.items():
        entries = "; ".join(f"`{module}`: {words}" for module, words in modules.items())
        lines.append(f"| {f'{tier:g}'.replace('.5', '½').lstrip('0') or '½'} | {entries} |")
    lines.append("| 0 | `C…`: module maps over C libraries, each used by one module |")
    return [*lines, "", f"The commands of `marquee` are {listed(verbs)}; each has `--help`. To `marquee-tools`, which stands beside it, it hands over {listed(tools)}."]


def listed(verbs):
    groups = {}
    for verb in verbs:
        groups.setdefault(verb[0], []).extend(verb[1:])
    return ", ".join(f"`{name}`" + (f" ({', '.join(f'`{part}`' for part in parts)})" if parts else "") for name, parts in groups.items())
