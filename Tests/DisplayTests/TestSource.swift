import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

@testable import Display

/// A presentation source that gives the test's answers and records all reports.
final class TestSource: PresentationSource {
    struct Record {
        var opportunities: [PresentationOpportunity] = []
        var flips: [Flip] = []
        var modes: [DisplayMode?] = []
    }
    /// In a structure, because a closure that is read from a generic type is wrapped again each time.
    private struct Decision: Sendable {
        var make: @Sendable (Int, PresentationOpportunity) -> PresentationAnswer
    }
    private let record = Mutex(Record())
    private let decision: Mutex<Decision>

    /// - Parameter decide: receives the number of earlier opportunities, and this one.
    init(_ decide: @escaping @Sendable (Int, PresentationOpportunity) -> PresentationAnswer) {
        decision = Mutex(Decision(make: decide))
    }

    func change(_ decide: @escaping @Sendable (Int, PresentationOpportunity) -> PresentationAnswer) {
        decision.withLock { $0.make = decide }
    }

    func answer(to opportunity: PresentationOpportunity) -> PresentationAnswer {
        let count = record.withLock { record in
            record.opportunities.append(opportunity)
            return record.opportunities.count - 1
        }
        return decision.withLock { $0 }.make(count, opportunity)
    }

    func didPresent(_ flip: Flip) { record.withLock { $0.flips.append(flip) } }
    func displayDidChange(_ mode: DisplayMode?) { record.withLock { $0.modes.append(mode) } }

    var seen: Record { record.withLock { $0 } }
}
