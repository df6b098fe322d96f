import Foundation
import Glibc
import LinuxSupport
import NIOHTTP1
import StatusModel
import TransportSecurity

@testable import ControlServer

/// A server on a free port with a fake box, and a client for it.
@MainActor
final class RunningServer {
    let box = FakeBox()
    let server: ControlServer
    private var token: String?

    /// Returns when connections are accepted.
    init(
        limits: ControlLimits = ControlLimits(), admits: (@Sendable (String) -> AccessRight?)? = nil,
        identity: ServerIdentity? = nil, machine: @escaping @Sendable () -> MachineReading = { MachineReading() },
        support: SupportSources = .empty
    ) async throws {
        let loop = try MainLoop(time: .simulated)
        server = try ControlServer(
            port: 0, door: box, status: box, clock: loop.clock, limits: limits, admits: admits, identity: identity,
            machine: machine, support: support, plays: { Self.plays(after: $0, most: $1) },
            settings: { String(decoding: $1, as: UTF8.self) == "good" ? nil : "Of \($0.count) bytes." },
            phones: box, room: { [box] in box.room }
        ) { picture in
            Array("JPEG of \(picture.serial)".utf8)
        }
        let server = self.server
        await withCheckedContinuation { ready in server.start { _ in ready.resume() } }
    }

    /// As the box writes it.
    private static func plays(after number: UInt64, most: Int) -> @Sendable () -> String {
        let play =
            #"{"number":4,"item":"a","channel":"c","advertisement":"ad","start":"2027-01-15T08:00:00.000Z","from":1.500,"seconds":2.000,"#
            + #""picturesShown":48,"picturesDue":49,"completed":false,"end":"failed","error":"SRC-404","screen":"partly","#
            + #""screenOffSeconds":0.500,"startedBy":"queue"}"#
        return { #"{"first":1,"more":false,"plays":[\#(number < 4 && most > 0 ? play : "")]}"# }
    }

    var host: String { "127.0.0.1:\(server.port)" }

    /// One parsed answer.
    struct Answer {
        var status: Int
        var headers: HTTPHeaders
        var body: String

        /// The body as JSON; empty when it is not JSON.
        var json: [String: JSONValue] { (try? JSONDecoder().decode([String: JSONValue].self, from: Data(body.utf8))) ?? [:] }
    }

    /// Sends a request as our own page would, except for `headers`; an empty value removes a header.
    ///
    /// - Parameter address: the address of this machine to connect to; loopback by default.
    func send(
        _ method: String, _ path: String, body: String = "", headers: [String: String] = [:], from address: UInt32? = nil
    ) async throws -> Answer {
        var all = ["Host": host]
        if method == "POST" {
            all["Origin"] = "http://\(host)"
            all["X-Marquee-Token"] = try await pageToken()
        }
        for (name, value) in headers { all[name] = value.isEmpty ? nil : value }
        return try await exchange(method, path, body: body, headers: all, address: address)
    }

    /// The token in the page.
    func pageToken() async throws -> String {
        if let token { return token }
        let page = try await exchange("GET", "/", body: "", headers: ["Host": host]).body
        let found = page.firstMatch(of: /name="marquee-token" content="([0-9a-f]{32})"/).map { String($0.1) } ?? ""
        token = found
        return found
    }

    private func exchange(
        _ method: String, _ path: String, body: String, headers: [String: String], address: UInt32? = nil
    ) async throws -> Answer {
        var target = PortReservation.loopback(server.port)
        if let address { target.sin_addr.s_addr = address.bigEndian }
        let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
        let socket = try ClientSocket(to: target)
        try socket.write("\(method) \(path) HTTP/1.1\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        guard let answer = Answer(await socket.read { Answer($0) != nil }) else { throw Unanswered() }
        return answer
    }

    private struct Unanswered: Error {}

    /// Sends raw bytes and reads until the server ends the connection.
    func sendRaw(_ text: String) async throws -> String {
        let socket = try ClientSocket(to: PortReservation.loopback(server.port))
        try socket.write(text)
        return String(decoding: await socket.read(), as: UTF8.self)
    }
}

extension RunningServer.Answer {
    /// Parses an answer; nil while it is incomplete.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers.add(name: String(line[..<colon]), value: String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1, let status = Int(words[1]), let length = Int(headers.first(name: "Content-Length") ?? "0"),
            bytes.count >= end.upperBound + length
        else { return nil }
        self.init(
            status: status, headers: headers,
            body: String(decoding: bytes[end.upperBound..<end.upperBound + length], as: UTF8.self))
    }
}

/// The client's end of a connection, with a kernel socket and a blocking thread, so that it shares nothing with the server.
struct ClientSocket: Sendable {
    private let descriptor: FileDescriptor

    /// Connects; the kernel does that, whatever the server is doing.
    init<Address>(to address: Address, _ family: Int32 = AF_INET) throws {
        let number = try systemCall("socket", on: "a client") {
            Glibc.socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        }
        descriptor = FileDescriptor(adopting: number)
        try systemCall("connect", on: "the server") {
            withUnsafeBytes(of: address) {
                Glibc.connect(number, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
            }
        }
    }

    /// Sends a text, which must fit the kernel's buffer.
    func write(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let bytes = rest
            let count = try systemCall("send", on: "the server") {
                bytes.withUnsafeBytes { Glibc.send(descriptor.number, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// The bytes until there are enough, or until the server ends the connection.
    func read(until isEnough: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }) async -> [UInt8] {
        let descriptor = descriptor
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes: [UInt8] = []
                var block = [UInt8](repeating: 0, count: 4096)
                while !isEnough(bytes) {
                    let count = recv(descriptor.number, &block, block.count, 0)
                    guard count > 0 else { break }
                    bytes += block[..<count]
                }
                continuation.resume(returning: bytes)
            }
        }
    }

    /// Whether the server has ended the connection and everything it sent was read.
    var isEnded: Bool {
        var byte: UInt8 = 0
        return recv(descriptor.number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }
}

/// Any JSON value, to inspect answers without their types.
enum JSONValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }
}

/// Whether a TCP connection to an IPv4 address succeeds.
func canConnect(to address: UInt32, port: UInt16) -> Bool {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var target = PortReservation.loopback(port)
    target.sin_addr.s_addr = address.bigEndian
    return withUnsafePointer(to: &target) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

extension SupportSources {
    /// Nothing from the rest of the program.
    static var empty: SupportSources {
        SupportSources(box: "test", secrets: [], configuration: "", doctor: { "" }, date: { nil })
    }
}
