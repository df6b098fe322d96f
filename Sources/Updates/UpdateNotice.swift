import ChannelFeed
import URLReferences
import WireFormats

/// What an operator offers to its boxes: the signed document at `[update] url` (`docs/updates.md`). A value.
package struct UpdateNotice: Sendable, Hashable {
    /// The version of the format that is read.
    package static let form = 1
    /// The largest document, in bytes.
    package static let longest = 64 << 10

    /// Of the system in the bundle.
    package let version: ReleaseVersion
    /// The absolute URL of the bundle; `{board}` in it was not replaced.
    package let bundle: String
    /// The boards for which there is a bundle.
    package let boards: Set<String>
    /// The groups of boxes that are meant; nil for all.
    package let groups: Set<String>?
    /// How many of a hundred boxes are meant, 0 to 100. At 0 the offer is halted.
    package let share: Int
    /// The lowest version from which this update is possible; nil for any.
    package let minimumVersion: ReleaseVersion?
    /// Whether it is installed outside of the window, and while somebody watches.
    package let isCritical: Bool

    /// Why a document is not a notice.
    package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// RFC 6901; empty for the whole document.
        package let pointer: String
        package let reason: String

        package var description: String { pointer.isEmpty ? reason : "\(pointer): \(reason)" }
    }

    /// The bundle for a board.
    package func bundle(for board: String) -> String { bundle.replacing("{board}", with: board) }
}

extension UpdateNotice {
    /// Reads a document. Unknown members are ignored, so that newer notices can be read.
    ///
    /// - Parameter url: where it is from; the base of a relative bundle.
    /// - Throws: `Fault`: the first one found.
    package init(_ bytes: [UInt8], url: String) throws(Fault) {
        guard bytes.count <= Self.longest else {
            throw Fault(pointer: "", reason: "the notice has more than \(Self.longest >> 10) KiB")
        }
        var reader = JSONReader(bytes, maximumDepth: 8)
        let root: JSONNode
        do {
            root = try reader.read()
        } catch {
            throw Fault(pointer: "", reason: "the notice is not JSON at byte \(error.offset): \(error.reason)")
        }
        if let twice = reader.duplicates.first {
            throw Fault(pointer: twice.pointer.description, reason: "the member is there twice")
        }
        guard case .object(let object) = root.value else { throw Fault(pointer: "", reason: "the notice is not a JSON object") }
        let members = NoticeMembers(object)
        guard try members.number("updateVersion") == Self.form else {
            throw Fault(pointer: "/updateVersion", reason: "this version of the box reads \(Self.form) only")
        }
        version = try members.version("version")
        bundle = try members.address("bundle", base: url)
        boards = try members.names("boards")
        groups = object["groups"] == nil ? nil : try members.names("groups")
        share = try members.number("share", in: 0...100, standard: 100)
        minimumVersion = object["minimumVersion"] == nil ? nil : try members.version("minimumVersion")
        isCritical = try members.truth("critical")
    }
}

/// Reads the members of a notice.
private struct NoticeMembers {
    private typealias Fault = UpdateNotice.Fault

    private let object: JSONObject
    private static let mostNames = 1000

    init(_ object: JSONObject) { self.object = object }

    func text(_ key: String) throws(UpdateNotice.Fault) -> String {
        guard case .string(let text) = object[key]?.value, !text.isEmpty, text.utf8.count <= 2048 else {
            throw Fault(pointer: "/\(key)", reason: "write a text of 1 to 2048 bytes")
        }
        return text
    }

    func version(_ key: String) throws(UpdateNotice.Fault) -> ReleaseVersion {
        guard let version = ReleaseVersion(try text(key)) else {
            throw Fault(pointer: "/\(key)", reason: "write a semantic version such as \"0.2.0\"")
        }
        return version
    }

    func number(
        _ key: String, in range: ClosedRange<Int> = 0...1_000_000, standard: Int? = nil
    ) throws(UpdateNotice.Fault) -> Int {
        if object[key] == nil, let standard { return standard }
        guard case .number(let text) = object[key]?.value, let number = Int(text), range.contains(number) else {
            throw Fault(pointer: "/\(key)", reason: "write a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func truth(_ key: String) throws(UpdateNotice.Fault) -> Bool {
        guard let node = object[key] else { return false }
        guard case .boolean(let truth) = node.value else { throw Fault(pointer: "/\(key)", reason: "write true or false") }
        return truth
    }

    /// A list of names, not empty.
    func names(_ key: String) throws(UpdateNotice.Fault) -> Set<String> {
        guard case .array(let nodes) = object[key]?.value, (1...Self.mostNames).contains(nodes.count) else {
            throw Fault(pointer: "/\(key)", reason: "write a list of 1 to \(Self.mostNames) names")
        }
        var names: Set<String> = []
        for (index, node) in nodes.enumerated() {
            guard case .string(let name) = node.value, (1...64).contains(name.utf8.count), name.utf8.allSatisfy(Self.isPlain)
            else {
                throw Fault(pointer: "/\(key)/\(index)", reason: "write a name of 1 to 64 of A-Z a-z 0-9 . _ -")
            }
            names.insert(name)
        }
        return names
    }

    /// An https URL without credentials, or one on the server of the notice. It may have `{board}`.
    func address(_ key: String, base: String) throws(UpdateNotice.Fault) -> String {
        let text = try text(key)
        guard text.replacing("{board}", with: "").utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.notInURLs.contains($0) })
        else { throw Fault(pointer: "/\(key)", reason: "write a URL such as \"https://cdn.example/{board}.raucb\"") }
        let origin = URLReference(base)
        let whole = URLReference(URLReference.resolve(reference: text, against: base))
        let authority = whole.authority ?? ""
        guard !authority.contains("@") else {
            throw Fault(pointer: "/\(key)", reason: "the URL has a user name or password; remove the part before the @")
        }
        guard !authority.isEmpty, whole.scheme == "https" || (whole.scheme, authority) == ("http", origin.authority ?? "") else {
            throw Fault(
                pointer: "/\(key)",
                reason: "the bundle is loaded by https, or from the server of the notice; write another URL")
        }
        return whole.description
    }

    /// Characters that RFC 3986 does not allow anywhere.
    private static let notInURLs = Set("\"<>\\^`{|}".utf8)

    private static func isPlain(_ byte: UInt8) -> Bool {
        let character = Character(Unicode.Scalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber || "._-".contains(character))
    }
}
