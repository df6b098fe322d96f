import Foundation
import LinuxSupport
import MediaModel
import StatusModel
import TestSupport
import Testing

@testable import MQTT

/// A broker on this machine.
private final class Broker {
    static let program = "/usr/sbin/mosquitto"
    static let isPresent = FileManager.default.isExecutableFile(atPath: program)
    private var process: Process?

    /// - Parameter settings: lines of mosquitto.conf(5).
    init(_ settings: String, in folder: ScratchFolder) throws {
        folder.put(settings, "mosquitto.conf")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["-c", folder.path + "/mosquitto.conf"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
    }

    /// It reads nothing any more.
    func pause() { if let number = process?.processIdentifier { kill(number, SIGSTOP) } }

    /// Its port is free on return. Signals that the tests block are blocked in it too, but for this one.
    func end() {
        guard let number = process?.processIdentifier else { return }
        process = nil
        kill(number, SIGKILL)
        var information = siginfo_t()
        while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    }
}

/// A client and what came to it.
@MainActor
private final class Desk {
    let link: MosquittoLink
    private(set) var events: [BrokerEvent] = []

    init(_ name: String, port: Int, clock: any HostClock, _ change: (inout MosquittoLink.Options) -> Void = { _ in }) throws {
        var options = MosquittoLink.Options(
            host: "127.0.0.1", port: UInt16(port), isSecure: false, client: name,
            will: BrokerPublication(topic: "will/\(name)", payload: Array("gone".utf8)))
        change(&options)
        link = try MosquittoLink(options, clock: clock)
        link.onEvent = { [weak self] in self?.events.append($0) }
    }

    var isConnected: Bool { events.contains(.connected) }
    var end: String? { events.compactMap { if case .ended(let reason) = $0 { reason } else { nil } }.last }
    func texts(_ topic: String) -> [String] {
        events.compactMap { event in
            if case .message(let message) = event, message.topic == topic {
                String(decoding: message.payload, as: UTF8.self)
            } else {
                nil
            }
        }
    }

    /// Connects, again and again as long as the broker does not listen yet.
    func connect(_ loop: MainLoop) {
        events = []
        for _ in 0..<200 where !isConnected {
            events = []
            link.connect()
            loop.run(within: .seconds(20)) { isConnected || end != nil }
            if !isConnected { loop.run(within: .milliseconds(50)) { false } }
        }
    }

    /// Subscribes. On return the broker knows of it: it takes the packets of a connection in their order, and has sent back a message that came behind.
    func listen(_ topics: [String], _ loop: MainLoop) -> Bool {
        link.subscribe(topics + ["echo"])
        link.publish(BrokerPublication(topic: "echo", payload: [], isAssured: true))
        return loop.run(within: .seconds(20)) { !texts("echo").isEmpty }
    }
}

/// A broker that lets everybody in, and a client that is connected to it.
@MainActor
private final class House {
    let broker: Broker
    let loop: MainLoop
    let desk: Desk
    private let folder = ScratchFolder("broker")
    private let port: HeldPort

    init() throws {
        port = try HeldPort()
        loop = try MainLoop(time: .real)
        desk = try Desk("desk", port: port.number, clock: loop.clock)
        broker = try Broker("listener \(port.number) 127.0.0.1\nallow_anonymous true\n", in: folder)
        desk.connect(loop)
    }

    func client(_ name: String, _ change: (inout MosquittoLink.Options) -> Void) throws -> Desk {
        try Desk(name, port: port.number, clock: loop.clock, change)
    }

