import Testing

/// Checks that the list of films is complete. A missing kind of film would not be tested, and no other test would show that.
@Suite("The test films cover every kind")
struct FilmListTests {
    /// The name of an ordinary film, such as `h264-aac.frag.mp4`.
    private struct Kind: Hashable {
        var video, audio, container: String

        init?(_ name: String) {
            let parts = name.split(separator: ".", maxSplits: 1)
            let codecs = parts[0].split(separator: "-")
            guard parts.count == 2, codecs.count == 2, Self.videos.contains(String(codecs[0])) else { return nil }
            guard Self.sounds.contains(String(codecs[1])) else { return nil }
            (video, audio, container) = (String(codecs[0]), String(codecs[1]), String(parts[1]))
        }

        static let videos: Set = ["h264", "hevc", "vp9", "av1", "mpeg2"]
        static let sounds: Set = ["aac", "ac3", "eac3", "opus", "mp3", "flac", "pcm"]
        static let containers: Set = ["ts", "mp4", "frag.mp4", "mkv", "webm"]
    }

    @Test("each video codec, audio codec and container has a film that is played and dumped in every run")
    func everyRun() {
        let kinds = Films.all.filter(\.isSample).compactMap { Kind($0.film.name) }
        #expect(Set(kinds.map(\.video)).union(["h264"]) == Kind.videos)
        #expect(Set(kinds.map(\.audio)).union(["aac"]) == Kind.sounds)
        #expect(Set(kinds.map(\.container)).union(["mp4"]) == Kind.containers)
    }

    @Test("a long run has each codec in each container that supports it")
    func longRun() {
        let kinds = Set(Films.all.compactMap { Kind($0.film.name) })
        let videos: [(String, Set<String>)] = [
            ("ts", ["h264", "hevc", "mpeg2"]), ("mp4", Kind.videos), ("frag.mp4", ["h264", "hevc", "vp9", "av1"]),
            ("mkv", Kind.videos), ("webm", ["vp9", "av1"]),
        ]
        let sounds: [(String, Set<String>)] = [
            ("ts", ["aac", "ac3", "eac3", "mp3", "opus"]), ("mp4", ["aac", "ac3", "eac3", "mp3", "opus", "flac"]),
            ("frag.mp4", ["aac", "ac3", "eac3", "opus", "flac"]), ("mkv", Kind.sounds), ("webm", ["opus"]),
        ]
        for (container, wanted) in videos {
            #expect(Set(kinds.filter { $0.container == container }.map(\.video)) == wanted, "\(container)")
        }
        for (container, wanted) in sounds {
            #expect(Set(kinds.filter { $0.container == container }.map(\.audio)) == wanted, "\(container)")
        }
    }

    @Test(
        "special properties of real-world files are tested in every run",
        arguments: [
            "b-pyramid", "open-gop", "edit-list", "negative", "wrap", "vfr", "interlaced", "rotated", "odd", "ntsc", "silent",
            "dark", "short-sound", "long-sound",
        ])
    func peculiar(_ what: String) {
        #expect(Films.all.contains { $0.isSample && $0.film.name.hasPrefix(what + ".") })
    }
}
