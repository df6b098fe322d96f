import MediaModel

/// A line over the picture on which a delay is set, while its effect is seen and heard. OK keeps it, Back restores the one before.
struct DelayPage: Sendable, Equatable {
    /// What follows when it closes.
    enum Outcome: Sendable, Equatable {
        /// The programme goes on.
        case stay
        /// The test film ends, and this is opened again.
        case open(HomeContent.Entry)
        /// The test film ends with the page of Settings from which it was started.
        case settings
        /// The test film ends at Home.
        case home
    }

    let part: DelayedPart
    /// The delay that Back restores, in milliseconds.
    let origin: Int
    let outcome: Outcome

    init(_ part: DelayedPart, origin: Int, then outcome: Outcome = .stay) {
        (self.part, self.origin, self.outcome) = (part, origin, outcome)
    }

    /// - Parameter step: 1 if Left or Right points towards the end of the line, which is later.
    func act(_ key: RemoteKey, step: Int, in delays: Delays) -> KeyOutcome {
        switch key {
        case .left, .right:
            let (value, range) = (delays.value(of: part), delays.range(of: part))
            let next = min(max(value + step * part.step, range.lowerBound), range.upperBound)
            guard next != value else { return .refused(.noChange) }
            return .wants(.choose(.toggle(delays.setting(part, to: next))))
        case .ok: return .wants(.endDelay(self, keeps: true))
        case .back: return .wants(.endDelay(self, keeps: false))
        case .playpause, .play, .pause: return .playback(key)
        default: return .refused(.notSupported)
        }
    }

    func view(_ delays: Delays, strings: StringCatalogue) -> DelayView {
        let (value, range) = (delays.value(of: part), delays.range(of: part))
        return DelayView(
            title: strings.text(part == .sound ? .soundDelay : .subtitleDelay), value: strings.delay(value),
            percent: value * 100 / part.most, canLower: value > range.lowerBound, canRaise: value < range.upperBound,
            explanation: outcome == .stay ? nil : strings.text(.lipSyncTestExplained), hint: strings.text(.delayHint))
    }
}

/// A delay on a line over the picture, at its lower edge.
package struct DelayView: Sendable, Hashable {
    package var title: String
    /// The delay: "+120 ms".
    package var value: String
    /// The delay as a part of the largest one, -100…100.
    package var percent: Int
    /// Whether it can be smaller, and larger.
    package var canLower, canRaise: Bool
    /// What to look and listen for.
    package var explanation: String?
    /// What OK and Back do.
    package var hint: String

    package init(
        title: String, value: String, percent: Int, canLower: Bool = true, canRaise: Bool = true, explanation: String? = nil,
        hint: String
    ) {
        self.title = title
        self.value = value
        self.percent = percent
        self.canLower = canLower
        self.canRaise = canRaise
        self.explanation = explanation
        self.hint = hint
    }
}

extension DelayView: PageContent {
    package static let name = "delay"
    package static let hidesPicture = false
    package static let showsTime = false

    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("value", \.value), .init("percent", \.percent), .init("canLower", \.canLower),
            .init("canRaise", \.canRaise), .init("explanation", \.explanation), .init("hint", \.hint),
        ]
    }

    package func spoken(in strings: StringCatalogue) -> SpokenWords {
        SpokenWords(place: [title, explanation, hint], focus: [value])
    }
}
