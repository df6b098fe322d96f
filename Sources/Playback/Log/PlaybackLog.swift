import MediaModel
import MediaTime
import URLReferences

/// The access log and the error log of one item: a value that is given events.
///
/// An event of the access log is one uninterrupted period of one variant: a switch, a seek and the end close it, and a closed event never changes.
package struct PlaybackLog: Sendable {
    /// Identifies a playback of one box.
    package let sessionID: String
    /// The limits of both logs, for streams that play for weeks: the oldest entries are dropped.
    package static let mostEvents = 500
    private var closed: [AccessLogEvent] = []
    private var open: OpenEvent?
    /// What came before the first picture, with which the first period begins.
    private var early = OpenEvent()
    private var errors: [ErrorLogEvent] = []
    /// The entries that were dropped from the access log, as one.
    private var earlier: AccessLogEvent?
    private var startupTime: Duration?
    private var lastServer: String?
    private var measured = BitrateStatistics()
    private var isMetered = false

    /// Makes an empty log.
    package init(sessionID: String) { self.sessionID = sessionID }

    /// The access log: closed events and the current one, oldest first.
    package var accessEvents: [AccessLogEvent] { closed + (open.map { [$0.event] } ?? []) }

    /// The closed access events.
    package var closedAccessEvents: [AccessLogEvent] { closed }

    /// The error log, oldest first.
    package var errorEvents: [ErrorLogEvent] { errors }

    /// All periods combined, also those that the log dropped: the statistics of a whole playback.
    package var summary: AccessLogEvent { AccessLogEvent.sum((earlier.map { [$0] } ?? []) + accessEvents) }

    /// All errors by their codes, also those that the log dropped.
    package private(set) var errorCounts: [String: ErrorCount] = [:]

    /// The metric events of the playback that neither log counts.
    package private(set) var metricCounts = MetricEvent.Counts()

    /// Errors with one code.
    package struct ErrorCount: Sendable {
        package private(set) var count = 0
        /// How many of them ended the playback.
        package private(set) var fatal = 0
        package private(set) var last: ErrorLogEvent

        init(last: ErrorLogEvent) { self.last = last }

        mutating func add(_ event: ErrorLogEvent) {
            count += 1
            fatal += event.isFatal ? 1 : 0
            last = event
        }
    }

    // MARK: Events

    /// A period begins: at the start, after a seek, or with another variant.
    ///
    /// - Parameters:
    ///   - facts: the played variant.
    ///   - type: `FILE`, `VOD` or `LIVE`.
    ///   - date: nanoseconds since the start of 1970, if known.
    ///   - offset: asset time.
    package mutating func begin(_ facts: RenditionFacts, type: String, date: Int64?, offset: MediaTime) {
        let switched = open.map { $0.facts.url != facts.url } ?? false
        close()
        var opened = early
        early = OpenEvent()
        opened.facts = facts
        var event = opened.event
        event.uri = Redaction.withoutSecrets(facts.url)
        event.playbackSessionID = sessionID
        event.playbackStartDate = date
        event.playbackStartOffset = offset
        event.playbackType = type
        event.indicatedBitrate = facts.indicatedBitrate
        event.indicatedAverageBitrate = facts.indicatedAverageBitrate
        event.numberOfStalls = 0
        event.durationWatched = .zero
        event.numberOfDroppedVideoFrames = 0
        event.serverAddress = event.serverAddress ?? lastServer
        if switched { event.switchBitrate = measured.recent }
        if let startupTime {
            event.startupTime = startupTime
            self.startupTime = nil
        }
        opened.event = event
        open = opened
    }

    /// An event of the source.
    package mutating func take(_ entry: SourceLogEntry, date: Int64?, position: MediaTime) {
        switch entry {
        case .delivering(let facts):
            guard let open, open.facts != facts else { return }
            begin(facts, type: open.event.playbackType ?? "VOD", date: date, offset: position)
        case .transferred(let transfer):
            measured.add(transfer)
            count { $0.add(transfer, isMetered: $1) }
            lastServer = transfer.serverAddress ?? lastServer
        case .failed(let url, let error): note(error, url: url, date: date, isFatal: false)
        }
    }

    /// More has come of a request that lasts as long as a film is read.
    package mutating func take(_ request: ResourceRequest) {
        count { $0.add(request, isMetered: $1) }
        if request.isOver { measured.add(request.whole) }
        lastServer = request.whole.serverAddress ?? lastServer
    }

    private mutating func count(_ add: (inout OpenEvent, _ isMetered: Bool) -> Void) {
        let isMetered = isMetered
        if var period = open {
            add(&period, isMetered)
            open = period
        } else if closed.isEmpty {
            add(&early, isMetered)
        }
    }

    /// An error occurred.
    package mutating func note(_ error: MediaError, url: String?, date: Int64?, isFatal: Bool) {
        var status: Int?
        if case .status(let code) = error.fault { status = code }
        let event = ErrorLogEvent(
            date: date, uri: url.map(Redaction.withoutSecrets), serverAddress: lastServer, playbackSessionID: sessionID,
            errorStatusCode: status, errorDomain: error.code.rawValue, errorComment: error.sentence, isFatal: isFatal)
        errorCounts[event.errorDomain, default: ErrorCount(last: event)].add(event)
        errors.append(event)
        if errors.count > Self.mostEvents { errors.removeFirst() }
    }

    /// A metric event occurred.
    package mutating func count(_ kind: MetricEvent.Kind) { metricCounts.add(kind) }

    /// The playback as a whole, for its last metric event.
    package var metricSummary: MetricEvent.Summary {
        let all = summary
        return MetricEvent.Summary(
            startupTime: all.startupTime, playbackDuration: all.durationWatched ?? .zero, stallCount: all.numberOfStalls ?? 0,
            droppedFrameCount: all.numberOfDroppedVideoFrames ?? 0, byteCount: all.numberOfBytesTransferred ?? 0,
            recoverableErrorCount: errorCounts.values.reduce(0) { $0 + $1.count - $1.fatal },
            errorCode: errors.last { $0.isFatal }?.errorDomain, counts: metricCounts)
    }

    /// The first picture was shown.
    package mutating func started(after length: Duration) {
        if open == nil { startupTime = length } else { open?.event.startupTime = length }
    }

    /// Playback stalled.
    package mutating func stalled() { open?.event.numberOfStalls? += 1 }

    /// Adds a played duration.
    package mutating func watched(_ length: Duration) { open?.event.durationWatched? += length }

    /// Adds frames that were decoded and not shown.
    package mutating func dropped(_ count: Int) { open?.event.numberOfDroppedVideoFrames? += count }

    /// Sets whether further loads use a mobile network.
    package mutating func setMetered(_ isMetered: Bool) { self.isMetered = isMetered }

    /// Closes the current event.
    package mutating func close() {
        guard let open else { return }
        closed.append(open.event)
        if closed.count > Self.mostEvents { earlier = AccessLogEvent.sum((earlier.map { [$0] } ?? []) + [closed.removeFirst()]) }
        self.open = nil
    }
}

