import LinuxSupport
import MediaTime

/// What surrounds an update at a moment.
package struct UpdateSurroundings: Sendable, Hashable {
    package var now: HostTime
    /// Seconds since local midnight; nil while the date is unknown.
    package var timeOfDay: Int?
    /// The last act of a viewer; nil if there was none since the start.
    package var lastKey: HostTime?
    package var hasNetwork: Bool
    package var isMetered: Bool
    /// Free space of the data partition in bytes; nil if it could not be read.
    package var freeBytes: Int64?
    /// In thousandths of a degree Celsius; nil without a sensor.
    package var temperature: Int?

    package init(
        now: HostTime, timeOfDay: Int?, lastKey: HostTime?, hasNetwork: Bool, isMetered: Bool, freeBytes: Int64?,
        temperature: Int?
    ) {
        self.now = now
        self.timeOfDay = timeOfDay
        self.lastKey = lastKey
        self.hasNetwork = hasNetwork
        self.isMetered = isMetered
        self.freeBytes = freeBytes
        self.temperature = temperature
    }
}

/// Why an update waits, the first reason that applies.
package enum UpdateHindrance: String, Sendable, Hashable, CaseIterable {
    case noNetwork, metered, lowSpace, heat, dateUnknown, outsideWindow, watched
    /// It failed, and is tried again later.
    case retry
}

/// The operator's rules for updates.
package struct UpdatePolicy: Sendable, Hashable {
    package var window: DailyWindow
    /// Which part of the boxes this one is, from 0 to 1: its part of the window begins that much later.
    package var spread: Double

    package init(window: DailyWindow, spread: Double) {
        self.window = window
        self.spread = spread
    }

    /// A viewer who pressed a key within this time is there.
    package static let attention = Duration.seconds(1800)
    /// What must be free on the data partition: the snapshot of places and settings, and the installer's own files.
    package static let freeBytes: Int64 = 64 << 20
    /// Processors of boxes slow down at 80 degrees and above.
    package static let hottest = 75_000
    /// The wait after a failed installation, doubled with each further one.
    package static let patience = Duration.seconds(900)...Duration.seconds(86_400)

    /// Why the box must not work on an update now.
    ///
    /// - Parameters:
    ///   - needsNetwork: false when the bundle is installed, and only the restart is left.
    ///   - isAsked: whether the operator has asked for it now.
    func hindrance(
        of notice: UpdateNotice, in box: UpdateSurroundings, needsNetwork: Bool = true, isAsked: Bool = false
    ) -> UpdateHindrance? {
        if needsNetwork {
            if !box.hasNetwork { return .noNetwork }
            if box.isMetered { return .metered }
            if let free = box.freeBytes, free < Self.freeBytes { return .lowSpace }
            if let temperature = box.temperature, temperature > Self.hottest { return .heat }
        }
        guard !notice.isCritical, !isAsked else { return nil }
        guard let timeOfDay = box.timeOfDay else { return .dateUnknown }
        guard window.contains(timeOfDay, spread: needsNetwork ? spread : 0) else { return .outsideWindow }
        if let key = box.lastKey, box.now - key < Self.attention { return .watched }
        return nil
    }
}

