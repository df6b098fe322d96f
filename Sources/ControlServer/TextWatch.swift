import LinuxSupport
import StatusModel

/// Waits for another text that the television asks for, on behalf of requests.
@MainActor
final class TextWatch {
    /// What a request knows; field 0: that no text is asked for.
    typealias Known = (field: UInt64, serial: UInt64)

    private let phones: (any PhoneDoor)?
    private let watchers: WaitingRequests<Known, TextAnswer>
    private var changes: Subscription?
    private var isClosed = false

    init(phones: (any PhoneDoor)?, limits: ControlLimits) {
        self.phones = phones
        watchers = WaitingRequests(limits)
        changes = phones?.changes.listen { [weak self] in self?.changed() }
    }

    private var now: TextAnswer { TextAnswer(phones?.asked) }

    /// Returns when the text is not the known one, or after a time; at once if nothing is known.
    ///
    /// - Returns: nil if too many wait.
    func next(after known: Known?) async -> TextAnswer? {
        guard let known, !isClosed, isCurrent(known) else { return now }
        guard !watchers.isFull else { return nil }
        return await watchers.wait(knowing: known, late: { [weak self] in self?.now ?? TextAnswer(nil) })
    }

    /// Answers all watchers; later ones do not wait.
    func close() {
        isClosed = true
        watchers.answer { _ in now }
    }

    private func changed() { watchers.answer { isCurrent($0) ? nil : now } }

    private func isCurrent(_ known: Known) -> Bool {
        guard let asked = phones?.asked else { return known.field == 0 }
        return known == (asked.field, asked.serial)
    }
}