    func end() {
        desk.link.close()
        broker.end()
    }
}

@Suite("A real broker", .serialized, .enabled(if: Broker.isPresent, "this machine has no mosquitto"))
@MainActor
struct MosquittoLinkTests {
    @Test("state, commands and answers pass through a broker; after it was restarted they do again")
    func session() throws {
        let folder = ScratchFolder("broker")
        let port = try HeldPort()
        let settings = "listener \(port.number) 127.0.0.1\nallow_anonymous true\n"
        let broker = try Broker(settings, in: folder)
        defer { broker.end() }
        let loop = try MainLoop(time: .real)
        let desk = try Desk("desk", port: port.number, clock: loop.clock)
        defer { desk.link.close() }
        desk.connect(loop)
        try #require(desk.isConnected, "\(desk.end ?? "no end")")
        try #require(desk.listen(["m/#", "will/#"], loop))

        let identity = BrokerSession.Identity(box: "b1", group: nil, root: "m")
        let link = try MosquittoLink(
            .init(
                host: "127.0.0.1", port: UInt16(port.number), isSecure: false, client: "b1",
                will: BrokerSession.will(of: identity)), clock: loop.clock)
        var status = "{\"online\":true}"
        let box = BrokerSession.Box(
            status: { status }, report: { { "{}" } }, date: { nil },
            carryOut: { _, completion in
                completion(CommandReply(status: 200, type: "application/json", body: Array("{\"result\":\"success\"}".utf8)))
            })
        let session = BrokerSession(
            link, identity, box: box, clock: loop.clock, log: LogBook(clock: loop.clock), interval: .seconds(60), memoryFile: nil,
            seed: 1)
        session.start()
        #expect(loop.run(within: .seconds(20)) { desk.texts("m/box/b1/status") == [status] })
        let order = { (id: String) in
            BrokerPublication(
                topic: "m/all/command", payload: Array("{\"id\":\"\(id)\",\"path\":\"/v1/now\"}".utf8), isAssured: true)
        }
        desk.link.publish(order("1"))
        #expect(loop.run(within: .seconds(20)) { desk.texts("m/box/b1/answer").contains { $0.contains("\"status\":200") } })

        broker.end()
        #expect(loop.run(within: .seconds(20)) { desk.end != nil })
        let next = try Broker(settings, in: folder)
        defer { next.end() }
        desk.connect(loop)
        try #require(desk.listen(["m/#"], loop))
        // The box may have been faster than the desk, and said its status to nobody.
        status = "{\"online\":true,\"screen\":\"home\"}"
        session.statusMayHaveChanged()
        #expect(loop.run(within: .seconds(60)) { desk.texts("m/box/b1/status").contains(status) })
        desk.link.publish(order("2"))
        #expect(loop.run(within: .seconds(20)) { desk.texts("m/box/b1/answer").contains { $0.contains("\"id\":\"2\"") } })
        session.close()
        #expect(loop.run(within: .seconds(20)) { desk.texts("m/box/b1/status").last == "{\"online\":false}" })
    }

    @Test("what a client says before it closes reaches the broker while messages come in, and no last will follows")
    func goodbye() throws {
        let house = try House()
        defer { house.end() }
        let (loop, desk) = (house.loop, house.desk)
        try #require(desk.listen(["bye", "will/#"], loop))
        // Its network thread is anywhere between two messages when the client closes: each round is another place.
        var boxes: [Desk] = []
        for round in 1...20 {
            // Another of the same name would end the connection of the last one before the broker knows that it has ended.
            let box = try house.client("b\(round)") { $0.sessionLength = .zero }
            boxes.append(box)
            box.connect(loop)
            try #require(box.listen(["flood"], loop))
            for _ in 0..<50 { desk.link.publish(BrokerPublication(topic: "flood", payload: [], isAssured: true)) }
            try #require(loop.run(within: .seconds(20)) { !box.texts("flood").isEmpty })
            box.link.publish(BrokerPublication(topic: "bye", payload: Array("\(round)".utf8), isAssured: true))
            box.link.close()
            try #require(loop.run(within: .seconds(20)) { desk.texts("bye").count == round }, "round \(round)")
        }
        #expect(desk.texts("bye") == (1...20).map(String.init))
        #expect((1...20).allSatisfy { desk.texts("will/b\($0)").isEmpty })
    }

