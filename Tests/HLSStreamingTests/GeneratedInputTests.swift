import GeneratedInputs
import MediaTime
import Testing
import TestSupport

@testable import HLSStreaming

/// Generated inputs that only this module reads.
@Suite("Generated inputs of streams")
struct GeneratedInputTests {
    private static let count = Fixtures.variable("MARQUEE_LONG") == "1" ? 1_000_000 : 500

    private func piece() -> Piece {
        Piece(
            uri: "a", range: nil, map: nil, key: nil, mediaSequence: 0, sequence: 0, start: .seconds(.max), end: .seconds(.max),
            isPart: false,
            next: .init(mediaSequence: 1, epoch: 0))
    }

    @Test("event messages are read without a trap")
    func eventMessages() {
        var generator = InputGenerator(.eventMessage, seed: 5)
        var messages = 0
        for _ in 0..<Self.count {
            let input = generator.next()
            messages += EventMessage.messages(in: input, of: piece()).count
            _ = EventMessage.isIncomplete(input)
        }
        #expect(messages > Self.count / 10)
    }

    @Test("lists of assets and steering manifests are read within their bounds")
    func documents() {
        var generator = InputGenerator(.streamDocument, seed: 5)
        var lists = 0
        for _ in 0..<Self.count {
            let input = generator.next()
            if let list = AssetList(input, url: "http://h/list.json") {
                lists += 1
                #expect(list.assets.allSatisfy { ($0.duration ?? .zero) <= .seconds(366 * 86_400) })
            }
            if let manifest = SteeringManifest(input) {
                #expect(manifest.timeToLive > .zero && manifest.timeToLive <= .seconds(86_400))
            }
        }
        #expect(lists > 0)
    }
}
