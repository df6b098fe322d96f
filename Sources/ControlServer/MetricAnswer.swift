import MediaModel
import MediaTime

/// The data of the event `metric`. What a kind does not have is left out. Times are seconds, rates bits per second.
struct MetricAnswer: Encodable, Sendable {
    struct Variant: Encodable, Sendable {
        var url: String
        var bandwidth: Double?
        var averageBandwidth: Double?

        init(_ facts: RenditionFacts) {
            url = facts.url
            bandwidth = facts.indicatedBitrate
            averageBandwidth = facts.indicatedAverageBitrate
        }
    }

    var kind: String
    var session: String
    var date: String?
    var mediaTime: Double
    var url: String?
    var serverAddress: String?
    var bytes: Int64?
    var timeToFirstByte: Double?
    var transferDuration: Double?
    var mediaType: String?
    var duration: Double?
    /// Whether it is an initialization section.
    var map: Bool?
    var from: Variant?
    var to: Variant?
    var startupTime: Double?
    var playbackDuration: Double?
    var stalls: Int?
    var droppedFrames: Int?
    var recoverableErrors: Int?
    var error: String?
    var requests: Int?
    var variantSwitches: Int?
    var seeks: Int?

    init(_ event: MetricEvent) {
        kind = event.kind.name
        session = event.sessionID
        date = event.date.map(NowAnswer.text)
        mediaTime = NowAnswer.seconds(event.mediaTime)
        switch event.kind {
        case .playlistRequest(let request), .contentKeyRequest(let request): fill(request)
        case .mediaSegmentRequest(let request, let mediaType, let duration):
            fill(request)
            self.mediaType = mediaType?.rawValue
            self.duration = duration.map(NowAnswer.seconds)
            map = mediaType == nil
        case .variantSwitch(let from, let to):
            self.from = from.map(Variant.init)
            self.to = Variant(to)
        case .stall, .seek: break
        case .summary(let summary): fill(summary)
        }
    }

    private mutating func fill(_ request: MetricEvent.Request) {
        url = request.url
        serverAddress = request.serverAddress
        bytes = request.byteCount
        timeToFirstByte = request.timeToFirstByte.map(Self.seconds)
        transferDuration = Self.seconds(request.transferDuration)
    }

    private mutating func fill(_ summary: MetricEvent.Summary) {
        startupTime = summary.startupTime.map(Self.seconds)
        playbackDuration = Self.seconds(summary.playbackDuration)
        stalls = summary.stallCount
        droppedFrames = summary.droppedFrameCount
        bytes = summary.byteCount
        recoverableErrors = summary.recoverableErrorCount
        error = summary.errorCode
        let counts = summary.counts
        requests = counts.playlistRequests + counts.mediaSegmentRequests + counts.contentKeyRequests
        variantSwitches = counts.variantSwitches
        seeks = counts.seeks
    }

    private static func seconds(_ length: Duration) -> Double { Double(length.wholeNanoseconds / 1_000_000) / 1000 }
}
