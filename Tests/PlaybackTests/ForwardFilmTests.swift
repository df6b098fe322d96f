import LinuxSupport
import MediaCodec
import MediaModel
import MediaSources
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// Files on a server that only sends them from the start.
private final class ForwardLoader: ByteLoading {
    private let opened = Mutex(0)
    /// How often files were asked for.
    var count: Int { opened.withLock { $0 } }

    @MainActor func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { preconditionFailure("films are streamed") }

    func stream(_ url: String) -> any ByteStream {
        opened.withLock { $0 += 1 }
        return MemoryByteStream(fileBytes(url) ?? [], name: url, isSeekable: false, chunk: 5000)
    }
}

@Suite(
    "Films from servers without byte ranges", .serialized,
    .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct ForwardFilmTests {
    nonisolated private static let films = Films.chosen.filter { $0.film.frames > 0 }

    @Test("every container plays from its first picture to its last; a seek goes back and forth", arguments: films)
    func plays(_ film: Films.Case) throws {
        let loader = ForwardLoader()
        let box = try FilmBox(loader: { _ in loader })
        defer { box.close() }
        box.open(try film.film.path())
        box.player.play()
        #expect(box.run(until: { box.endCount > 0 || !box.failures.isEmpty }) && box.failures.isEmpty, "\(box.failures)")
        #expect(box.pictures.first?.number == film.numbers.lowerBound && box.pictures.last?.number == film.numbers.upperBound)
        for share in [60, 20, 0] {
            let start = try #require(box.pictures.first).record.time
            let target = start + (try #require(box.pictures.last).record.time - start) * share / 100
            let expected = try #require(box.pictures.last { $0.record.time <= target }).number
            box.readsPictures = false
            #expect(box.seek(to: target + .milliseconds(1)) == true && box.failures.isEmpty, "\(box.failures)")
            #expect(box.number() == expected, "seek to \(target)")
        }
    }

    @Test(
        "the length of fragments is known where the file states it, and is not that of the first of them",
        arguments: [true, false])
    func length(isStated: Bool) throws {
        let film = NumberedFilm(
            "fragments.mp4",
            extra: ["-movflags", "+frag_keyframe+empty_moov+default_base_moof" + (isStated ? "+global_sidx" : "")])
        let demuxer = try FFmpegCodecs().openDemuxer(
            MemoryByteStream(try film.bytes(), isSeekable: false, chunk: 5000), hint: nil)
        let duration = demuxer.description.duration
        #expect(isStated ? duration.map { ($0 - .seconds(3)).magnitude < .milliseconds(200) } == true : duration == nil)
    }

    @Test("what was looked at comes before the rest, in reads of any size", arguments: [1, 5, 16, 100])
    func givenBack(size: Int) throws {
        let bytes = (0..<100).map { UInt8($0) }
        for isSeekable in [true, false] {
            let opened = try OpenedBytes(MemoryByteStream(bytes, isSeekable: isSeekable, chunk: 7))
            #expect(opened.head == Array(bytes.prefix(64)) && (opened.stream.length != nil) == isSeekable)
            var read: [UInt8] = []
            while case let part = try opened.stream.read(count: size), !part.isEmpty { read += part }
            #expect(read == bytes)
        }
        #expect(try OpenedBytes(MemoryByteStream([1, 2], isSeekable: false)).head == [1, 2])
    }
}
