import LinuxSupport
import MediaTime
import MessageBus
import StatusModel
import WireFormats

/// The properties of `org.mpris.MediaPlayer2.Player` (MPRIS 2.2), made from what is playing. A value.
struct PlayerProperties {
    private let now: NowPlaying

    init(_ now: NowPlaying) { self.now = now }

    /// All but `Position`, which clients compute themselves.
    var announced: [String: BusValue] {
        let hasItem = trackID != Self.noTrack
        let rate = playbackRate
        return [
            "PlaybackStatus": .text(playbackStatus), "Metadata": .table(metadata),
            "Rate": .number(rate), "MinimumRate": .number(min(rate, 1)), "MaximumRate": .number(max(rate, 1)),
            // The volume is the television's.
            "Volume": .number(1),
            "CanGoNext": .flag(hasItem), "CanGoPrevious": .flag(hasItem), "CanPlay": .flag(hasItem), "CanPause": .flag(hasItem),
            "CanSeek": .flag(hasItem && now.elapsed != nil && !now.requiresLinearPlayback), "CanControl": .flag(true),
        ]
    }

    /// The value of one property; nil if there is none of this name.
    func value(of name: String, at instant: HostTime) -> BusValue? {
        name == "Position" ? .int64(position(at: instant)) : announced[name]
    }

    /// Content time in microseconds; 0 without a programme.
    func position(at instant: HostTime) -> Int64 {
        guard let elapsed = now.elapsed else { return 0 }
        let passed = Int128((instant - now.hostTime).wholeNanoseconds) * Int128(now.rate.numerator)
        return Int64(clamping: Int128(elapsed.microseconds) + passed / Int128(now.rate.denominator) / 1000)
    }

    /// Whether the programme is elsewhere than clients expect who know `earlier`.
    func hasJumped(since earlier: PlayerProperties) -> Bool {
        guard trackID == earlier.trackID, now.elapsed != nil, earlier.now.elapsed != nil else { return false }
        let difference = position(at: now.hostTime).subtractingReportingOverflow(earlier.position(at: now.hostTime))
        return difference.overflow || difference.partialValue.magnitude > 1_000_000
    }

    static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

    /// The id of the item as an object, whose name may have letters, digits and underscores only.
    var trackID: String {
        guard now.state != .home, now.state != .standby, let id = now.id, !id.isEmpty else { return Self.noTrack }
        return "/marquee/item/\(id.utf8.hexadecimal)"
    }

    private var playbackStatus: String {
        switch now.state {
        case .standby, .home, .ended, .failed: "Stopped"
        case .paused: "Paused"
        case .loading, .playing, .buffering: "Playing"
        }
    }

    /// Never 0: what is paused has its status.
    private var playbackRate: Double { now.rate == .zero ? 1 : now.rate.approximateValue }

    private var metadata: [String: BusValue] {
        var found: [String: BusValue] = ["mpris:trackid": .path(trackID)]
        found["mpris:length"] = now.duration.map { .int64($0.microseconds) }
        found["mpris:artUrl"] = now.artworkURL.map { .text($0) }
        found["xesam:title"] = now.title.map { .text($0) }
        found["xesam:album"] = now.subtitle.map { .text($0) }
        return found
    }
}

extension MediaTime {
    /// Rounded down.
    fileprivate var microseconds: Int64 { Int64(clamping: Int128(value) * 1_000_000 / Int128(timescale)) }
}
