import BoxModel

/// The receiver of keys: the top layer.
package enum KeyContext: Sendable, Hashable {
    case standby, pin, longText, page, home, card, proposal, panel, scanning, scrubbing, loading, actionsRow, watching

    /// Whether the keys are for what plays: no overlay with keys lies over it.
    package var isPlayer: Bool {
        switch self {
        case .watching, .actionsRow, .scanning, .scrubbing, .loading: true
        case .standby, .pin, .longText, .page, .home, .card, .proposal, .panel: false
        }
    }

    /// Whether Left and Right are taps and holds that navigate.
    package var takesTaps: Bool { self == .watching || self == .scrubbing }

    /// Whether a held key moves something repeatedly. The panel decides for itself.
    package func isMoved(by key: RemoteKey, _ panel: Panel?) -> Bool {
        guard key.isArrow else { return false }
        return switch self {
        case .home, .page, .longText: true
        case .panel: panel?.isMoved(by: key) == true
        case .standby, .pin, .card, .proposal, .scanning, .scrubbing, .loading, .actionsRow, .watching: false
        }
    }

    /// Whether the motion of a pointing device moves a focus here, as the key of that direction would. It never seeks, and it closes nothing.
    package func isPointed(by key: RemoteKey, _ panel: Panel?) -> Bool {
        switch self {
        case .pin, .card, .proposal: key.isArrow
        case .actionsRow: [.left, .right].contains(key)
        case .home, .page, .longText, .panel, .standby, .scanning, .scrubbing, .loading, .watching: isMoved(by: key, panel)
        }
    }
}

extension RemoteKey {
    /// Whether it moves a focus.
    package var isArrow: Bool { [.up, .down, .left, .right].contains(self) }

    /// The direction of a tap or hold of the key, -1 or 1; nil for none.
    package var tapDirection: Int? {
        switch self {
        case .left: -1
        case .right: 1
        default: nil
        }
    }

    /// The direction in which the key moves the picture in a pause, -1 or 1; nil for none.
    package var frameDirection: Int? {
        switch self {
        case .rw: -1
        case .ff: 1
        default: nil
        }
    }
}

extension Intent {
    /// The meaning of a key with no overlay open; nil if it has none or depends on what is shown.
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
        // The colour keys in their order on a remote: shortcuts to functions of the panel and the channel list.
        case .red: self = .openPage(.channels)
        case .green, .audio: self = .openPanel(.audio)
        case .yellow: self = .openPanel(.subtitles)
        case .blue: self = .whatDidTheySay
        default: return nil
        }
    }
}
