import ChannelFeed

/// What may be loaded over a metered network.
@MainActor
package final class NetworkUse {
    /// The rule.
    package enum Rule: Hashable {
        case everything
        case lowest
        case nothing

        /// - Parameter policy: the operator's rule in the feed; nil leaves it to the box.
        package init(_ policy: Policy.Metered?, isMetered: Bool) {
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

        package var words: String {
            switch self {
            case .everything: "everything may be loaded"
            case .lowest: "it is metered; only the lowest quality of each programme is loaded"
            case .nothing: "it is metered; no programme is loaded"
            }
        }
    }

    package init() {}

    /// Applies to what is loaded from now on, also for a stream that plays.
    package var rule = Rule.everything
    package var takesLowest: Bool { rule == .lowest }
}
