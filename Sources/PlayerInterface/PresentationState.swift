import MediaModel
import MediaTime

/// All that is on the screen besides the video, as one immutable value: everything `Drawing` needs and nothing else. Two equal
/// values look the same. Texts are in the viewer's language; rectangles are in pixels of a 1920x1080 screen. While an item plays it
/// changes at most once a second and once for each pixel that the playhead moves.
package struct PresentationState: Sendable, Equatable {
    /// Which screen lies at the bottom of everything.
    package enum Screen: String, Sendable, Hashable {
        /// The video, full screen, and what is laid over it.
        case player
        /// Home, perhaps with the video in its corner.
        case home
        /// Nothing at all: the box sleeps, and any key wakes it.
        case standby
    }

    /// The screen.
    package var screen: Screen
    /// Where the video is.
    package var video: VideoPlacement
    /// A picture that stands in the place of the video while there is no frame of this item yet (with music: all the time).
    package var poster: PosterView?
    /// The transport bar with what belongs to it; nil: hidden.
    package var bar: TransportBarView?
    /// The title line above the bar.
    package var title: TitleView?
    /// "Ad 1 of 3 · 0:12", above where the bar is; shown with and without the bar.
    package var interstitialLabel: String?
    /// "Skip in 5": words only, never with focus.
    package var skipCountdown: String?
    /// What Select does while it is on the screen, bottom-trailing.
    package var action: ContextualActionView?
    /// The information panel.
    package var panel: PanelView?
    /// The content proposal.
    package var proposal: ProposalView?
    /// A card in the middle: the end, an error, a slow network.
    package var card: CardView?
    /// Something is awaited.
    package var spinner: SpinnerView?
    /// Why a key was refused; shaken as it appears.
    package var refusal: RefusalView?
    /// Words at the bottom centre.
    package var toast: String?
    /// Home.
    package var home: HomeView?

    // What lies over Home or over the player as a page of its own; at most one, and nothing else has focus while it is there.

    /// A page of Settings.
    package var settings: SettingsView?
    /// Search by letters.
    package var search: SearchView?
    /// The programme guide.
    package var guide: GuideView?
    /// The PIN. It hides everything under it.
    package var pin: PINView?
    /// A long text, opened whole.
    package var longText: LongTextView?
    /// The channels, over the picture.
    package var channelList: ChannelListView?

    // What is shown for a moment, without focus, whatever else is there.

    /// The channel that was zapped to.
    package var channelBanner: ChannelBannerView?
    /// A channel's number as it is typed.
    package var numberEntry: NumberEntryView?
    /// The loudness.
    package var volume: VolumeView?
    /// Why the box itself has paused what plays.
    package var notice: NoticeView?

    /// Sound without a picture; takes the place of `poster` and of the title line.
    package var audioOnly: AudioOnlyView?
    /// Where captions may be, and in which style.
    package var captions = CaptionPlacement.hidden
    /// How everything looks to this viewer.
    package var appearance: Appearance

    /// A screen of the box itself in the place of all others. The machine knows nothing of it: the box puts it in.
    package var setUp: SetUpView?
    /// What is wrong with the box's settings, over everything. The same.
    package var verdict: VerdictView?

    /// - Parameter build: sets what else is on the screen.
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

/// Where the video is, in pixels of a 1920x1080 screen.
package struct VideoPlacement: Sendable, Hashable {
    /// The rectangle that the video is fitted into; empty: it is hidden.
    package var frame: PixelRect
    /// How much black lies over it, in percent.
    package var dimPercent: Int
    /// Whether the place has focus (the corner of Home).
    package var isFocused: Bool

    package init(frame: PixelRect, dimPercent: Int = 0, isFocused: Bool = false) {
        self.frame = frame
        self.dimPercent = dimPercent
        self.isFocused = isFocused
    }

    /// The whole screen.
    package static let full = VideoPlacement(frame: Metrics.screen)
    /// Nowhere.
    package static let hidden = VideoPlacement(frame: PixelRect(x: 0, y: 0, width: 0, height: 0))
}

/// A picture in the place of the video.
package struct PosterView: Sendable, Hashable {
    /// The picture, as a reference; nil: there is none, only the title.
    package var artwork: String?
    /// The title, where there is no picture or nothing but the picture and sound.
    package var title: String?

    package init(artwork: String? = nil, title: String? = nil) {
        self.artwork = artwork
        self.title = title
    }
}

/// The title line above the bar.
package struct TitleView: Sendable, Hashable {
    /// The title.
    package var title: String
    /// A second line.
    package var subtitle: String?

    package init(title: String, subtitle: String? = nil) {
        self.title = title
        self.subtitle = subtitle
    }
}

/// Something that can be done here and now.
package struct ContextualActionView: Sendable, Hashable {
    /// What is done.
    package enum Kind: String, Sendable, Hashable {
        case skipIntro, skipRecap, skipInterstitial, nextEpisode, goLive
    }

    /// What is done.
    package var kind: Kind
    /// Its words.
    package var title: String
    /// Whether Select does it: not during the first second after a key.
    package var isFocused: Bool

    package init(kind: Kind, title: String, isFocused: Bool) {
        self.kind = kind
        self.title = title
        self.isFocused = isFocused
    }
}

/// Something is awaited.
package struct SpinnerView: Sendable, Hashable {
    /// What is said of it; nil: only the spinner.
    package var words: String?

    package init(words: String? = nil) { self.words = words }
}

/// Why a key was refused.
package struct RefusalView: Sendable, Hashable {
    /// The words, e.g. "Available in 0:12".
    package var words: String
    /// Counts refusals: a change shakes them again.
    package var count: Int

    package init(words: String, count: Int) {
        self.words = words
        self.count = count
    }
}

/// A button of a row or a card.
package struct ButtonView: Sendable, Hashable {
    /// Its words.
    package var title: String
    /// Whether it has focus.
    package var isFocused: Bool

    package init(title: String, isFocused: Bool) {
        self.title = title
        self.isFocused = isFocused
    }
}
