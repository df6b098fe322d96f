import LinuxSupport
import MediaModel
import MediaTime

/// The presentation state: what the machine's state looks like. Nothing here changes anything.
extension InterfaceMachine {
    func projection() -> PresentationState {
        var view = PresentationState(screen: screen)
        view.toast = toast
        guard screen == .player else {
            view.video =
                hasCornerVideo && position != nil
                ? VideoPlacement(frame: Metrics.Video.cornerFrame, isFocused: home.isVideoFocused) : .hidden
            view.home = homeView
            return view
        }
        view.video = videoPlacement
        view.poster = posterView
        view.spinner = spinner
        view.refusal = refusal
        if let card {
            view.card = cardView(card)
            return view
        }
        if let shown = proposal.shown {
            view.proposal = proposalView(shown)
            return view
        }
        if mode == .watching { view.interstitialLabel = interstitialLabel }
        view.skipCountdown = secondsUntilSkip.map { policy.strings.text(.skipIn, "\($0)") }
        if let panel {
            view.panel = panelView(panel)
            return view
        }
        if let action {
            view.action = ContextualActionView(kind: action.kind, title: title(of: action.kind), isFocused: isActionFocused)
        }
        if bar.isVisible || mode != .watching {
            view.title = titleView
            if !isLoading { view.bar = barView }
        }
        return view
    }

    private var videoPlacement: VideoPlacement {
        guard position != nil else { return .hidden }
        if proposal.shown != nil {
            switch item?.proposal?.videoPlace {
            case .full?, nil: return .full
            case .hidden?: return .hidden
            case .preferred?: return VideoPlacement(frame: Metrics.Video.proposalFrame)
            }
        }
        return VideoPlacement(frame: Metrics.screen, dimPercent: card != nil || isDimmedByPause ? Metrics.Video.dimPercent : 0)
    }

    /// Until the first frame is there, and with what has no picture.
    private var posterView: PosterView? {
        if let opening { return PosterView(artwork: opening.artwork, title: opening.title) }
        guard let item, position == nil || !snapshot.hasVideo else { return nil }
        return PosterView(artwork: item.poster ?? item.artwork, title: item.title)
    }

    private var titleView: TitleView? {
        if let opening { return TitleView(title: opening.title, subtitle: opening.subtitle) }
        guard let item, let title = item.title, !title.isEmpty else { return nil }
        return TitleView(title: title, subtitle: item.subtitle)
    }

    // MARK: Cards and the proposal

    private func cardView(_ card: CardModel) -> CardView {
        let strings = policy.strings
        let left = card.deadline.map { "\(max(0, ($0 - now).wholeSecondsUp))" }
        func buttons(_ first: String) -> [ButtonView] {
            let titles = policy.isKiosk ? [first] : [first, strings.text(.home)]
            return titles.enumerated().map { ButtonView(title: $1, isFocused: $0 == min(card.focus, titles.count - 1)) }
        }
        switch card.kind {
        case .end:
            return CardView(
                kind: .end, title: item?.title ?? "", message: item?.subtitle, buttons: buttons(strings.text(.replay)))
        case .error(let error):
            return CardView(
                kind: .error, title: item?.title ?? strings.text(.cannotPlay),
                message: error.code.viewerSentence
                    + (card.deadline == nil ? "" : " " + strings.text(.movingOn)),
                code: error.code.rawValue, buttons: buttons(strings.text(.tryAgain)))
        case .slow:
            let tryAgain = left.map { strings.text(.tryAgainIn, $0) } ?? strings.text(.tryAgain)
            return CardView(kind: .slow, title: strings.text(.slowCardTitle), message: item?.title, buttons: buttons(tryAgain))
        }
    }

    private func proposalView(_ shown: ProposalModel.Shown) -> ProposalView? {
        guard let offered = item?.proposal else { return nil }
        let strings = policy.strings
        let left = timeLeft(of: shown)
        let seconds = left.map { Int(max(0, $0.wholeSecondsUp)) }
        let titles = buttons(of: shown).map { button in
            switch button {
            case .playNow: seconds.map { strings.text(.playNowIn, "\($0)") } ?? strings.text(.playNow)
            case .backToCredits: strings.text(.backToCredits)
            case .home: strings.text(.home)
            }
        }
        // The ring moves once a second: it is as full as the seconds on the button.
        var ring: Int?
        if let seconds, let length = shown.length, length > .zero {
            ring = Int(min(100, Int64(seconds) * 100_000_000_000 / length.wholeNanoseconds))
        }
        return ProposalView(
            title: offered.title ?? offered.next, subtitle: offered.subtitle,
            facts: [offered.genre, offered.rating].compactMap { $0 },
            summary: offered.summary, image: offered.image,
            buttons: titles.enumerated().map { ButtonView(title: $1, isFocused: $0 == shown.focus) }, countdown: seconds,
            ringPercent: ring, videoPlace: offered.videoPlace)
    }

    // MARK: Home

    private var homeView: HomeView {
        let isEmpty = home.content.rows.isEmpty
        let focus: HomeView.Focus =
            if home.isVideoFocused && hasCornerVideo {
                .video
            } else if isEmpty {
                .none
            } else {
                .entry(row: home.row, column: home.columns[home.row])
            }
        return HomeView(
            content: home.content, focus: focus, firstRow: home.firstRow, firstColumns: home.firstColumns,
            emptyMessage: isEmpty ? policy.strings.text(.emptyHome) : nil)
    }
}
