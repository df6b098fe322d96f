import MediaModel

/// Where the keys go now: the top layer.
enum KeyContext: Sendable, Hashable {
    case standby, pin, longText, page, home, card, proposal, panel, scanning, scrubbing, loading, actionsRow, watching

    init(_ overlay: Overlay.Kind) {
        switch overlay {
        case .panel: self = .panel
        case .proposal: self = .proposal
        case .page: self = .page
        case .longText: self = .longText
        case .card: self = .card
        case .pin: self = .pin
        }
    }

    /// Whether the keys are for what plays: no overlay with keys lies over it.
    var isPlayer: Bool {
        switch self {
        case .watching, .actionsRow, .scanning, .scrubbing, .loading: true
        case .standby, .pin, .longText, .page, .home, .card, .proposal, .panel: false
        }
    }

    /// Whether Left and Right are taps and holds, which lead to another place.
    var takesTaps: Bool { self == .watching || self == .scrubbing }

    /// Whether a key that is held moves something again and again. The panel decides itself.
    func isMoved(by key: RemoteKey, _ panel: Panel?) -> Bool {
        guard [.up, .down, .left, .right].contains(key) else { return false }
        return switch self {
        case .home, .page, .longText: true
        case .panel: panel?.isMoved(by: key) == true
        case .standby, .pin, .card, .proposal, .scanning, .scrubbing, .loading, .actionsRow, .watching: false
        }
    }
}

extension RemoteKey {
    /// Where a tap or a hold of it leads: -1 or 1; nil: nowhere.
    var tapDirection: Int? {
        switch self {
        case .left: -1
        case .right: 1
        default: nil
        }
    }
}

extension Intent {
    /// What a key means while the viewer watches; nil: nothing, or it depends on what is shown.
    init?(whileWatching key: RemoteKey) {
        switch key {
        case .playpause: self = .togglePlayPause
        case .play: self = .play
        case .pause: self = .pause
        case .down, .menu: self = .openPanel(nil)
        case .info: self = .openPanel(.info)
        case .ff: self = .scan(1)
        case .rw: self = .scan(-1)
        case .next: self = .nextChapter
        case .prev: self = .previousChapter
        case .subtitle: self = .cycleSubtitles
        // The colours in the order in which they lie on a remote: each is a shortcut to what six keys reach in the panel and the list.
        case .red: self = .openChannelList
        case .green, .audio: self = .openPanel(.audio)
        case .yellow: self = .openPanel(.subtitles)
        case .blue: self = .whatDidTheySay
        default: return nil
        }
    }
}
