/// Asset time and content time of one asset, both ways.
///
/// *Asset time* is the stream's own timeline, spliced interstitials included. *Content time* is asset time less the
/// interstitial time before it, and stands still inside an interstitial. The screen shows content time; markers, resume places and seeks of the
/// API are asset time. The value is pure and never changes: a stream whose interstitials change has another timeline.
package struct AssetTimeline: Sendable, Hashable {
    /// The spliced interstitials in order of their start, without overlap and without empty ones.
    package let interstitials: [TimeRange]

    /// Makes the timeline of an asset with these interstitials. They are sorted; those that overlap or touch are joined, which changes neither mapping.
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

    /// The content time of a place in asset time: monotone, and constant inside an interstitial.
    package func contentTime(at assetTime: MediaTime) -> MediaTime {
        var content = assetTime
        for range in interstitials {
            guard range.start < assetTime else { break }
            content -= min(range.end, assetTime) - range.start
        }
        return content
    }

    /// The place in asset time at which a content time plays: never inside an interstitial.
    ///
    /// Where an interstitial is spliced in at that very content time, the answer is the place after it: the content itself.
    package func assetTime(ofContent contentTime: MediaTime) -> MediaTime {
        var asset = contentTime
        for range in interstitials {
            guard range.start <= asset else { break }
            asset += range.duration
        }
        return asset
    }

    /// The interstitial (joined with those it touches) that holds a place in asset time.
    package func interstitial(at assetTime: MediaTime) -> TimeRange? {
        interstitials.first { $0.contains(assetTime) }
    }
}
