import MediaModel

/// Everything on the screen except the video, as one immutable value: everything `Drawing` needs and nothing else. Equal values look the same. Texts
/// are in the viewer's language; rectangles are in pixels of a 1920x1080 screen. During playback it changes at most once a second and once for each
/// pixel that the playhead moves.
package struct PresentationState: Sendable, Equatable {
    /// The screen below all other elements.
    package enum Screen: String, Sendable, Hashable, DumpWritable {
        /// The video, full screen, with overlays.
        case player
        /// Home, possibly with the video in its corner.
        case home
        /// Nothing: the box is in standby, and any key wakes it.
        case standby
    }

    package var screen: Screen
    /// The placement of the video.
    package var video: VideoPlacement
    /// A picture instead of the video while there is no frame of this item yet (for music: always).
    package var poster: PosterView?
    /// The programme's own pictures over the video, the lowest first. Each is visible at its own times (`ScreenOverlay.presence`).
    package var overlays: [ScreenOverlay] = []
    /// The transport bar and its parts; nil if it is hidden.
    package var bar: TransportBarView?
    /// The title line above the bar.
    package var title: TitleView?
    /// "Ad 1 of 3 · 0:12", above the bar's position; shown with and without the bar.
    package var interstitialLabel: String?
    /// "Skip in 5": text only, never with focus.
    package var skipCountdown: String?
    /// The action of Select while it is shown, at the bottom trailing edge.
    package var action: ContextualActionView?
    /// The information panel.
    package var panel: PanelView?
    /// The content proposal.
    package var proposal: ProposalView?
    /// A card in the middle: the end, an error, a slow network.
    package var card: CardView?
    /// A wait.
    package var spinner: SpinnerView?
    /// Why a key was refused; it shakes when it appears.
    package var refusal: RefusalView?
    /// A message at the bottom centre.
    package var toast: String?
    /// Home.
    package var home: HomeView?

    // Over Home or over the player; nothing else has focus meanwhile.

    /// The open page.
    package var page: PageView?
    /// The PIN. It hides everything under it.
    package var pin: PINView?
    /// A long text in full.
    package var longText: LongTextView?

    // Transient elements without focus, in any state.

    /// The banner of the new channel.
    package var channelBanner: ChannelBannerView?
    /// A channel number, or a place in a film, while it is typed.
    package var numberEntry: NumberEntryView?
    /// The volume.
    package var volume: VolumeView?
    /// Why the box has paused playback.
    package var notice: NoticeView?
    /// A long pause; it replaces the title line and the bar.
    package var paused: PausedView?

    /// The screen saver. It hides everything else.
    package var screenSaver: ScreenSaverView?

    /// Audio-only playback; it replaces `poster` and the title line.
    package var audioOnly: AudioOnlyView?
    /// The area and style of captions.
    package var captions = CaptionPlacement.hidden
    /// The viewer's appearance settings.
    package var appearance: Appearance

    /// A screen of the box itself instead of all others. The box sets it, not the machine.
    package var setUp: SetUpView?
    /// Errors in the box's settings, over everything. The box sets it.
    package var verdict: VerdictView?

    /// - Parameter build: sets the other elements.
    package init(
        screen: Screen = .home, video: VideoPlacement = .hidden, appearance: Appearance = Appearance(),
        _ build: (inout PresentationState) -> Void = { _ in }
    ) {
        self.screen = screen
        self.video = video
        self.appearance = appearance
        build(&self)
    }
}
