import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite(
    "Films over HTTP in the access log", .serialized,
    .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct HTTPFilmTests {
    @Test("a film over HTTP is counted as its server sends it: bytes, requests, server, and one metric for each request")
    func counted() throws {
        let film = try #require(Films.chosen.first { $0.film.frames > 0 })
        let bytes = try #require(fileBytes(try film.film.path()))
        let server = try LoopbackServer { _ in .body(bytes, type: "video/mp4") }
        defer { server.stop() }
        let box = try FilmBox()
        defer { box.close() }
        box.readsPictures = false
        var metrics: [MetricEvent.Kind] = []
        box.onEvent = { if case .metric(let event) = $0 { metrics.append(event.kind) } }
        let item = box.open(server.url("/film?token=secret"))
        box.player.play()
        try #require(box.run(within: .seconds(300), until: { box.endCount > 0 }))
        let log = try #require(item.log?.summary)
        #expect(log.numberOfMediaRequests == server.requests.count)
        // A seek of the demuxer may read a part twice, or leave one out.
        let count = try #require(log.numberOfBytesTransferred)
        #expect(count >= Int64(bytes.count) / 2 && count <= Int64(bytes.count * server.requests.count))
        #expect(log.serverAddress == "127.0.0.1" && log.transferDuration != nil)
        let asked = metrics.compactMap { if case .mediaSegmentRequest(let request, _, _) = $0 { request } else { nil } }
        // The last one may not be over when the film is.
        #expect((server.requests.count - 1...server.requests.count).contains(asked.count) && !asked.isEmpty)
        #expect(asked.reduce(0) { $0 + $1.byteCount } <= count)
        #expect(asked.allSatisfy { !$0.url.contains("secret") && $0.serverAddress == "127.0.0.1" })
    }

    @Test("a file of the machine has no requests")
    func local() throws {
        let film = try #require(Films.chosen.first { $0.film.frames > 0 })
        let box = try FilmBox()
        defer { box.close() }
        let item = box.open(try film.film.path())
        box.player.play()
        try #require(box.run(within: .seconds(300), until: { box.endCount > 0 }))
        #expect(item.log?.summary.numberOfMediaRequests == nil && item.log?.summary.numberOfBytesTransferred == nil)
    }
}
