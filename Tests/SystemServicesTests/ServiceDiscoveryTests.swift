import Glibc
import LinuxSupport
import Synchronization
import Testing

@testable import SystemServices

/// Builds DNS messages as responders do.
private enum Wire {
    static func name(_ labels: [String]) -> [UInt8] { labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0] }
    static func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    static func record(_ name: [UInt8], _ type: Int, _ data: [UInt8], group: Int = 0x8001) -> [UInt8] {
        name + number(type) + number(group) + [0, 0, 0, 120] + number(data.count) + data
    }
    static func texts(_ strings: [String]) -> [UInt8] { strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } }
    static func answer(id: UInt16, question: [UInt8] = [], answers: [[UInt8]], additional: [[UInt8]] = []) -> [UInt8] {
        number(Int(id)) + [0x84, 0] + number(question.isEmpty ? 0 : 1) + number(answers.count) + [0, 0] + number(additional.count)
            + question
            + answers.flatMap { $0 } + additional.flatMap { $0 }
    }
    static let service = ["_marquee-feed", "_tcp", "local"]
}

@Suite("Messages of multicast DNS")
struct ServiceMessageTests {
    private let service = ServiceMessage.name("_marquee-feed._tcp.local")

    @Test("a question has one name and one type, and nothing else")
    func question() {
        #expect(
            ServiceMessage.question(service, .pointer, id: 0x1234)
                == [0x12, 0x34, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] + Wire.name(Wire.service) + [0, 12, 0, 1])
    }

    @Test("PTR and TXT records are parsed, including names that refer back to others")
    func answer() throws {
        let question = Wire.name(Wire.service) + [0, 12, 0, 1]
        // The service's name is at byte 12; the instance's name follows the header of its record.
        let instance = 12 + question.count + 2 + 10
        let bytes = Wire.answer(
            id: 7, question: question,
            answers: [Wire.record([0xC0, 12], 12, [5] + Array("Hotel".utf8) + [0xC0, 12], group: 1)],
            additional: [
                Wire.record([0xC0, UInt8(instance)], 33, [0, 0, 0, 0, 1, 187] + Wire.name(["box", "local"])),
                Wire.record([0xC0, UInt8(instance)], 16, Wire.texts(["txtvers=1", "URL=https://a.example/f.json", ""])),
            ])
        let message = try #require(ServiceMessage(bytes))
        #expect(message.id == 7)
        let name = ServiceMessage.name("Hotel") + service
        #expect(message.pointers.count == 1 && message.pointers[0] == (service, name))
        #expect(message.value(of: "url", for: name) == "https://a.example/f.json")
        #expect(message.value(of: "path", for: name) == nil)
        #expect(message.value(of: "url", for: service) == nil)
        #expect(ServiceMessage.isSame(name, ServiceMessage.name("HOTEL._MARQUEE-FEED._tcp.LOCAL")))
        for end in 0..<bytes.count { #expect(ServiceMessage(Array(bytes[..<end])) == nil, "cut at \(end)") }
    }

    @Test("questions, errors and names with loops are not answers")
    func wrong() {
        #expect(ServiceMessage(ServiceMessage.question(service, .pointer, id: 1)) == nil)
        var refused = Wire.answer(id: 1, answers: [])
        #expect(ServiceMessage(refused) != nil)
        refused[3] = 5
        #expect(ServiceMessage(refused) == nil)
        for name in [[0xC0, 12], [0xC0, 200], [1, 0x61, 0xC0, 12], [0xC0], [0x80, 1]] as [[UInt8]] {
            #expect(ServiceMessage(Wire.answer(id: 1, answers: [Wire.record(name, 12, [0])])) == nil, "\(name)")
        }
        let long = [UInt8](repeating: 0, count: 0) + (0..<10).flatMap { _ in [60] + [UInt8](repeating: 0x61, count: 60) } + [0]
        #expect(ServiceMessage(Wire.answer(id: 1, answers: [Wire.record(long, 12, [0])])) == nil)
        #expect(ServiceMessage(Wire.answer(id: 1, answers: [Wire.record([0], 16, [5, 0x61])])) == nil)
    }

    @Test("random bytes never give an answer or crash")
    func chance() {
        var random = SeededGenerator(seed: 20_261)
        for _ in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...90, using: &random)).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
            if bytes.count > 12 { bytes.replaceSubrange(2..<12, with: [0x84, 0, 0, 1, 0, 2, 0, 0, 0, 1]) }
            _ = ServiceMessage(bytes)
        }
    }
}

