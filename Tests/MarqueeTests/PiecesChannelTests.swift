import TestSupport
import Testing

/// A channel that an operator edits from pieces of films without rendering anything.
@Suite(
    "A channel of compositions", .serialized, .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct PiecesChannelTests {
    private static let films = [
        NumberedFilm("channel-one.mp4").with {
            $0.frames = 250; $0.soundSeconds = "10"
        },
        NumberedFilm("channel-two.mp4").with {
            $0.frames = 250; $0.soundSeconds = "10"
        },
    ]

    /// An item of pieces: the film, its first second, and its length in seconds.
    private func item(_ id: String, _ pieces: [(film: Int, start: Double, seconds: Double)]) throws -> String {
        let segments = try pieces.map { piece in
            let path = try Self.films[piece.film].path()
            return #"{"url": "file://\#(path)", "source": {"start": \#(piece.start), "duration": \#(piece.seconds)}}"#
        }
        let list = "[" + segments.joined(separator: ", ") + "]"
        return #"""
            {"id": "\#(id)", "title": "\#(id)", "proposal": null, "streams": [{"composition": {"compositionVersion": 1, "tracks": [
             {"id": 1, "type": "video", "segments": \#(list)}, {"id": 2, "type": "audio", "segments": \#(list)}]}}]}
            """#
    }

    @Test("its items follow each other, and every picture of every piece is shown once, at its time")
    func everyPicture() throws {
        let items = try [
            item("one", [(0, 1, 2), (1, 4.2, 0.84), (0, 0, 1.16)]), item("two", [(1, 2.48, 3)]),
            item("three", [(0, 8, 0.04), (1, 9, 1)]),
        ]
        let feed = """
            {"feedVersion": 1, "items": [\(items.joined(separator: ",\n"))],
             "channels": [{"id": "pieces", "title": "Pieces", "kind": "playlist", "items": ["one", "two", "three"]}]}
            """
        let channel = try DemoChannel(feed: feed, at: "/feed.json") { $0.channels[0].id }
        #expect(channel.facts(.open).map(\.fact) == ["one", "two", "three"].map { .open(id: $0) })
        for (id, count) in [("one", 100), ("two", 75), ("three", 26)] {
            let frames = channel.frames.filter { $0.item == id }
            #expect(frames.count == count, "\(id)")
            for (number, frame) in frames.enumerated() {
                try #require(
                    abs(frame.asset - Double(number) / DemoChannel.rate) < 0.0005, "\(id): picture \(number) is \(frame)")
            }
            for (before, after) in zip(frames, frames.dropFirst()) {
                let blanks = ((after.flip - before.flip) / DemoChannel.blank).rounded()
                try #require(blanks == 2 || blanks == 3, "\(id): \(before) is followed by \(after)")
            }
        }
        #expect(channel.facts(.end).count == 3)
    }

    @Test("a piece that is gone is said, and the channel plays on without its item")
    func missingPiece() throws {
        let gone = #"""
            {"id": "gone", "title": "gone", "proposal": null, "streams": [{"composition": {"compositionVersion": 1, "tracks": [
             {"id": 1, "type": "video", "segments": [{"url": "file:///nowhere/a.mp4", "source": {"start": 0, "duration": 4}}]}]}}]}
            """#
        let feed = """
            {"feedVersion": 1, "items": [\(gone), \(try item("two", [(1, 0, 2)]))],
             "channels": [{"id": "pieces", "title": "Pieces", "kind": "playlist", "items": ["gone", "two"]}]}
            """
        let channel = try DemoChannel(feed: feed, at: "/feed.json", until: 60) { $0.channels[0].id }
        #expect(channel.frames.filter { $0.item == "two" }.count == 50)
    }
}
