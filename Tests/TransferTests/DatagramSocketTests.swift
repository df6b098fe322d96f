import Glibc
import LinuxSupport
import MediaModel
import Testing
import URLReferences

@testable import Transfer

/// Sends datagrams on loopback.
private final class LoopbackSender {
    private let socket: FileDescriptor
    private var target: SocketName

    /// - Parameter from: its own address; nil for any.
    init(to host: String, port: UInt16, from own: String? = nil) throws {
        let address = NumericAddress(host)!
        let family = address.isIPv4 ? AF_INET : AF_INET6
        socket = FileDescriptor(
            adopting: try systemCall("socket", on: host) {
                Glibc.socket(family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            })
        let loopback = if_nametoindex("lo")
        target = SocketName(address, port: port, zone: address.isIPv4 ? 0 : loopback)
        let descriptor = socket
        if address.isIPv4 {
            var request = ip_mreqn(imr_multiaddr: in_addr(), imr_address: in_addr(), imr_ifindex: Int32(loopback))
            try systemCall("setsockopt", on: host) {
                setsockopt(
                    descriptor.number, Int32(IPPROTO_IP), IP_MULTICAST_IF, &request, socklen_t(MemoryLayout<ip_mreqn>.size))
            }
        } else {
            var index = Int32(loopback)
            try systemCall("setsockopt", on: host) {
                setsockopt(descriptor.number, Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, &index, socklen_t(MemoryLayout<Int32>.size))
            }
        }
        if let own {
            var name = SocketName(NumericAddress(own), port: 0, zone: 0)
            try systemCall("bind", on: own) { name.withGeneric { bind(descriptor.number, $0, $1) } }
        }
    }

    func send(_ bytes: [UInt8]) throws(SystemError) {
        let number = socket.number
        try systemCall("sendto", on: "loopback") { target.withGeneric { sendto(number, bytes, bytes.count, 0, $0, $1) } }
    }

    /// A port that nobody uses.
    static func freePort() throws -> UInt16 {
        let socket = FileDescriptor(
            adopting: try systemCall("socket", on: "loopback") { Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0) })
        var name = SocketName(NumericAddress("127.0.0.1"), port: 0, zone: 0)
        try systemCall("bind", on: "loopback") { name.withGeneric { bind(socket.number, $0, $1) } }
        var own = SocketName()
        try systemCall("getsockname", on: "loopback") { own.withGenericForReply { Int(getsockname(socket.number, $0, $1)) } }
        return own.sender?.port ?? 0
    }
}

/// What a source told.
private final class Heard: Sendable {
    struct State {
        var datagrams: [[UInt8]] = []
        var senders: Set<DatagramSender> = []
        var rests = 0
        var isReleased = false
    }
    let monitor = Monitor(State(), ledger: nil)

    /// Tells when the source has let go of its receiver.
    private final class Release: Sendable {
        let monitor: Monitor<State>
        init(_ monitor: Monitor<State>) { self.monitor = monitor }
        deinit { monitor.update { $0.isReleased = true } }
    }

    func receiver() -> DatagramReceiver {
        let release = Release(monitor)
        return DatagramReceiver(
            take: { [monitor] bytes, sender in
                monitor.update { (state: inout State) -> Void in
                    state.datagrams.append(Array(bytes))
                    state.senders.insert(sender)
                }
            }, rest: { [monitor] in monitor.update { $0.rests += 1 } }, fail: { _ in _ = release })
    }

    /// Waits for so many; fewer if nothing came for a second.
    func datagrams(_ count: Int) -> [[UInt8]] {
        monitor.wait { state in state.datagrams.count >= count || state.rests > 0 ? state.datagrams : nil }
    }
}

@Suite("Sockets for datagrams", .serialized)
struct DatagramSocketTests {
    private func address(_ text: String) throws -> DatagramAddress { try DatagramAddress(URLReference(text)) }

