import MediaModel
import MediaTime
import URLReferences

/// `GET /v1/now`. Times are seconds with three decimal places, measured `age` seconds before the answer; a client adds `rate` for
/// each second since.
struct NowAnswer: Encodable, Sendable {
    struct Fault: Encodable, Sendable {
        var code: String
        var sentence: String
    }

    var state: String
    var id: String?
    var title: String?
    var subtitle: String?
    /// In content time.
    var elapsed: Double?
    /// In content time.
    var duration: Double?
    /// In asset time.
    var assetTime: Double?
    var rate: Double
    var age: Double
    var interstitialLabel: String?
    var requiresLinearPlayback: Bool
    var error: Fault?

    init(_ now: NowPlaying, age: Duration) {
        state = now.state.rawValue
        // An item opened by its address has the address as id.
        id = now.id.map { $0.contains("://") ? Redaction.withoutSecrets($0) : $0 }
        title = now.title
        subtitle = now.subtitle
        elapsed = now.elapsed.map(Self.seconds)
        duration = now.duration.map(Self.seconds)
        assetTime = now.assetTime.map(Self.seconds)
        rate = now.rate.approximateValue
        let (seconds, attoseconds) = age.components
        self.age = max(0, Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1000)
        interstitialLabel = now.interstitialLabel
        requiresLinearPlayback = now.requiresLinearPlayback
        error = now.error.map { Fault(code: $0.code.rawValue, sentence: $0.sentence) }
    }

    private static func seconds(_ time: MediaTime) -> Double { Double(time.milliseconds) / 1000 }
}

/// `GET /v1/log`: the oldest line first.
struct LogAnswer: Encodable, Sendable {
    var lines: [String]
}

/// The answer to keys and commands.
struct CommandAnswer: Encodable, Sendable {
    var result: String
    var reason: String?

    init(_ answer: CommandResult) {
        switch answer {
        case .success: result = "success"
        case .failed(let reason):
            result = "failed"
            self.reason = reason.rawValue
        }
    }
}

/// A request that was not understood or not allowed, with one sentence.
struct RefusalAnswer: Encodable, Sendable {
    var error: String
}
