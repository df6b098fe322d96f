import LinuxSupport
import MediaModel
import MediaTime

/// The list of channels over the picture.
struct ChannelListModel: Sendable, Equatable {
    var index: Int
    var first = 0
}

/// Channels: by number, up and down, the banner, and the list over the picture.
extension InterfaceMachine {
    /// The channels in the order of their numbers, each number once.
    var numbered: [HomeContent.Entry] {
        var seen: Set<Int> = []
        return (home.content.rows.flatMap(\.entries) + home.content.searchable).filter {
            $0.number.map { seen.insert($0).inserted } ?? false
        }
        .sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    }

    var playingID: String? { opening?.id ?? item?.channel ?? item?.id }

    /// Channel up and down: round the list.
    mutating func zap(by step: Int) -> CommandResult {
        let list = numbered
        guard !list.isEmpty else { return .failed(.notSupported) }
        let playing = playingID
        guard let current = list.firstIndex(where: { $0.id == playing }) else {
            return zap(to: list[step > 0 ? 0 : list.count - 1])
        }
        return zap(to: list[(current + step + list.count) % list.count])
    }

    /// The channel before this one.
    mutating func zapBack() -> CommandResult {
        guard let last = lastChannel, let entry = numbered.first(where: { $0.id == last }) else { return .failed(.notSupported) }
        return zap(to: entry)
    }

    /// Goes to a channel: its banner shows at once, whatever the stream takes.
    mutating func zap(to entry: HomeContent.Entry) -> CommandResult {
        closeLayers()
        digits = ""
        cancel(.digits)
        banner = entry.id
        arm(.banner, at: now + Timing.banner)
        if opening == nil, item != nil, playingID == entry.id {
            returnToPlayer()
            return .success
        }
        return open(entry)
    }

    /// What plays now is a channel: it is the one to come back to.
    mutating func noteChannel() {
        guard let current = playingID, numbered.contains(where: { $0.id == current }), current != currentChannel else { return }
        if let currentChannel { lastChannel = currentChannel }
        currentChannel = current
    }

    mutating func typeDigit(_ digit: String) -> CommandResult {
        guard !numbered.isEmpty else { return .failed(.notSupported) }
        digits = String((digits + digit).suffix(4))
        banner = nil
        arm(.digits, at: now + Timing.digits)
        return .success
    }

    mutating func commitDigits() {
        let typed = digits
        digits = ""
        guard let number = Int(typed), let entry = numbered.first(where: { $0.number == number }) else {
            showToast(policy.strings.text(.noSuchChannel, typed))
            return
        }
        _ = zap(to: entry)
    }

    // MARK: The list

    mutating func openChannelList() -> CommandResult {
        let list = numbered
        guard !list.isEmpty else { return .failed(.notSupported) }
        bar.hide()
        let playing = playingID
        var model = ChannelListModel(index: list.firstIndex { $0.id == playing } ?? 0)
        model.first = max(0, min(model.index - Metrics.Menu.channelRows / 2, list.count - Metrics.Menu.channelRows))
        page = .channels(model)
        return .success
    }

    mutating func actInChannelList(_ key: RemoteKey, _ model: ChannelListModel) -> CommandResult {
        let list = numbered
        var model = model
        switch key {
        case .up, .down:
            let moved = model.index + (key == .down ? 1 : -1)
            guard list.indices.contains(moved) else { return .failed(.noChange) }
            model.index = moved
            model.first = min(max(model.first, moved - Metrics.Menu.channelRows + 1), moved)
            page = .channels(model)
            return .success
        case .ok:
            guard list.indices.contains(model.index) else { return .failed(.notSupported) }
            if list[model.index].id == playingID {
                closePage()
                return .success
            }
            return zap(to: list[model.index])
        case .back, .left, .right, .menu:
            closePage()
            return .success
        case .playpause: return togglePlayPause()
        case .play: return play()
        case .pause: return pause()
        default: return .failed(.notSupported)
        }
    }

    // MARK: Views

    func channelListView(_ model: ChannelListModel) -> ChannelListView {
        let list = numbered
        let first = min(max(0, model.first), max(0, list.count - 1))
        let last = min(first + Metrics.Menu.channelRows, list.count)
        let playing = playingID
        let rows = (first..<last).map { index in
            let entry = list[index]
            let on = onNow(entry.id)
            return ChannelListView.Row(
                number: entry.number, title: entry.title, artwork: entry.artwork, now: on?.title ?? entry.subtitle,
                progressPercent: on.flatMap(progress) ?? entry.watchedPercent, isCurrent: entry.id == playing,
                isLocked: entry.isLocked, isFocused: index == min(model.index, list.count - 1))
        }
        return ChannelListView(
            title: policy.strings.text(.channels), rows: rows, hasMoreAbove: first > 0, hasMoreBelow: last < list.count)
    }

    var bannerView: ChannelBannerView? {
        guard let banner, let entry = numbered.first(where: { $0.id == banner }) else { return nil }
        let (on, next) = (onNow(entry.id), followed(entry.id))
        return ChannelBannerView(
            number: entry.number, title: entry.title, artwork: entry.artwork, now: on?.title ?? entry.subtitle,
            nowTimes: on.map(times), progressPercent: on.flatMap(progress) ?? entry.watchedPercent,
            next: next.map { policy.strings.text(.upNextAt, TimeText.timeOfDay(Int64($0.start)), $0.title) })
    }

    var numberEntryView: NumberEntryView? {
        guard !digits.isEmpty else { return nil }
        let number = Int(digits)
        return NumberEntryView(digits: digits, title: numbered.first { $0.number == number }?.title)
    }

    // MARK: What is on

    /// Seconds since the beginning of today; nil: nobody has told.
    var timeOfDay: Int? { wallClock.map { $0.seconds + Int((now - $0.at).mediaTime.wholeSeconds) } }

    func onNow(_ channel: String) -> GuideContent.Programme? { timeOfDay.flatMap { guide.channel(channel)?.programme(at: $0) } }

    private func followed(_ channel: String) -> GuideContent.Programme? {
        timeOfDay.flatMap { guide.channel(channel)?.next(after: $0) }
    }

    func progress(_ programme: GuideContent.Programme) -> Int? {
        timeOfDay.map { min(100, max(0, ($0 - programme.start) * 100 / max(1, programme.end - programme.start))) }
    }

    func times(_ programme: GuideContent.Programme) -> String {
        policy.strings.text(.timeRange, TimeText.timeOfDay(Int64(programme.start)), TimeText.timeOfDay(Int64(programme.end)))
    }
}
