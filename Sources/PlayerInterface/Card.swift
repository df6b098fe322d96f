import LinuxSupport
import MediaModel

/// The card in the middle of the screen: end of item, error, slow network, question. The first button retries or replays, the second goes Home.
struct Card: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case end
        case error(MediaError)
        case slow
        case stillWatching
        case sleepTimer

        var isError: Bool {
            if case .error = self { true } else { false }
        }
    }
    let kind: Kind
    private var focus = 0
    /// When something happens automatically: another try, or the next item of the queue.
    private(set) var deadline: HostTime?

    init(_ kind: Kind, until deadline: HostTime? = nil) {
        self.kind = kind
        self.deadline = deadline
        if case .error(let error) = kind, !error.code.mayPassByItself { focus = 1 }
    }

    // MARK: Time

    /// The next change of the countdown, which ticks once a second, or its end; nil without a countdown.
    func nextStep(at now: HostTime) -> HostTime? {
        deadline.map { $0 - .seconds(max(0, ($0 - now).wholeSecondsUp - 1)) }
    }

    /// Restarts the countdown, because a retry is under way.
    mutating func waitAgain(at now: HostTime) { deadline = now + Timing.retry }

    // MARK: Keys

    /// - Parameters:
    ///   - step: -1 or 1 along the buttons, for Left and Right.
    ///   - hasHome: whether Home has anything to show.
    mutating func act(_ key: RemoteKey, step: Int, hasHome: Bool) -> KeyOutcome {
        switch key {
        case .ok: return select(focus, hasHome: hasHome)
        case .playpause, .play: return select(0, hasHome: hasHome)
        case .left, .right:
            guard (0...1).contains(focus + step) else { return .refused(.noChange) }
            focus += step
            return .done
        case .back: return select(kind == .sleepTimer ? 0 : 1, hasHome: hasHome)
        default: return .refused(.notSupported)
        }
    }

    private func select(_ button: Int, hasHome: Bool) -> KeyOutcome {
        if kind == .sleepTimer { return .wants(button == 0 ? .choose(.setSleep(.off)) : .standby) }
        guard button == 0 else { return hasHome ? .wants(.leave) : .refused(.notSupported) }
        return switch kind {
        case .end: .wants(.replay)
        case .error, .slow: .wants(.retry)
        case .stillWatching: .wants(.keepWatching)
        case .sleepTimer: .done  // above
        }
    }

    // MARK: View

    /// What a card shows apart from its own content.
    struct Context: Sendable {
        let strings: StringCatalogue
        /// Title of the current item.
        let title: String?
        let subtitle: String?
        let hasHome: Bool
        /// Label of the current session; nil if there is none.
        let session: String?
        /// Seconds until the sleep timer fires.
        let secondsToSleep: Int64?
        let now: HostTime
    }

    func view(_ context: Context) -> CardView {
        let strings = context.strings
        switch kind {
        case .end:
            return CardView(
                kind: .end, title: context.title ?? "", message: context.subtitle, buttons: buttons(.replay, context))
        case .error(let error):
            let goesOn = deadline != nil && error.code != .networkDown
            return CardView(
                kind: .error, title: context.title ?? strings.text(.cannotPlay),
                message: strings.sentence(for: error.code) + (goesOn ? " " + strings.text(.movingOn) : ""),
                code: [error.code.rawValue, context.session].compactMap { $0 }.joined(separator: " · "),
                buttons: buttons(.tryAgain, context))
        case .slow:
            let left = deadline.map { "\(max(0, ($0 - context.now).wholeSecondsUp))" }
            return CardView(
                kind: .slow, title: strings.text(.slowCardTitle), message: context.title,
                buttons: buttons(left.map { strings.text(.tryAgainIn, $0) } ?? strings.text(.tryAgain), context))
        case .stillWatching:
            return CardView(
                kind: .stillWatching, title: strings.text(.stillWatching), message: context.title,
                buttons: buttons(.keepWatching, context))
        case .sleepTimer:
            return CardView(
                kind: .sleepTimer, title: strings.text(.sleepTimer),
                message: strings.text(.sleepingIn, TimeText.clock(context.secondsToSleep ?? 0)),
                buttons: buttons([strings.text(.stayAwake), strings.text(.sleepNow)]))
        }
    }

    private func buttons(_ first: Phrase, _ context: Context) -> [ButtonView] { buttons(context.strings.text(first), context) }

    private func buttons(_ first: String, _ context: Context) -> [ButtonView] {
        buttons(context.hasHome ? [first, context.strings.text(.home)] : [first])
    }

    private func buttons(_ titles: [String]) -> [ButtonView] {
        titles.enumerated().map { ButtonView(title: $1, isFocused: $0 == min(focus, titles.count - 1)) }
    }
}

extension ErrorCode {
    /// Whether a retry may help; then Try Again has focus, otherwise Home.
    fileprivate var mayPassByItself: Bool {
        switch self {
        case .networkDown, .networkSlow, .networkMetered, .sourceMissing, .sourceTimeout, .soundLost, .internal: true
        default: false
        }
    }
}

extension StringCatalogue {
    /// The viewer's sentence for an error.
    func sentence(for code: ErrorCode) -> String { text(Phrase(code)) }
}
