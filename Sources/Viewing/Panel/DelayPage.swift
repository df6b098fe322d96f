import BoxModel
import Screens

/// A line over the picture on which a delay is set, while its effect is seen and heard. OK keeps it, Back restores the one before.
package struct DelayPage: Sendable, Equatable {
    /// What follows when it closes.
    package enum Outcome: Sendable, Equatable {
        /// The programme goes on.
        case stay
        /// The test film ends, and this is opened again.
        case open(HomeContent.Entry)
        /// The test film ends with the page of Settings from which it was started.
        case settings
        /// The test film ends at Home.
        case home
    }

    package let part: DelayedPart
    /// The delay that Back restores, in milliseconds.
    package let origin: Int
    package let outcome: Outcome

    package init(_ part: DelayedPart, origin: Int, then outcome: Outcome = .stay) {
        (self.part, self.origin, self.outcome) = (part, origin, outcome)
    }

    /// - Parameter step: 1 if Left or Right points towards the end of the line, which is later.
    package func act(_ key: RemoteKey, step: Int, in delays: Delays) -> KeyOutcome {
        switch key {
        case .left, .right:
            let (value, range) = (delays.value(of: part), delays.range(of: part))
            let next = min(max(value + step * part.step, range.lowerBound), range.upperBound)
            guard next != value else { return .refused(.noChange) }
            return .wants(.choose(.toggle(delays.setting(part, to: next))))
        case .ok: return .wants(.endDelay(keeps: true))
        case .back: return .wants(.endDelay(keeps: false))
        case .playpause, .play, .pause: return .playback(key)
        default: return .refused(.notSupported)
        }
    }

    package func view(_ delays: Delays, strings: StringCatalogue) -> DelayView {
        let (value, range) = (delays.value(of: part), delays.range(of: part))
        return DelayView(
            title: strings.text(part == .sound ? .soundDelay : .subtitleDelay), value: strings.delay(value),
            percent: value * 100 / part.most, canLower: value > range.lowerBound, canRaise: value < range.upperBound,
            explanation: outcome == .stay ? nil : strings.text(.lipSyncTestExplained), hint: strings.text(.delayHint))
    }
}
