import TestSupport

/// The films of tests that play real files: every container and codec that Debian's ffmpeg writes, and special properties of real-world files.
enum Films {
    static let isLong = Fixtures.variable("MARQUEE_LONG") == "1"

    /// A film and its expected properties.
    struct Case: Sendable, CustomStringConvertible {
        var film: NumberedFilm
        /// Frames per second.
        var rate = (25, 1)
        /// The numbers of the shown pictures, if not all are shown.
        var shown: ClosedRange<Int>?
        /// The times of the pictures in milliseconds by number, if they are not evenly spaced.
        var milliseconds: (@Sendable (Int) -> Int)?
        /// Whether it is played in every run and not only in long ones.
        var isSample = false

        var description: String { film.name }
        var numbers: ClosedRange<Int> { shown ?? 0...max(film.frames - 1, 0) }
    }

    /// All films, or those of every run.
    static let all: [Case] = peculiar + containers
    static let chosen = isLong ? all : all.filter(\.isSample)

    private static let x264 = NumberedFilm.h264
    private static let x265 = [
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "keyint=25:bframes=2:qp=22:log-level=none", "-tag:v", "hvc1",
    ]
    private static let pq = ["-vf", FFmpegProgram.colours(primaries: "bt2020", transfer: "smpte2084")]
    private static let vp9 = [
        "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "25", "-crf", "20", "-b:v", "0",
    ]
    private static let av1 = [
        "-c:v", "libaom-av1", "-cpu-used", "8", "-g", "25", "-crf", "12", "-b:v", "0",
    ]
    private static let mpeg2 = ["-c:v", "mpeg2video", "-q:v", "3", "-bf", "2", "-g", "12"]
    private static let sounds: [(name: String, words: [String])] = [
        ("aac", NumberedFilm.aac), ("ac3", ["-c:a", "ac3", "-b:a", "96k"]), ("eac3", ["-c:a", "eac3", "-b:a", "96k"]),
        ("opus", ["-c:a", "libopus", "-b:a", "96k"]), ("mp3", ["-c:a", "libmp3lame", "-b:a", "96k"]), ("flac", ["-c:a", "flac"]),
        ("pcm", ["-c:a", "pcm_s16le"]),
    ]
    /// Sound without samples before its first: where those begin in Matroska differs between versions of FFmpeg.
    private static let flac = ["-c:a", "flac", "-sample_fmt", "s16"]
    /// The last picture has a duration too. FFmpeg 7.1 knows none behind filters that move pictures, and writes an edit list that ends before it.
    private static let lastPicture = ["-video_track_timescale", "1000", "-bsf:v", "setts=pts=PTS:dts=DTS:duration=40"]
    private static let fragments = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"]

