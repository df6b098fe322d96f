import Housekeeping
import PlayerInterface

/// What the page About of Settings shows of updates. The box is made before its keeper.
@MainActor
final class UpdateFacts {
    /// Nil where there are no updates.
    weak var keeper: UpdateKeeper?

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
