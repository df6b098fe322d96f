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
    private let record = Mutex(Record())
    private let decide: Mutex<@Sendable (Int, PresentationOpportunity) -> PresentationAnswer>

    /// - Parameter decide: receives the number of earlier opportunities, and this one.
    init(_ decide: @escaping @Sendable (Int, PresentationOpportunity) -> PresentationAnswer) { self.decide = Mutex(decide) }

    func change(_ decide: @escaping @Sendable (Int, PresentationOpportunity) -> PresentationAnswer) {
        self.decide.withLock { $0 = decide }
    }

    func answer(to opportunity: PresentationOpportunity) -> PresentationAnswer {
        let count = record.withLock { record in
            record.opportunities.append(opportunity)
            return record.opportunities.count - 1
        }
        return decide.withLock { $0 }(count, opportunity)
    }

    func didPresent(_ flip: Flip) { record.withLock { $0.flips.append(flip) } }
    func displayDidChange(_ mode: DisplayMode?) { record.withLock { $0.modes.append(mode) } }

    var seen: Record { record.withLock { $0 } }
}
