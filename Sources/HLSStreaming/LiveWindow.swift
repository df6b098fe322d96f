import HLSPlaylist
import MediaTime

/// The playable part of a presentation. A pure function of a playlist and its position.
struct LiveWindow: Equatable {
    /// The start of the first segment.
    var start: MediaTime
    /// The end of the newest media, including parts.
    var edge: MediaTime
    /// The distance to keep from the edge; zero on demand.
    var holdBack: MediaTime
    /// Whether it grows.
    var isLive: Bool
    /// Whether it is served in parts.
    var isLowLatency: Bool

    /// - Parameter slides: whether segments have left it, whatever its type says.
    init(of playlist: MediaPlaylist, anchor: MediaTime, slides: Bool = false) {
        start = anchor
        isLive = !playlist.isOnDemand || slides && !playlist.hasEndList
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

    /// The range for seeking: up to the position at which playback does not run into the edge.
    var seekable: TimeRange { TimeRange(start: start, end: max(start, edge - holdBack)) }

    /// The start of playback: by EXT-X-START, otherwise the start on demand and the hold-back live.
    func start(by point: StartPoint?) -> MediaTime {
        guard let point else { return isLive ? seekable.end : start }
        let time = point.timeOffset < .zero ? edge + point.timeOffset : start + point.timeOffset
        let latest = isLive ? seekable.end : edge
        return min(max(start, time), latest)
    }
}

extension MediaPlaylist {
    /// The newest parts in the playlist.
    var trailingOrRecentParts: [PartialSegment] { trailingParts.isEmpty ? segments.last?.parts ?? [] : trailingParts }
}