    @Test("what is not assured arrives also when several follow each other; a broker that reads nothing costs a bounded number")
    func unassured() throws {
        let house = try House()
        defer { house.end() }
        let (loop, desk) = (house.loop, house.desk)
        try #require(desk.listen(["reports"], loop))
        let words = (1...8).map(String.init)
        for round in 1...20 {
            for word in words { #expect(desk.link.publish(BrokerPublication(topic: "reports", payload: Array(word.utf8)))) }
            try #require(loop.run(within: .seconds(20)) { desk.texts("reports").count == round * words.count })
        }
        #expect(desk.texts("reports") == Array(repeating: words, count: 20).flatMap { $0 })

        house.broker.pause()
        let large = BrokerPublication(topic: "others", payload: [UInt8](repeating: 0x20, count: 1 << 20))
        var taken = 0
        for _ in 0..<200 {
            if desk.link.publish(large) { taken += 1 }
            loop.run(within: .milliseconds(2)) { false }
        }
        // Those in the buffers of the kernel have left.
        #expect((16...64).contains(taken), "\(taken)")
    }

    @Test("a client that vanishes is told of by its last will, and a flood of messages costs a bounded number")
    func will() throws {
        let house = try House()
        defer { house.end() }
        let (loop, desk) = (house.loop, house.desk)
        // Their sessions end with their connections, and with the session the last will is due (MQTT 5.0, 3.1.2.5).
        let box = try house.client("b1") { $0.sessionLength = .zero }
        let other = try house.client("b1") { $0.sessionLength = .zero }
        defer { for client in [box, other] { client.link.close() } }
        try #require(desk.listen(["will/#"], loop))
        box.connect(loop)
        try #require(box.listen(["flood"], loop))
        for number in 0..<500 {
            desk.link.publish(BrokerPublication(topic: "flood", payload: Array("\(number)".utf8), isAssured: true))
        }
        desk.link.publish(BrokerPublication(topic: "flood", payload: [UInt8](repeating: 0x20, count: 1 << 20), isAssured: true))
        desk.link.publish(BrokerPublication(topic: "flood", payload: Array("last".utf8), isAssured: true))
        #expect(
            loop.run(within: .seconds(30)) {
                box.texts("flood").contains("last") || box.events.contains { if case .dropped = $0 { true } else { false } }
            })
        // A second client of the same name takes the place of the first.
        other.connect(loop)
        #expect(loop.run(within: .seconds(30)) { desk.texts("will/b1") == ["gone"] && box.end != nil })
    }

    @Test("a broker with a certificate of a known authority is believed, another one is not; users and passwords are checked")
    func secure() throws {
        let folder = ScratchFolder("broker")
        let port = try HeldPort()
        let script = """
            cd '\(folder.path)' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority &&
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out request.pem -subj /CN=localhost &&
            printf 'subjectAltName=DNS:localhost,IP:127.0.0.1' >names && openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out certificate.pem &&
            printf 'boxes:secret\\n' >users && mosquitto_passwd -U users && chmod -R a+rX .
            """
        let made = Process()
        made.executableURL = URL(fileURLWithPath: "/bin/sh")
        made.arguments = ["-c", script]
        made.standardOutput = FileHandle.nullDevice
        made.standardError = FileHandle.nullDevice
        made.standardInput = FileHandle.nullDevice
        try made.run()
        made.waitUntilExit()
        try #require(made.terminationStatus == 0)
        let broker = try Broker(
            "listener \(port.number) 127.0.0.1\ncertfile \(folder.path)/certificate.pem\nkeyfile \(folder.path)/key.pem\npassword_file \(folder.path)/users\n",
            in: folder)
        defer { broker.end() }
        let loop = try MainLoop(time: .real)
        func desk(authorities: String?, password: String) throws -> Desk {
            try Desk("b1", port: port.number, clock: loop.clock) {
                ($0.isSecure, $0.authorities, $0.user, $0.password) = (true, authorities, "boxes", password)
            }
        }
        let good = try desk(authorities: folder.path + "/ca.pem", password: "secret")
        defer { good.link.close() }
        good.connect(loop)
        #expect(good.isConnected)
        for bad in [
            try desk(authorities: nil, password: "secret"), try desk(authorities: folder.path + "/ca.pem", password: "wrong"),
        ] {
            bad.link.connect()
            #expect(loop.run(within: .seconds(30)) { bad.end != nil } && !bad.isConnected)
            bad.link.close()
        }
        #expect(throws: MediaError.self) { try desk(authorities: folder.path + "/nothing.pem", password: "secret") }
    }
}
