import LinuxSupport
import MediaModel
import PlayerInterface

/// Who asked for a command.
enum Origin: Sendable, Hashable {
    /// A viewer, by a remote or a page of this name.
    case viewer(device: String)
    /// What holds the box, or does no longer.
    case hold(HoldReason)
    /// The session that the box goes on with, which was paused.
    case session

    /// Its name in dumps and events.
    var name: String {
        switch self {
        case .viewer(let device): device
        case .hold(let reason): reason.rawValue
        case .session: "session"
        }
    }
}

/// What holds what plays, and what that means for going on. A value: what happened goes in, what is to be done comes out.
///
/// Interruptions (AVFoundation's: announcements, a television that shows something else, heat) fade the sound out and pause. Several may be there at a
/// time; the last to end decides. Play goes on only where it was an interruption that stopped it, its end lets it go on, and the viewer has taken over
/// neither by a key nor by a command meanwhile.
///
/// Losses (the screen, the sound device) pause at once. When the screen is there again play goes on, unless a key was touched meanwhile; a sound device
/// that is there again changes nothing.
struct Holds: Sendable, Hashable {
    /// What is to be done when an interruption has ended.
    enum End: Sendable, Hashable {
        /// Nothing: it stopped nothing, or others are still there.
        case none
        /// The sound comes back; whether anything plays is the viewer's.
        case restoreSound
        /// Play goes on.
        case goOn
    }

    /// Who comes back to this input later than this finds it paused.
    private static let forgetsInput = Duration.seconds(300)

    /// What interrupts, first come first.
    private(set) var interruptions: [HoldReason] = []
    /// Whether the interruptions stopped what was playing.
    private var haveStopped = false
    /// The viewer took over since they began: play is theirs to begin again.
    private var isTaken = false
    /// When the first of them began.
    private var since = HostTime.zero
    /// What was lost and has paused what plays.
    private var loss: HoldReason?

    /// Something interrupts.
    ///
    /// - Returns: whether the sound is to be faded out; then `fadedOut` says how it goes on.
    mutating func began(_ reason: HoldReason, isPlaying: Bool, at now: HostTime) -> Bool {
        interruptions.append(reason)
        guard interruptions.count == 1 else { return false }
        since = now
        isTaken = false
        haveStopped = isPlaying
        return isPlaying
    }

    /// The sound has been faded out. What to pause for; nil: it has ended already, or the viewer took over.
    var pausesAfterFade: HoldReason? { haveStopped && !isTaken ? interruptions.first : nil }

    /// An interruption has ended.
    ///
    /// - Parameter mayGoOn: whether play may resume automatically.
    mutating func ended(_ reason: HoldReason, mayGoOn: Bool, at now: HostTime) -> End {
        guard let index = interruptions.lastIndex(of: reason) else { return .none }
        interruptions.remove(at: index)
        guard interruptions.isEmpty, haveStopped else { return .none }
        haveStopped = false
        let isLate = reason == .otherInput && now - since > Self.forgetsInput
        return mayGoOn && !isLate && !isTaken ? .goOn : .restoreSound
    }

    /// Something was lost, and what plays has been paused for it.
    mutating func paused(for reason: HoldReason) { loss = reason }

    /// What was lost is there again.
    ///
    /// - Returns: whether play goes on.
    mutating func found(_ reason: HoldReason) -> Bool {
        guard loss == reason else { return false }
        loss = nil
        return true
    }

    /// A key was pressed, held or let go of.
    mutating func keyChanged(_ event: RemoteEvent) {
        loss = nil
        guard event.phase == .press else { return }
        switch event.key {
        case .pause, .playpause, .play, .ok, .stop, .back, .home: isTaken = true
        default: break
        }
    }

    /// Somebody asked for something: pause and play by command are the viewer's too, unless they are a hold's own.
    mutating func asked(_ command: RemoteCommand, by origin: Origin) {
        if case .hold = origin { return }
        switch command {
        case .play, .pause, .togglePlayPause, .stop: isTaken = true
        default: break
        }
    }
}
