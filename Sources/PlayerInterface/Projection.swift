import LinuxSupport
import MediaModel
import MediaTime

/// The presentation state: what the machine's state looks like. Nothing here changes anything.
extension InterfaceMachine {
    func projection() -> PresentationState {
        var view = visible
        if screen != .standby { view.captions = .standard(for: view, style: settings.captionStyle) }
        return view
    }

    private var visible: PresentationState {
        var view = PresentationState(screen: screen)
        view.appearance = appearance
        guard screen != .standby else { return view }
        view.toast = messages.toast
        view.volume = messages.volume
        view.numberEntry = tuner.numberView(browsing)
        if let pin {
            view.pin = pin.view(pinLock, length: policy.pinLength, strings: strings, at: now)
            return view
        }
        if let card, screen != .player {
            view.card = cardView(card)
        } else if card == nil {
            addPages(to: &view)
        }
        guard screen == .player else {
            view.video =
                hasCornerVideo && position != nil
                ? VideoPlacement(
                    frame: page == nil ? Metrics.Video.cornerFrame : PixelRect(x: 0, y: 0, width: 0, height: 0),
                    isFocused: home.isVideoFocused && !isCovered) : .hidden
            view.home = isCovered ? nil : homeView
            if card != nil { view.home?.focus = .none }
            return view
        }
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
        if let card {
            view.card = cardView(card)
            return view
        }
        if viewing.proposal.shown != nil {
            view.proposal = item?.proposal.flatMap { viewing.proposal.view(of: $0, at: now, strings: strings) }
            return view
        }
        let presented = viewing.played.presentedPlace
        if mode == .watching, let item {
            view.interstitialLabel = viewing.interstitials.label(
                at: presented, beside: viewing.played.beside, in: item, strings: strings)
        }
        view.skipCountdown = viewing.interstitials.secondsUntilSkip(at: presented).map { strings.text(.skipIn, "\($0)") }
        if let panel {
            view.panel = panelView(panel)
            return view
        }
        guard !isCovered else { return view }
        if let action = viewing.action.kind {
            view.action = ContextualActionView(
                kind: action, title: title(of: action), isFocused: viewing.action.hasFocus(at: now))
        }
        if bar.isVisible || mode != .watching {
            view.title = titleView
            if !isLoading { view.bar = barView }
        }
        return view
    }

    /// Settings, search and the guide hide what is under them; the list of channels lies over the picture.
    private func addPages(to view: inout PresentationState) {
        switch page {
        case .settings(let menu): view.settings = settingsMenu.view(of: menu)
        case .search(let search): view.search = search.view(browsing)
        case .guide(let guide): view.guide = guide.view(browsing)
        case .channels(let list): view.channelList = list.view(browsing)
        case nil: break
        }
        view.longText = longText?.view
    }

    /// Whether a page or a text lies over what is under it.
    var isCovered: Bool { page != nil || longText != nil }

    var videoPlacement: VideoPlacement {
        if screen == .home {
            return hasCornerVideo && position != nil ? VideoPlacement(frame: Metrics.Video.cornerFrame) : .hidden
        }
        guard position != nil, screen == .player else { return .hidden }
        if viewing.proposal.shown != nil {
            switch item?.proposal?.videoPlace {
            case .full?, nil: return .full
            case .hidden?: return .hidden
            case .preferred?: return VideoPlacement(frame: Metrics.Video.proposalFrame)
            }
        }
        let isDimmed = card != nil || viewing.longPause.isDimmed(at: now) || longText != nil || hidesPicture
        return VideoPlacement(frame: Metrics.screen, dimPercent: isDimmed ? Metrics.Video.dimPercent : 0)
    }

    private var hidesPicture: Bool {
        switch page {
        case .settings, .search, .guide: true
        case .channels, nil: false
        }
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

    // MARK: Cards and the proposal

    private func cardView(_ card: CardModel) -> CardView {
        let left = card.deadline.map { "\(max(0, ($0 - now).wholeSecondsUp))" }
        func buttons(_ first: String) -> [ButtonView] {
            let titles = policy.hasHome ? [first, strings.text(.home)] : [first]
            return titles.enumerated().map { ButtonView(title: $1, isFocused: $0 == min(card.focus, titles.count - 1)) }
        }
        switch card.kind {
        case .end:
            return CardView(
                kind: .end, title: item?.title ?? "", message: item?.subtitle, buttons: buttons(strings.text(.replay)))
        case .error(let error):
            return CardView(
                kind: .error, title: item?.title ?? strings.text(.cannotPlay),
                message: sentence(for: error.code)
                    + (card.deadline == nil || error.code == .networkDown ? "" : " " + strings.text(.movingOn)),
                code: [error.code.rawValue, policy.session].compactMap { $0 }.joined(separator: " · "),
                buttons: buttons(strings.text(.tryAgain)))
        case .slow:
            let tryAgain = left.map { strings.text(.tryAgainIn, $0) } ?? strings.text(.tryAgain)
            return CardView(kind: .slow, title: strings.text(.slowCardTitle), message: item?.title, buttons: buttons(tryAgain))
        case .stillWatching:
            return CardView(
                kind: .stillWatching, title: strings.text(.stillWatching), message: item?.title,
                buttons: buttons(strings.text(.keepWatching)))
        case .sleepTimer:
            let seconds = sleep.secondsLeft(at: now) ?? 0
            return CardView(
                kind: .sleepTimer, title: strings.text(.sleepTimer), message: strings.text(.sleepingIn, TimeText.clock(seconds)),
                buttons: [strings.text(.stayAwake), strings.text(.sleepNow)].enumerated().map {
                    ButtonView(title: $1, isFocused: $0 == card.focus)
                })
        }
    }
}
