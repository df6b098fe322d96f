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
        /// A programme of the guide begins, on this channel.
        case reminder(Reminder, HomeContent.Entry)

        var isError: Bool {
            if case .error = self { true } else { false }
        }

        /// Whether the keys for playback go to what plays, which has nothing to do with the card.
        var leavesPlayback: Bool {
            if case .reminder = self { true } else { false }
        }
    }
    /// What happens automatically, and when.
    enum Countdown: Sendable, Equatable {
        /// Another try.
        case retry(at: HostTime)
        /// The next item of the queue.
        case moveOn(at: HostTime)
        /// The box goes to standby.
        case standBy(at: HostTime)
        /// The card closes.
        case close(at: HostTime)

        var deadline: HostTime {
            switch self {
            case .retry(let instant), .moveOn(let instant), .standBy(let instant), .close(let instant): instant
            }
        }
    }
    let kind: Kind
    private var focus = 0
    private(set) var countdown: Countdown?
    /// What is like the item that has ended.
    private var related: [HomeContent.Entry] = []
    private var row = RelatedRow()
    private var isInRow = false

    init(_ kind: Kind, then countdown: Countdown? = nil) {
        self.kind = kind
        self.countdown = countdown
        if case .error(let error) = kind, !error.mayPassByItself { focus = 1 }
    }

    // MARK: Time

    var deadline: HostTime? { countdown?.deadline }

    /// Whether it goes away by itself, and nothing like it comes after it.
    var closesByItself: Bool {
        switch countdown {
        case .standBy, .close: true
        case .retry, .moveOn, nil: kind == .sleepTimer
        }
    }

    /// Whether it tries again by itself.
    var retries: Bool {
        if case .retry = countdown { true } else { false }
    }

    /// The next change of the countdown, which ticks once a second, or its end; nil without a countdown.
    func nextStep(at now: HostTime) -> HostTime? {
        deadline.map { $0 - .seconds(max(0, ($0 - now).wholeSecondsUp - 1)) }
    }

    /// Restarts the countdown, because a retry is under way.
    mutating func waitAgain(at now: HostTime) { countdown = .retry(at: now + Timing.retry) }

    // MARK: What is like the item

    /// More is known about the item that has ended.
    mutating func take(_ new: [HomeContent.Entry]) { related = new }

    /// What can be played now. Where there is no Home, nothing is chosen.
    private func offered(_ context: Context) -> [HomeContent.Entry] {
        context.hasHome ? related.filter { $0.canPlay(isOffline: context.isOffline) } : []
    }

    // MARK: Keys

    /// - Parameter step: -1 or 1 along the buttons, for Left and Right.
    mutating func act(_ key: RemoteKey, step: Int, in context: Context) -> KeyOutcome {
        let (related, hasHome) = (offered(context), context.hasHome)
        if related.isEmpty { isInRow = false }
        switch key {
        case .down where !isInRow && !related.isEmpty, .up where isInRow:
            isInRow.toggle()
            return .done
        case .left where isInRow, .right where isInRow: return row.move(step, in: related, context.grid)
        case .ok where isInRow, .play where isInRow, .playpause where isInRow: return .wants(.open(row.entry(in: related)))
        case .play where kind.leavesPlayback, .pause where kind.leavesPlayback, .playpause where kind.leavesPlayback:
            return .playback(key)
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
        if case .reminder(_, let channel) = kind { return button == 0 ? .wants(.tune(channel)) : .closed }
        guard button == 0 else { return hasHome ? .wants(.leave) : .refused(.notSupported) }
        return switch kind {
        case .end: .wants(.replay)
        case .error, .slow: .wants(.retry)
        case .stillWatching: .wants(.keepWatching)
        case .sleepTimer, .reminder: .done  // above
        }
    }

    // MARK: View

    /// What a card shows apart from its own content.
    struct Context: Sendable {
        let strings: StringCatalogue
        /// Title of the current item.
        let title: String?
        let subtitle: String?
        /// Its picture.
        let artwork: String?
        /// Whether it is a live channel.
        let isChannel: Bool
        let hasHome: Bool
        /// Label of the current session; nil if there is none.
        let session: String?
        /// Seconds until the sleep timer fires.
        let secondsToSleep: Int64?
        /// Whether there is no network.
        var isOffline = false
        /// The arrangement of rows of posters.
        var grid = Metrics.Home.Grid.standard
        let now: HostTime
    }

    func view(_ context: Context) -> CardView {
        var card = self
        if offered(context).isEmpty { card.isInRow = false }
        return card.settledView(context)
    }

    private func settledView(_ context: Context) -> CardView {
        let strings = context.strings
        switch kind {
        case .end:
            return CardView(
                kind: .end, title: context.title ?? "", message: context.subtitle, artwork: context.artwork,
                buttons: buttons(.replay, context),
                related: row.view(offered(context), isFocused: isInRow, context.grid, strings))
        case .error(let error):
            return CardView(
                kind: .error, title: context.title ?? strings.text(.cannotPlay),
                message: strings.sentence(for: error, isRetried: retries, isChannel: context.isChannel),
                code: Self.code(error.code, context),
                countdown: movingOn(context), artwork: context.artwork, buttons: buttons(retryTitle(context), context))
        case .slow:
            return CardView(
                kind: .slow, title: strings.text(.slowCardTitle), message: context.title,
                code: Self.code(.networkSlow, context), artwork: context.artwork, buttons: buttons(retryTitle(context), context))
        case .stillWatching:
            return CardView(
                kind: .stillWatching, title: strings.text(.stillWatching), message: context.title,
                buttons: buttons(.keepWatching, context))
        case .sleepTimer:
            return CardView(
                kind: .sleepTimer, title: strings.text(.sleepTimer),
                message: strings.text(.sleepingIn, TimeText.clock(context.secondsToSleep ?? 0)),
                buttons: buttons([strings.text(.stayAwake), strings.text(.sleepNow)]))
        case .reminder(let reminder, let channel):
            return CardView(
                kind: .reminder, title: reminder.programme.title,
                message: strings.text(.reminderStarts, strings.timeOfDay(Int64(reminder.programme.start)), channel.title),
                buttons: buttons([strings.text(.watchNow), strings.text(.notNow)]))
        }
    }

    /// The line in small type with which a viewer who calls the operator names the problem.
    private static func code(_ code: ErrorCode, _ context: Context) -> String {
        [code.rawValue, context.session].compactMap { $0 }.joined(separator: " · ")
    }

    /// Try Again, with the seconds until that happens by itself.
    private func retryTitle(_ context: Context) -> String {
        guard retries, let deadline else { return context.strings.text(.tryAgain) }
        return context.strings.text(.tryAgainIn, "\(max(0, (deadline - context.now).wholeSecondsUp))")
    }

    /// When the next item of the queue begins; nil if it does not begin by itself.
    private func movingOn(_ context: Context) -> String? {
        guard case .moveOn(let instant) = countdown else { return nil }
        return context.strings.text(.movingOn, "\(max(0, (instant - context.now).wholeSecondsUp))")
    }

    private func buttons(_ first: Phrase, _ context: Context) -> [ButtonView] { buttons(context.strings.text(first), context) }

    private func buttons(_ first: String, _ context: Context) -> [ButtonView] {
        var all = buttons(context.hasHome ? [first, context.strings.text(.home)] : [first])
        if retries { all[0].plainTitle = context.strings.text(.tryAgain) }
        return all
    }

    private func buttons(_ titles: [String]) -> [ButtonView] {
        titles.enumerated().map { ButtonView(title: $1, isFocused: !isInRow && $0 == min(focus, titles.count - 1)) }
    }
}

extension MediaError {
    /// Whether a retry may help; then Try Again has focus, otherwise Home.
    var mayPassByItself: Bool {
        switch code {
        case .networkDown, .networkSlow, .networkMetered, .sourceMissing, .sourceTimeout, .clockUntrusted, .soundLost, .storage,
            .internal:
            true
        case .sourceFormat: fault?.isOfServer == true
        case .decoderUnsupported, .protected: false
        }
    }
}

extension StringCatalogue {
    /// The viewer's sentence for an error.
    func sentence(for code: ErrorCode) -> String { text(Phrase(code)) }

    /// The viewer's sentence for an error of an item, which says that it is tried again only if it is.
    func sentence(for error: MediaError, isRetried: Bool, isChannel: Bool) -> String {
        text(Phrase(error, isRetried: isRetried, isChannel: isChannel))
    }
}
