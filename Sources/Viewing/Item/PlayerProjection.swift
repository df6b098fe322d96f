import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// The projection of the player's screen without its overlays.
package struct PlayerProjection: Sendable {
    /// What is over it.
    package struct Cover: Sendable {
        let hasCard: Bool
        /// Whether a page or a long text covers it.
        let coversScreen: Bool
        /// Whether a long text or a page hides the picture.
        let hidesPicture: Bool

        package init(hasCard: Bool, coversScreen: Bool, hidesPicture: Bool) {
            self.hasCard = hasCard
            self.coversScreen = coversScreen
            self.hidesPicture = hidesPicture
        }
    }

    let viewing: Viewing
    let cover: Cover
    /// Whether the viewer chose to listen without the picture.
    let isListening: Bool
    let bar: BarProjection
    /// The number of the live channel.
    let number: Int?
    let wall: ProgrammeOverlays.WallTime
    let strings: StringCatalogue
    let now: HostTime

    package init(
        viewing: Viewing, cover: Cover, isListening: Bool, bar: BarProjection, number: Int?, wall: ProgrammeOverlays.WallTime,
        strings: StringCatalogue, now: HostTime
    ) {
        self.viewing = viewing
        self.cover = cover
        self.isListening = isListening
        self.bar = bar
        self.number = number
        self.wall = wall
        self.strings = strings
        self.now = now
    }

    private var played: PlayedItem { viewing.played }
    private var hasCard: Bool { cover.hasCard }
    private var hasProposal: Bool { viewing.overlay.proposal != nil }

    package func show(in view: inout PresentationState) {
        // The time left in it counts with that of the label.
        if viewing.transport.isLinear, view.refusal != nil {
            view.refusal?.words = viewing.interstitials.refusal(of: played, strings)
        }
        view.spinner = hasCard ? nil : viewing.waiting.view(at: now, isLoading: played.isLoading, strings: strings)
        view.notice = paused == nil ? notice : nil
        let showsBar = viewing.bar.isVisible || viewing.seeking.mode != .watching
        view.audioOnly = audioOnly(withBar: showsBar && paused == nil && viewing.overlay.panel == nil && !cover.coversScreen)
        if view.audioOnly == nil {
            let programme = ProgrammeOverlays(viewing)
            let own = VideoPlacement(of: programme.frame)
            view.video = video(own)
            view.poster = poster
            if view.video.frame == own.frame {
                view.overlays = programme.shown(wall, strings: strings, appearance: view.appearance, at: now)
            }
        }
        guard !hasCard else { return }
        if hasProposal {
            view.proposal = played.item?.proposal.flatMap { viewing.overlay.proposal?.view(of: $0, at: now, strings: strings) }
            return
        }
        let elapsed = viewing.transport.interstitialElapsed
        // After `Timing.standsAtMost` in a pause only words that move are shown: the label of an advertisement is hidden too.
        if viewing.seeking.mode == .watching, paused == nil {
            view.interstitialLabel = viewing.interstitials.label(at: elapsed, of: played, strings: strings)
        }
        if paused == nil {
            view.skipCountdown = viewing.interstitials.secondsUntilSkip(at: elapsed).map { strings.text(.skipIn, "\($0)") }
        }
        guard viewing.overlay.panel == nil, !cover.coversScreen else { return }
        view.action = action
        if let paused {
            // The card of music moves by itself, and says the same.
            if view.audioOnly == nil { view.paused = paused }
            return
        }
        if showsBar {
            // In an interstitial its label stands for the title, and with music the card has it.
            if view.interstitialLabel == nil, view.audioOnly == nil { view.title = title }
            if !played.isLoading { view.bar = bar.view }
        }
    }

    /// - Parameter own: its place while nothing else needs room.
    private func video(_ own: VideoPlacement) -> VideoPlacement {
        guard played.position != nil else { return .hidden }
        if hasProposal {
            switch played.item?.proposal?.videoPlace {
            case .full?, nil: return own
            case .hidden?: return .hidden
            case .preferred?: return VideoPlacement(frame: Metrics.Video.proposalFrame)
            }
        }
        let isDimmed = hasCard || viewing.longPause.isDimmed(at: now) || cover.hidesPicture
        var video = own
        video.dimPercent = isDimmed ? Metrics.Video.dimPercent : 0
        return video
    }

    /// Until the first frame, and for items without video.
    private var poster: PosterView? {
        if let opening = played.opening { return PosterView(artwork: opening.artwork, title: opening.title) }
        guard let item = played.item, played.isWithoutPicture || !played.snapshot.hasVideo else { return nil }
        return PosterView(artwork: item.poster ?? item.artwork, title: item.title)
    }

    private var title: TitleView? {
        if let opening = played.opening { return TitleView(title: opening.title, subtitle: opening.subtitle) }
        guard let item = played.item else { return nil }
        if let programme = bar.programme {
            return TitleView(title: programme.title, subtitle: channelLine(under: programme, item))
        }
        guard let title = item.title, !title.isEmpty else { return nil }
        return TitleView(number: number, title: title, subtitle: item.subtitle)
    }

    /// Under the title of a programme: "3 Cinema", what the stream says of itself, and its times where the bar does not say them.
    private func channelLine(under programme: GuideContent.Programme, _ item: ItemPresentation) -> String {
        let station = bar.broadcast?.station(in: strings)
        let times = bar.broadcast?.fillsBar == true ? nil : strings.times(of: programme)
        return [station, times, item.subtitle].compactMap { $0?.nonEmpty }.map(strings.isolated).joined(separator: " · ")
    }

    private var action: ContextualActionView? {
        viewing.action.kind.map { kind in
            let title =
                switch kind {
                case .skipIntro: strings.text(.skipIntro)
                case .skipRecap: strings.text(.skipRecap)
                case .skipInterstitial: viewing.interstitials.skipTitle(strings)
                case .nextEpisode: strings.text(proposesNextEpisode ? .nextEpisode : .upNext)
                case .goLive: strings.text(.goLive)
                }
            return ContextualActionView(kind: kind, title: title, isFocused: viewing.action.hasFocus(at: now))
        }
    }

    /// Whether what is proposed is the next episode, and not something else.
    private var proposesNextEpisode: Bool { played.item.map { $0.nextEpisode?.id == $0.proposal?.next } ?? false }

    /// The words of a long pause, instead of bar and title. They move once a minute, because bright shapes that stay in one place burn into some screens.
    private var paused: PausedView? {
        guard viewing.standingPause.isOver(at: now), viewing.seeking.mode == .watching, let position = played.position else {
            return nil
        }
        let places = Metrics.Paused.places
        // The first place is that of a notice.
        let moves = viewing.standingPause.moves(at: now) + (notice == nil ? 0 : 1)
        return PausedView(
            title: notice?.words ?? bar.programme?.title ?? played.item?.title,
            time: bar.timeText(played.clock.content(at: position)),
            frame: places[moves % places.count])
    }

    private var notice: NoticeView? {
        guard let hold = viewing.orders.hold, played.item != nil, !viewing.orders.wantsToPlay else { return nil }
        return NoticeView(words: hold.notice(in: strings), next: strings.text(.heldNext))
    }

    /// The card of audio-only playback. While the bar says how far it is, the card does not, and stays where the bar is not.
    private func audioOnly(withBar hasBar: Bool) -> AudioOnlyView? {
        guard viewing.isSoundOnly(isListening: isListening), let item = played.item, !hasCard, !hasProposal else { return nil }
        let content = played.clock.content(at: played.position ?? .zero)
        let places = Metrics.AudioOnly.places
        var percent: Int?
        if !hasBar, !item.isLive, let total = played.clock.total, total > .zero {
            percent = Int(min(100, (content * 100).wholeSteps(of: total)))
        }
        return AudioOnlyView(
            artwork: item.artwork ?? item.poster, title: title?.title ?? "", subtitle: title?.subtitle, progressPercent: percent,
            elapsed: hasBar ? "" : item.isLive ? strings.text(.live) : TimeText.clock(content.wholeSeconds),
            frame: places[hasBar ? 0 : viewing.soundOnly.moves(at: now) % places.count])
    }
}