/// The current event with the data for its statistics.
private struct OpenEvent: Sendable {
    var facts = RenditionFacts(url: "")
    var event = AccessLogEvent()
    private var statistics = BitrateStatistics()
    private var videoBytes: Int64 = 0
    private var videoDuration = MediaTime.zero
    private var audioBytes: Int64 = 0
    private var audioDuration = MediaTime.zero

    /// More has come of a request that lasts long.
    mutating func add(_ request: ResourceRequest, isMetered: Bool) {
        if request.isNew { addRequest(isMetered: isMetered) }
        addBytes(request.newBytes, in: request.newDuration, from: request.whole.serverAddress)
        if request.isOver { addRate(of: request.whole) }
    }

    private mutating func addRequest(isMetered: Bool) {
        event.numberOfMediaRequests = (event.numberOfMediaRequests ?? 0) + 1
        if isMetered { event.mediaRequestsWWAN = (event.mediaRequestsWWAN ?? 0) + 1 }
    }

    private mutating func addBytes(_ count: Int64, in length: Duration, from server: String?) {
        event.numberOfBytesTransferred = (event.numberOfBytesTransferred ?? 0) + count
        let duration = (event.transferDuration ?? .zero) + length
        event.transferDuration = duration
        if duration > .zero { event.observedBitrate = Double(event.numberOfBytesTransferred ?? 0) * 8 / duration.inSeconds }
        guard let server else { return }
        if let known = event.serverAddress, known != server {
            event.numberOfServerAddressChanges = (event.numberOfServerAddressChanges ?? 0) + 1
        }
        event.serverAddress = server
    }

    private mutating func addRate(of transfer: MediaTransfer) {
        statistics.add(transfer)
        event.observedMinBitrate = statistics.least
        event.observedMaxBitrate = statistics.most
        event.observedBitrateStandardDeviation = statistics.standardDeviation
    }

    mutating func add(_ transfer: MediaTransfer, isMetered: Bool) {
        addRequest(isMetered: isMetered)
        addBytes(transfer.byteCount, in: transfer.transferDuration, from: transfer.serverAddress)
        guard transfer.mediaType != nil else { return }
        addRate(of: transfer)
        guard let length = transfer.mediaDuration else { return }
        event.segmentsDownloadedDuration = (event.segmentsDownloadedDuration ?? .zero) + length
        if transfer.transferDuration.inSeconds > length.inSeconds { event.downloadOverdue = (event.downloadOverdue ?? 0) + 1 }
        if transfer.mediaType == .audio {
            audioBytes += transfer.byteCount
            audioDuration += length
            event.averageAudioBitrate = audioDuration > .zero ? Double(audioBytes) * 8 / audioDuration.inSeconds : nil
        } else if transfer.mediaType == .video {
            videoBytes += transfer.byteCount
            videoDuration += length
            event.averageVideoBitrate = videoDuration > .zero ? Double(videoBytes) * 8 / videoDuration.inSeconds : nil
        }
    }
}

/// Mean and deviation of the transfer rates, by Welford's method.
private struct BitrateStatistics: Sendable {
    private(set) var least: Double?
    private(set) var most: Double?
    private(set) var recent: Double?
    private var count = 0.0
    private var mean = 0.0
    private var squares = 0.0

    mutating func add(_ transfer: MediaTransfer) {
        guard transfer.mediaType != nil, transfer.transferDuration > .zero else { return }
        let rate = Double(transfer.byteCount) * 8 / transfer.transferDuration.inSeconds
        least = min(least ?? rate, rate)
        most = max(most ?? rate, rate)
        recent = rate
        count += 1
        let deviation = rate - mean
        mean += deviation / count
        squares += deviation * (rate - mean)
    }

    var standardDeviation: Double? { count > 1 ? (squares / (count - 1)).squareRoot() : nil }
}

extension Duration {
    /// As seconds with a fraction.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension MediaTime {
    /// As seconds with a fraction: for statistics only, never for positions.
    fileprivate var inSeconds: Double { Double(nanoseconds) / 1e9 }
}
