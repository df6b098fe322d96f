import FoundationEssentials
import GeneratedInputs
import Glibc
import MediaModel
import MediaTime
import Testing

@testable import ControlServer

/// Generated bodies of requests.
@Suite("Generated requests")
struct GeneratedInputTests {
    private static let count = getenv("MARQUEE_LONG").map { String(cString: $0) } == "1" ? 1_000_000 : 500

    @Test("orders are read or refused; positions stay within their bounds")
    func orders() {
        var generator = InputGenerator(.order, seed: 5)
        let decoder = JSONDecoder()
        var taken = 0
        for _ in 0..<Self.count {
            let body = Data(generator.next())
            _ = (try? decoder.decode(KeyOrder.self, from: body), try? decoder.decode(AnnouncementOrder.self, from: body))
            guard let order = try? decoder.decode(CommandOrder.self, from: body) else { continue }
            taken += 1
            switch order.command {
            case .changePlaybackPosition(let time), .skip(let time): #expect(time.magnitude <= .seconds(1_000_000_000))
            default: break
            }
        }
        #expect(taken > Self.count / 20)
    }
}
