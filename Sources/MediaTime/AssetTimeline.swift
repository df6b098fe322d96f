/// Maps between the asset time and the content time of one asset.
///
/// *Asset time* is the stream's own timeline, including spliced interstitials. *Content time* is asset time minus the
/// interstitial time before it; it does not advance inside an interstitial. The screen shows content time; markers, resume
/// positions and seeks of the API are asset time. The value is pure and immutable: a stream whose interstitials change gets
/// another timeline.
package struct AssetTimeline: Sendable, Hashable {
    /// The spliced interstitials ordered by start, without overlap and without empty ones.
    package let interstitials: [TimeRange]

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
    }

    /// The content time at an asset time: monotone, and constant inside an interstitial.
    package func contentTime(at assetTime: MediaTime) -> MediaTime {
        var content = assetTime
        for range in interstitials {
            guard range.start < assetTime else { break }
            content -= min(range.end, assetTime) - range.start
        }
        return content
    }

    /// The asset time at which a content time plays: never inside an interstitial.
    ///
    /// If an interstitial is spliced in at that content time, the result is the position after it: the content itself.
    package func assetTime(ofContent contentTime: MediaTime) -> MediaTime {
        var asset = contentTime
        for range in interstitials {
            guard range.start <= asset else { break }
            asset += range.duration
        }
        return asset
    }

    /// The interstitial (joined with those it touches) at an asset time.
    package func interstitial(at assetTime: MediaTime) -> TimeRange? {
        interstitials.first { $0.contains(assetTime) }
    }
}
