/// Maps between the asset time and the content time of one asset.
///
/// *Asset time* is the stream's own timeline, including spliced interstitials. *Content time* is asset time minus the
/// interstitial time before it; it does not advance inside an interstitial. The screen shows content time; markers, resume
/// positions and seeks of the API are asset time. The value is pure and immutable: a stream whose interstitials change gets
/// another timeline.
package struct AssetTimeline: Sendable, Hashable {
    /// The spliced interstitials ordered by start, without overlap and without empty ones.
    package let interstitials: [TimeRange]
    /// For each interstitial the content time at which it is spliced in, in ascending order.
    private let splices: [MediaTime]

    /// Makes the timeline of an asset with these interstitials. They are sorted; overlapping and touching ones are joined, which
    /// changes neither mapping.
    package init(interstitials: [TimeRange]) {
        var joined: [TimeRange] = []
        for range in interstitials.filter({ !$0.isEmpty }).sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            if let last = joined.last, range.start <= last.end {
                joined[joined.count - 1] = last.union(range)
            } else {
                joined.append(range)
            }
        }
        self.interstitials = joined
        var before = MediaTime.zero
        splices = joined.map { range in
            defer { before += range.duration }
            return range.start - before
        }
    }

    /// The content time at an asset time: monotone, and constant inside an interstitial.
    package func contentTime(at assetTime: MediaTime) -> MediaTime {
        let next = interstitials.partitioningIndex { $0.start >= assetTime }
        guard next > 0 else { return assetTime }
        return splices[next - 1] + max(.zero, assetTime - interstitials[next - 1].end)
    }

    /// The asset time at which a content time plays: never inside an interstitial.
    ///
    /// If an interstitial is spliced in at that content time, the result is the position after it: the content itself.
    package func assetTime(ofContent contentTime: MediaTime) -> MediaTime {
        let next = splices.partitioningIndex { $0 > contentTime }
        guard next > 0 else { return contentTime }
        return interstitials[next - 1].end + (contentTime - splices[next - 1])
    }

    /// The interstitial (joined with those it touches) at an asset time.
    package func interstitial(at assetTime: MediaTime) -> TimeRange? {
        let next = interstitials.partitioningIndex { $0.start > assetTime }
        guard next > 0, interstitials[next - 1].contains(assetTime) else { return nil }
        return interstitials[next - 1]
    }
}
