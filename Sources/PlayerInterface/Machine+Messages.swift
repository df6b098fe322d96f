import LinuxSupport
import MediaModel
import MediaTime

/// What is told for a moment: loudness, errors, reasons; and what moves with the clock alone.
extension InterfaceMachine {
    /// The volume is shown in every state but standby.
    mutating func showVolume(_ percent: Int, isMuted: Bool) {
        if screen != .standby { messages.showVolume(percent, isMuted: isMuted, at: now) }
    }

    mutating func showToast(_ text: String) { messages.showToast(text, at: now) }

    /// The sentence that a viewer reads for an error.
    func sentence(for code: ErrorCode) -> String { strings.text(Phrase(code)) }

    var noticeView: NoticeView? {
        guard let hold = viewing.orders.hold, item != nil, !wantsToPlay, screen == .player else { return nil }
        let phrase: Phrase =
            switch hold {
            case .announcement: .heldAnnouncement
            case .otherInput: .heldOtherInput
            case .display: .heldDisplay
            case .sound: .heldSound
            case .heat: .heldHeat
            }
        return NoticeView(words: strings.text(phrase))
    }

    /// When a time on the screen is another; nil: there is none on it.
    var minuteDeadline: HostTime? {
        let showsTime: Bool =
            switch page {
            case .guide, .channels: true
            case .settings, .search, nil: tuner.hasBanner || screen == .home && !schedule.isEmpty
            }
        return showsTime ? schedule.nextMinute(after: now) : nil
    }

    // MARK: Sound without a picture

    var isSoundOnly: Bool { screen == .player && item != nil && position != nil && (session.isListening || !snapshot.hasVideo) }

    mutating func settleSoundOnly() {
        if let next = viewing.soundOnly.settle(isSoundOnly, at: now) { arm(.burnIn, at: next) } else { cancel(.burnIn) }
    }

    var audioOnlyView: AudioOnlyView? {
        guard isSoundOnly, let item, card == nil, viewing.proposal.shown == nil else { return nil }
        let content = clock.content(at: position ?? .zero)
        let places = Metrics.AudioOnly.places
        var percent: Int?
        if !item.isLive, let total = clock.total, total > .zero { percent = Int(min(100, (content * 100).wholeSteps(of: total))) }
        return AudioOnlyView(
            artwork: item.artwork ?? item.poster, title: item.title ?? "", subtitle: item.subtitle, progressPercent: percent,
            elapsed: item.isLive ? strings.text(.live) : TimeText.clock(content.wholeSeconds),
            frame: places[viewing.soundOnly.moves(at: now) % places.count])
    }
}
