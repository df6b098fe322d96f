import ChannelFeed
import Cryptography
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

    /// The bundle for a board.
    package func bundle(for board: String) -> String { bundle.replacing("{board}", with: board) }

    /// Why this offer does not concern a box; nil if the box is to install it.
    package func exclusion(of box: UpdateCandidate) -> UpdateExclusion? {
        if version == box.version { return .running }
        if version.precedes(box.version) { return .older }
        if !boards.contains(box.board) { return .otherBoard }
        if let groups, !groups.contains(box.group ?? "default") { return .otherGroup }
        if let minimumVersion, box.version.precedes(minimumVersion) { return .needs(minimumVersion) }
        if let reason = box.refused[version] { return .refusedHere(reason) }
        return Self.rank(of: box.box, for: version) < share ? nil : .outsideShare
    }

    /// The place of a box among a hundred for a version: 0 to 99. A larger share contains the boxes of a smaller one, and other versions begin with
    /// other boxes.
    package static func rank(of box: String, for version: ReleaseVersion) -> Int {
        let digest = SHA256.digest(Array("\(version)\n\(box)".utf8))
        return Int(digest.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) } % 100)
    }
}

extension UpdateNotice {
    /// Reads a document. Unknown members are ignored, so that newer notices can be read.
    ///
    /// - Parameter url: where it is from; the base of a relative bundle.
    /// - Throws: `DocumentFault`: the first one found.
    package init(_ bytes: [UInt8], url: String) throws(DocumentFault) {
        let members = try DocumentMembers(bytes, what: "the notice", longest: Self.longest, depth: 8)
        try members.checkForm("updateVersion", is: Self.form)
        version = try Self.version(members, "version")
        bundle = try Self.address(members, "bundle", base: url)
        boards = try members.names("boards")
        groups = !members.has("groups") ? nil : try members.names("groups")
        share = try members.number("share", in: 0...100, standard: 100)
        minimumVersion = !members.has("minimumVersion") ? nil : try Self.version(members, "minimumVersion")
        isCritical = try members.truth("critical")
    }

    private static func version(_ members: DocumentMembers, _ key: String) throws(DocumentFault) -> ReleaseVersion {
        guard let version = ReleaseVersion(try members.text(key)) else {
            throw DocumentFault(pointer: "/\(key)", reason: "write a semantic version such as \"0.2.0\"")
        }
        return version
    }

    /// An https URL without credentials, or one on the server of the notice. It may have `{board}`.
    private static func address(
        _ members: DocumentMembers, _ key: String, base: String
    ) throws(DocumentFault) -> String {
        let text = try members.text(key)
        guard text.replacing("{board}", with: "").utf8.allSatisfy({ (0x21...0x7E).contains($0) && !notInURLs.contains($0) })
        else { throw DocumentFault(pointer: "/\(key)", reason: "write a URL such as \"https://cdn.example/{board}.raucb\"") }
        let origin = URLReference(base)
        let whole = URLReference(URLReference.resolve(reference: text, against: base))
        let authority = whole.authority ?? ""
        guard !authority.contains("@") else {
            throw DocumentFault(pointer: "/\(key)", reason: "the URL has a user name or password; remove the part before the @")
        }
        guard !authority.isEmpty, whole.scheme == "https" || (whole.scheme, authority) == ("http", origin.authority ?? "") else {
            throw DocumentFault(
                pointer: "/\(key)",
                reason: "the bundle is loaded by https, or from the server of the notice; write another URL")
        }
        return whole.description
    }

    /// Characters that RFC 3986 does not allow anywhere.
    private static let notInURLs = Set("\"<>\\^`{|}".utf8)
}
