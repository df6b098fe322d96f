import LinuxSupport
import NetworkConditions
import StatusModel
import Testing

@testable import Housekeeping

@Suite("A support bundle that an operator asks for")
@MainActor
struct BundleSenderTests {
    @Test("it is posted once, with the name of the box, and one at a time; the log says how that ended")
    func sends() throws {
        let loop = try MainLoop(time: .simulated)
        let (script, log) = (OriginScript(), LogBook(clock: loop.clock))
        script.put("", at: "/bundles?token=secret")
        script.put("", at: "/bundles")
        var makes: [@MainActor ([UInt8]?) -> Void] = []
        let sender = BundleSender(
            loader: SimulatedOrigin(clock: loop.clock, script: script), log: log, headers: ["X-Marquee-Box: b"],
            plainHTTPHosts: ["10.0.0.5"]
        ) { makes.append($0) }
        func said() -> String { log.tail(1).joined() }
        #expect(sender.send(to: "http://desk.example/bundles") == .failed(.notSupported) && said().contains("allow_http"))
        #expect(sender.send(to: "https://desk.example/bundles?token=secret") == .success)
        #expect(sender.send(to: "https://desk.example/bundles") == .failed(.notReady), "one is being made")
        try #require(makes.count == 1)
        makes[0]([1, 2, 3])
        #expect(sender.send(to: "https://desk.example/bundles") == .failed(.notReady), "one is being sent")
        loop.run(within: .seconds(60), until: { said().contains("were sent") })
        let sent = said()
        #expect(sent.contains("3 bytes were sent to https://desk.example/bundles") && !sent.contains("secret"))
        let request = try #require(script.requests.first)
        #expect(request.body == [1, 2, 3])
        #expect(request.headers == ["X-Marquee-Box: b", "Content-Type: application/zstd"])
        // A bundle that cannot be made, and a receiver that is not there, keep nothing from the next one.
        #expect(sender.send(to: "http://10.0.0.5/bundles") == .success)
        makes[1](nil)
        #expect(said().contains("could not be made"))
        #expect(sender.send(to: "https://desk.example/none") == .success)
        makes[2]([1])
        loop.run(within: .seconds(400), until: { said().contains("was not sent") })
        #expect(said().contains("was not sent") && script.requests.count == 2)
        #expect(sender.send(to: "https://desk.example/bundles") == .success)
        sender.close()
        makes[3]([1])
        loop.run(within: .seconds(60), until: { false })
        #expect(script.requests.count == 2, "after close")
    }
}