    /// Each video codec in each container that supports it, with audio codecs in turn, so that each audio codec is also in each container that supports it.
    private static let containers: [Case] = {
        let kinds: [(suffix: String, extra: [String], videos: [String], sounds: [String])] = [
            ("ts", [], ["h264", "hevc", "mpeg2"], ["aac", "ac3", "eac3", "mp3", "opus"]),
            ("mp4", [], ["h264", "hevc", "vp9", "av1", "mpeg2"], ["aac", "ac3", "eac3", "mp3", "opus", "flac"]),
            ("frag.mp4", fragments, ["h264", "hevc", "vp9", "av1"], ["aac", "ac3", "eac3", "opus", "flac"]),
            ("mkv", [], ["h264", "hevc", "vp9", "av1", "mpeg2"], ["aac", "ac3", "eac3", "mp3", "opus", "flac", "pcm"]),
            ("webm", [], ["vp9", "av1"], ["opus"]),
        ]
        let videos = ["h264": x264, "hevc": x265, "vp9": vp9, "av1": av1, "mpeg2": mpeg2]
        let samples: Set<String> = [
            "hevc-ac3.ts", "mpeg2-mp3.ts", "vp9-opus.webm", "h264-flac.mkv", "h264-aac.frag.mp4", "hevc-pcm.mkv", "vp9-eac3.mp4",
            "av1-opus.frag.mp4",
        ]
        var cases: [Case] = []
        func add(_ video: String, _ sound: String, _ kind: (suffix: String, extra: [String], videos: [String], sounds: [String]))
        {
            let name = "\(video)-\(sound).\(kind.suffix)"
            guard !cases.contains(where: { $0.film.name == name }), let words = sounds.first(where: { $0.name == sound })?.words
            else { return }
            // ffmpeg asks for these options, or needs them to probe the stream.
            var extra = kind.extra
            if sound == "flac", kind.suffix.hasSuffix("mp4") { extra += ["-strict", "-2"] }
            if sound.hasSuffix("ac3") || sound == "opus", kind.suffix == "frag.mp4" { extra[1] += "+delay_moov" }
            var film = NumberedFilm(name, video: videos[video] ?? [], audio: words, extra: extra)
            // Its frames of 32 ms do not end with the pictures, and versions of FFmpeg do not agree where its track in MP4 then does.
            if sound == "eac3", kind.suffix.hasSuffix("mp4") { film.soundSeconds = "2.944" }
            cases.append(Case(film: film, isSample: samples.contains(name)))
        }
        for kind in kinds {
            for number in 0..<max(kind.videos.count, kind.sounds.count) {
                add(kind.videos[number % kind.videos.count], kind.sounds[number % kind.sounds.count], kind)
            }
            for name in samples.sorted()
            where name.hasSuffix(".\(kind.suffix)") && name.split(separator: ".", maxSplits: 1)[1] == kind.suffix {
                let codecs = name.split(separator: ".")[0].split(separator: "-").map(String.init)
                add(codecs[0], codecs[1], kind)
            }
        }
        return cases
    }()

