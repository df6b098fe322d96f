import HLSPlaylist
import MediaModel
import MediaTime
import URLReferences

/// Builds events from date ranges. A pure function of a playlist and its position.
struct InterstitialBuilder {
    var playlist: MediaPlaylist
    var anchor: MediaTime
    var url: String

    /// The events of the playlist, ordered by time, and known ones whose tags have left the window.
    func events(of entries: [DateRangeSchedules.Entry], known: [InterstitialEvent]) -> [InterstitialEvent] {
        var events: [InterstitialEvent] = []
        var seen: Set<String> = []
        for entry in entries {
            let range = entry.range
            guard let event = event(range, base: entry.base) else { continue }
            seen.insert(range.id)
            // A known event never moves: the timeline must not change during viewing.
            if let old = known.first(where: { $0.identifier == range.id }), !hasNews(event, since: old) {
                events.append(old)
            } else {
                events.append(event)
            }
        }
        events += known.filter { !seen.contains($0.identifier) && (playlist.hasEndList || $0.time < anchor) }
        return events.sorted { ($0.time, $0.identifier) < ($1.time, $1.identifier) }
    }

    private func hasNews(_ event: InterstitialEvent, since old: InterstitialEvent) -> Bool {
        var same = event
        same.time = old.time
        return same != old || (event.time - old.time).magnitude > .seconds(1)
    }

    private func event(_ range: DateRange, base: String) -> InterstitialEvent? {
        guard let attributes = range.interstitial else { return nil }
        let assets: InterstitialEvent.Assets
        if let uri = attributes.assetURI {
            assets = .asset(url: URLReference.resolve(reference: uri, against: base))
        } else if let uri = attributes.assetListURI {
            assets = .list(url: URLReference.resolve(reference: uri, against: base))
        } else {
            return nil
        }
        var cue: InterstitialEvent.Cue = []
        if range.cue.contains(.pre) { cue.insert(.joinCue) }
        if range.cue.contains(.post) { cue.insert(.leaveCue) }
        guard var time = time(of: range.startDate, cue) else { return nil }
        if attributes.snap.contains(.out) { time = anchor + playlist.boundary(nearest: time - anchor) }
        var restrictions: InterstitialEvent.Restrictions = []
        if attributes.restrictions.contains(.skip) { restrictions.insert(.requiresPlaybackAtPreferredRateForAdvancement) }
        if attributes.restrictions.contains(.jump) { restrictions.insert(.constrainsSeekingForwardInPrimaryContent) }
        let isOnDemand = playlist.hasEndList
        return InterstitialEvent(
            identifier: range.id, time: time, cue: cue, willPlayOnce: range.cue.contains(.once), assets: assets,
            resumptionOffset: attributes.resumeOffset, playoutLimit: attributes.playoutLimit,
            alignsResumptionWithSegmentBoundary: attributes.snap.contains(.in), restrictions: restrictions,
            timelineOccupancy: isOnDemand && attributes.timelineOccupancy == .range ? .fill : .singlePoint,
            isHighlighted: attributes.timelineStyle == .highlight, contentMayVary: attributes.contentMayVary,
            skipControl: attributes.skipControlOffset.map {
                .init(offset: $0, duration: attributes.skipControlDuration, labelID: attributes.skipControlLabelID)
            },
            plannedDuration: range.duration ?? range.endDate.map { $0 - range.startDate } ?? range.plannedDuration)
    }

    /// Asset time of a date. An event triggered by a cue has no position of its own: it is placed at the start or end of the
    /// presentation.
    private func time(of date: WallClockTime, _ cue: InterstitialEvent.Cue) -> MediaTime? {
        if cue.contains(.joinCue) { return anchor }
        if cue.contains(.leaveCue) { return anchor + playlist.totalDuration }
        return time(of: date)
    }

    /// Asset time of a date; nil when the playlist has no dates.
    func time(of date: WallClockTime) -> MediaTime? {
        let segments = playlist.segments
        if let inside = segments.time(of: date) { return anchor + inside }
        guard let first = segments.first, let firstDate = first.date, let last = segments.last, let lastDate = last.date else {
            return nil
        }
        if date < firstDate { return anchor + first.startTime + (date - firstDate) }
        if date >= lastDate { return anchor + last.startTime + (date - lastDate) }
        // In a gap between dates: the position after it.
        return segments.first { $0.date.map { $0 >= date } ?? false }.map { anchor + $0.startTime }
    }
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
