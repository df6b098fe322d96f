import LinuxSupport
import MediaTime
import Screens
import StatusModel

/// The rules about the screen at every moment of a simulated life. A value: it is told what is seen, and answers with the first breach.
struct Invariants {
    /// What is seen of the box at one moment.
    struct Sight {
        var now: Duration
        /// Whether the box has power and its process runs.
        var isRunning: Bool
        /// Whether a television is connected and receives a signal.
        var canBeSeen: Bool
        /// Whether words are on the screen. Asked for only when it matters, like `state`: a life has millions of moments.
        var hasWords: () -> Bool
        /// Whether a page that the viewer has opened covers the picture.
        var isCovered: () -> Bool
        var state: () -> NowPlaying.State
        /// The position in asset time; nil if nothing plays.
        var position: () -> MediaTime?
        /// When the newest picture appeared; nil if there was none.
        var picture: Duration?
        /// Since when no fault of the world lasts; nil while one does.
        var healthySince: Duration?
        /// When the viewer last pressed a key; nil if never.
        var lastKey: Duration?
    }

    /// The screen may show neither picture nor words for this long.
    static let longestNothing = Duration.seconds(3)
    /// After the last fault has ended, playback continues within this time.
    static let longestRecovery = Duration.seconds(30)
    /// A picture that is due every two seconds is missing after this time.
    static let pictureInterval = Duration.seconds(3)

    private let isKiosk: Bool
    private var lastSomething = Duration.zero
    /// The position when it was last seen to change behind a page, and when that was.
    private var lastMotion: (position: MediaTime, time: Duration)?

    init(isKiosk: Bool) { self.isKiosk = isKiosk }

    /// Looks at the box; called at least once a second.
    ///
    /// - Returns: the sentence of a breach; nil if all rules hold.
    mutating func check(_ sight: Sight) -> String? {
        nothingIsShown(sight) ?? recoveryIsLate(sight)
    }

    private mutating func nothingIsShown(_ sight: Sight) -> String? {
        let isPicture = sight.picture.map { sight.now - $0 < Self.pictureInterval } ?? false
        // A paused picture does not change; that the viewer paused it was said when it happened.
        if !sight.isRunning || !sight.canBeSeen || isPicture || sight.hasWords() || sight.state() == .paused {
            lastSomething = sight.now
        }
        let length = sight.now - lastSomething
        guard length > Self.longestNothing else { return nil }
        return "there was neither a moving picture nor words for \(length.seconds) s (the box says: \(sight.state().rawValue))"
    }

    private mutating func recoveryIsLate(_ sight: Sight) -> String? {
        guard let healthySince = sight.healthySince, sight.isRunning, sight.canBeSeen else { return nil }
        noteMotion(sight)
        let since = max(healthySince, sight.lastKey ?? .zero, sight.picture ?? .zero, lastMotion?.time ?? .zero)
        let length = sight.now - since
        guard length > Self.longestRecovery, isWaiting(sight) else { return nil }
        return "\(length.seconds) s after the last fault and the last key nothing plays (the box says: \(sight.state().rawValue))"
    }

    /// Behind a page there is no picture, and the sound goes on.
    private mutating func noteMotion(_ sight: Sight) {
        let hasNewPicture = sight.picture.map { sight.now - $0 < Self.pictureInterval } ?? false
        guard !hasNewPicture, sight.isCovered(), let position = sight.position(), position != lastMotion?.position else { return }
        lastMotion = (position, sight.now)
    }

    /// Whether something should play.
    private func isWaiting(_ sight: Sight) -> Bool {
        switch sight.state() {
        case .loading, .buffering, .playing, .failed: true
        case .home, .paused, .ended: isKiosk
        case .standby: false
        }
    }
}

extension PresentationState {
    /// Whether there are words for the viewer, or another sign that the box is at work.
    var hasWords: Bool {
        home != nil || setUp != nil || card != nil || spinner != nil || page != nil || pin != nil || longText != nil
            || notice != nil
            || toast != nil || bar != nil || panel != nil || proposal != nil || audioOnly != nil || poster?.title != nil
            || title != nil || channelBanner != nil || screenSaver != nil
    }

    /// Whether a page covers the picture: settings, search or the guide.
    var coversPicture: Bool { page != nil && video.frame.isEmpty }
}
