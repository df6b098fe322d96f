import LinuxSupport
import MediaModel
import MediaTime

/// The presentation state: what the machine's state looks like. Nothing here changes anything.
extension InterfaceMachine {
    func projection() -> PresentationState {
        var view = PresentationState(screen: screen, appearance: preferences.appearance(policy))
        guard screen != .standby else { return view }
        view.toast = messages.toast
        view.volume = messages.volume
        view.numberEntry = tuner.numberView(browsing)
        if let pin = overlays.pin {
            // It hides everything under it.
            view.pin = pin.view(pinLock, length: policy.pinLength, strings: strings, at: now)
        } else if screen == .player {
            showPlayer(in: &view)
        } else {
            showHome(in: &view)
        }
        view.captions = .standard(for: view, style: settings.captionStyle)
        return view
    }

    private func showHome(in view: inout PresentationState) {
        if hasCornerVideo, position != nil {
            view.video = VideoPlacement(
                frame: overlays.page == nil ? Metrics.Video.cornerFrame : VideoPlacement.hidden.frame,
                isFocused: home.isVideoFocused && !overlays.coversScreen)
        }
        view.home = overlays.coversScreen ? nil : home.view(homeContext)
        if let card = overlays.card {
            view.card = card.view(cardContext)
            view.home?.focus = .none
        } else {
            showPages(in: &view)
        }
    }

    private func showPlayer(in view: inout PresentationState) {
        view.video = videoPlacement
        view.poster = posterView
        view.spinner = spinner
        view.refusal = messages.refusal
        view.channelBanner = tuner.bannerView(browsing)
        view.notice = noticeView
        view.audioOnly = audioOnlyView
        if view.audioOnly != nil {
            // Nothing of what was on before shows through.
            view.poster = nil
            view.video = .hidden
        }
        if let card = overlays.card {
            view.card = card.view(cardContext)
            return
        }
        showPages(in: &view)
        if viewing.proposal.shown != nil {
            view.proposal = item?.proposal.flatMap { viewing.proposal.view(of: $0, at: now, strings: strings) }
            return
        }
        let presented = viewing.played.presentedPlace
        if mode == .watching, let item {
            view.interstitialLabel = viewing.interstitials.label(
                at: presented, beside: viewing.played.beside, in: item, strings: strings)
        }
        view.skipCountdown = viewing.interstitials.secondsUntilSkip(at: presented).map { strings.text(.skipIn, "\($0)") }
        if let panel = overlays.panel {
            view.panel = panelContent.flatMap { panel.view($0, showsWholeSummary: overlays.contains(.longText)) }
            return
        }
        guard !overlays.coversScreen else { return }
        if let action = viewing.action.kind {
            view.action = ContextualActionView(
                kind: action, title: title(of: action), isFocused: viewing.action.hasFocus(at: now))
        }
        if bar.isVisible || mode != .watching {
            view.title = titleView
            if !isLoading { view.bar = barView }
        }
    }

    /// Settings, search and the guide hide what is under them; the list of channels lies over the picture.
    private func showPages(in view: inout PresentationState) {
        overlays.page?.show(in: &view, browsing, menus: settingsMenu)
        view.longText = overlays.longText?.view
    }

    private var cardContext: Card.Context {
        Card.Context(
            strings: strings, title: item?.title, subtitle: item?.subtitle, hasHome: policy.hasHome, session: policy.session,
            secondsToSleep: sleep.secondsLeft(at: now), now: now)
    }

    private var videoPlacement: VideoPlacement {
        guard position != nil else { return .hidden }
        if viewing.proposal.shown != nil {
            switch item?.proposal?.videoPlace {
            case .full?, nil: return .full
            case .hidden?: return .hidden
            case .preferred?: return VideoPlacement(frame: Metrics.Video.proposalFrame)
            }
        }
        let isDimmed =
            overlays.contains(.card) || viewing.longPause.isDimmed(at: now) || overlays.contains(.longText)
            || overlays.page?.hidesPicture == true
        return VideoPlacement(frame: Metrics.screen, dimPercent: isDimmed ? Metrics.Video.dimPercent : 0)
    }

    /// Until the first frame is there, and with what has no picture.
    private var posterView: PosterView? {
        if let opening { return PosterView(artwork: opening.artwork, title: opening.title) }
        guard let item, viewing.played.isWithoutPicture || !snapshot.hasVideo else { return nil }
        return PosterView(artwork: item.poster ?? item.artwork, title: item.title)
    }

    private var titleView: TitleView? {
        if let opening { return TitleView(title: opening.title, subtitle: opening.subtitle) }
        guard let item, let title = item.title, !title.isEmpty else { return nil }
        return TitleView(title: title, subtitle: item.subtitle)
    }

    private var noticeView: NoticeView? {
        guard let hold = viewing.orders.hold, item != nil, !wantsToPlay else { return nil }
        return NoticeView(words: hold.notice(in: strings))
    }

    // MARK: Sound without a picture

    var isSoundOnly: Bool { screen == .player && item != nil && position != nil && (session.isListening || !snapshot.hasVideo) }

    private var audioOnlyView: AudioOnlyView? {
        guard isSoundOnly, let item, !overlays.contains(.card), viewing.proposal.shown == nil else { return nil }
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

extension HoldReason {
    /// Why nothing plays, in a sentence.
    fileprivate func notice(in strings: StringCatalogue) -> String {
        switch self {
        case .announcement: strings.text(.heldAnnouncement)
        case .otherInput: strings.text(.heldOtherInput)
        case .display: strings.text(.heldDisplay)
        case .sound: strings.text(.heldSound)
        case .heat: strings.text(.heldHeat)
        }
    }
}
