import LinuxSupport
import MediaModel

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

    // MARK: Tuning

    /// The channel this many steps after the current one, cyclic; without a current one, the first or the last.
    func channel(_ step: Int, in context: BrowsingContext) -> HomeContent.Entry? {
        let lineup = context.lineup
        guard !lineup.isEmpty else { return nil }
        guard let index = lineup.firstIndex(where: { $0.id == context.playing }) else {
            return lineup[step > 0 ? 0 : lineup.count - 1]
        }
        return lineup[(index + step + lineup.count) % lineup.count]
    }

    /// The previous channel.
    func previousChannel(in context: BrowsingContext) -> HomeContent.Entry? {
        previous.flatMap { id in context.lineup.first { $0.id == id } }
    }

    /// Another item plays. If it is a channel, the last one becomes the previous channel.
    mutating func playingChanged(in context: BrowsingContext) {
        guard let playing = context.playing, playing != current, context.lineup.contains(where: { $0.id == playing }) else {
            return
        }
        if let current { previous = current }
        current = playing
    }

    // MARK: Number and banner

    /// A channel was chosen: its banner is shown at once, however long the stream takes.
    mutating func tuned(to channel: String, at now: HostTime) {
        typed.clear()
        banner.show(channel, until: now + Timing.banner)
    }

    /// A number has at most four digits: the last ones.
    mutating func type(_ digit: String, at now: HostTime) {
        typed.show(String(((typed.value ?? "") + digit).suffix(4)), until: now + Timing.digits)
        banner.clear()
    }

    /// The time after the last digit is over.
    ///
    /// - Returns: the typed number, and the channel with that number.
    mutating func numberIsComplete(in context: BrowsingContext) -> (typed: String, channel: HomeContent.Entry?) {
        let digits = typed.value ?? ""
        typed.clear()
        return (digits, Int(digits).flatMap { number in context.lineup.first { $0.number == number } })
    }

    mutating func hideBanner() { banner.clear() }

    /// Standby: number and banner disappear. The previous channel is kept.
    mutating func hide() {
        typed.clear()
        banner.clear()
    }

    // MARK: Views

    func bannerView(_ context: BrowsingContext) -> ChannelBannerView? {
        guard let id = banner.value, let entry = context.lineup.first(where: { $0.id == id }) else { return nil }
        let on = context.onNow(id)
        return ChannelBannerView(
            number: entry.number, title: entry.title, artwork: entry.artwork, now: on?.title ?? entry.subtitle,
            nowTimes: on.map(context.strings.times), progressPercent: on.flatMap(context.progress) ?? entry.watchedPercent,
            next: context.schedule.next(on: id, at: context.now).map {
                context.strings.text(.upNextAt, TimeText.timeOfDay(Int64($0.start)), $0.title)
            })
    }

    func numberView(_ context: BrowsingContext) -> NumberEntryView? {
        guard let digits = typed.value else { return nil }
        let number = Int(digits)
        return NumberEntryView(digits: digits, title: context.lineup.first { $0.number == number }?.title)
    }
}
