import FoundationEssentials
import URLReferences
import WireFormats

/// Removes secrets from the texts of a support bundle, which leaves the box and is read by strangers.
///
/// `Redaction` comes first: user names, queries, fragments and path parameters of addresses, and headers with credentials. Then what
/// only a bundle needs: the values that the box knows to be secret, wherever they are, and everything that has the form of a SHA-256,
/// because that of a PIN is the PIN itself to anyone with a computer.
package struct SecretFilter: Sendable {
    private let secrets: [String]
    private static let mark = "REDACTED"
    /// Shorter values occur in every text.
    private static let shortestSecret = 4
    /// Shorter parts of values are words such as `Bearer`.
    private static let shortestPart = 8
    /// Characters of a SHA-256 in hexadecimal.
    private static let digest = 64

    /// - Parameter secrets: values that must not leave the box.
    package init(secrets: [String]) {
        // A value such as `Bearer TOKEN` or `look:DIGEST` has the secret as a part.
        let parts = secrets.flatMap { $0.split { $0.isWhitespace || $0 == ":" } }.map(String.init)
        let all = secrets.filter { $0.utf8.count >= Self.shortestSecret } + parts.filter { $0.utf8.count >= Self.shortestPart }
        // One secret may contain another.
        self.secrets = Set(all).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    /// A text of any number of lines. A second pass changes nothing.
    package func clean(_ text: String) -> String {
        var text = text
        for secret in secrets where text.utf8.count >= secret.utf8.count { text = text.replacing(secret, with: Self.mark) }
        return Self.withoutDigests(Redaction.inText(text))
    }

    /// A JSON text, or several, with every string in it cleaned: a secret with a quotation mark is found as well, and the text stays JSON.
    package func clean(json: String) -> String {
        let bytes = Array(json.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\"") else {
                result.append(bytes[index])
                index += 1
                continue
            }
            var end = index + 1
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
            let literal = bytes[index..<min(end + 1, bytes.count)]
            let text = (try? JSONDecoder().decode(String.self, from: Data(literal))).map { clean($0) }
            result += JSONText.quoted(text ?? Self.mark).utf8
            index = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func withoutDigests(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var run: [UInt8] = []
        func end() {
            result += run.count >= digest ? Array(mark.utf8) : run
            run.removeAll(keepingCapacity: true)
        }
        for byte in text.utf8 {
            if byte.hexadecimalValue != nil {
                run.append(byte)
            } else {
                end()
                result.append(byte)
            }
        }
        end()
        return String(decoding: result, as: UTF8.self)
    }
}
