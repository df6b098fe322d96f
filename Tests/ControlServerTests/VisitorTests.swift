import Foundation
import Glibc
import LinuxSupport
import NIOCore
import Testing

@testable import ControlServer

/// Visitors from other machines.
@MainActor
struct VisitorTests {
    private static func basic(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }

    @Test func otherMachinesNeedTheToken() {
        let gate = VisitorGuard { $0 == "open sesame" ? .steer : nil }
        #expect(gate.visitor(isLocal: true, authorization: nil) == .local)
        #expect(gate.visitor(isLocal: false, authorization: "Bearer open sesame") == .bearer(.steer))
        #expect(gate.visitor(isLocal: false, authorization: Self.basic("anybody:open sesame")) == .browser(.steer))
        for wrong in [
            nil, "", "Bearer", "Bearer ", "Bearer sesame", Self.basic("open sesame"), Self.basic("open sesame:"), "Basic !!!",
            "Digest open sesame", "Bearer " + String(repeating: "a", count: 5000),
        ] {
            #expect(gate.visitor(isLocal: false, authorization: wrong) == .stranger, "\(wrong ?? "nothing")")
        }
        #expect(VisitorGuard(admits: nil).visitor(isLocal: false, authorization: "Bearer ") == .stranger)
    }

    @Test func aVisitorMayUseAnyHostNameButOtherSitesAreRefused() {
        let gate = RequestGuard(port: 8080, token: "t")
        func answer(_ origin: String?, _ visitor: VisitorGuard.Visitor, token: String? = "t") -> String? {
            gate.refusal(
                host: "10.0.0.7:8080", origin: origin, fetchSite: nil, token: token, isCommand: true, isPage: false,
                visitor: visitor)
        }
        #expect(answer("http://10.0.0.7:8080", .browser(.steer)) == nil)
        #expect(answer("http://10.0.0.7:8080", .local) != nil, "a page that uses another name for this machine is not our page")
        #expect(answer("http://example.org", .browser(.steer)) != nil)
        #expect(answer("http://example.org", .bearer(.steer)) != nil)
        #expect(
            answer(nil, .browser(.steer), token: nil) != nil,
            "a browser sends the password automatically, which another site could exploit")
        #expect(answer(nil, .bearer(.steer), token: nil) == nil)
    }

    @Test func thisMachineReachesThePageByIPv6Too() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        try #require(try PortReservation(port: 0).hasIPv6, "this machine has no IPv6")
        let address = PortReservation.loopbackIPv6(running.server.port)
        let client = try ClientSocket(to: address, AF_INET6)
        try client.write("GET /v1/now HTTP/1.1\r\nHost: [::1]:\(running.server.port)\r\nConnection: close\r\n\r\n")
        let reply = String(decoding: await client.read(), as: UTF8.self)
        #expect(reply.hasPrefix("HTTP/1.1 200 "), "a local visitor needs no token")
    }

    @Test(arguments: [
        ("::1", true, "0:0:0:0:0:0:0:0"), ("2001:db8:0:1:aa::1", false, "20:1:d:b8:0:0:0:1"),
        ("2001:db8:0:1:bb::2", false, "20:1:d:b8:0:0:0:1"), ("::ffff:127.0.0.1", false, "0:0:0:0:0:0:0:0"),
        ("127.0.0.9", true, "127.0.0.9"), ("10.0.0.7", false, "10.0.0.7"),
    ])
    func aMachineIsKnownByItsAddress(text: String, isLocal: Bool, host: String) throws {
        let address = PeerAddress(try SocketAddress(ipAddress: text, port: 1))
        #expect(address.isLocal == isLocal && address.host == host)
    }

    @Test func withoutATokenTheServerListensOnlyOnLoopback() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        for address in machineAddresses { #expect(!canConnect(to: address, port: running.server.port)) }
    }

    @Test(.enabled(if: !machineAddresses.isEmpty, "this machine has no address except loopback"))
    func withOneThePageAndItsCommandsAreThereForWhoShowsIt() async throws {
        let running = try await RunningServer(admits: { $0 == "open sesame" ? .steer : nil })
        defer { running.server.stop() }
        let address = try #require(machineAddresses.first)
        let stranger = try await running.send("GET", "/v1/now", from: address)
        #expect(stranger.status == 401)
        #expect(stranger.headers.first(name: "WWW-Authenticate")?.hasPrefix("Basic") == true)
        #expect(
            try await running.send("GET", "/", headers: ["Authorization": Self.basic("x:open sesame")], from: address).status
                == 200)
        let body = #"{"key":"ok"}"#
        let bearer = ["Authorization": "Bearer open sesame", "Origin": "", "X-Marquee-Token": ""]
        #expect(try await running.send("POST", "/v1/key", body: body, from: address).status == 401)
        #expect(running.box.keys == [])
        #expect(try await running.send("POST", "/v1/key", body: body, headers: bearer, from: address).status == 200)
        #expect(running.box.keys == ["ok press", "ok release"])
        #expect(try await running.send("GET", "/v1/now").status == 200, "this machine needs no token")
    }
}

/// The IPv4 addresses of this machine except loopback.
let machineAddresses: [UInt32] = {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [UInt32] = []
    var next = list
    while let entry = next?.pointee {
        next = entry.ifa_next
        guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
            entry.ifa_flags & UInt32(IFF_UP) != 0, entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
        else { continue }
        found.append(
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt32(bigEndian: $0.pointee.sin_addr.s_addr) })
    }
    return found
}()
