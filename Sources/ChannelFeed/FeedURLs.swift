import URLReferences
import WireFormats

/// Makes the URLs of a feed absolute, and checks that they may be used.
final class FeedURLs {
    private let findings: FeedFindings
    private let plainHTTPHosts: Set<String>
    /// The base of relative URLs; nil when the feed has no URL of its own.
    private var base: URLReference? { didSet { folder = base.flatMap { plainFolder(of: $0) } } }
    /// What stands before a plain relative path, if URLs below it may be used: nearly all addresses of a feed are such paths.
    private var folder: String?
    /// Whether the feed is itself a file: only then may it refer to files.
    private let allowsFiles: Bool

    /// - Parameter origin: where the feed is from: an absolute URL, or the absolute path of a file.
    init(origin: String, options: FeedOptions, findings: FeedFindings) {
        self.findings = findings
        plainHTTPHosts = options.plainHTTPHosts
        allowsFiles = Self.base(origin: origin)?.scheme == "file"
        setPage(origin: origin)
    }

    /// What the relative URLs of a document resolve on if it says nothing else; nil if it has no URL.
    private static func base(origin: String) -> URLReference? {
        let own = URLReference(checking: origin.hasPrefix("/") ? URLReference.file(path: origin) : origin)
        return own.flatMap { $0.scheme == nil ? nil : $0 }
    }

    /// The base of relative URLs; empty when there is none.
    var baseURL: String { base?.description ?? "" }

    /// Sets another base for the URLs that are read from now on.
    func setBase(_ url: String) { base = URLReference(checking: url) }

    /// The URLs that are read from now on are of another page: relative ones resolve on its own URL.
    func setPage(origin: String) { base = Self.base(origin: origin) }

    /// The absolute URL of a text; nil, with a finding, when it may not be used.
    ///
    /// - Parameter isChannel: whether it is a stream of a channel, which may be received as it is sent.
    func absolute(_ text: String, at node: FeedNode, isChannel: Bool = false) -> String? {
        if let folder, text.utf8.isPlainPath { return folder + text }
        guard !text.isEmpty, let reference = URLReference(checking: text) else {
            findings.fail(
                .badURL, node, "\(FeedText.quoted(text)) is not a URL",
                "Write one such as \"https://cdn.example/film.m3u8\".")
            return nil
        }
        let absolute: URLReference
        if reference.scheme != nil {
            absolute = reference
        } else if let base {
            absolute = reference.resolved(on: base)
        } else {
            findings.fail(
                .badURL, node, "\(FeedText.quoted(text)) is relative and there is no base",
                "Write the whole URL, or a \"baseUrl\" at the top of the feed.")
            return nil
        }
        return isAllowed(absolute, at: node, isChannel: isChannel) ? absolute.description : nil
    }

    /// The folder of a base as text, with its slash; nil if URLs in it may not be used.
    private func plainFolder(of base: URLReference) -> String? {
        let example = URLReference("x").resolved(on: base)
        return fault(of: example) == nil && example.path.hasSuffix("/x") ? String(example.description.dropLast()) : nil
    }

    private func isAllowed(_ url: URLReference, at node: FeedNode, isChannel: Bool) -> Bool {
        let isDatagrams = DatagramAddress.isScheme(url.scheme ?? "")
        guard let fault = isDatagrams ? faultOfDatagrams(url, isChannel: isChannel) : fault(of: url) else { return true }
        findings.report(.error, fault.code, node, showing: fault.showsValue, fault.message, fault.remedy)
        return false
    }

    /// Why a URL may not be used.
    private struct Fault {
        var code = FeedCode.badURL
        var showsValue = true
        var message: String
        var remedy: String
    }

    private func fault(of url: URLReference, _ delivery: UnplayedDelivery) -> Fault {
        let isPlain = url.credentials == nil
        let name = isPlain ? FeedText.quoted(url.description) : "the URL"
        return Fault(
            showsValue: isPlain, message: "\(name) is an address of \(delivery.rawValue), which the box does not play",
            remedy: "Write the https URL of an HLS stream or of a file.")
    }

