import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime

/// What kind of thing a request of a stream is for.
enum ResourceKind: String, Sendable, Hashable, CaseIterable {
    /// A media playlist, at first or again.
    case playlist
    /// EXT-X-MAP.
    case initialization
    /// EXT-X-KEY.
    case key
    /// A whole media segment.
    case segment
    /// EXT-X-PART.
    case part
    /// A list of the assets of an interstitial.
    case assetList
    /// A steering manifest.
    case steering
}

/// Which rendition a request is for.
enum RenditionRole: Sendable, Hashable {
    /// The variant's own playlist: pictures, or sound where there are none. By the index of the variant.
    case variant(Int)
    /// A rendition of sound beside the variant.
    case audio(TrackID)
    /// A rendition of captions.
    case text(TrackID)
    /// Key frames for scanning, by the index of the I-frame variant.
    case iFrames(Int)
    /// None: the presentation as a whole.
    case presentation
}

/// One request of a stream, as a policy sees it.
struct StreamRequest: Sendable, Hashable {
    /// What it is for.
    var kind: ResourceKind
    /// For whom.
    var role: RenditionRole
    /// Where it is.
    var url: String
    /// The media sequence number of the segment, where it is for one.
    var mediaSequence: Int64? = nil
    /// How long the media is that it brings, where it brings any.
    var duration: MediaTime? = nil
    /// Whether it may wait at the server for something that is not there yet (blocking reload, preload hint): it measures nothing.
    var isBlocking = false
}

/// How a reader stands when it asks.
struct ReadingState: Sendable, Hashable {
    /// Media that was fetched and not yet taken by the decoder.
    var bufferedDuration: MediaTime = .zero
    /// Whether this reading has delivered any media yet: before that a viewer looks at nothing, or at the old picture.
    var hasDelivered = false
    /// How far the place of reading is behind the newest media; nil on demand.
    var behindLive: MediaTime? = nil
    /// The clock.
    var now: HostTime = .zero
}

/// What a reader asks before each segment of the variant.
struct VariantQuestion: Sendable {
    /// The variant that the last segment was of.
    var current: Int
    /// Where the segment lies, in asset time.
    var startTime: MediaTime
    /// How long it is in the current variant.
    var duration: MediaTime
    /// The bytes of the segment in the current variant, where a byte range or EXT-X-BITRATE tells.
    var byteCount: Int64?
    /// How the reader stands.
    var state: ReadingState
}

/// How much of a body has come.
struct StreamProgress: Sendable {
    /// What is being loaded.
    var request: StreamRequest
    /// Bytes so far.
    var received: Int64
    /// Bytes in all, where known.
    var expected: Int64?
    /// From the request to now.
    var elapsed: Duration
    /// From the request to the first byte.
    var timeToFirstByte: Duration
    /// How the reader stands.
    var state: ReadingState
}

/// A load that has come to its end.
struct StreamLoad: Sendable {
    /// What was loaded.
    var request: StreamRequest
    /// The bytes of the body.
    var byteCount: Int64
    /// From the request to the first byte.
    var timeToFirstByte: Duration
    /// From the request to the last byte.
    var transferDuration: Duration
    /// Address after redirects.
    var url: String
    /// The server's address in numbers.
    var serverAddress: String?
    /// How the reader stands.
    var state: ReadingState
}

/// A load that has failed.
struct StreamFailure: Sendable {
    /// What was being loaded.
    var request: StreamRequest
    /// Why not; its `fault` says what went wrong with the transfer.
    var error: MediaError
    /// How often this very resource has failed, this time included.
    var attempts: Int
    /// How many segments in a row could not be had, this one not included.
    var missedSegments: Int
    /// Whether the playlist lists media behind it: what is behind a live edge will come.
    var hasMediaBehind: Bool
    /// How the reader stands.
    var state: ReadingState
}

/// What to do after a failure.
enum FailureAction: Sendable, Hashable {
    /// Ask again, for the same thing.
    case retry(after: Duration)
    /// Load the same place from another variant: another pathway, another rung. All renditions of the presentation follow.
    case use(variant: Int)
    /// Treat the segment as a gap and go on behind it. For what is no segment: go on without it.
    case skip
    /// Give up: the item fails once what is there has been played.
    case fail
}

/// What a stream decides by: which rung is loaded, and what is done when something cannot be had.
///
/// It is asked on the main loop, in an order that depends on nothing but what came in; it keeps no time of its own.
@MainActor
protocol StreamPolicy: AnyObject {
    /// The variant to begin with, an index into the list it was made with; nil when there is none that the box can play.
    func firstVariant() -> Int?
    /// The variant of which the next segment is loaded. Asked once a segment; the present one is a good answer.
    func variant(for question: VariantQuestion) -> Int
    /// Bytes have come.
    ///
    /// - Returns: the variant to load the same segment from instead, or nil to go on.
    func abandon(_ progress: StreamProgress) -> Int?
    /// Something has been loaded.
    func didLoad(_ load: StreamLoad)
    /// Something could not be loaded.
    func action(after failure: StreamFailure) -> FailureAction
    /// Content steering has spoken: pathways in order of preference.
    func setPathwayPriority(_ pathways: [String])
    /// The box cannot decode this variant in time.
    func decoderFallsBehind(_ variant: Int)
    /// There are more variants, behind those that it knows: each is another place of the one whose index stands for it.
    func add(_ variants: [Variant], standingFor bases: [Int])
}

extension StreamPolicy {
    func abandon(_ progress: StreamProgress) -> Int? { nil }
    func didLoad(_ load: StreamLoad) {}
    func setPathwayPriority(_ pathways: [String]) {}
    func decoderFallsBehind(_ variant: Int) {}
    func add(_ variants: [Variant], standingFor bases: [Int]) {}
}

/// The plainest policy: the best variant that fits the screen, for good; a segment that cannot be had is a gap, three in a row are an outage.
@MainActor
final class FixedPolicy: StreamPolicy {
    private let variants: [Variant]
    private let selection: VariantSelection
    /// So many segments in a row are an outage.
    private static let mostMisses = 3

    init(variants: [Variant], selection: VariantSelection) {
        self.variants = variants
        self.selection = selection
    }

    func firstVariant() -> Int? { selection.choose(from: variants) }

    func variant(for question: VariantQuestion) -> Int { question.current }

    func action(after failure: StreamFailure) -> FailureAction {
        switch failure.request.kind {
        case .segment, .part:
            if failure.missedSegments + 1 >= Self.mostMisses { return .fail }
            return failure.hasMediaBehind || failure.state.hasDelivered ? .skip : .fail
        case .playlist: return failure.state.behindLive != nil && failure.attempts < 6 ? .retry(after: .seconds(1)) : .fail
        case .steering, .assetList: return .skip
        case .initialization, .key: return .fail
        }
    }
}
