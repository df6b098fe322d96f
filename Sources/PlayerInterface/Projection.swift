import LinuxSupport
import MediaModel
import MediaTime

/// Makes the presentation state from the machine's state. Nothing here changes any state.
extension InterfaceMachine {
    func projection() -> PresentationState {
        var view = PresentationState(screen: screen, appearance: preferences.appearance(policy))
        guard screen != .standby else { return view }
        view.toast = messages.toast
        view.volume = messages.volume
        view.numberEntry = tuner.numberView(browsing)
        if let pin = overlays.pin {
            // The PIN page hides everything below it.
            view.pin = pin.view(pinLock, length: policy.pinLength, strings: strings, at: now)
        } else {
            if screen == .player { showPlayer(in: &view) } else { showHome(in: &view) }
            showOverlays(in: &view)
        }
        view.captions = .standard(for: view, style: settings.captionStyle)
        return view
    }

    private func showHome(in view: inout PresentationState) {
        if hasCornerVideo, position != nil {
            view.video = VideoPlacement(
                frame: overlays.contains(.page) ? VideoPlacement.hidden.frame : Metrics.Video.cornerFrame,
                isFocused: home.isVideoFocused && !overlays.coversScreen)
        }
        guard !overlays.coversScreen else { return }
        view.home = home.view(homeContext)
        if overlays.contains(.card) { view.home?.focus = .none }
    }

    private func showPlayer(in view: inout PresentationState) {
        view.refusal = messages.refusal
        view.channelBanner = tuner.bannerView(browsing)
        let bar = BarProjection(
            viewing: viewing, tap: directionOfTap, endsBy: session.showsEnd ? tuner.schedule.timeOfDay(at: now) : nil,
            strings: strings, now: now)
        PlayerProjection(
            viewing: viewing, overlays: overlays, isListening: session.isListening, bar: bar, strings: strings, now: now
        ).show(in: &view)
    }

    /// Settings, search and the guide hide what is under them; the channel list is over the picture.
    private func showOverlays(in view: inout PresentationState) {
        if let card = overlays.card {
            view.card = card.view(cardContext)
            return
        }
        overlays.page?.show(in: &view, browsing, menus: settingsMenu)
        view.longText = overlays.longText?.view
        if screen == .player, viewing.proposal.shown == nil, let panel = overlays.panel {
            view.panel = panelContent.flatMap { panel.view($0, showsWholeSummary: overlays.contains(.longText)) }
        }
    }

    private var cardContext: Card.Context {
        Card.Context(
            strings: strings, title: item?.title, subtitle: item?.subtitle, hasHome: policy.hasHome, session: policy.session,
            secondsToSleep: sleep.secondsLeft(at: now), now: now)
    }
}
