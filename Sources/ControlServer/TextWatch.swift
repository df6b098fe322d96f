import LinuxSupport
import StatusModel

/// Waits for another text that the television asks for, on behalf of requests.
@MainActor
final class TextWatch {
    private struct Watcher {
        var known: (field: UInt64, serial: UInt64)
        var answer: CheckedContinuation<TextAnswer, Never>
    }

    private let phones: (any PhoneDoor)?
    private let limits: ControlLimits
    private var watchers: [UInt64: Watcher] = [:]
    private var nextWatcher: UInt64 = 0
    private var changes: Subscription?
    private var isClosed = false

    init(phones: (any PhoneDoor)?, limits: ControlLimits) {
        self.phones = phones
        self.limits = limits
        changes = phones?.changes.listen { [weak self] in self?.changed() }
    }

    /// Returns when the text is not the known one (field 0: none), or after a time; at once if nothing is known.
    ///
    /// - Returns: nil if too many wait.
    func next(after known: (field: UInt64, serial: UInt64)?) async -> TextAnswer? {
        let asked = phones?.asked
        guard let known, !isClosed, Self.isKnown(asked, known) else { return TextAnswer(asked) }
        guard watchers.count < limits.watchers else { return nil }
        return await withCheckedContinuation { answer in
            nextWatcher += 1
            let number = nextWatcher
            watchers[number] = Watcher(known: known, answer: answer)
            RealTime.onMain(after: limits.longPoll) { [weak self] in self?.answer(number) }
        }
    }

    /// Answers all watchers; later ones do not wait.
    func close() {
        isClosed = true
        for number in watchers.keys.sorted() { answer(number) }
    }

    private func changed() {
        for (number, watcher) in watchers.sorted(by: { $0.key < $1.key }) where !Self.isKnown(phones?.asked, watcher.known) {
            answer(number)
        }
    }

    private func answer(_ number: UInt64) {
        watchers.removeValue(forKey: number)?.answer.resume(returning: TextAnswer(phones?.asked))
    }

    private static func isKnown(_ asked: AskedText?, _ known: (field: UInt64, serial: UInt64)) -> Bool {
        known.field == asked?.field ?? 0 && (asked == nil || known.serial == asked?.serial)
    }
}
