import MediaModel

/// Every size of the interface, in pixels of a 1920x1080 screen. A screen of another size multiplies them by `Scale`: 3840x2160
/// doubles them, 1280x720 takes two thirds. Times are in `Timing`, colours in `Palette`; nothing else in the program holds such a
/// number.
public enum Metrics {
    /// The screen that all numbers are for.
    public static let screen = PixelRect(x: 0, y: 0, width: 1920, height: 1080)
    /// Text and focus rings stay inside this; video, scrims and posters go to the edge.
    public static let safeArea = PixelRect(x: 96, y: 60, width: 1728, height: 960)
    /// Nothing drawn as a line is thinner.
    public static let thinnestLine = 2
    /// Width of the ring around what has focus.
    public static let focusRing = 4
    /// How much what has focus grows, in percent.
    public static let focusScalePercent = 106

    /// Sizes of type. Leading is 1.2 of the size; the weight is at least 500.
    public enum TypeSize: Int, Sendable, CaseIterable {
        case title1 = 76
        case title2 = 57
        case title3 = 48
        case headline = 38
        case callout = 31
        case body = 29
        case caption1 = 25
        /// The smallest there is.
        case caption2 = 23

        /// Pixels of a 1080-line screen.
        public var pixels: Int { rawValue }
    }

    /// The transport bar.
    public enum Bar {
        /// The bar itself when it has no focus.
        public static let frame = PixelRect(x: 96, y: 940, width: 1728, height: 8)
        /// Its height with focus, and while scrubbing.
        public static let focusedHeight = 12
        /// The playhead's size, centred on the bar.
        public static let playheadWidth = 4
        /// The playhead's height.
        public static let playheadHeight = 28
        /// Height of the scrim under bar and title, from the bottom of the screen.
        public static let scrimHeight = 420
        /// How dark the scrim is at its bottom, in percent of black; it begins at 0.
        public static let scrimPercent = 75
        /// From the lower edge of the bar to the top of the times.
        public static let timesGap = 18
        /// From the title line's lower edge to the bar.
        public static let titleGap = 24
        /// Diameter of the dot of an interstitial.
        public static let dotDiameter = 12
        /// Width of the dark ring around a dot.
        public static let dotRing = 3
        /// Dots closer than this become one.
        public static let dotMergeDistance = 16
        /// Width of the notch of a chapter.
        public static let chapterTickWidth = 2
        /// Height of the notch of a chapter.
        public static let chapterTickHeight = 8
        /// Size of the picture shown while scrubbing.
        public static let thumbnailWidth = 384
        /// Its height.
        public static let thumbnailHeight = 216
        /// From the bar to the lower edge of the picture.
        public static let thumbnailGap = 24
    }

    /// The information panel.
    public enum Panel {
        /// The whole panel.
        public static let frame = PixelRect(x: 96, y: 60, width: 1728, height: 432)
        /// Height of the row of tabs at its top.
        public static let tabsHeight = 64
        /// Radius of its corners.
        public static let corner = 24
        /// How opaque its background is, in percent.
        public static let opacityPercent = 88
        /// The picture fits a square of this side.
        public static let artworkSide = 300
        /// Most lines of the description before it is opened.
        public static let descriptionLines = 4
        /// Width of the card of a chapter.
        public static let chapterCardWidth = 308
        /// Height of the picture of a chapter.
        public static let chapterCardHeight = 173
        /// Lines of a chapter's title.
        public static let chapterTitleLines = 2
        /// Between things in it.
        public static let spacing = 32
    }

    /// Cards in the middle of the screen, toasts, menus.
    public enum Card {
        /// Width of the error card and its like.
        public static let width = 960
        /// Radius of its corners.
        public static let corner = 24
        /// Least height of a row in a menu or a button.
        public static let rowHeight = 66
        /// Between things in it.
        public static let spacing = 24
    }

    /// The video where it does not fill the screen.
    public enum Video {
        /// `preferredPlayerViewFrame` of a content proposal on this box.
        public static let proposalFrame = PixelRect(x: 480, y: 0, width: 960, height: 540)
        /// The corner of Home in which the video goes on.
        public static let cornerFrame = PixelRect(x: 1344, y: 60, width: 480, height: 270)
        /// How much black lies over the picture behind a card, and in long pauses.
        public static let dimPercent = 60
    }

    /// Sound without a picture.
    public enum AudioOnly {
        /// Where artwork, title and progress are, one minute each.
        public static let places = [
            PixelRect(x: 480, y: 330, width: 960, height: 420), PixelRect(x: 144, y: 120, width: 960, height: 420),
            PixelRect(x: 816, y: 540, width: 960, height: 420), PixelRect(x: 816, y: 120, width: 960, height: 420),
            PixelRect(x: 144, y: 540, width: 960, height: 420),
        ]
    }

    /// Home.
    public enum Home {
        /// Width of a poster.
        public static let posterWidth = 308
        /// Height of a poster.
        public static let posterHeight = 173
        /// Between posters.
        public static let posterSpacing = 47
        /// From the top of one row to the top of the next.
        public static let rowPitch = 344
        /// Top of the first row.
        public static let firstRowTop = 336
        /// How many posters of a row are seen at a time.
        public static let postersPerScreen = 5
        /// How many rows are seen at a time.
        public static let rowsPerScreen = 2
    }

    /// Search by letters: the pad at the leading side, what was found beside it.
    public enum Search {
        /// Columns of the pad.
        public static let columns = 7
        /// Rows of the pad on the screen.
        public static let keyRowsPerScreen = 7
        /// Results on the screen, in one column of rows.
        public static let resultsPerScreen = 6
    }

    /// The programme guide.
    public enum Guide {
        /// Width of the time axis.
        public static let axisWidth = 1408
        /// Width of the channels' column, at the leading side.
        public static let channelWidth = 320
        /// Minutes on the axis.
        public static let minutesPerScreen = 120
        /// Channels on the screen.
        public static let rowsPerScreen = 7
        /// Height of a channel's row.
        public static let rowHeight = 84
    }

    /// Menus: the tabs of the panel, and Settings.
    public enum Menu {
        /// Rows on the screen in the panel.
        public static let panelRows = 5
        /// Rows on the screen in Settings.
        public static let settingsRows = 9
        /// Rows on the screen in the list of channels.
        public static let channelRows = 8
    }

    /// The factor from the numbers above to pixels of a screen.
    public struct Scale: Sendable, Hashable {
        /// Lines of the screen.
        public let height: Int

        /// The scale of a screen with so many lines.
        public init(height: Int) { self.height = height }

        /// A length in pixels of that screen, rounded to the nearest; a length above zero stays above zero.
        public func pixels(_ length: Int) -> Int {
            let scaled = (length.magnitude * height.magnitude + 540) / 1080
            let kept = length != 0 && scaled == 0 ? 1 : Int(scaled)
            return length < 0 ? -kept : kept
        }

        /// A rectangle in pixels of that screen. Edges are scaled, so that rectangles that touch still do.
        public func rectangle(_ rect: PixelRect) -> PixelRect {
            let (left, top) = (edge(rect.x), edge(rect.y))
            return PixelRect(x: left, y: top, width: edge(rect.x + rect.width) - left, height: edge(rect.y + rect.height) - top)
        }

        private func edge(_ position: Int) -> Int { (position * height + (position < 0 ? -540 : 540)) / 1080 }
    }
}
