import GeneratedInputs
import LinuxSupport
import MediaSources
import Synchronization
import TestSupport
import Testing

@testable import Transfer

/// Generated HTTP answers over sockets. Any result is accepted; each transfer ends, and no answer ends the process.
@Suite("Generated answers", .serialized)
@MainActor
struct GeneratedAnswerTests {
    private nonisolated static let count = Fixtures.variable("MARQUEE_LONG") == "1" ? 20_000 : 60

    @Test("every answer ends its transfer, with and without a range")
    func answers() throws {
        let generator = Mutex(InputGenerator(.answer, seed: 5))
        let server = try LoopbackServer { _ in .raw(String(decoding: generator.withLock { $0.next() }, as: UTF8.self)) }
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1.2")
        var ended = 0
        for number in 0..<Self.count {
            let request = ByteRequest(url: server.url("/a.ts"), range: number % 2 == 0 ? nil : 10..<20)
            var isEnded = false
            transfer.load(request) { _ in isEnded = true }
            loop.run(until: { isEnded })
            ended += 1
        }
        #expect(ended == Self.count)
    }
}
