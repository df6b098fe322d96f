import LinuxSupport
import MediaModel
import MediaTime

/// Where the viewer is in the guide: a channel and a moment, from which the programme with focus follows.
struct GuideModel: Sendable, Equatable {
    var channel: Int
    var firstChannel = 0
    /// The moment that focus stays near when it moves up and down, in seconds since the beginning of today.
    var moment: Int
    /// The left edge of the axis.
    var left: Int
}

/// The programme guide. Time runs to the right in every language.
extension InterfaceMachine {
    private static let slot = 1800
    private static var span: Int { Metrics.Guide.minutesPerScreen * 60 }

    var hasGuide: Bool { !guide.isEmpty && timeOfDay != nil }

    mutating func openGuide() -> CommandResult {
        guard hasGuide, let time = timeOfDay else { return .failed(.notSupported) }
        bar.hide()
        panel = nil
        let playing = playingID
        var model = GuideModel(
            channel: guide.channels.firstIndex { $0.id == playing } ?? 0, moment: time, left: Self.floor(time))
        settle(&model)
        page = .guide(model)
        return .success
    }

    private static func floor(_ time: Int) -> Int { Int((Double(time) / Double(slot)).rounded(.down)) * slot }

    private func programme(of model: GuideModel) -> GuideContent.Programme? {
        guard guide.channels.indices.contains(model.channel) else { return nil }
        return guide.channels[model.channel].programme(at: model.moment)
    }

    mutating func actInGuide(_ key: RemoteKey, _ model: GuideModel) -> CommandResult {
        var model = model
        settle(&model)
        let channels = guide.channels
        switch key {
        case .back, .menu, .home:
            closePage()
            return .success
        case .up, .down:
            let moved = model.channel + (key == .down ? 1 : -1)
            guard channels.indices.contains(moved) else { return .failed(.noChange) }
            model.channel = moved
        case .left, .right:
            guard let moved = moment(after: model, forward: key == .right) else { return .failed(.noChange) }
            model.moment = moved
        case .ok:
            guard channels.indices.contains(model.channel) else { return .failed(.notSupported) }
            let channel = channels[model.channel]
            guard let programme = programme(of: model), let time = timeOfDay, programme.start > time else {
                let entry = numbered.first { $0.id == channel.id } ?? HomeContent.Entry(id: channel.id, title: channel.title)
                return zap(to: entry)
            }
            openText(programme.summary ?? times(programme), title: programme.title)
            return .success
        default: return .failed(.notSupported)
        }
        settle(&model)
        page = .guide(model)
        return .success
    }

    /// The beginning of the programme beside the one with focus, or half an hour where nothing is known. What is over is not gone to.
    private func moment(after model: GuideModel, forward: Bool) -> Int? {
        let channel = guide.channels[model.channel]
        let time = timeOfDay ?? 0
        let current = programme(of: model)
        if forward {
            let from = current?.end ?? model.moment
            if let next = channel.programmes.first(where: { $0.start >= from }) { return max(next.start, model.moment + 1) }
            guard let last = guide.channels.compactMap({ $0.programmes.last?.end }).max(), model.moment + Self.slot < last else {
                return nil
            }
            return model.moment + Self.slot
        }
        let from = current?.start ?? model.moment
        guard from > Self.floor(time) || from > time else { return nil }
        if let before = channel.programmes.last(where: { $0.end <= from }), before.end > time { return max(before.start, time) }
        let earlier = max(time, model.moment - Self.slot)
        return earlier < model.moment ? earlier : nil
    }

    /// Focus stays on what is there, and what has it on the screen.
    private func settle(_ model: inout GuideModel) {
        model.channel = min(max(0, model.channel), max(0, guide.channels.count - 1))
        model.firstChannel = min(max(model.firstChannel, model.channel - Metrics.Guide.rowsPerScreen + 1), model.channel)
        if model.moment < model.left || model.moment >= model.left + Self.span { model.left = Self.floor(model.moment) }
    }

    // MARK: The view

    func guideView(_ model: GuideModel) -> GuideView {
        var model = model
        settle(&model)
        let strings = policy.strings
        let day = Int((Double(model.left) / 86400).rounded(.down))
        let ticks = stride(from: model.left, to: model.left + Self.span, by: Self.slot).map {
            GuideView.Tick(title: TimeText.timeOfDay(Int64($0)), x: Self.pixel($0, model.left))
        }
        let last = min(model.firstChannel + Metrics.Guide.rowsPerScreen, guide.channels.count)
        let rows = guide.channels.isEmpty ? [] : (model.firstChannel..<last).map { row(of: $0, model) }
        let focused = programme(of: model)
        return GuideView(
            day: day == 0 ? strings.text(.today) : day == 1 ? strings.text(.tomorrow) : strings.plural(.inDays, day),
            ticks: ticks,
            nowX: timeOfDay.flatMap { (model.left..<model.left + Self.span).contains($0) ? Self.pixel($0, model.left) : nil },
            rows: rows,
            hasMoreAbove: model.firstChannel > 0, hasMoreBelow: last < guide.channels.count,
            detailTitle: focused?.title
                ?? (guide.channels.indices.contains(model.channel) ? guide.channels[model.channel].title : nil),
            detail: focused.map { [times($0), $0.summary].compactMap { $0 }.joined(separator: "  ") })
    }

    private static func pixel(_ time: Int, _ left: Int) -> Int { (time - left) * Metrics.Guide.axisWidth / span }

    private func row(of index: Int, _ model: GuideModel) -> GuideView.Row {
        let channel = guide.channels[index]
        let right = model.left + Self.span
        let focused = index == model.channel ? programme(of: model) : nil
        let cells = channel.programmes.filter { $0.end > model.left && $0.start < right }.map { programme in
            let x = Self.pixel(max(programme.start, model.left), model.left)
            return GuideView.Cell(
                title: programme.title, times: times(programme), x: x,
                width: Self.pixel(min(programme.end, right), model.left) - x,
                isOnNow: timeOfDay.map { programme.start <= $0 && $0 < programme.end } ?? false, isFocused: programme == focused)
        }
        return GuideView.Row(
            id: channel.id, number: channel.number, title: channel.title, artwork: channel.artwork, cells: cells,
            message: cells.isEmpty ? policy.strings.text(.noInformation) : nil,
            isFocused: index == model.channel && focused == nil)
    }
}
