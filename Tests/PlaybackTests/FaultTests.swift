import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// Faults of real-world files, played whole: no crash, no hang, at most one error with a sentence, and the next film plays.
@Suite(
    "Damaged files and files that are not films", .serialized,
    .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct FaultTests {
    /// A player with files from memory.
    @MainActor
    private final class Rig {
        let box: FilmBox
        let files: FileLoader
        private let notes = PlaylistNotes()
        /// Addresses that were treated as playlists.
        var playlists: [String] { notes.names }

        init() throws {
            var made: FileLoader?
            box = try FilmBox(
                loader: {
                    let loader = FileLoader(clock: $0)
                    made = loader
                    return loader
                },
                makeHLSSource: { [notes] url, _ in
                    notes.names.append(url)
                    return NoSource()
                })
            files = made!
        }

        /// Plays something until it ends or fails.
        func play(_ name: String, _ file: FileLoader.File, within limit: Duration = .seconds(90)) -> Bool {
            files.put(file, at: name)
            box.open(name)
            box.player.play()
            let (ends, failures) = (box.endCount, box.failures.count)
            return box.run(within: limit, until: { box.endCount > ends || box.failures.count > failures })
        }

        /// Expects that another film plays now.
        func playsOn() throws {
            let ends = box.endCount
            #expect(play("good.mp4", .bytes(try FaultTests.good.bytes())))
            #expect(box.endCount == ends + 1)
        }
    }

    nonisolated fileprivate static let good = NumberedFilm("good.mp4").with {
        $0.frames = 25; $0.soundSeconds = "1"
    }
    nonisolated private static let films = [
        NumberedFilm("fault.mp4", extra: ["-movflags", "+faststart"]), NumberedFilm("fault-behind.mp4"),
        NumberedFilm("fault.ts"), NumberedFilm("fault.mkv"),
        NumberedFilm("fault.frag.mp4", extra: ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"]),
        NumberedFilm("fault.mp3", audio: ["-c:a", "libmp3lame"]).with { $0.frames = 0 },
        NumberedFilm("fault.flac", audio: ["-c:a", "flac"]).with { $0.frames = 0 },
    ]
    /// One film for each further codec; in a long run all films.
    nonisolated private static let others = Films.all.map(\.film).filter {
        Films.isLong
            || ["hevc-ac3.ts", "mpeg2-mp3.ts", "vp9-opus.webm", "av1-opus.frag.mp4", "vp9-eac3.mp4", "hevc-pcm.mkv"].contains(
                $0.name)
    }

    private func judge(_ rig: Rig, _ ended: Bool, _ what: String) {
        #expect(ended, "\(what) neither ends nor fails")
        #expect(rig.box.failures.count <= 1, "\(what) fails more than once")
        for failure in rig.box.failures {
            #expect(failure.sentence.hasSuffix(".") && !failure.sentence.contains("\n"), "\(what): \(failure.sentence)")
        }
    }

    @Test("a truncated film plays up to the cut and then ends or fails with a sentence", arguments: films + others)
    func truncated(_ film: NumberedFilm) throws {
        let bytes = try film.bytes()
        for percent in Films.isLong ? Array(stride(from: 1, through: 99, by: 7)) : [3, 50, 95] {
            let rig = try Rig()
            defer { rig.box.close() }
            judge(
                rig, rig.play(film.name, .bytes(Array(bytes.prefix(bytes.count * percent / 100)))), "\(film) cut to \(percent) %")
            // The available frames are shown in order.
            let numbers = rig.box.pictures.compactMap(\.number)
            #expect(numbers == numbers.sorted())
            if percent == 50 { try rig.playsOn() }
        }
    }

    @Test("with flipped bits a film ends or fails with a sentence", arguments: films + others)
    func flipped(_ film: NumberedFilm) throws {
        let bytes = try film.bytes()
        for seed in 0..<UInt64(Films.isLong ? 40 : 2) {
            var chance = SeededGenerator(seed: seed)
            var damaged = bytes
            for _ in 0..<(1 << Int(seed % 6)) {
                damaged[Int.random(in: 0..<damaged.count, using: &chance)] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
            }
            let rig = try Rig()
            defer { rig.box.close() }
            judge(rig, rig.play(film.name, .bytes(damaged), within: .seconds(600)), "\(film) with seed \(seed)")
            if seed == 1 { try rig.playsOn() }
        }
    }

    @Test(
        "a read timeout ends the film with the reader's sentence, after all earlier frames were shown",
        arguments: films + others)
    func timeouts(_ film: NumberedFilm) throws {
        let bytes = try film.bytes()
        let error = MediaError(.sourceTimeout, "Loading \(film.name) stalled for 5 s; check the network.")
        for percent in [0, 60] {
            let rig = try Rig()
            defer { rig.box.close() }
            judge(
                rig, rig.play(film.name, .failing(bytes, at: bytes.count * percent / 100, error)),
                "\(film) with a time-out at \(percent) %")
            #expect(rig.box.failures == [error])
            try rig.playsOn()
        }
    }

    @Test("a stream without an end, whose timestamps restart repeatedly, keeps playing and can be left at once")
    func endless() throws {
        let rig = try Rig()
        defer { rig.box.close() }
        #expect(!rig.play("endless.ts", .endless(try NumberedFilm("fault.ts").bytes()), within: .seconds(20)))
        // The same three seconds repeat at the pace of the clock. The last pictures of a round may still be in the decoder when the next starts.
        let numbers = rig.box.pictures.compactMap(\.number)
        #expect(numbers.count > 440, "\(numbers.count)")
        #expect(numbers.filter { $0 == 30 }.count >= 6)
        for (one, next) in zip(rig.box.pictures, rig.box.pictures.dropFirst()) { #expect(one.record.time < next.record.time) }
        #expect(rig.box.player.state.stallCount == 0)
        let now = rig.box.loop.clock.now
        rig.box.player.replaceCurrentItem(with: nil)
        #expect(rig.box.loop.clock.now == now)
        try rig.playsOn()
    }

    @Test(
        "a file without an end, of any kind, keeps playing, ends or fails with a sentence; it can be left at once, and the next film plays",
        arguments: films + others)
    func endless(_ film: NumberedFilm) throws {
        let rig = try Rig()
        defer { rig.box.close() }
        let hasEnded = rig.play(film.name, .endless(try film.bytes()), within: .seconds(12))
        if hasEnded { judge(rig, true, "endless \(film)") } else { #expect(rig.box.player.currentTime >= .seconds(1)) }
        let now = rig.box.loop.clock.now
        rig.box.player.replaceCurrentItem(with: nil)
        #expect(rig.box.loop.clock.now == now)
        try rig.playsOn()
    }

    @Test(
        "the kind of a resource is decided by its content and not by its name",
        arguments: ["film.ts", "film.mp3", "film.jpg", "film.html", "film.m3u8", "film"])
    func names(_ name: String) throws {
        let rig = try Rig()
        defer { rig.box.close() }
        #expect(rig.play(name, .bytes(try Self.good.bytes())))
        #expect(rig.box.failures.isEmpty && rig.box.endCount == 1)
        #expect(rig.playlists.isEmpty)
    }

    @Test("a playlist under any name is a playlist", arguments: ["list.mp4", "list.ts", "list", "list.txt"])
    func playlists(_ name: String) throws {
        let rig = try Rig()
        defer { rig.box.close() }
        #expect(rig.play(name, .bytes(Array("\u{feff}#EXTM3U\n#EXT-X-VERSION:3\n".utf8))))
        #expect(rig.playlists == [name])
    }

    nonisolated private static let strangers: [(content: String, words: String)] = [
        ("<!DOCTYPE html>\n<html><body>404 page</body></html>", "an HTML page"),
        ("{\"error\": \"no such film\"}", "a JSON document"),
        ("%PDF-1.7 ...", "a PDF document"), ("<?xml version=\"1.0\"?><Error/>", "an XML document"), ("", "empty"),
        ("Words, and not many of them.\n", "plain text"),
    ]

    @Test(
        "a file that is not a film is refused in one sentence, whatever its name", arguments: strangers,
        ["film.mp4", "film.m3u8", "film"])
    func strangers(_ stranger: (content: String, words: String), _ name: String) throws {
        let rig = try Rig()
        defer { rig.box.close() }
        judge(rig, rig.play(name, .bytes(Array(stranger.content.utf8))), "\(stranger.words) as \(name)")
        let error = try #require(rig.box.failures.first)
        #expect(error.sentence.contains(name) && error.sentence.contains(stranger.words), "\(error.sentence)")
        try rig.playsOn()
    }
}

/// The address that was treated as a playlist.
@MainActor
private final class PlaylistNotes {
    var names: [String] = []
}

/// Refuses to be prepared.
@MainActor
private final class NoSource: MediaSource {
    let events = EventSource<SourceEvent>()

    func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void) {
        completion(.failure(MediaError(.sourceFormat, "This playlist has nothing in it; give one that has.")))
    }
    func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer {
        SampleBuffer(tracks: tracks, buffering: .standard, ledger: nil)
    }
    func close() {}
}
