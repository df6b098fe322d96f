import MediaModel
import MediaTime

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
    /// A channel number while it is typed.
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

/// The placement of the video, in pixels of a 1920x1080 screen.
package struct VideoPlacement: Sendable, Hashable {
    /// The rectangle of the video; empty if it is hidden.
    package var frame: PixelRect
    /// The black over it, in percent.
    package var dimPercent: Int
    /// Whether it has focus (in the corner of Home).
    package var isFocused: Bool

    package init(frame: PixelRect, dimPercent: Int = 0, isFocused: Bool = false) {
        self.frame = frame
        self.dimPercent = dimPercent
        self.isFocused = isFocused
    }

    /// The whole screen.
    package static let full = VideoPlacement(frame: Metrics.screen)
    /// Hidden.
    package static let hidden = VideoPlacement(frame: PixelRect(x: 0, y: 0, width: 0, height: 0))
}

extension VideoPlacement: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("frame", \.frame), .init("dimPercent", \.dimPercent), .init("isFocused", \.isFocused)]
    }
}

/// A picture instead of the video.
package struct PosterView: Sendable, Hashable {
    /// The picture, as a reference; nil if there is only the title.
    package var artwork: String?
    /// The title, if there is no picture, or only picture and sound.
    package var title: String?

    package init(artwork: String? = nil, title: String? = nil) {
        self.artwork = artwork
        self.title = title
    }
}

extension PosterView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("artwork", \.artwork), .init("title", \.title)]
    }
}

/// The title line above the bar.
package struct TitleView: Sendable, Hashable {
    /// The number of the channel.
    package var number: Int?
    package var title: String
    /// A second line.
    package var subtitle: String?

    package init(number: Int? = nil, title: String, subtitle: String? = nil) {
        self.number = number
        self.title = title
        self.subtitle = subtitle
    }
}

extension TitleView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("number", \.number), .init("title", \.title), .init("subtitle", \.subtitle)]
    }
}

/// A contextual action.
package struct ContextualActionView: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, DumpWritable {
        case skipIntro, skipRecap, skipInterstitial, nextEpisode, goLive
    }

    package var kind: Kind
    package var title: String
    /// Whether Select activates it: not during the first second after a key.
    package var isFocused: Bool

    package init(kind: Kind, title: String, isFocused: Bool) {
        self.kind = kind
        self.title = title
        self.isFocused = isFocused
    }
}

extension ContextualActionView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("kind", \.kind), .init("title", \.title), .init("isFocused", \.isFocused)]
    }
}

/// A wait.
package struct SpinnerView: Sendable, Hashable {
    /// Its text; nil for the spinner only.
    package var words: String?

    package init(words: String? = nil) { self.words = words }
}

extension SpinnerView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("words", \.words)]
    }
}

/// Why a key was refused.
package struct RefusalView: Sendable, Hashable {
    /// The text, e.g. "You can skip ahead in 0:12".
    package var words: String
    /// Counts refusals: a change animates it again.
    package var count: Int

    package init(words: String, count: Int) {
        self.words = words
        self.count = count
    }
}

extension RefusalView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("words", \.words), .init("count", \.count)]
    }
}

/// A button of a row or a card.
package struct ButtonView: Sendable, Hashable {
    package var title: String
    /// Its title without what counts down in it; nil if nothing does.
    package var plainTitle: String?
    package var isFocused: Bool

    package init(title: String, plainTitle: String? = nil, isFocused: Bool) {
        self.title = title
        self.plainTitle = plainTitle
        self.isFocused = isFocused
    }
}

extension ButtonView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("plainTitle", \.plainTitle), .init("isFocused", \.isFocused)]
    }
}

extension [ButtonView] {
    /// The words for the focused button; nil if none has focus.
    func spokenFocus(in strings: StringCatalogue) -> String? {
        firstIndex(where: \.isFocused).map { index in
            let words = strings.text(.spokenButton, self[index].plainTitle ?? self[index].title)
            return count > 1 ? strings.text(.spokenOf, words, "\(index + 1)", "\(count)") : words
        }
    }
}
