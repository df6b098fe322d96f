import BoxModel
import LinuxSupport
import Screens
import Viewing

/// Channels by number, up and down, and the previous one: the channel to tune to, and the number and the banner on the screen.
struct ChannelTuner: Sendable, Equatable {
    /// The schedule has changed.
    var schedule = Schedule()
    /// A number that is being typed, until the time after its last digit is over.
    private var typed = Momentary<String>()
    /// The channel whose banner is shown.
    private var banner = Momentary<String>()
    /// The current channel, and the previous one.
    private var current: String?
    private var previous: String?

    var hasBanner: Bool { banner.value != nil }

    /// When the number is complete, and when the banner disappears.
    var deadlines: [(timer: InterfaceTimer, deadline: HostTime?)] {
        [(.digits, typed.deadline), (.banner, banner.deadline)]
    }

    // MARK: Keys

    /// A key that chooses a channel: up, down, the previous one, or a digit of its number.
    mutating func act(_ key: RemoteKey, in context: BrowsingContext, at now: HostTime) -> KeyOutcome {
        let found: HomeContent.Entry?
        switch key {
        case .channelUp: found = channel(1, in: context)
        case .channelDown: found = channel(-1, in: context)
        case .last: found = previousChannel(in: context)
        default:
            guard !context.channels.isEmpty else { return .refused(.notSupported) }
            type(key.rawValue, at: now)
            return .done
        }
        return found.map { .wants(.tune($0)) } ?? .refused(.notSupported)
    }

    /// The time after the last digit is over: the channel with the number, or a message that there is none.
    mutating func numberIsComplete(in context: BrowsingContext) -> Intent {
        let digits = typed.value ?? ""
        typed.clear()
        let channel = Int(digits).flatMap { number in context.channels.first { $0.number == number } }
        return channel.map { .tune($0) } ?? .toast(context.strings.text(.noSuchChannel, digits))
    }

    // MARK: Tuning

    /// The channel this many steps after the current one, cyclic; without a current one, the first or the last.
    private func channel(_ step: Int, in context: BrowsingContext) -> HomeContent.Entry? {
        let lineup = context.lineup
        guard !lineup.isEmpty else { return nil }
        guard let index = lineup.firstIndex(where: { $0.id == context.playing }) else {
            return lineup[step > 0 ? 0 : lineup.count - 1]
        }
        return lineup[(index + step + lineup.count) % lineup.count]
    }

    /// The previous channel.
    private func previousChannel(in context: BrowsingContext) -> HomeContent.Entry? {
        previous.flatMap { id in context.channels.first { $0.id == id } }
    }

    /// Another item plays. If it is a channel, the last one becomes the previous channel.
    mutating func playingChanged(in context: BrowsingContext) {
        guard let playing = context.playing, playing != current, context.channels.contains(where: { $0.id == playing }) else {
            return
        }
        if let current { previous = current }
        current = playing
    }

    /// Forgets the previous channel.
    mutating func forgetPrevious() { (current, previous) = (nil, nil) }

    // MARK: Number and banner

    /// A channel was chosen: its banner is shown at once, however long the stream takes.
    mutating func tuned(to channel: String, at now: HostTime) {
        typed.clear()
        banner.show(channel, until: now + Timing.banner)
    }

    /// A number has at most four digits: the last ones.
    private mutating func type(_ digit: String, at now: HostTime) {
        typed.show(String(((typed.value ?? "") + digit).suffix(4)), until: now + Timing.digits)
        banner.clear()
    }

    mutating func hideBanner() { banner.clear() }

    /// Standby: number and banner disappear. The previous channel is kept.
    mutating func hide() {
        typed.clear()
        banner.clear()
    }

    // MARK: Views

    func bannerView(_ context: BrowsingContext) -> ChannelBannerView? {
        guard let id = banner.value, let entry = context.channels.first(where: { $0.id == id }) else { return nil }
        let on = context.onNow(id)
        return ChannelBannerView(
            number: entry.number, title: entry.title, artwork: entry.artwork, now: on?.title ?? entry.subtitle,
            nowTimes: on.map(context.strings.times), progressPercent: on.flatMap(context.progress) ?? entry.watchedPercent,
            next: context.next(on: id))
    }

    func numberView(_ context: BrowsingContext) -> NumberEntryView? {
        guard let digits = typed.value else { return nil }
        let number = Int(digits)
        return NumberEntryView(digits: digits, title: context.channels.first { $0.number == number }?.title)
    }
}
