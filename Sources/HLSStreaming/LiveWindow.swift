import HLSPlaylist
import MediaTime

/// The part of a presentation that can be played now. A pure function of a playlist and its place.
struct LiveWindow: Equatable {
    /// Where the first segment begins.
    var start: MediaTime
    /// Where the newest media ends, parts included.
    var edge: MediaTime
    /// How far behind the edge play should stay; zero on demand.
    var holdBack: MediaTime
    /// Whether it grows.
    var isLive: Bool
    /// Whether it is served in parts.
    var isLowLatency: Bool

    init(of playlist: MediaPlaylist, anchor: MediaTime) {
        start = anchor
        isLive = !playlist.hasEndList
        edge = anchor + playlist.totalDuration + (isLive ? playlist.trailingDuration : .zero)
        let target = playlist.targetDuration
        let control = playlist.serverControl
        isLowLatency = isLive && playlist.partTargetDuration != nil && !playlist.trailingOrRecentParts.isEmpty
        if !isLive {
            holdBack = .zero
        } else if isLowLatency, let part = playlist.partTargetDuration {
            // RFC 8216bis, 4.4.3.8: at least twice, better three times the target of a part.
            holdBack = max(control?.partHoldBack ?? part * 3, part * 2)
        } else {
            holdBack = max(control?.holdBack ?? target * 3, target * 3)
        }
    }

    /// What can be sought: up to the place where play does not run into the edge.
    var seekable: TimeRange { TimeRange(start: start, end: max(start, edge - holdBack)) }

    /// Where play begins by EXT-X-START, else at the beginning on demand and at the hold-back live.
    func start(by point: StartPoint?) -> MediaTime {
        guard let point else { return isLive ? seekable.end : start }
        let time = point.timeOffset < .zero ? edge + point.timeOffset : start + point.timeOffset
        let latest = isLive ? seekable.end : edge
        return min(max(start, time), latest)
    }
}

extension MediaPlaylist {
    /// Parts that the list still names.
    var trailingOrRecentParts: [PartialSegment] { trailingParts.isEmpty ? segments.last?.parts ?? [] : trailingParts }
}
