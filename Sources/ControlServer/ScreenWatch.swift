import LinuxSupport
import MediaModel
import StatusModel

/// Waits for the screen to change, on behalf of requests. The display is read only while a request waits, and never more often
/// than the limits allow, for any number of requests.
@MainActor
final class ScreenWatch {
    /// The result of a wait.
    enum Sight: Sendable {
        /// A picture with another serial than the watcher's.
        case picture(ScreenPicture)
        /// A timeout without a change.
        case unchanged
        /// The screen cannot be read.
        case unreadable
        /// Too many watchers.
        case crowded
    }

    private let status: any StatusPublishing
    private let limits: ControlLimits
    /// By the serial that they know.
    private let watchers: WaitingRequests<UInt64?, Sight>
    private var lastLook: HostTime?
    private var isLookPlanned = false
    /// The number of the pending read.
    private var reading: UInt64?
    private var reads: UInt64 = 0
    private var couldRead = true
    private var isClosed = false

    init(status: any StatusPublishing, limits: ControlLimits) {
        self.status = status
        self.limits = limits
        watchers = WaitingRequests(limits)
    }

    /// Returns when the screen's picture is not `known`, at once if nothing is known.
    func next(after known: UInt64?) async -> Sight {
        guard !isClosed else { return .unreadable }
        guard !watchers.isFull else { return .crowded }
        return await watchers.wait(
            knowing: known, late: { [weak self] in self?.couldRead == true ? .unchanged : .unreadable }, begun: look)
    }

    /// Answers all watchers; later ones are not served.
    func close() {
        isClosed = true
        watchers.answer { _ in .unreadable }
    }

    /// Reads the screen now, or as soon as the limits allow.
    private func look() {
        guard !watchers.isEmpty, !isLookPlanned, reading == nil else { return }
        let now = RealTime.now
        if let lastLook, now - lastLook < limits.pictureInterval {
            return planLook(after: limits.pictureInterval - (now - lastLook))
        }
        lastLook = now
        reads += 1
        let number = reads
        reading = number
        status.readScreen { [weak self] in self?.didRead($0, number) }
        // A display that was stopped may never answer.
        if reading == number {
            RealTime.onMain(after: limits.readTimeout) { [weak self] in self?.giveUp(number) }
        }
    }

    private func planLook(after length: Duration) {
        isLookPlanned = true
        RealTime.onMain(after: length) { [weak self] in
            self?.isLookPlanned = false
            self?.look()
        }
    }

    private func giveUp(_ number: UInt64) {
        guard reading == number else { return }
        reading = nil
        couldRead = false
        look()
    }

    private func didRead(_ picture: ScreenPicture?, _ number: UInt64) {
        guard reading == number else { return }
        reading = nil
        couldRead = picture != nil
        watchers.answer { known in
            guard let picture else { return known == nil ? .unreadable : nil }
            return picture.serial != known ? .picture(picture) : nil
        }
        look()
    }
}
