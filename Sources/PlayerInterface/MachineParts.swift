import LinuxSupport
import MediaModel
import MediaTime

/// What the viewer does with the time of the item.
enum Mode: Sendable, Equatable {
    /// It plays or stands still.
    case watching
    /// The viewer looks for a place while it stands still.
    case scrubbing(Scrub)
    /// The viewer looks for a place at a multiple of its speed.
    case scanning(Scan)
}

/// A search for a place while paused.
struct Scrub: Sendable, Equatable {
    /// Where Back returns to, in asset time.
    let origin: MediaTime
    /// Where the search is, in content time.
    var content: MediaTime
    /// The direction of the last tap: 1 or -1.
    var direction: Int
    /// When the viewer turned round last.
    var turned: HostTime?
    /// A key is held: since when, and when the last step was.
    var hold: (since: HostTime, stepped: HostTime)?

    /// What a tap walks: ten seconds, or one when it turns round and within a second after that.
    func step(_ direction: Int, at now: HostTime) -> MediaTime {
        let turned = direction == self.direction ? turned : now
        let isFine = turned.map { now - $0 <= Timing.fineStepWindow } ?? false
        return (isFine ? Timing.fineStep : Timing.skip) * direction
    }

    static func == (left: Scrub, right: Scrub) -> Bool {
        left.origin == right.origin && left.content == right.content && left.direction == right.direction
            && left.turned == right.turned
            && left.hold?.since == right.hold?.since && left.hold?.stepped == right.hold?.stepped
    }
}

/// A search at a multiple of the speed.
struct Scan: Sendable, Equatable {
    /// Where Back returns to, in asset time.
    let origin: MediaTime
    /// Whether it played before.
    let wasPlaying: Bool
    /// Where the search is, in content time.
    var content: MediaTime
    /// -4…4; 0 is ordinary speed on the way through it.
    var level: Int
    /// When the last step was.
    var stepped: HostTime
    /// Since when the level is 0.
    var settling: HostTime?
    /// The rate at which the player passes over key pictures; nil: passing pictures are sought one by one.
    var rate: Ratio?
}

/// A seek that is under way.
struct PendingSeek: Sendable, Equatable {
    let id: SeekID
    /// In asset time.
    let target: MediaTime
    /// Whether it only shows what scanning or scrubbing passes.
    let isPreview: Bool
}

/// Taps that follow each other closely: one navigation.
struct TapRun: Sendable, Equatable {
    /// Where the viewer was before the first, in asset time.
    let origin: MediaTime
    /// Where they lead, in content time.
    var target: MediaTime
    var lastTap: HostTime
}

/// An interstitial that the viewer was sent back to, and where they go after it.
struct Enforcement: Sendable, Equatable {
    var range: InterstitialRange
    /// In asset time; never inside a range.
    var savedTarget: MediaTime
}

/// The transport bar, as far as it is not a function of other things.
struct BarModel: Sendable, Equatable {
    var isVisible = false
    var focus = TransportBarView.Focus.none
    /// "Back to undo" is offered.
    var offersUndo = false

    mutating func show(_ focus: TransportBarView.Focus) {
        isVisible = true
        self.focus = focus
    }

    mutating func hide() { self = BarModel() }
}

/// The open panel.
struct PanelModel: Sendable, Equatable {
    var tab: PanelView.Tab
    var focus = PanelView.Focus.tabs
    /// The menu of Subtitles, Audio or Picture.
    var menu: MenuModel?
}

/// The card in the middle.
struct CardModel: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case end
        case error(MediaError)
        case slow
        case stillWatching
        case sleepTimer
    }
    let kind: Kind
    var focus: Int
    /// When something happens by itself: another try, or the next of the queue.
    var deadline: HostTime?
}

/// The deadlines of the timers that run.
struct TimerBook: Sendable, Equatable {
    private var deadlines: [InterfaceTimer: HostTime] = [:]

    subscript(_ timer: InterfaceTimer) -> HostTime? {
        get { deadlines[timer] }
        set { deadlines[timer] = newValue }
    }
}
