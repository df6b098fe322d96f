import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// The kind of resource of a request.
enum ResourceKind: String, Sendable, Hashable, CaseIterable {
    /// A media playlist, first load or reload.
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

    /// What bounds its body.
    var body: BodyKind {
        switch self {
        case .playlist: .playlist
        case .key: .key
        case .initialization, .segment, .part: .media
        case .assetList, .steering: .document
        }
    }
}

/// The rendition of a request.
enum RenditionRole: Sendable, Hashable {
    /// The variant's own playlist: pictures, or sound if there are none. By the variant's index.
    case variant(Int)
    /// An audio rendition.
    case audio(TrackID)
    /// A caption rendition.
    case text(TrackID)
    /// Key frames for scanning, by the index of the I-frame variant.
    case iFrames(Int)
    /// None: the presentation as a whole.
    case presentation
}

/// One request of a stream, as seen by a policy.
struct StreamRequest: Sendable, Hashable {
    var kind: ResourceKind
    var role: RenditionRole
    var url: String
    /// The media sequence number of the segment, if it is for one.
    var mediaSequence: Int64? = nil
    /// The duration of its media, if any.
    var duration: MediaTime? = nil
    /// Where its media is in asset time, if it is for a segment or part.
    var position: MediaTime? = nil
    /// Whether it may wait at the server for a future resource (blocking reload, preload hint): it is then not a measurement.
    var isBlocking = false
    /// Whether it is for a live playlist that was loaded before: the known segments can still be played.
    var isReload = false
    /// Whether it is for a segment that its playlist declares as missing (EXT-X-GAP): it is not made, and other variants may have it.
    var isGap = false
}

/// The state of a reader when it asks.
struct ReadingState: Sendable, Hashable {
    /// Media that was fetched and not yet taken by the decoder.
    var bufferedDuration: MediaTime = .zero
    /// Whether this reading run has delivered any media yet: before that the viewer sees nothing, or the old picture.
    var hasDelivered = false
    /// The distance of the reading position from the newest media; nil on demand.
    var behindLive: MediaTime? = nil
    /// When this reading run began; nil for one that need not be complete, of captions or key pictures: its media is not waited for.
    var began: HostTime? = nil
    var now: HostTime = .zero
}

/// A reader's question before each segment of the variant.
struct VariantQuestion: Sendable {
    /// The variant of the last segment.
    var current: Int
    /// The start of the segment, in asset time.
    var startTime: MediaTime
    /// Its duration in the current variant.
    var duration: MediaTime
    /// Its size in bytes in the current variant, from a byte range or EXT-X-BITRATE.
    var byteCount: Int64?
    var state: ReadingState
}

/// The progress of a body.
struct StreamProgress: Sendable {
    var request: StreamRequest
    /// Bytes so far.
    var received: Int64
    /// Bytes in total, if known.
    var expected: Int64?
    /// From the request to now.
    var elapsed: Duration
    /// From the request to the first byte.
    var timeToFirstByte: Duration
    var state: ReadingState
}

/// A completed load.
struct StreamLoad: Sendable {
    var request: StreamRequest
    /// The size of the body.
    var byteCount: Int64
    /// From the request to the first byte.
    var timeToFirstByte: Duration
    /// From the request to the last byte.
    var transferDuration: Duration
    /// Address after redirects.
    var url: String
    /// The server's numeric address.
    var serverAddress: String?
    /// Whether bytes of it were on this machine already, so that its times say nothing about the network.
    var isStored = false
    var state: ReadingState
}

/// A failed load.
struct StreamFailure: Sendable {
    var request: StreamRequest
    /// The error; its `fault` gives the kind of transfer failure.
    var error: MediaError
    /// How often this resource has failed, including this time.
    var attempts: Int
    /// How many consecutive segments could not be loaded before this one.
    var missedSegments: Int
    /// Whether the playlist lists media after it: media beyond a live edge will come.
    var hasMediaBehind: Bool
    var state: ReadingState
    /// Whether the playlist is loaded, and has had no news for too long.
    var isStuck = false
    /// Other variants whose media here is on this machine: a saved programme.
    var storedVariants: [Int] = []

    /// Whether what was loaded is not media.
    var isForeign: Bool {
        (request.kind == .segment || request.kind == .part) && error.code == .sourceFormat && error.fault == nil
    }
}

/// The action after a failure.
enum FailureAction: Sendable, Hashable {
    /// Repeat the request.
    case retry(after: Duration)
    /// Load the same position from another variant: another pathway, another rung. All renditions of the presentation follow.
    case use(variant: Int)
    /// Treat the segment as a gap and continue after it. For other resources: continue without it.
    case skip
    /// Give up: the item fails once the received media has been played.
    case fail
}

/// The decisions of a stream: which rung is loaded, and what is done after a failure.
///
/// It is called on the main loop, in an order that depends only on its input; it has no clock of its own.
@MainActor
protocol StreamPolicy: AnyObject {
    /// The first variant, an index into the list it was made with; nil when the box can play none.
    func firstVariant() -> Int?
    /// The variant of the next segment. Called once per segment; the current one is a valid answer.
    func variant(for question: VariantQuestion) -> Int
    /// Bytes have arrived.
    ///
    /// - Returns: the variant to load the same segment from instead, or nil to continue.
    func abandon(_ progress: StreamProgress) -> Int?
    /// A load has completed.
    func didLoad(_ load: StreamLoad)
    /// A load has failed.
    func action(after failure: StreamFailure) -> FailureAction
    /// Content steering has set the pathways, in order of preference.
    func setPathwayPriority(_ pathways: [String])
    /// The box cannot decode this variant in time.
    func decoderFallsBehind(_ variant: Int)
    /// Adds variants after the known ones: each is another location of the variant with its base index.
    func add(_ variants: [Variant], standingFor bases: [Int])
}

extension StreamPolicy {
    func abandon(_ progress: StreamProgress) -> Int? { nil }
    func didLoad(_ load: StreamLoad) {}
    func setPathwayPriority(_ pathways: [String]) {}
    func decoderFallsBehind(_ variant: Int) {}
    func add(_ variants: [Variant], standingFor bases: [Int]) {}
}

/// The simplest policy: always the best variant that fits the screen; a segment that cannot be loaded is a gap, three in a row
/// are an outage.
@MainActor
final class FixedPolicy: StreamPolicy {
    private let variants: [Variant]
    private let selection: VariantSelection
    /// This many consecutive missed segments are an outage.
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
            if failure.isForeign { return .fail }
            if failure.request.isGap { return .skip }
            if failure.missedSegments + 1 >= Self.mostMisses { return .fail }
            return failure.hasMediaBehind || failure.state.hasDelivered ? .skip : .fail
        case .playlist: return failure.state.behindLive != nil && failure.attempts < 6 ? .retry(after: .seconds(1)) : .fail
        case .steering, .assetList: return .skip
        case .initialization, .key: return .fail
        }
    }
}

extension StreamLoad {
    /// A load, from its response.
    init(_ request: StreamRequest, _ response: ByteResponse, byteCount: Int, state: ReadingState) {
        self.init(
            request: request, byteCount: Int64(byteCount), timeToFirstByte: response.timeToFirstByte,
            transferDuration: response.transferDuration, url: response.url, serverAddress: response.serverAddress,
            isStored: response.isStored, state: state)
    }
}
