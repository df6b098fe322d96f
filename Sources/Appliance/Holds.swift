import BoxModel
import LinuxSupport
import Viewing

/// The origin of a command.
enum Origin: Sendable, Hashable {
    /// A viewer, by a remote or a page with this name.
    case viewer(device: String)
    /// The start or end of a hold.
    case hold(HoldReason)
    /// The restored session, which was paused.
    case session

    /// The name in dumps and events.
    var name: String {
        switch self {
        case .viewer(let device): device
        case .hold(let reason): reason.rawValue
        case .session: "session"
        }
    }
}

/// The reasons that hold playback, and when it resumes. A value: events go in, decisions come out.
///
/// Interruptions (AVFoundation's term: announcements, another input of the television, heat) fade the sound out and pause. Several may be active; the
/// last to end decides. Playback resumes only if an interruption had paused it, the ending one allows it, and the viewer has not taken over by a key
/// or a command.
///
/// Losses (the screen, the sound device) pause at once. When the screen returns, playback resumes unless a key was pressed meanwhile. A sound device
/// that returns changes nothing. An emergency message pauses as a loss does, without a fade.
///
/// A kiosk may have no viewer who could resume: it resumes after another input of any length, and also if a key was pressed while the screen was lost.
struct Holds: Sendable, Hashable {
    /// What to do when an interruption has ended.
    enum End: Sendable, Hashable {
        /// Nothing: it had paused nothing, or others are still active.
        case none
        /// Restore the volume; the viewer decides whether to play.
        case restoreSound
        /// Resume playback.
        case goOn
    }

    /// After another input for longer than this, playback stays paused.
    private static let forgetsInput = Duration.seconds(300)

    /// The active interruptions, the oldest first.
    private(set) var interruptions: [HoldReason] = []
    /// Whether the interruptions paused playback.
    private var haveStopped = false
    /// Whether the viewer took over since they began. If so, only the viewer resumes.
    private var isTaken = false
    /// When the first of them began.
    private var since = HostTime.zero
    /// The loss that has paused playback.
    private var loss: HoldReason?
    private let isKiosk: Bool

    init(isKiosk: Bool = false) { self.isKiosk = isKiosk }

    /// What has paused playback until it is over; nil if the viewer decides when to resume.
    var holding: HoldReason? { loss == .display || loss == .emergency ? loss : pausesAfterFade }

    /// An interruption begins.
    ///
    /// - Returns: whether to fade the sound out; afterwards `fadedOut` decides.
    mutating func began(_ reason: HoldReason, isPlaying: Bool, at now: HostTime) -> Bool {
        interruptions.append(reason)
        guard interruptions.count == 1 else { return false }
        since = now
        isTaken = false
        haveStopped = isPlaying
        return isPlaying
    }

    /// The sound has been faded out. Returns the reason to pause; nil if the interruption has ended, or the viewer took over.
    var pausesAfterFade: HoldReason? { haveStopped && !isTaken ? interruptions.first : nil }

    /// An interruption ends.
    ///
    /// - Parameter mayGoOn: whether playback may resume automatically.
    mutating func ended(_ reason: HoldReason, mayGoOn: Bool, at now: HostTime) -> End {
        guard let index = interruptions.lastIndex(of: reason) else { return .none }
        interruptions.remove(at: index)
        guard interruptions.isEmpty, haveStopped else { return .none }
        haveStopped = false
        let isLate = !isKiosk && reason == .otherInput && now - since > Self.forgetsInput
        return mayGoOn && !isLate && !isTaken ? .goOn : .restoreSound
    }

    /// Something was lost, and playback has been paused.
    mutating func paused(for reason: HoldReason) { loss = reason }

    /// A lost device has returned. Interruptions that have begun meanwhile go on holding playback.
    ///
    /// - Returns: whether to resume playback.
    mutating func found(_ reason: HoldReason) -> Bool {
        guard loss == reason else { return false }
        loss = nil
        guard !interruptions.isEmpty, !isTaken else { return true }
        haveStopped = true
        return false
    }

    /// A key was pressed, held or released.
    mutating func keyChanged(_ event: RemoteEvent) {
        // A remote that is only moved is no act of the viewer. During an emergency message only the release of an older press comes here.
        guard event.phase != .motion, loss != .emergency else { return }
        if !isKiosk { loss = nil }
        guard event.phase == .press else { return }
        switch event.key {
        case .pause, .playpause, .play, .ok, .stop, .back, .home: isTaken = true
        default: break
        }
    }

    /// A command was received. Pause and play are the viewer's, unless a hold sent them.
    mutating func asked(_ command: RemoteCommand, by origin: Origin) {
        if case .hold = origin { return }
        switch command {
        case .play, .pause, .togglePlayPause, .stop: isTaken = true
        default: break
        }
    }
}
