import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport

@testable import Playback

/// A film of numbers that is presented like a stream: with interstitials and metadata, and on request without a way to read only key pictures.
@MainActor
final class FakePresentation: InterstitialSource, MetadataSource {
    let events = EventSource<SourceEvent>()
    var interstitials: [Interstitial] = []
    var sessionData: [SessionDatum] = []
    var chapters: [StreamChapter] = []
    var dateRangeMetadata: [DateRangeMetadata] = []
    var readsKeyFrames = true
    /// The requests for lists of assets, in order.
    private(set) var requests: [AssetRequest] = []
    private let file: FileSource

    /// A request for a list of assets, which the test answers.
    final class AssetRequest: InterstitialAssetRequest {
        private(set) var isCancelled = false
        private var completion: (@MainActor ([InterstitialAsset]?, Interstitial.SkipControl?) -> Void)?

        init(_ completion: @escaping @MainActor ([InterstitialAsset]?, Interstitial.SkipControl?) -> Void) {
            self.completion = completion
        }

        /// - Parameter urls: nil if the list could not be loaded.
        func answer(_ urls: [String]?) {
            let completion = completion
            self.completion = nil
            completion?(urls?.map { InterstitialAsset(url: $0, duration: nil) }, nil)
        }

        func cancel() {
            isCancelled = true
            completion = nil
        }
    }

    init(_ url: String, services: PlaybackServices) {
        file = FileSource(
            stream: services.loader.stream(url), captions: TrackCueStores(), codecs: services.codecs, clock: services.clock,
            buffering: services.buffering)
    }

    func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void) {
        file.prepare(completion)
    }

    func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer { file.startReading(at: time, tracks: tracks) }

    func startReadingKeyFrames(_ reading: KeyFrameReading, track: TrackID) -> SampleBuffer? {
        readsKeyFrames ? file.startReadingKeyFrames(reading, track: track) : nil
    }

    func close() { file.close() }

    func resolveAssets(
        of event: Interstitial.Event, from offset: MediaTime,
        _ completion: @escaping @MainActor ([InterstitialAsset]?, Interstitial.SkipControl?) -> Void
    ) -> (any InterstitialAssetRequest)? {
        switch event.assets {
        case .asset(let url):
            completion([InterstitialAsset(url: url, duration: nil)], nil)
            return nil
        case .list:
            let request = AssetRequest(completion)
            requests.append(request)
            return request
        }
    }

    /// Segments last two seconds.
    func segmentBoundary(nearest time: MediaTime) -> MediaTime {
        .seconds((time + .seconds(1)).wholeSteps(of: .seconds(2)) * 2)
    }
}

extension PlayerRig {
    /// Makes a film the current item, as a presentation.
    @discardableResult
    func present(_ media: FakeMedia, configure: (FakePresentation) -> Void = { _ in }) -> (FakePresentation, PlayerItem) {
        loader.put(media, at: "film")
        loader.put(Array("#EXTM3U".utf8), at: "film.m3u8")
        let source = FakePresentation("film", services: player.services)
        configure(source)
        presentations["film.m3u8"] = source
        let item = PlayerItem(asset: Asset(url: "film.m3u8", services: player.services))
        player.replaceCurrentItem(with: item)
        return (source, item)
    }

    /// The reports about interstitials: `begin x 1/2`, `end x completed`, each change once.
    var interstitialLines: [String] {
        var lines: [String] = []
        for case (_, .interstitial(let change)) in events {
            switch change {
            case .schedule: break
            case .presenting(let status):
                let line = "begin \(status.interstitial.id) \(status.asset + 1)/\(status.assetCount)"
                if lines.last != line { lines.append(line) }
            case .ended(let interstitial, let outcome): lines.append("end \(interstitial.id) \(outcome.rawValue)")
            }
        }
        return lines
    }

    /// Whether frames of the presentation were shown in a range of seconds.
    func saw(_ range: Range<Int64>) -> Bool {
        frames.contains { $0.time >= seconds(range.lowerBound) && $0.time < seconds(range.upperBound) }
    }
}