    /// What comes of a hundred datagrams; nil where this machine does not allow it.
    private func received(_ url: String, to host: String, _ port: UInt16, from own: String? = nil) throws -> [[UInt8]]? {
        let socket = DatagramSocket(try address(url))
        let heard = Heard()
        do { try socket.open(heard.receiver()) } catch {
            print("not tested: \(error)")
            return nil
        }
        defer { socket.close() }
        let sender = try LoopbackSender(to: host, port: port, from: own)
        do throws(SystemError) {
            for number in 0..<100 { try sender.send(MadePackets.seven(number)) }
        } catch {
            // Loopback has no route for groups of IPv6 unless somebody has made one.
            guard error.code == ENETUNREACH else { throw error }
            print("not tested: \(error)")
            return nil
        }
        return heard.datagrams(100)
    }

    private let sent = (0..<100).map { MadePackets.seven($0) }

    @Test(
        "datagrams to this machine",
        arguments: ["udp://@127.0.0.1:PORT", "udp://@:PORT", "rtp://localhost:PORT", "udp://127.0.0.9@:PORT"])
    func unicast(_ url: String) throws {
        let port = try LoopbackSender.freePort()
        let own = url.contains("127.0.0.9") ? "127.0.0.9" : nil
        #expect(try received(url.replacing("PORT", with: "\(port)"), to: "127.0.0.1", port, from: own) == sent)
    }

    @Test("an address of another machine is that of a sender: others are not heard")
    func otherMachine() throws {
        let port = try LoopbackSender.freePort()
        #expect(try received("udp://192.0.2.1:\(port)", to: "127.0.0.1", port) == [])
    }

    @Test("a group is joined, from anybody or from one sender, and left at the end")
    func group() throws {
        let port = try LoopbackSender.freePort()
        let anybody = "udp://@239.255.77.7:\(port)?localaddr=127.0.0.1"
        guard let datagrams = try received(anybody, to: "239.255.77.7", port) else { return }
        #expect(datagrams == sent)
        // The same port of another group is another stream.
        #expect(try received("udp://@239.255.77.8:\(port)?localaddr=127.0.0.1", to: "239.255.77.9", port) == [])
        let one = "udp://127.0.0.1@232.255.77.7:\(port)?localaddr=127.0.0.1"
        #expect(try received(one, to: "232.255.77.7", port, from: "127.0.0.1") == sent)
        #expect(try received(one, to: "232.255.77.7", port, from: "127.0.0.5") == [])
        let socket = DatagramSocket(try address(anybody))
        let heard = Heard()
        try socket.open(heard.receiver())
        #expect(Self.isMember)
        socket.close()
        _ = heard.monitor.wait { $0.isReleased ? true : nil }
        // The thread releases the socket with its receiver.
        for _ in 0..<10_000 where Self.isMember { sched_yield() }
        #expect(!Self.isMember)
    }

    /// Whether this machine is a member of 239.255.77.7, by the kernel's list.
    private static var isMember: Bool {
        WholeFile.read("/proc/net/igmp").map { String(decoding: $0, as: UTF8.self).contains("074DFFEF") } ?? false
    }

    @Test("a group of IPv6 is joined on the interface of its zone")
    func wideGroup() throws {
        let port = try LoopbackSender.freePort()
        guard let datagrams = try received("udp://@[ff15::4d07%25lo]:\(port)", to: "ff15::4d07", port) else { return }
        #expect(datagrams == sent)
    }

    @Test("what cannot be received says so in one sentence")
    func refused() throws {
        for (url, words) in [
            ("udp://@239.1.1.1:5000?localaddr=192.0.2.1", "192.0.2.1"), ("udp://@[ff15::1%25none0]:5000", "none0"),
        ] {
            let error = #expect(throws: MediaError.self) { try DatagramSocket(try address(url)).open(Heard().receiver()) }
            #expect(error?.code == .networkDown && error?.sentence.contains(words) == true, "\(String(describing: error))")
        }
    }
}
