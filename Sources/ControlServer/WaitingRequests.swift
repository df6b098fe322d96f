/// Requests that wait until there is something else than they know, or for a time. Main loop only.
@MainActor
final class WaitingRequests<Known, Answer: Sendable> {
    private struct Request {
        let known: Known
        let answer: CheckedContinuation<Answer, Never>
    }

    private let limits: ControlLimits
    private var requests: [UInt64: Request] = [:]
    private var next: UInt64 = 0

    init(_ limits: ControlLimits) { self.limits = limits }

    var isEmpty: Bool { requests.isEmpty }
    /// Whether no other may wait.
    var isFull: Bool { requests.count >= limits.watchers }

    /// Waits for an answer.
    ///
    /// - Parameters:
    ///   - late: the answer when the time is over.
    ///   - begun: called when it waits.
    func wait(
        knowing known: Known, late: @escaping @MainActor @Sendable () -> Answer, begun: @MainActor () -> Void = {}
    ) async -> Answer {
        await withCheckedContinuation { answer in
            next += 1
            let number = next
            requests[number] = Request(known: known, answer: answer)
            RealTime.onMain(after: limits.longPoll) { [weak self] in
                self?.requests.removeValue(forKey: number)?.answer.resume(returning: late())
            }
            begun()
        }
    }

    /// Answers those for which there is an answer, in the order in which they came.
    func answer(_ answer: (Known) -> Answer?) {
        for (number, request) in requests.sorted(by: { $0.key < $1.key }) {
            guard let found = answer(request.known) else { continue }
            requests[number] = nil
            request.answer.resume(returning: found)
        }
    }
}
