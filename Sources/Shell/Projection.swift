import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Viewing

/// Makes the presentation state from the state of the parts.
struct Projection: Sendable {
    let stage: Stage
    let context: InterfaceContext
    let messages: Messages
    let tuner: ChannelTuner
    /// The direction of a tap whose key is still down.
    let tap: Int?
    /// How often the screen saver has moved; nil while it is not shown.
    let saverMoves: Int?

    private var viewing: Viewing { stage.viewing }
    private var overlays: OverlayStack { stage.overlays }
    private var strings: StringCatalogue { context.strings }
    private var now: HostTime { context.now }

    var state: PresentationState {
        var view = PresentationState(screen: stage.screen, appearance: context.parts.preferences.appearance(context.policy))
        guard stage.screen != .standby else { return view }
        if let saverMoves {
            // It hides everything.
            view.video = .hidden
            view.screenSaver = context.screenSaver(moves: saverMoves)
            return view
        }
        view.toast = messages.toast
        view.volume = messages.volume
        view.numberEntry = tuner.numberView(context.browsing) ?? typedPlace
        if let pin = overlays.pin {
            // The PIN page hides everything below it.
            view.pin = pin.view(context.parts.pinLock, length: context.policy.pinLength, strings: strings, at: now)
        } else {
            if stage.screen == .player { showPlayer(in: &view) } else { showHome(in: &view) }
            showOverlays(in: &view)
        }
        view.captions = .standard(for: view, style: context.parts.preferences.settings.captionStyle)
        return view
    }

    /// The place in a film that is being typed.
    private var typedPlace: NumberEntryView? {
        stage.screen == .player ? viewing.bar.typed?.view(in: viewing.played, strings) : nil
    }

    private func showHome(in view: inout PresentationState) {
        if stage.hasCornerVideo, viewing.played.position != nil {
            let corner = Metrics.Video.cornerFrame(isRightToLeft: strings.isRightToLeft)
            view.video = VideoPlacement(
                frame: overlays.contains(.page) ? VideoPlacement.hidden.frame : corner,
                isFocused: context.parts.home.isVideoFocused && !overlays.coversScreen)
        }
        guard !overlays.coversScreen else { return }
        view.home = context.parts.home.view(context.homeScreen)
        if overlays.contains(.card) { view.home?.focus = .none }
    }

    private func showPlayer(in view: inout PresentationState) {
        view.refusal = messages.refusal
        view.channelBanner = tuner.bannerView(context.browsing)
        let session = stage.session
        let bar = BarProjection(
            viewing: viewing, tap: tap, endsBy: session.showsEnd ? context.parts.schedule.timeOfDay(at: now) : nil,
            hasChannels: !context.browsing.lineup.isEmpty,
            panelTitle: viewing.bar.isVisible ? context.panel?.tabs.first { $0.isEnabled }?.title : nil,
            broadcast: context.broadcast, strings: strings, now: now)
        let cover = PlayerProjection.Cover(
            hasCard: overlays.contains(.card), coversScreen: overlays.coversScreen,
            hidesPicture: overlays.contains(.longText) || overlays.page?.hidesPicture == true)
        PlayerProjection(
            viewing: viewing, cover: cover, isListening: session.isListening, bar: bar,
            number: channel.flatMap { id in context.browsing.channels.first { $0.id == id }?.number },
            wall: ProgrammeOverlays.WallTime(
                timeOfDay: context.parts.schedule.timeOfDay(at: now), date: context.parts.schedule.date(at: now, in: strings)),
            strings: strings, now: now
        ).show(in: &view)
    }

    /// The live channel that plays; nil on demand.
    private var channel: String? { viewing.played.item.flatMap { $0.isLive ? $0.channel ?? $0.id : nil } }

    /// Settings, search and the guide hide what is under them; the channel list is over the picture.
    private func showOverlays(in view: inout PresentationState) {
        if let card = overlays.card {
            view.card = card.view(context.card)
            return
        }
        view.page = overlays.page?.view(context)
        view.longText = overlays.longText?.view(strings)
        if stage.screen == .player, let panel = viewing.overlay.panel {
            view.panel = context.panel.flatMap { panel.view($0, showsWholeSummary: overlays.contains(.longText)) }
        }
    }
}