    private static let peculiar: [Case] = [
        Case(
            film: NumberedFilm(
                "b-pyramid.mp4", video: ["-c:v", "libx264", "-preset", "fast", "-qp", "20", "-bf", "4", "-g", "25"]),
            isSample: true),
        Case(
            film: NumberedFilm(
                "open-gop.mp4",
                video: [
                    "-c:v", "libx264", "-preset", "fast", "-qp", "20", "-x264-params",
                    "open-gop=1:keyint=20:min-keyint=20:bframes=3:b-adapt=0:scenecut=0",
                ]),
            isSample: true),
        Case(
            film: NumberedFilm(
                "open-gop.ts",
                video: [
                    "-c:v", "libx264", "-preset", "fast", "-qp", "20", "-x264-params",
                    "open-gop=1:keyint=20:min-keyint=20:bframes=3:b-adapt=0:scenecut=0",
                ]),
            isSample: true),
        // AVI has decode times only.
        Case(
            film: NumberedFilm(
                "b-frames.avi", video: ["-c:v", "mpeg4", "-qscale:v", "2", "-bf", "2", "-g", "25"], audio: ["-c:a", "libmp3lame"]),
            isSample: true),
        Case(
            film: NumberedFilm(
                "b-pyramid.avi", video: ["-c:v", "libx264", "-preset", "fast", "-qp", "20", "-bf", "4", "-g", "25"],
                audio: ["-c:a", "libmp3lame"]),
            isSample: true),
        Case(
            film: NumberedFilm(
                "open-gop-hevc.mp4",
                video: [
                    "-c:v", "libx265", "-preset", "fast", "-x265-params",
                    "open-gop=1:keyint=20:min-keyint=20:bframes=3:scenecut=0:qp=22:log-level=none", "-tag:v", "hvc1",
                ])),
        // Copied from the middle of a group of pictures: frames before the cut are decoded and not shown. The cut is between two frames of sound: from the
        // middle of one, FFmpeg 5.1 gives more than is to be heard.
        Case(
            film: NumberedFilm("edit-list.mp4").with { $0.copying = ["-ss", "0.64", "INPUT", "-c", "copy"] }, shown: 16...74,
            isSample: true),
        Case(film: NumberedFilm("late-start.mp4", extra: ["-output_ts_offset", "7"])),
        Case(
            film: NumberedFilm(
                "negative.mkv", audio: flac, extra: ["-avoid_negative_ts", "disabled", "-output_ts_offset", "-0.04"]),
            shown: 1...74, isSample: true),
        // The 33 bits of a 90 kHz timestamp wrap at 95443.7 s.
        Case(film: NumberedFilm("wrap.ts", extra: ["-output_ts_offset", "95442"]), isSample: true),
        Case(
            film: NumberedFilm(
                "vfr.mp4",
                video: ["-vf", "settb=1/1000,setpts='N*40+10*mod(N,3)'", "-enc_time_base", "1:1000", "-vsync", "passthrough"]
                    + x264 + lastPicture),
            milliseconds: { $0 * 40 + 10 * ($0 % 3) }, isSample: true),
        Case(
            film: NumberedFilm(
                "vfr.mkv",
                video: ["-vf", "settb=1/1000,setpts='N*40+10*mod(N,3)'", "-enc_time_base", "1:1000", "-vsync", "passthrough"]
                    + x264),
            milliseconds: { $0 * 40 + 10 * ($0 % 3) }),
        Case(
            film: NumberedFilm(
                "interlaced.ts", video: ["-flags", "+ilme+ildct", "-top", "1"] + mpeg2, audio: ["-c:a", "mp2", "-b:a", "128k"]),
            isSample: true),
        Case(film: NumberedFilm("interlaced-h264.ts", video: x264 + ["-x264-params", "tff=1"])),
        Case(
            film: NumberedFilm("rotated.mp4", video: ["-vf", "transpose=1"] + x264).with { $0.isTurned = true }, isSample: true),
        Case(
            film: NumberedFilm("odd.webm", video: vp9, audio: ["-c:a", "libopus"]).with { $0.size = (129, 73) }, isSample: true),
        Case(film: NumberedFilm("odd.mp4", video: x264).with { $0.size = (130, 74) }),
        Case(film: NumberedFilm("ten-bit.mkv", video: ["-pix_fmt", "yuv420p10le"] + x264)),
        Case(
            film: NumberedFilm("hdr10.mkv", video: ["-pix_fmt", "yuv420p10le"] + pq + x265, audio: ["-c:a", "pcm_s16le"]),
            isSample: true),
        Case(
            film: NumberedFilm("ntsc.mp4").with {
                $0.rate = "30000/1001"; $0.frames = 90
            }, rate: (30000, 1001), isSample: true),
        Case(
            film: NumberedFilm("ntsc.mkv").with {
                $0.rate = "24000/1001"; $0.frames = 72
            }, rate: (24000, 1001)),
        Case(
            film: NumberedFilm("fifty.ts").with {
                $0.rate = "50"; $0.frames = 150
            }, rate: (50, 1)),
        Case(film: NumberedFilm("silent.mp4", audio: []), isSample: true),
        Case(film: NumberedFilm("dark.m4a").with { $0.frames = 0 }, isSample: true),
        Case(film: NumberedFilm("dark.mp3", audio: ["-c:a", "libmp3lame"]).with { $0.frames = 0 }),
        Case(film: NumberedFilm("dark.flac", audio: ["-c:a", "flac"]).with { $0.frames = 0 }),
        Case(film: NumberedFilm("dark.opus", audio: ["-c:a", "libopus"]).with { $0.frames = 0 }),
        Case(film: NumberedFilm("dark.wav", audio: ["-c:a", "pcm_s16le"]).with { $0.frames = 0 }),
        Case(film: NumberedFilm("short-sound.mp4").with { $0.soundSeconds = "1.5" }, isSample: true),
        Case(film: NumberedFilm("short-sound.ts").with { $0.soundSeconds = "1.5" }),
        Case(film: NumberedFilm("long-sound.mkv", audio: flac).with { $0.soundSeconds = "4.2" }, isSample: true),
    ]
}
