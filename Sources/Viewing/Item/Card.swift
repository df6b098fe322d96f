import BoxModel
import LinuxSupport
import MediaModel
import Screens

/// The card in the middle of the screen: end of item, error, slow network, question. The first button retries or replays, the second goes Home.
package struct Card: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case end
        case error(MediaError)
        case slow
        case stillWatching
        case sleepTimer
        /// A programme of the guide begins, on this channel.
        case reminder(Reminder, HomeContent.Entry)

        package var isError: Bool {
            if case .error = self { true } else { false }
        }

        /// Whether the keys for playback go to what plays, which has nothing to do with the card.
        package var leavesPlayback: Bool {
            if case .reminder = self { true } else { false }
        }
    }
    /// What happens automatically, and when.
    package enum Countdown: Sendable, Equatable {
        /// Another try.
        case retry(at: HostTime)
        /// The next item of the queue.
        case moveOn(at: HostTime)
        /// The box goes to standby.
        case standBy(at: HostTime)
        /// The card closes.
        case close(at: HostTime)

        package var deadline: HostTime {
            switch self {
            case .retry(let instant), .moveOn(let instant), .standBy(let instant), .close(let instant): instant
            }
        }
    }
    /// Its buttons in their order.
    private enum Button: Sendable, Equatable {
        /// The next episode, after the end of one or where one cannot be played.
        case nextEpisode
        /// What the card is about: replay, try again, go on.
        case main
        /// The list of channels, where one has failed.
        case channels
        /// Home, or what declines.
        case other
    }

    package let kind: Kind
    /// nil: the first button.
    private var focus: Button?
    package private(set) var countdown: Countdown?
    /// What is like the item that has ended.
    private var related: [HomeContent.Entry] = []
    private var row = RelatedRow()
    private var isInRow = false

    package init(_ kind: Kind, then countdown: Countdown? = nil) {
        self.kind = kind
        self.countdown = countdown
        if case .error(let error) = kind, !error.mayPassByItself { focus = .other }
    }

    /// Whether another try of what has failed is under way. The card stays meanwhile, so that what is waited for is told in one way.
    package private(set) var isTrying = false

    /// It has failed again. Focus stays where the viewer has put it.
    package mutating func failed(again error: MediaError, then countdown: Countdown?) {
        var card = Card(.error(error), then: countdown)
        card.focus = focus
        self = card
    }

    // MARK: Time

    var deadline: HostTime? { countdown?.deadline }

    /// Whether it goes away by itself, and nothing like it comes after it.
    package var closesByItself: Bool {
        switch countdown {
        case .standBy, .close: true
        case .retry, .moveOn, nil: kind == .sleepTimer
        }
    }

    /// Whether it tries again by itself.
    package var retries: Bool {
        if case .retry = countdown { true } else { false }
    }

    /// The next change of the countdown, which ticks once a second, or its end; nil without a countdown.
    package func nextStep(at now: HostTime) -> HostTime? {
        deadline.map { $0 - .seconds(max(0, ($0 - now).wholeSecondsUp - 1)) }
    }

    /// A try begins. While the network is slow the next one follows by itself; an error tells how this one ends.
    package mutating func tryAgain(at now: HostTime) {
        isTrying = kind.isError
        countdown = isTrying ? nil : .retry(at: now + Timing.retry)
    }

    // MARK: What is like the item

    /// More is known about the item that has ended.
    package mutating func take(_ new: [HomeContent.Entry]) { related = new }

    /// What can be played now. Where there is no Home, nothing is chosen.
    private func offered(_ context: Context) -> [HomeContent.Entry] {
        context.hasHome ? related.filter { $0.canPlay(isOffline: context.isOffline) } : []
    }

    // MARK: Keys

    private func buttons(_ context: Context) -> [Button] {
        let home: [Button] = context.hasHome ? [.other] : [], next: [Button] = context.nextEpisode ? [.nextEpisode] : []
        return switch kind {
        case .sleepTimer, .reminder: [.main, .other]
        case .end: next + [.main] + home
        case .error: [.main] + next + (context.isChannel && context.hasChannels ? [.channels] : []) + home
        case .slow, .stillWatching: [.main] + home
        }
    }

    /// The button that has focus, or would have it.
    private func focused(_ context: Context) -> Button {
        let all = buttons(context)
        return focus.flatMap { $0 == .other || all.contains($0) ? $0 : nil } ?? all[0]
    }

    /// Whether focus is on what declines.
    package var declines: Bool { focus == .other }

    private mutating func move(_ step: Int, _ context: Context) -> KeyOutcome {
        let all = buttons(context)
        guard let index = all.firstIndex(of: focused(context)), all.indices.contains(index + step) else {
            return .refused(.noChange)
        }
        focus = all[index + step]
        return .done
    }

    /// - Parameter step: -1 or 1 along the buttons, for Left and Right.
    package mutating func act(_ key: RemoteKey, step: Int, in context: Context) -> KeyOutcome {
        let related = offered(context)
        if related.isEmpty { isInRow = false }
        switch key {
        case .down where !isInRow && !related.isEmpty, .up where isInRow:
            isInRow.toggle()
            return .done
        case .left where isInRow, .right where isInRow: return row.move(step, in: related, context.grid)
        case .ok where isInRow, .play where isInRow, .playpause where isInRow: return .wants(.open(row.entry(in: related)))
        case .play where kind.leavesPlayback, .pause where kind.leavesPlayback, .playpause where kind.leavesPlayback:
            return .playback(key)
        case .ok: return select(focused(context), in: context)
        case .playpause, .play: return select(.main, in: context)
        case .left, .right: return move(step, context)
        // More than two may stand below one another.
        case .up where buttons(context).count > 2, .down where buttons(context).count > 2:
            return move(key == .up ? -1 : 1, context)
        case .back where isOfItem: return context.hasHome ? .wants(.goBack) : .refused(.notSupported)
        case .back: return select(kind == .sleepTimer ? .main : .other, in: context)
        default: return .refused(.notSupported)
        }
    }

    /// Whether Back leaves what plays.
    private var isOfItem: Bool {
        switch kind {
        case .end, .error, .slow, .stillWatching: true
        case .sleepTimer, .reminder: false
        }
    }

    private func select(_ button: Button, in context: Context) -> KeyOutcome {
        if button == .nextEpisode { return .wants(.nextEpisode) }
        if button == .channels { return .wants(.openPage(.channels)) }
        if kind == .sleepTimer { return .wants(button == .main ? .choose(.setSleep(.off)) : .standby) }
        if case .reminder(_, let channel) = kind { return button == .main ? .wants(.tune(channel)) : .closed }
        guard button == .main else { return context.hasHome ? .wants(.leave) : .refused(.notSupported) }
        return switch kind {
        case .end: .wants(.replay)
        case .error, .slow: .wants(.retry)
        case .stillWatching: .wants(.keepWatching)
        case .sleepTimer, .reminder: .done  // above
        }
    }

    // MARK: View

    /// What a card shows apart from its own content.
    package struct Context: Sendable {
        let strings: StringCatalogue
        /// Title of the current item.
        let title: String?
        let subtitle: String?
        /// Its picture.
        let artwork: String?
        /// Whether it is a live channel.
        let isChannel: Bool
        /// Whether there is a list of channels.
        let hasChannels: Bool
        let hasHome: Bool
        /// Label of the current session; nil if there is none.
        let session: String?
        /// Whether the item has a next episode.
        var nextEpisode = false
        /// Seconds until the sleep timer fires.
        let secondsToSleep: Int64?
        /// What ends then.
        let sleepTitle: Phrase
        /// Whether there is no network.
        var isOffline = false
        /// The arrangement of rows of posters.
        var grid = Metrics.Home.Grid.standard
        let now: HostTime

        package init(
            strings: StringCatalogue, title: String?, subtitle: String?, artwork: String?, isChannel: Bool, hasChannels: Bool,
            hasHome: Bool, session: String?, nextEpisode: Bool = false, secondsToSleep: Int64?,
            sleepTitle: Phrase = .sleepTimer, isOffline: Bool = false, grid: Metrics.Home.Grid = .standard, now: HostTime
        ) {
            self.strings = strings
            self.title = title
            self.subtitle = subtitle
            self.artwork = artwork
            self.isChannel = isChannel
            self.hasChannels = hasChannels
            self.hasHome = hasHome
            self.session = session
            self.nextEpisode = nextEpisode
            self.secondsToSleep = secondsToSleep
            self.sleepTitle = sleepTitle
            self.isOffline = isOffline
            self.grid = grid
            self.now = now
        }
    }

    package func view(_ context: Context) -> CardView {
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
                message: strings.sentence(for: error, isRetried: retries || isTrying, isChannel: context.isChannel),
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
                kind: .sleepTimer, title: strings.text(context.sleepTitle),
                message: strings.text(.sleepingIn, TimeText.clock(context.secondsToSleep ?? 0)),
                buttons: buttons(strings.text(.stayAwake), strings.text(.sleepNow), context))
        case .reminder(let reminder, let channel):
            return CardView(
                kind: .reminder, title: reminder.programme.title,
                message: strings.text(.reminderStarts, strings.timeOfDay(Int64(reminder.programme.start)), channel.title),
                buttons: buttons(strings.text(.watchNow), strings.text(.notNow), context))
        }
    }

    /// The line in small type with which a viewer who calls the operator names the problem.
    private static func code(_ code: ErrorCode, _ context: Context) -> String {
        [code.rawValue, context.session].compactMap { $0 }.joined(separator: " · ")
    }

    /// Try Again, with the seconds until that happens by itself. While it happens an ellipsis has their place, so that nothing moves.
    private func retryTitle(_ context: Context) -> String {
        if isTrying { return context.strings.text(.tryAgainIn, "…") }
        guard retries, let deadline else { return context.strings.text(.tryAgain) }
        return context.strings.text(.tryAgainIn, "\(max(0, (deadline - context.now).wholeSecondsUp))")
    }

    /// When the next item of the queue begins; nil if it does not begin by itself.
    private func movingOn(_ context: Context) -> String? {
        guard case .moveOn(let instant) = countdown else { return nil }
        return context.strings.text(.movingOn, "\(max(0, (instant - context.now).wholeSecondsUp))")
    }

    private func buttons(_ main: Phrase, _ context: Context) -> [ButtonView] { buttons(context.strings.text(main), context) }

    private func buttons(_ main: String, _ context: Context) -> [ButtonView] {
        buttons(main, context.strings.text(.home), context)
    }

    private func buttons(_ main: String, _ other: String, _ context: Context) -> [ButtonView] {
        let all = buttons(context)
        let focus = all.firstIndex(of: focused(context)) ?? all.count - 1
        return all.enumerated().map { index, button in
            let isFocused = !isInRow && index == focus
            return switch button {
            case .nextEpisode: ButtonView(title: context.strings.text(.nextEpisode), isFocused: isFocused)
            case .main:
                ButtonView(
                    title: main, plainTitle: retries || isTrying ? context.strings.text(.tryAgain) : nil, isFocused: isFocused)
            case .channels: ButtonView(title: context.strings.text(.channels), isFocused: isFocused)
            case .other: ButtonView(title: other, isFocused: isFocused)
            }
        }
    }
}

extension MediaError {
    /// Whether a retry may help; then Try Again has focus, otherwise Home.
    package var mayPassByItself: Bool {
        switch code {
        case .networkDown, .networkSlow, .networkMetered, .sourceMissing, .sourceRefused, .sourceFailed, .sourceTimeout,
            .clockUntrusted, .soundLost, .storage, .internal:
            true
        case .sourceFormat: fault?.isOfServer == true
        case .decoderUnsupported, .protected: false
        }
    }
}

extension StringCatalogue {
    /// The viewer's sentence for an error.
    package func sentence(for code: ErrorCode) -> String { text(Phrase(code)) }

    /// The viewer's sentence for an error of an item, which says that it is tried again only if it is.
    package func sentence(for error: MediaError, isRetried: Bool, isChannel: Bool) -> String {
        text(Phrase(error, isRetried: isRetried, isChannel: isChannel))
    }
}
