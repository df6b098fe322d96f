import ChannelFeed

/// What may be taken from a network that is paid for by the byte.
@MainActor
final class NetworkUse {
    /// What may be taken.
    enum Rule: Hashable {
        case everything
        case lowest
        case nothing

        /// - Parameter policy: the operator's word in the feed; nil leaves it to the box.
        init(_ policy: Policy.Metered?, isMetered: Bool) {
            guard isMetered else {
                self = .everything
                return
            }
            switch policy ?? .low {
            case .allow: self = .everything
            case .low: self = .lowest
            case .deny: self = .nothing
            }
        }

        var words: String {
            switch self {
            case .everything: "everything may be loaded"
            case .lowest: "it is metered; only the lowest quality of each programme is loaded"
            case .nothing: "it is metered; no programme is loaded"
            }
        }
    }

    /// In force for what is opened from now on.
    var rule = Rule.everything
    var takesLowest: Bool { rule == .lowest }
}