    /// What stands before an @ is a sender, unless it is none: then it is not repeated.
    private func faultOfDatagrams(_ url: URLReference, isChannel: Bool) -> Fault? {
        do throws(DatagramAddress.Fault) {
            let address = try DatagramAddress(url)
            if isChannel { return nil }
            return Fault(
                message: "\(FeedText.quoted("\(address)")) is received as it is sent, and is no address of a file or playlist",
                remedy: "Write it in the streams of a live channel.")
        } catch {
            let isPlain = url.credentials?.isEmpty ?? true
            let name = isPlain ? FeedText.quoted(url.description) : "the URL"
            return Fault(showsValue: isPlain, message: "\(name) \(error.reason)", remedy: error.remedy)
        }
    }

    private func fault(of url: URLReference) -> Fault? {
        let scheme = url.scheme ?? ""
        if let delivery = UnplayedDelivery(scheme: scheme) { return fault(of: url, delivery) }
        if url.credentials != nil {
            // The credentials are secret: they are not repeated in a report.
            return Fault(
                showsValue: false, message: "the URL holds a user name or password",
                remedy: "Remove the part before the @; secrets belong in [feed] headers of marquee.toml.")
        }
        if scheme == "file", allowsFiles { return nil }
        guard scheme == "https" || scheme == "http" else {
            return Fault(
                message: "\(FeedText.quoted(url.description)) has the scheme \"\(scheme)\"", remedy: "Write an https URL.")
        }
        guard let host = url.host, !host.isEmpty, url.portIsValid else {
            return Fault(
                message: "\(FeedText.quoted(url.description)) has no host that can be reached",
                remedy: "Write one such as \"https://cdn.example/film.m3u8\".")
        }
        let isOurs = host == "localhost" || host == "127.0.0.1" || host == "[::1]"
        if scheme == "http", !isOurs, !plainHTTPHosts.contains(host) {
            return Fault(
                code: .plainHTTP, message: "plain http to \"\(host)\" is not allowed",
                remedy: "Write https, or add the host to [feed] allow_http in marquee.toml.")
        }
        return nil
    }
}

extension String.UTF8View {
    /// Whether a text is a relative path that resolves to itself in a folder: names of letters, digits, `-` and `.` between single
    /// slashes, none of which begins with a dot.
    fileprivate var isPlainPath: Bool {
        var previous = UInt8(ascii: "/")
        for byte in self {
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "/"): if previous == UInt8(ascii: "/") { return false }
            default: guard byte.isASCIILetterOrDigit || byte == UInt8(ascii: "-") else { return false }
            }
            previous = byte
        }
        return !isEmpty
    }
}

/// The feed's requirements for URLs.
extension URLReference {
    /// Parses a URL of a feed, with its illegal characters percent-encoded; nil if nothing is left. The scheme becomes lower case.
    init?(checking text: String) {
        let text = Self.trimmed(text)
        guard !text.isEmpty else { return nil }
        self.init(Self.escaped(text))
        scheme = scheme?.lowercased()
    }

    /// The URL of a file by its absolute path.
    static func file(path: String) -> String {
        var encoded = "file://"
        for byte in path.utf8 {
            let character = Character(Unicode.Scalar(byte))
            let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "/-._~!$&'()*+,;=:@".contains(character))
            encoded += isPlain ? String(character) : "%" + byte.hexadecimal(uppercase: true)
        }
        return encoded
    }

    /// The user and password before the host, if present.
    var credentials: Substring? {
        guard let authority, let mark = authority.lastIndex(of: "@") else { return nil }
        return authority[..<mark]
    }

    /// Whether the port is absent or valid.
    var portIsValid: Bool {
        guard let authority, authority.utf8.contains(UInt8(ascii: ":")), let host else { return true }
        let start = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
        let rest = authority[start...].dropFirst(host.count)
        if rest.isEmpty || rest == ":" { return true }
        return rest.hasPrefix(":") && rest.dropFirst().allSatisfy { $0.isASCII && $0.isNumber } && UInt16(rest.dropFirst()) != nil
    }
}
