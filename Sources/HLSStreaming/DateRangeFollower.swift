import HLSPlaylist
import MediaModel
import MediaSources
import MediaTime
import URLReferences

/// The content of EXT-X-DATERANGE: interstitials, and metadata of ranges of the presentation.
@MainActor
final class DateRangeFollower {
    /// Ordered by time.
    private(set) var interstitials: [Interstitial] = []
    /// Ordered by time.
    private(set) var metadata: [DateRangeMetadata] = []
    private let context: StreamContext
    private let schedules: DateRangeSchedules

    /// What `update` changed.
    struct Changes: OptionSet {
        let rawValue: Int
        static let interstitials = Changes(rawValue: 1)
        static let metadata = Changes(rawValue: 2)
    }

    /// - Parameter onSchedule: called on the main loop when the schedule of a date range has been loaded: call `update` again
    ///   then.
    init(context: StreamContext, onSchedule: @escaping @MainActor () -> Void) {
        self.context = context
        schedules = DateRangeSchedules(context: context, onChange: onSchedule)
    }

    func close() { schedules.close() }

    /// Reads the date ranges of a playlist.
    func update(_ tracker: MediaPlaylistTracker, _ playlist: MediaPlaylist) -> Changes {
        guard !playlist.dateRanges.isEmpty || !interstitials.isEmpty || !metadata.isEmpty else { return [] }
        let entries = schedules.entries(of: playlist.dateRanges, base: tracker.url)
        let builder = InterstitialBuilder(playlist: playlist, anchor: tracker.anchor, url: tracker.url)
        var changes: Changes = []
        let freshMetadata = Self.metadata(of: entries, builder)
        if freshMetadata != metadata {
            metadata = freshMetadata
            changes.insert(.metadata)
        }
        let fresh = builder.interstitials(of: entries, known: interstitials)
        if fresh != interstitials {
            interstitials = fresh
            changes.insert(.interstitials)
        }
        return changes
    }

    /// Resolves the assets of an event; see `InterstitialSource.resolveAssets`.
    func resolveAssets(
        of event: Interstitial.Event, from offset: MediaTime = .zero,
        _ completion: @escaping @MainActor (_ assets: [InterstitialAsset]?, _ skip: Interstitial.SkipControl?) -> Void
    ) -> (any InterstitialAssetRequest)? {
        let completion = { [addresses = context.addresses] (assets: [InterstitialAsset]?, skip: Interstitial.SkipControl?) in
            // An asset that may not be named is left out; the others play.
            completion(assets.map { $0.filter { addresses.allows($0.url) } }, skip)
        }
        switch event.assets {
        case .asset(let url):
            completion([InterstitialAsset(url: url, duration: nil)], nil)
            return nil
        case .list(let url):
            if offset == .zero, let ready = schedules.preloaded(url) {
                let list = AssetList(ready.bytes, url: ready.url)
                completion(list?.assets, list?.skip)
                return nil
            }
            let address = offset == .zero ? url : Self.address(url, from: offset)
            let request = StreamRequest(kind: .assetList, role: .presentation, url: address)
            return StreamTask(request, context: context, state: { [context] in ReadingState(now: context.clock.now) }) {
                outcome in
                guard case .loaded(let response) = outcome else { return completion(nil, nil) }
                let list = AssetList(response.bytes, url: response.url)
                completion(list?.assets, list?.skip)
            }
        }
    }

    /// The address of a list for a viewer who comes to its event in the middle (RFC 8216bis, appendix D).
    private static func address(_ url: String, from offset: MediaTime) -> String {
        var reference = URLReference(url)
        let query = reference.query.map { $0.isEmpty ? "" : $0 + "&" } ?? ""
        reference.query = query + "_HLS_start_offset=\(Double(offset.milliseconds) / 1000)"
        return reference.description
    }

    private static func metadata(
        of entries: [DateRangeSchedules.Entry], _ builder: InterstitialBuilder
    ) -> [DateRangeMetadata] {
        entries.compactMap { entry -> DateRangeMetadata? in
            let range = entry.range
            guard let start = builder.time(of: range.startDate) else { return nil }
            return DateRangeMetadata(
                identifier: range.id, classifyingLabel: range.classID, start: start,
                end: range.resolvedEndDate.map { start + ($0 - range.startDate) },
                startDate: range.startDate.nanosecondsSinceEpoch, endDate: range.resolvedEndDate?.nanosecondsSinceEpoch,
                plannedDuration: range.plannedDuration,
                attributes: range.attributes.filter { $0.name.hasPrefix("X-") || $0.name.hasPrefix("SCTE35-") }.map {
                    .init(name: $0.name, value: $0.value)
                })
        }.sorted { ($0.start, $0.identifier) < ($1.start, $1.identifier) }
    }
}

extension StreamTask: InterstitialAssetRequest {}
