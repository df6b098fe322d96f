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