/// A responder on 127.0.0.1 with the test's answers.
private final class Responder: Sendable {
    let port: UInt16
    private let socket: FileDescriptor
    private let isStopped = Atomic(false)
    private let asked = Mutex<[[UInt8]]>([])
    private let thread = Mutex<WorkerThread?>(nil)

    /// - Parameter answers: makes the answers from a question and its id; each is a message.
    init(clock: any HostClock, _ answers: @escaping @Sendable (_ question: [UInt8], _ id: UInt16) -> [[UInt8]]) throws {
        socket = FileDescriptor(
            adopting: Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = socket.number
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, length) == 0 ? getsockname(number, $0, &length) : -1
            }
        }
        try #require(code == 0)
        port = UInt16(bigEndian: address.sin_port)
        let thread = WorkerThread(name: "responder", clock: clock)
        self.thread.withLock { $0 = thread }
        thread.perform { [self] in serve(answers) }
    }

    private func serve(_ answers: (_ question: [UInt8], _ id: UInt16) -> [[UInt8]]) {
        while !isStopped.load(ordering: .relaxed) {
            var poll = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, 20) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 1500)
            var sender = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let number = socket.number
            withUnsafeMutablePointer(to: &sender) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    let count = recvfrom(number, &bytes, bytes.count, 0, pointer, &length)
                    guard count > 12 else { return }
                    let question = Array(bytes[12..<count])
                    asked.withLock { $0.append(question) }
                    for answer in answers(question, UInt16(bytes[0]) << 8 | UInt16(bytes[1])) {
                        sendto(number, answer, answer.count, 0, pointer, length)
                    }
                }
            }
        }
    }

    var questions: [[UInt8]] { asked.withLock { $0 } }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        thread.withLock { $0 }?.stop()
    }
}

@Suite("Browsing the network for a service", .serialized)
@MainActor
struct ServiceDiscoveryTests {
    private let service = Wire.name(Wire.service)
    private func instance(_ name: String) -> [UInt8] { Wire.name([name] + Wire.service) }

    private func ask(
        for count: Int, timeout: Duration = .seconds(60),
        _ answers: @escaping @Sendable (_ question: [UInt8], _ id: UInt16) -> [[UInt8]]
    ) throws -> (found: [ServiceDiscovery.Instance], questions: [[UInt8]]) {
        let loop = try MainLoop(time: .real)
        let responder = try Responder(clock: loop.clock, answers)
        defer { responder.stop() }
        let group = ServiceDiscovery.Group(address: "127.0.0.1", port: responder.port, links: ["127.0.0.1"])
        let found = ServiceDiscovery(service: "_marquee-feed._tcp", key: "url", group: group).ask(timeout: timeout) {
            $0.count == count
        }
        return (found, responder.questions)
    }

    @Test("instances with the key are found with the first answer, ordered by name")
    func whole() throws {
        let (service, b, a) = (service, instance("B"), instance("A"))
        let (found, questions) = try ask(for: 2) { _, id in
            [
                Wire.answer(
                    id: id, answers: [Wire.record(service, 12, b), Wire.record(service, 12, a)],
                    additional: [
                        Wire.record(b, 16, Wire.texts(["url=https://b.example/"])),
                        Wire.record(a, 16, Wire.texts(["url=https://a.example/"])),
                    ])
            ]
        }
        #expect(found.map(\.name) == ["A", "B"] && found.map(\.value) == ["https://a.example/", "https://b.example/"])
        #expect(questions == [service + [0, 12, 0, 1]])
    }

    @Test(
        "an instance without data is asked for its records; other services, answers to others and nonsense are ignored"
    )
    func partial() throws {
        let (service, a) = (service, instance("A"))
        let other = Wire.name(["_http", "_tcp", "local"])
        let (found, questions) = try ask(for: 1) { question, id in
            if question == a + [0, 16, 0, 1] {
                return [Wire.answer(id: id, answers: [Wire.record(a, 16, Wire.texts(["note=x", "url=https://a.example/"]))])]
            }
            return [
                [1, 2, 3], Wire.answer(id: id &+ 1, answers: [Wire.record(service, 12, Wire.name(["Foreign"] + Wire.service))]),
                Wire.answer(id: id, answers: [Wire.record(other, 12, Wire.name(["Page", "_http", "_tcp", "local"]))]),
                Wire.answer(id: id, answers: [Wire.record(service, 12, a)]),
            ]
        }
        #expect(found == [ServiceDiscovery.Instance(name: "A", value: "https://a.example/")])
        #expect(questions.count == 2)
    }

    @Test("a network without responders is queried once and gives none")
    func silence() throws {
        let (found, questions) = try ask(for: 1, timeout: .milliseconds(100)) { _, _ in [] }
        #expect(found.isEmpty)
        #expect(questions.count <= 1)
    }
}
