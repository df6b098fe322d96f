import Composition
import Glibc
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import Playback

private func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }

/// Files in memory, which may be others when they are opened again, or fail while they are read.
private final class ChangingFiles: ByteLoading {
    private let files: [String: [[UInt8]]]
    private let failures: [String: (at: Int, error: MediaError)]
    private let opened = Mutex<[String: Int]>([:])

    /// - Parameter files: what each opening finds; the last one stays.
    init(_ files: [String: [[UInt8]]], failures: [String: (at: Int, error: MediaError)] = [:]) {
        self.files = files
        self.failures = failures
    }

    func openings(of url: String) -> Int { opened.withLock { $0[url] ?? 0 } }

    @MainActor func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { preconditionFailure("pieces are read as streams") }

    func stream(_ url: String) -> any ByteStream {
        let number = opened.withLock { opened in
            defer { opened[url, default: 0] += 1 }
            return opened[url] ?? 0
        }
        guard let versions = files[url], let last = versions.indices.last else {
            return MemoryByteStream([], name: url, failure: (0, MediaError(.sourceMissing, "There is no file \(url).")))
        }
        return MemoryByteStream(versions[min(number, last)], name: url, failure: failures[url])
    }
}

/// Compositions of sources that are not what they should be, really played.
@Suite("Compositions of bad sources", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct CompositionFaultTests {
    private static let film = NumberedFilm("piece-one.mp4").with {
        $0.frames = 250; $0.soundSeconds = "10"
    }

    /// What was shown, and why it ended.
    private struct Outcome {
        var numbers: [Int]
        var failure: MediaError?
        var hasEnded: Bool
        var position: MediaTime
    }

    /// Pieces of 20 pictures, each from the tenth picture of its source on.
    private func pieces(_ names: [String]) -> [CompositionTrackSegment] {
        names.enumerated().map { index, name in
            CompositionTrackSegment(
                SourceReference(url: name), TimeRange(start: frame(10), duration: frame(20)), at: frame(index * 20))
        }
    }

    private func play(
        _ names: [String], _ loader: any ByteLoading, types: [MediaType] = [.video], isComposed: Bool = false
    ) throws -> Outcome {
        let box = try FilmBox(refresh: Ratio(50), loader: { _ in loader })
        defer { box.close() }
        let tracks = types.enumerated().map { CompositionTrack(id: TrackID($0 + 1), type: $1, segments: pieces(names)) }
        let composition = Composition(tracks: tracks)
        let video = VideoComposition(
            renderSize: RenderSize(width: 128, height: 72), frameDuration: frame(1),
            instructions: [
                VideoCompositionInstruction(
                    TimeRange(start: .zero, duration: composition.duration), layers: [LayerInstruction(track: TrackID(1))])
            ])
        let asset = Asset(
            composition: composition, videoComposition: isComposed ? video : nil, name: "pieces", services: box.player.services)
        box.player.replaceCurrentItem(with: PlayerItem(asset: asset))
        box.player.play()
        box.run(within: .seconds(60)) { box.endCount == 1 || !box.failures.isEmpty }
        return Outcome(
            numbers: box.pictures.map { $0.number ?? -1 }, failure: box.failures.first, hasEnded: box.endCount == 1,
            position: box.player.currentTime)
    }

    private let piece = Array(10..<30)

    @Test(
        "a source that vanishes while it is read ends playback with its own error; what came before is shown",
        arguments: [false, true])
    func vanishing(isComposed: Bool) throws {
        let bytes = try Self.film.bytes()
        for place in [0, 3000, bytes.count / 2] {
            let gone = MediaError(.networkDown, "The server has gone at \(place).")
            let files = ChangingFiles(["one": [bytes], "two": [bytes]], failures: ["two": (place, gone)])
            let outcome = try play(["one", "one", "two"], files, types: [.video, .audio], isComposed: isComposed)
            #expect(outcome.failure == gone && !outcome.hasEnded, "at \(place)")
            #expect(firstDifference(outcome.numbers, Array((piece + piece).prefix(outcome.numbers.count))) == nil, "at \(place)")
            #expect(outcome.numbers.count >= 38, "at \(place): \(outcome.numbers.count)")
        }
    }

    /// Four sources: the first one is closed and opened again, because at most three are open.
    private func changed(to later: [UInt8], isComposed: Bool) throws -> Outcome {
        let bytes = try Self.film.bytes()
        let files = ChangingFiles(["one": [bytes, later], "two": [bytes], "three": [bytes], "four": [bytes]])
        let outcome = try play(["one", "two", "three", "four", "one"], files, isComposed: isComposed)
        #expect(files.openings(of: "one") == 2)
        return outcome
    }

    @Test(
        "a source that is another file when it is opened again is shown as it is then, or ends playback with the reason",
        arguments: [false, true])
    func changing(isComposed: Bool) throws {
        let before = piece + piece + piece + piece
        let same = try changed(to: Self.film.bytes(), isComposed: isComposed)
        #expect(same.failure == nil && same.hasEnded && same.numbers == before + piece)
        // Another size, and another codec: a new decoder.
        let other = try NumberedFilm(
            "other-\(isComposed ? "codec" : "size").mkv", video: ["-c:v", "mpeg2video", "-q:v", "3", "-bf", "2", "-g", "12"],
            audio: []
        ).with { film in
            // A composition shows pictures in their own size.
            if !isComposed { film.size = (256, 144) }
        }.bytes()
        let replaced = try changed(to: other, isComposed: isComposed)
        #expect(replaced.failure == nil && replaced.hasEnded, "\(String(describing: replaced.failure))")
        #expect(firstDifference(replaced.numbers, before + piece) == nil)
        // It ends within the piece: the last picture stays for the rest.
        let short = try NumberedFilm("short-piece.mp4", audio: []).with { $0.frames = 15 }.bytes()
        let ended = try changed(to: short, isComposed: isComposed)
        let rest = isComposed ? Array(10..<15) + Array(repeating: 14, count: 15) : Array(10..<15)
        #expect(ended.failure == nil && ended.hasEnded)
        // Pieces alone end with their last picture, composed ones with their last segment.
        let end = isComposed ? frame(99)...frame(100) : frame(84)...frame(86)
        #expect(end.contains(ended.position), "\(ended.position)")
        #expect(firstDifference(ended.numbers, before + rest) == nil)
        let dark = try changed(to: NumberedFilm("dark.m4a").with { $0.frames = 0 }.bytes(), isComposed: isComposed)
        #expect(
            dark.failure?.sentence
                == "Opening segment 5 of track 1 of the composition, one, failed: it has no video; use another source.")
        let page = try changed(to: Array("<html>This film has moved.</html>".utf8), isComposed: isComposed)
        #expect(page.failure?.sentence.contains("one") == true)
        let list = try changed(to: Array("#EXTM3U\n#EXT-X-ENDLIST\n".utf8), isComposed: isComposed)
        #expect(list.failure?.sentence.contains("it is an HLS playlist") == true)
    }

    @Test("a protected source is said to be protected, as the first piece and as a later one", arguments: [false, true])
    func protected(isComposed: Bool) throws {
        let key = [
            "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", String(repeating: "0f", count: 16), "-encryption_kid",
            String(repeating: "a7", count: 16),
        ]
        let locked = try FFmpegProgram.clip(extra: key, suffix: "mp4")
        let files = ChangingFiles(["film": [try Self.film.bytes()], "locked": [locked]])
        for names in [["locked", "film"], ["film", "locked"]] {
            let outcome = try play(names, files, isComposed: isComposed)
            #expect(outcome.failure?.code == .protected && !outcome.hasEnded, "\(names): \(String(describing: outcome.failure))")
            #expect(outcome.numbers.allSatisfy { $0 >= 0 }, "no black picture is shown for it")
        }
    }

    @Test("a document that names itself, or another document, is refused with the reason, by whatever name")
    func documents() throws {
        let folder = ScratchFolder("composition-itself")
        func document(_ url: String) -> String {
            #"{"compositionVersion": 1, "tracks": [{"id": 1, "type": "video", "segments": [{"url": "\#(url)", "source": {"start": 0, "duration": 1}}]}]}"#
        }
        folder.put(document("itself.json"), "itself.json")
        folder.put(document("./x/../again.json"), "again.json")
        folder.put(document("one.json"), "two.json")
        folder.put(document("two.json"), "one.json")
        folder.put(document("link.json"), "linked.json")
        symlink("linked.json", "\(folder.path)/link.json")
        for (name, words) in [
            ("itself.json", "the composition names itself"), ("again.json", "the composition names itself"),
            ("one.json", "it is a JSON document"), ("link.json", "the composition names itself"),
            ("linked.json", "it is a JSON document"),
        ] {
            let box = try FilmBox(refresh: Ratio(50))
            defer { box.close() }
            box.open("\(folder.path)/\(name)")
            box.player.play()
            box.run(within: .seconds(20)) { box.endCount == 1 || !box.failures.isEmpty }
            #expect(box.failures.first?.sentence.contains(words) == true, "\(name): \(box.failures)")
            #expect(box.pictures.isEmpty)
        }
    }

    @Test(
        "a thousand segments of one frame, with their sound, are a thousand pictures of 40 ms, and the clock never waits",
        arguments: [false, true])
    func thousand(isComposed: Bool) throws {
        var chance = SeededGenerator(seed: 1000)
        let numbers = (0..<1000).map { _ in Int.random(in: 0..<250, using: &chance) }
        let source = SourceReference(url: try Self.film.path())
        let segments = numbers.enumerated().map { index, number in
            CompositionTrackSegment(source, TimeRange(start: frame(number), duration: frame(1)), at: frame(index))
        }
        let tracks = [MediaType.video, .audio].enumerated().map {
            CompositionTrack(id: TrackID($0 + 1), type: $1, segments: segments)
        }
        let composition = Composition(tracks: tracks)
        let video = VideoComposition(
            renderSize: RenderSize(width: 128, height: 72), frameDuration: frame(1),
            instructions: [
                VideoCompositionInstruction(
                    TimeRange(start: .zero, duration: composition.duration), layers: [LayerInstruction(track: TrackID(1))])
            ])
        let box = try FilmBox(refresh: Ratio(50))
        defer { box.close() }
        let asset = Asset(
            composition: composition, videoComposition: isComposed ? video : nil, name: "thousand", services: box.player.services)
        box.player.replaceCurrentItem(with: PlayerItem(asset: asset))
        box.player.play()
        #expect(box.run(within: .seconds(120)) { box.endCount == 1 || !box.failures.isEmpty })
        #expect(box.failures.isEmpty)
        #expect(firstDifference(box.pictures.map { $0.number ?? -1 }, numbers) == nil)
        #expect(firstDifference(box.pictures.map(\.record.time), (0..<1000).map(frame)) == nil)
        let stays = zip(box.pictures.dropFirst(), box.pictures.dropFirst(2)).map { $1.record.flip - $0.record.flip }
        #expect(stays.allSatisfy { $0 == .milliseconds(40) })
        #expect(box.audioRuns.count == 1)
        // 40 ms of each piece, without a hole.
        #expect(box.sink.samples.count >= 1000 * 1920)
        for number in [999, 0, 500, 501, 250] {
            #expect(box.seek(to: frame(number) + .milliseconds(11)) == true)
            #expect(box.number() == numbers[number], "seek to \(number)")
        }
    }
}
