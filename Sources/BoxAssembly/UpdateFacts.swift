import Housekeeping
import Screens
import Updates

/// What the page About of Settings shows of updates. The box is made before its keeper.
@MainActor
final class UpdateFacts {
    /// Nil where there are no updates.
    weak var keeper: UpdateKeeper?
    /// Nil on a system that is not Marquee's own.
    weak var stick: StickUpdateKeeper?

    var stickFact: BoxFacts.StickUpdate? {
        switch stick?.state {
        case nil, .some(.none): nil
        case .found(let bundle): .found(bundle.version.description)
        case .installing(let bundle, let percent): .installing(bundle.version.description, percent: percent)
        case .installed(let bundle): .installed(bundle.version.description)
        case .failed(let bundle, let reason): .failed(bundle.version.description, reason: reason)
        }
    }

    var fact: BoxFacts.Update? {
        guard let status = keeper?.status else { return nil }
        switch (status.state, status.offered) {
        case (.unavailable, _): return nil
        case (.waiting, let version?): return status.failures > 0 ? .failed(version) : .waiting(version)
        case (.installing, let version?): return .installing(version, percent: status.percent ?? 0)
        case (.installed, let version?): return .installed(version)
        case (.idle, _), (_, nil): return .upToDate
        }
    }
}
