import LinuxSupport
import MediaModel
import MediaTime
import Synchronization
import TestSupport
import Testing
import Transfer

@testable import Playback

@Suite(
    "A file is played while it is being recorded", .serialized,
    .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct GrowingFileTests {
    /// Eight seconds in fragments of one second, without an end mark.
    private static let film = NumberedFilm(
        "recording.mp4", extra: ["-movflags", "+frag_keyframe+empty_moov+default_base_moof+skip_trailer"]
    ).with { film in
        film.frames = 200
        film.soundSeconds = "8"
    }

    /// The file's header, followed by its fragments.
    private static func pieces() throws -> [[UInt8]] {
        let bytes = try film.bytes()
        var pieces: [[UInt8]] = [[]]
        var place = 0
        while place + 8 <= bytes.count {
            let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            if bytes[(place + 4)..<(place + 8)].elementsEqual("moof".utf8) { pieces.append([]) }
            pieces[pieces.count - 1] += bytes[place..<place + size]
            place += size
        }
        return pieces
    }

    @Test("the index is extended as boxes arrive, whole or in parts")
    func index() throws {
        let pieces = try Self.pieces()
        #expect(pieces.count == 9)
        let whole = pieces.flatMap(\.self)
        var index = FragmentIndex()
        for count in [10, pieces[0].count + 20, pieces[0].count + pieces[1].count - 1] {
            try index.scan(MemoryByteStream(Array(whole.prefix(count))))
            #expect(!index.isFragmented)
        }
        var length = pieces[0].count
        for (number, piece) in pieces.dropFirst().enumerated() {
            length += piece.count
            // Half of the next fragment is available too.
            try index.scan(MemoryByteStream(Array(whole.prefix(length + 500))))
            #expect(index.isFragmented && !index.isFinal)
            #expect(index.completeEnd == Int64(length))
            // Sound may extend slightly into the next second.
            #expect((try #require(index.end) - .seconds(Int64(number + 1))).magnitude <= .milliseconds(200))
        }
    }

    @Test("its length only grows, nothing jumps, and playback continues past the former end")
    func grows() throws {
        let pieces = try Self.pieces()
        let file = try TemporaryFile(pieces[0] + pieces[1] + pieces[2], suffix: ".mp4")
        let box = try FilmBox()
        defer { box.close() }
        let item = box.open(file.path)
        box.player.play()
        var edges: [MediaTime] = []
        box.onEvent = { _ in if let edge = item.liveStatus?.edge, edges.last != edge { edges.append(edge) } }
        try #require(box.run(until: { item.description != nil }))
        #expect(item.isLive)
        // The recorder is first slightly faster than playback, and then playback has to wait.
        for (number, piece) in pieces.dropFirst(3).enumerated() {
            box.loop.clock.schedule(after: .milliseconds(number < 4 ? 800 * (number + 1) : 1500 * (number + 1)), rank: .timer) {
                _ = file.append(piece)
            }
        }
        #expect(box.run(until: { box.endCount > 0 || !box.failures.isEmpty }))
        #expect(box.failures.isEmpty)
        #expect(firstDifference(box.pictures.map { $0.number ?? -1 }, Array(0..<200)) == nil)
        for (one, next) in zip(box.pictures, box.pictures.dropFirst()) {
            #expect(next.record.time - one.record.time == MediaTime(1, 25))
        }
        #expect(edges.count >= 5)
        #expect(zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 })
        #expect(!item.isLive)
        #expect(((item.duration?.time ?? .zero) - .seconds(8)).magnitude <= .milliseconds(70))
        #expect(box.player.state.stallCount > 0)
        // Sound is continuous from the start, without gaps or repetitions.
        #expect(box.audioRuns.count == 1)
        #expect(box.sink.clicks().count >= 7)
    }

    @Test("also over HTTP, where the server reports a recent modification")
    func growsOnServer() throws {
        let pieces = try Self.pieces()
        let there = Mutex(pieces[0] + pieces[1] + pieces[2])
        let server = try LoopbackServer { _ in .changed(there.withLock { $0 }, secondsAgo: 3) }
        defer { server.stop() }
        let box = try FilmBox()
        defer { box.close() }
        let item = box.open(server.url("/recording.mp4"))
        box.player.play()
        var edges: [MediaTime] = []
        box.onEvent = { _ in if let edge = item.liveStatus?.edge, edges.last != edge { edges.append(edge) } }
        try #require(box.run(until: { item.description != nil }))
        #expect(item.isLive)
        for (number, piece) in pieces.dropFirst(3).enumerated() {
            box.loop.clock.schedule(after: .milliseconds(number < 4 ? 800 * (number + 1) : 1500 * (number + 1)), rank: .timer) {
                // Half of a fragment is available before the other half.
                there.withLock { $0 += piece.prefix(piece.count / 2) }
            }
            box.loop.clock.schedule(after: .milliseconds((number < 4 ? 800 : 1500) * (number + 1) + 300), rank: .timer) {
                there.withLock { $0 += piece.dropFirst(piece.count / 2) }
            }
        }
        #expect(box.run(until: { box.endCount > 0 || !box.failures.isEmpty }))
        #expect(box.failures.isEmpty)
        #expect(firstDifference(box.pictures.map { $0.number ?? -1 }, Array(0..<200)) == nil)
        #expect(edges.count >= 5)
        #expect(zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 })
        #expect(!item.isLive)
        #expect(box.audioRuns.count == 1)
    }

    @Test("a file that a server reports as modified long ago has its final length at once")
    func finishedOnServer() throws {
        let bytes = try Self.pieces().flatMap(\.self)
        let server = try LoopbackServer { _ in .changed(bytes, secondsAgo: 40) }
        defer { server.stop() }
        let box = try FilmBox()
        defer { box.close() }
        let item = box.open(server.url("/whole.mp4"))
        try #require(box.run(until: { item.description != nil }))
        #expect(!item.isLive && item.duration?.time != nil)
    }

    @Test("what was recorded since opening can be sought exactly")
    func seeks() throws {
        let pieces = try Self.pieces()
        let file = try TemporaryFile(pieces[0] + pieces[1] + pieces[2], suffix: ".mp4")
        let box = try FilmBox()
        defer { box.close() }
        let item = box.open(file.path)
        try #require(box.run(until: { box.number() != nil }))
        file.append(pieces[3...6].flatMap(\.self))
        try #require(box.run(until: { item.seekableTimeRanges.first.map { $0.end > .seconds(5) } ?? false }))
        for frame in [140, 20, 75, 60, 130] {
            #expect(box.seek(to: MediaTime(Int64(frame), 25) + .milliseconds(13)) == true)
            #expect(box.number() == frame)
        }
        // Nothing can be sought past the available media.
        #expect(box.seek(to: .seconds(30)) == true)
        #expect(try #require(box.number()) >= 145)
    }

    @Test("a file that is marked complete, or was not modified for long, has its final length at once")
    func finished() throws {
        let box = try FilmBox()
        defer { box.close() }
        let film = NumberedFilm("whole.mp4", extra: ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"])
        let file = try TemporaryFile(try film.bytes(), suffix: ".mp4")
        let item = box.open(file.path)
        try #require(box.run(until: { item.description != nil }))
        #expect(!item.isLive)
        #expect(item.duration?.time != nil)
    }
}
