import Synchronization
import Testing

@testable import ControlServer

/// What a token allows.
@MainActor
struct RightsTests {
    private nonisolated static let rights: @Sendable (String) -> AccessRight? = { AccessRight(rawValue: $0) }

    @Test func eachRightIncludesThoseBeforeIt() {
        #expect(AccessRight.allCases.sorted() == [.phone, .look, .steer, .configure])
        #expect(VisitorGuard.Visitor.local.right == .configure)
        #expect(VisitorGuard.Visitor.stranger.right == nil)
    }

    @Test(.enabled(if: !machineAddresses.isEmpty, "this machine has no address except loopback"), arguments: AccessRight.allCases)
    func everyRouteNeedsItsRight(right: AccessRight) async throws {
        let running = try await RunningServer(admits: Self.rights)
        defer { running.server.stop() }
        let address = try #require(machineAddresses.first)
        let routes = running.server.routes.values.flatMap { $0 }.filter { route in
            // A phone is told of health as a stranger is.
            route.path != "/v1/events" && (right != .phone || route.path != "/healthz")
        }
        for route in routes.sorted(by: { $0.path < $1.path }) {
            let answer = try await running.send(
                route.method.rawValue, route.path,
                headers: ["Authorization": "Bearer \(right.rawValue)", "Origin": "", "X-Marquee-Token": ""], from: address)
            if right == .phone ? route.servesPhones : right >= route.right {
                // A body or a parameter is missing, but the request was let in.
                let lacks = route.method == .POST || ["/v1/search", "/v1/artwork"].contains(route.path)
                #expect(answer.status == (lacks ? 400 : 200), "\(route.path)")
            } else {
                #expect(answer.status == 403, "\(route.path)")
                let sentence =
                    right == .phone
                    ? "A paired phone presses keys and types, and nothing else."
                    : "This token allows to \(right), and this needs one that allows to \(route.right)."
                #expect(answer.json["error"] == .text(sentence))
            }
        }
    }
}

/// Counts calls from any thread.
final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
