import FlyingFox
import FlyingSocks
import FoundationEssentials
import Glibc
import LinuxSupport
import MediaModel

@testable import ControlServer

/// A server on a free port with a fake box behind it, and a client for it.
@MainActor
final class RunningServer {
    let box = FakeBox()
    let server: ControlServer
    private var token: String?

    /// Comes back when connections are taken.
    init(limits: ControlLimits = ControlLimits(), admits: (@Sendable (String) -> Bool)? = nil) async throws {
        let loop = try MainLoop(time: .simulated)
        server = try ControlServer(port: 0, door: box, status: box, clock: loop.clock, limits: limits, admits: admits) {
            picture in
            Array("JPEG of \(picture.serial)".utf8)
        }
        let server = self.server
        await withCheckedContinuation { ready in server.start { _ in ready.resume() } }
    }

    var host: String { "127.0.0.1:\(server.port)" }

    /// One answer, taken apart.
    struct Answer {
        var status: Int
        var headers: HTTPHeaders
        var body: String

        /// The body as JSON; empty when it is none.
        var json: [String: JSONValue] { (try? JSONDecoder().decode([String: JSONValue].self, from: Data(body.utf8))) ?? [:] }
    }

    /// Sends a request as our own page would, but for `headers`; an empty value leaves a header out.
    ///
    /// - Parameter address: of this machine, at which the server is asked; the loop's by default.
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

    /// The token that the page carries.
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
        let parts = path.split(separator: "?", maxSplits: 1)
        let query =
            parts.count < 2
            ? []
            : parts[1].split(separator: "&").map { $0.split(separator: "=") }.map {
                HTTPRequest.QueryItem(name: String($0[0]), value: String($0[1]))
            }
        let request = HTTPRequest(
            method: HTTPMethod(method), version: .http11, path: String(parts[0]), query: query,
            headers: Dictionary(uniqueKeysWithValues: headers.map { (HTTPHeader($0.key), $0.value) }), body: Data(body.utf8))
        var client = HTTPClient()
        var target = PortReservation.loopback(server.port)
        if let address { target.sin_addr.s_addr = address.bigEndian }
        let response = try await client.sendHTTPRequest(request, to: target)
        return Answer(
            status: response.statusCode.code, headers: response.headers,
            body: String(decoding: try await response.bodyData, as: UTF8.self))
    }

    /// Sends bytes as they are and reads until the server ends the connection.
    func sendRaw(_ text: String) async throws -> String {
        let socket = try await AsyncSocket.connected(to: PortReservation.loopback(server.port))
        defer { try? socket.close() }
        try await socket.write(Data(text.utf8))
        var bytes: [UInt8] = []
        // The end of the stream is an error to FlyingSocks.
        while let more = try? await socket.read(atMost: 4096) { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Any JSON value, to look at answers without their types.
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

/// Whether a TCP connection to an IPv4 address comes about.
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
