import LinuxSupport
import MediaModel
import MediaSources
import TestSupport
import Testing

@testable import Transfer

@Suite("Bodies that are handed over in pieces", .serialized)
@MainActor
struct ArrivingPiecesTests {
    @Test("bytes are handed over in order, in pieces below the length from which memory is mapped")
    func order() {
        var random = SeededGenerator(seed: 3)
        var arriving = ArrivingPieces()
        var sent: [UInt8] = []
        var taken: [UInt8] = []
        for _ in 0..<300 {
            let bytes = [UInt8](
                repeating: UInt8(truncatingIfNeeded: sent.count), count: Int.random(in: 0...40_000, using: &random))
            bytes.withUnsafeBytes { arriving.append($0, expecting: Int.random(in: -1...100_000, using: &random)) }
            sent += bytes
            #expect(arriving.count == sent.count - taken.count)
            guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
            let pieces = arriving.take()
            #expect(pieces.pieces.allSatisfy { $0.count <= BytePieces.usualLength })
            taken += pieces.joined
            #expect(arriving.count == 0)
        }
        taken += arriving.take().joined
        #expect(taken == sent && arriving.take().isEmpty)
    }

    @Test("the parts of a body are the body, and their pieces are short")
    func parts() throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 13) }
        let server = try LoopbackServer { _ in .body(body) }
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1.2")
        var result: Result<ByteResponse, MediaError>?
        var parts: [ByteProgress] = []
        transfer.load(ByteRequest(url: server.url("/a.ts"), kind: .media)) {
            parts.append($0)
        } _: {
            result = $0
        }
        loop.run(until: { result != nil })
        #expect(try result?.get().bytes.isEmpty == true)
        #expect(parts.flatMap(\.bytes) == body && parts.last?.received == 3_000_000)
        #expect(parts.allSatisfy { part in part.pieces.pieces.allSatisfy { $0.count <= BytePieces.usualLength } })
    }
}