/// The course of an update: from the offer to the restart. A value: events go in, effects come out.
///
/// The installer is told to install, is asked nothing, and reports. An installation that is given up goes on where it was at the next attempt, because the
/// blocks that are already written are not loaded again.
package struct UpdateMachine: Sendable {
    package enum State: Sendable, Hashable {
        /// No offer concerns this box.
        case idle(UpdateExclusion?)
        case waiting(UpdateNotice, UpdateHindrance)
        /// With the share that is done, in percent.
        case installing(UpdateNotice, percent: Int)
        /// Written and verified; the next start is from it.
        case installed(UpdateNotice, UpdateHindrance?)
    }

    package enum Effect: Sendable, Hashable {
        case install(version: String, bundle: String)
        /// Ends the installation, and takes back a start from what is already installed.
        case cancel
        case restart
        /// A line for the log.
        case note(String)
    }

    /// What the installer reports.
    package enum Report: Sendable, Hashable {
        case progress(percent: Int)
        case installed
        /// With a sentence.
        case failed(String)
    }

    package private(set) var state = State.idle(nil)
    /// Of the offer in `state`, since the last success.
    package private(set) var failures = 0
    /// Why the last attempt failed; nil if none did, or one succeeded since.
    package private(set) var lastFailure: String?
    private let candidate: UpdateCandidate
    private let policy: UpdatePolicy
    /// What is already written and waits for the restart, from before this process.
    private let written: String?
    private var nextAttempt = HostTime.zero
    /// Whether the operator has asked for the offer in `state` now.
    private var isAsked = false
    /// When the installation began or the installer reported last.
    private var reportedAt = HostTime.zero
    /// An installer that reports nothing for this long has failed.
    package static let silence = Duration.seconds(1800)
    /// A restart takes less than this.
    private static let restartPatience = Duration.seconds(120)

    /// - Parameter written: the version that is installed and not started yet.
    package init(_ candidate: UpdateCandidate, policy: UpdatePolicy, written: String? = nil) {
        self.candidate = candidate
        self.policy = policy
        self.written = written
    }

    /// The offer that concerns this box.
    package var notice: UpdateNotice? {
        switch state {
        case .idle: nil
        case .waiting(let notice, _), .installing(let notice, _), .installed(let notice, _): notice
        }
    }

    /// A notice has arrived.
    ///
    /// - Parameter isAsked: whether the operator wants what it offers now: neither its hours nor viewers are waited for, and it is tried again at once.
    package mutating func take(_ offer: UpdateNotice, isAsked isAskedNow: Bool = false, _ box: UpdateSurroundings) -> [Effect] {
        let exclusion = offer.exclusion(of: candidate)
        if let notice, exclusion == nil, notice.version == offer.version, notice.bundle == offer.bundle {
            goOn(with: offer)
            if isAskedNow { (isAsked, nextAttempt) = (true, .zero) }
            return look(box)
        }
        var effects = withdrawal
        (failures, lastFailure, nextAttempt, isAsked) = (0, nil, .zero, isAskedNow)
        if let exclusion {
            if state != .idle(exclusion) { effects.append(.note("updates: \(offer.version) is not installed: \(exclusion)")) }
            state = .idle(exclusion)
            return effects
        }
        effects.append(.note("updates: \(offer.version) is offered"))
        state = offer.version.description == written ? .installed(offer, nil) : .waiting(offer, .outsideWindow)
        return effects + look(box)
    }

    /// The same release is offered to more or fewer boxes, or has become critical.
    private mutating func goOn(with offer: UpdateNotice) {
        switch state {
        case .idle: break
        case .waiting(_, let hindrance): state = .waiting(offer, hindrance)
        case .installing(_, let percent): state = .installing(offer, percent: percent)
        case .installed(_, let hindrance): state = .installed(offer, hindrance)
        }
    }

    /// What ends the work on the offer so far.
    private var withdrawal: [Effect] {
        switch state {
        case .idle, .waiting: []
        case .installing(let notice, _), .installed(let notice, _):
            [.cancel, .note("updates: \(notice.version) is not offered any more, and is given up")]
        }
    }

    /// Time has passed, or the surroundings have changed.
    package mutating func look(_ box: UpdateSurroundings) -> [Effect] {
        switch state {
        case .idle: return []
        case .waiting(let notice, _):
            if box.now < nextAttempt {
                state = .waiting(notice, .retry)
                return []
            }
            if let hindrance = policy.hindrance(of: notice, in: box, isAsked: isAsked) {
                state = .waiting(notice, hindrance)
                return []
            }
            state = .installing(notice, percent: 0)
            reportedAt = box.now
            return [
                .note("updates: \(notice.version) is being installed"),
                .install(version: notice.version.description, bundle: notice.bundle(for: candidate.board)),
            ]
        case .installing(let notice, _):
            if let hindrance = policy.hindrance(of: notice, in: box, isAsked: isAsked) {
                state = .waiting(notice, hindrance)
                return [.cancel, .note("updates: the installation of \(notice.version) pauses: \(hindrance.rawValue)")]
            }
            guard box.now - reportedAt >= Self.silence else { return [] }
            return [.cancel] + fail(notice, "the installer has not reported for half an hour", box)
        case .installed(let notice, _):
            let hindrance = policy.hindrance(of: notice, in: box, needsNetwork: false, isAsked: isAsked)
            state = .installed(notice, hindrance)
            guard hindrance == nil, box.now >= nextAttempt else { return [] }
            nextAttempt = box.now + Self.restartPatience
            return [.note("updates: restart into \(notice.version)"), .restart]
        }
    }

    /// The installer has reported.
    ///
    /// - Parameter version: the one that it was told to install.
    package mutating func take(_ report: Report, of version: String, _ box: UpdateSurroundings) -> [Effect] {
        guard case .installing(let notice, _) = state, notice.version.description == version else { return [] }
        reportedAt = box.now
        switch report {
        case .progress(let percent):
            state = .installing(notice, percent: min(max(percent, 0), 100))
            return look(box)
        case .installed:
            (failures, lastFailure) = (0, nil)
            nextAttempt = box.now
            state = .installed(notice, nil)
            return [.note("updates: \(notice.version) is installed")] + look(box)
        case .failed(let reason): return fail(notice, reason, box)
        }
    }

    private mutating func fail(_ notice: UpdateNotice, _ reason: String, _ box: UpdateSurroundings) -> [Effect] {
        failures = min(failures + 1, 16)
        lastFailure = reason
        nextAttempt = box.now + min(UpdatePolicy.patience.lowerBound * (1 << (failures - 1)), UpdatePolicy.patience.upperBound)
        state = .waiting(notice, .retry)
        return [.note("updates: \(notice.version) could not be installed: \(reason)")]
    }
}
