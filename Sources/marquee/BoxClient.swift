import ArgumentParser
import BoxModel
import CommandSupport
import FoundationEssentials
import Glibc
import LinuxSupport
import MediaModel
import MediaSources
import Transfer

/// Which running box a command is for.
struct BoxAddress: ParsableArguments {
    @Option(help: ArgumentHelp("The running box; http://127.0.0.1:8080 by default.", valueName: "URL"))
    var box: String?

    @Option(
        help: ArgumentHelp(
            "A file with a token of the operator, for a box on another machine; - reads it from standard input.",
            valueName: "FILE"), completion: .file())
    var tokenFile: String?

    var isGiven: Bool { box != nil || tokenFile != nil }

    /// Finds the box.
    ///
    /// - Returns: nil if none was named, and none answers at the usual address.
    /// - Throws: `CommandFault`.
    @MainActor
    func find(loop: MainLoop) throws -> BoxClient? {
        try BoxClient.find(box, token: try token(), isDefault: box == nil, loop: loop)
    }

    private func token() throws -> String? {
        try tokenFile.map { path in
            guard let bytes = WholeFile.read(path == "-" ? "/dev/stdin" : path, most: 4096, mayBePipe: true) else {
                throw CommandFault("\(path) could not be read: \(String(cString: strerror(errno))).")
            }
            let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            guard words.count == 1 else {
                throw CommandFault("\(path) has \(words.count) words; write the token into it, and nothing else.")
            }
            return String(words[0])
        }
    }
}

/// The API of a running box, as a command of this program asks it. Every call blocks until it is answered. Throws `CommandFault`, with the box's own
/// sentence where it has refused.
@MainActor
final class BoxClient {
    /// What a box answers with a status that is an error.
    private struct Refusal: Decodable { var error: String }

    static let standardAddress = "http://127.0.0.1:8080"

    let address: String
    let loop: MainLoop
    /// The header line that allows commands.
    private let permission: String
    private let loader: CurlTransfer

    private init(_ address: String, permission: String, loop: MainLoop, loader: CurlTransfer) {
        self.address = address
        self.permission = permission
        self.loop = loop
        self.loader = loader
    }

    /// Finds the box at an address.
    ///
    /// - Parameters:
    ///   - given: nil for the page of a box on this machine.
    ///   - token: of the operator; nil for the one in the page, which only programs on the same machine can read.
    ///   - isDefault: whether it is no failure that no box answers.
    /// - Returns: nil if no box answers.
    static func find(_ given: String?, token: String?, isDefault: Bool, loop: MainLoop) throws -> BoxClient? {
        var address = given ?? standardAddress
        while address.hasSuffix("/") { address.removeLast() }
        let loader = CurlTransfer(clock: loop.clock, version: Program.version, options: TransferOptions(takesRefusals: true))
        if let token {
            return BoxClient(address, permission: "Authorization: Bearer \(token)", loop: loop, loader: loader)
        }
        let page: ByteResponse
        do throws(MediaError) {
            page = try load(ByteRequest(url: address + "/", kind: .document), loop, loader)
        } catch {
            if isDefault, error.code == .networkDown { return nil }
            throw CommandFault(error.sentence)
        }
        let mark = "name=\"marquee-token\" content=\""
        let text = String(decoding: page.bytes, as: UTF8.self)
        guard let start = text.firstRange(of: mark)?.upperBound, let end = text[start...].firstIndex(of: "\"") else {
            throw CommandFault("\(address) is not the page of a box; give the address with --box.")
        }
        return BoxClient(address, permission: "X-Marquee-Token: \(text[start..<end])", loop: loop, loader: loader)
    }

    func get<Answer: Decodable>(_ path: String) throws -> Answer {
        try ask(ByteRequest(url: address + path, kind: .document, headers: [permission]))
    }

    /// - Parameter body: JSON.
    func post<Answer: Decodable>(_ path: String, _ body: [UInt8]) throws -> Answer {
        var request = ByteRequest(url: address + path, kind: .document)
        request.headers = [permission, "Content-Type: application/json"]
        request.body = body
        return try ask(request)
    }

    private func ask<Answer: Decodable>(_ request: ByteRequest) throws -> Answer {
        let response: ByteResponse
        do throws(MediaError) {
            response = try Self.load(request, loop, loader)
        } catch {
            throw CommandFault(error.sentence)
        }
        let data = Data(response.bytes)
        guard response.status < 400 else {
            throw CommandFault(
                (try? JSONDecoder().decode(Refusal.self, from: data))?.error
                    ?? "\(address) refused this with status \(response.status); give the address of a box with --box.")
        }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: data) else {
            throw CommandFault("The answer of \(address) was not understood; update this program or the box.")
        }
        return answer
    }

    private static func load(_ request: ByteRequest, _ loop: MainLoop, _ loader: CurlTransfer) throws(MediaError) -> ByteResponse
    {
        var result: Result<ByteResponse, MediaError>?
        loader.load(request) { result = $0 }
        loop.run(until: { result != nil })
        return try result!.get()
    }
}
