import HLSPlaylist
import MediaModel
import MediaTime
import URLReferences

/// Builds interstitials from date ranges. A pure function of a playlist and its position.
struct InterstitialBuilder {
    var playlist: MediaPlaylist
    var anchor: MediaTime
    var url: String
    private let dates: SegmentDates

    init(playlist: MediaPlaylist, anchor: MediaTime, url: String) {
        (self.playlist, self.anchor, self.url) = (playlist, anchor, url)
        dates = SegmentDates(playlist.segments)
    }

    /// The interstitials of the playlist, ordered by time, and known ones whose tags have left the window.
    func interstitials(of entries: [DateRangeSchedules.Entry], known: [Interstitial]) -> [Interstitial] {
        var interstitials: [Interstitial] = []
        var seen: Set<String> = []
        let knownByID = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
        for entry in entries {
            guard let fresh = interstitial(entry.range, base: entry.base) else { continue }
            seen.insert(fresh.id)
            // A known one never moves: the timeline must not change during viewing.
            if let old = knownByID[fresh.id], !hasNews(fresh, since: old) {
                interstitials.append(old)
            } else {
                interstitials.append(fresh)
            }
        }
        interstitials += known.filter { !seen.contains($0.id) && (playlist.isOnDemand || $0.time < anchor) }
        return interstitials.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    }

    private func hasNews(_ fresh: Interstitial, since old: Interstitial) -> Bool {
        guard (fresh.time - old.time).magnitude <= .seconds(1), var event = fresh.event else { return true }
        event.time = old.time
        var same = fresh
        same.placement = .beside(event)
        return same != old
    }

    private func interstitial(_ range: DateRange, base: String) -> Interstitial? {
        guard let attributes = range.interstitial, let event = event(range, attributes, base: base) else { return nil }
        var restrictions: Interstitial.Restrictions = []
        if attributes.restrictions.contains(.skip) { restrictions.insert(.requiresPlaybackAtPreferredRateForAdvancement) }
        if attributes.restrictions.contains(.jump) { restrictions.insert(.constrainsSeekingForwardInPrimaryContent) }
        return Interstitial(
            id: range.id, event: event, restrictions: restrictions, repetition: range.cue.contains(.once) ? .once : .always,
            skip: attributes.skipControlOffset.map {
                .init(offset: $0, duration: attributes.skipControlDuration, labelID: attributes.skipControlLabelID)
            })
    }

    private func event(_ range: DateRange, _ attributes: InterstitialAttributes, base: String) -> Interstitial.Event? {
        let assets: Interstitial.Assets
        if let uri = attributes.assetURI {
            assets = .asset(url: URLReference.resolve(reference: uri, against: base))
        } else if let uri = attributes.assetListURI {
            assets = .list(url: URLReference.resolve(reference: uri, against: base))
        } else {
            return nil
        }
        var cue: Interstitial.Cue = []
        if range.cue.contains(.pre) { cue.insert(.joinCue) }
        if range.cue.contains(.post) { cue.insert(.leaveCue) }
        guard var time = time(of: range.startDate, cue) else { return nil }
        if attributes.snap.contains(.out) { time = anchor + playlist.boundary(nearest: time - anchor) }
        let isOnDemand = playlist.isOnDemand
        return Interstitial.Event(
            time: time, cue: cue, assets: assets, resumptionOffset: attributes.resumeOffset,
            playoutLimit: attributes.playoutLimit, alignsResumptionWithSegmentBoundary: attributes.snap.contains(.in),
            timelineOccupancy: isOnDemand && attributes.timelineOccupancy == .range ? .fill : .singlePoint,
            isHighlighted: attributes.timelineStyle == .highlight, contentMayVary: attributes.contentMayVary,
            plannedDuration: range.duration ?? range.endDate.map { $0 - range.startDate } ?? range.plannedDuration)
    }

    /// Asset time of a date. An event triggered by a cue has no position of its own: it is placed at the start or end of the
    /// presentation.
    private func time(of date: WallClockTime, _ cue: Interstitial.Cue) -> MediaTime? {
        if cue.contains(.joinCue) { return anchor }
        if cue.contains(.leaveCue) { return anchor + playlist.totalDuration }
        return time(of: date)
    }

    /// Asset time of a date; nil when the playlist has no dates.
    func time(of date: WallClockTime) -> MediaTime? { dates.time(of: date).map { anchor + $0 } }
}

extension MediaPlaylist {
    /// The segment boundary nearest to a time of the playlist's own timeline.
    func boundary(nearest time: MediaTime) -> MediaTime {
        guard time > .zero, let index = segments.index(containing: time) else { return min(max(time, .zero), totalDuration) }
        let before = segments.startTime(at: index)
        let after = index + 1 < segments.count ? segments.startTime(at: index + 1) : totalDuration
        return time - before <= after - time ? before : after
    }
}
