import Cryptography

/// A box as an offer sees it. A value.
package struct UpdateCandidate: Sendable, Hashable {
    /// Identifies the box among all: its name and serial number.
    package var box: String
    package var board: String
    package var group: String?
    /// Of the running system.
    package var version: ReleaseVersion
    /// Versions that were tried here and did not become good, with the reason.
    package var refused: [ReleaseVersion: String]

    package init(
        box: String, board: String, group: String?, version: ReleaseVersion, refused: [ReleaseVersion: String] = [:]
    ) {
        self.box = box
        self.board = board
        self.group = group
        self.version = version
        self.refused = refused
    }
}

/// Why an offer does not concern a box.
package enum UpdateExclusion: Sendable, Hashable, CustomStringConvertible {
    /// The box runs this version.
    case running
    /// The box runs a newer one.
    case older
    case otherBoard
    case otherGroup
    /// The share of boxes to which it is offered does not include this one.
    case outsideShare
    /// The box must be updated to this version first.
    case needs(ReleaseVersion)
    /// It was tried here and did not become good.
    case refusedHere(String)

    package var description: String {
        switch self {
        case .running: "the box runs this version"
        case .older: "the box runs a newer version"
        case .otherBoard: "there is no bundle for this board"
        case .otherGroup: "it is for other groups of boxes"
        case .outsideShare: "it is for a share of boxes that does not include this one"
        case .needs(let version): "it needs version \(version) or later"
        case .refusedHere(let reason): "it was tried here and did not become good: \(reason)"
        }
    }
}

extension UpdateNotice {
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
