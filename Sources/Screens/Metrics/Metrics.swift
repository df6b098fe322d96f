import MediaModel

/// Every size of the interface, in pixels of a 1920x1080 screen. Other screens multiply them by `Scale`: 3840x2160 doubles them, 1280x720 takes two
/// thirds. Times are in `Timing`, colours in `Palette`; no other place has such numbers.
package enum Metrics {
    /// The reference screen.
    package static let screen = PixelRect(x: 0, y: 0, width: 1920, height: 1080)
    /// Text and focus rings stay inside this area; video, scrims and posters extend to the edges.
    package static let safeArea = PixelRect(x: 96, y: 60, width: 1728, height: 960)
    /// Width of the focus ring.
    package static let focusRing = 4
    /// How much a focused element grows, in percent.
    package static let focusScalePercent = 106

    /// The lines and distances that all pages share. `docs/interface.md` has a picture of them, which is made from this table.
    package enum Grid {
        /// The edges on which text, rows, keys and pictures rest: those of the safe area. At 1280x720 they are 64 and 1216, 40 and 680.
        package static let leading = safeArea.x
        package static let trailing = safeArea.x + safeArea.width
        package static let top = safeArea.y
        package static let bottom = safeArea.y + safeArea.height
        /// From the edge of a panel, banner or field to what is in it.
        package static let panelInset = 32
        /// From the edge of a row to its icon or words.
        package static let rowInset = 26
        /// Between rows of a list.
        package static let rowGap = 12
        /// Between buttons of a row.
        package static let buttonGap = 28
        /// Between buttons of a column.
        package static let stackGap = 16
        /// Between columns of a page.
        package static let columnGap = 64
    }

    /// The radii of corners.
    package enum Radius {
        /// Badges, and pictures in cells.
        package static let badge = 10
        /// Rows, keys and posters.
        package static let row = 14
        /// Cells with a picture.
        package static let cell = 16
        /// Fields and covers.
        package static let field = 20
        /// Panels and cards.
        package static let panel = 24
    }

    /// Sizes of type. The line spacing is 1.2 of the size; the weight is at least 500.
    package enum TypeSize: Int, Sendable, CaseIterable {
        case title1 = 76
        case title2 = 57
        case title3 = 48
        case headline = 38
        case callout = 31
        case body = 29
        case caption1 = 27
        /// The smallest size: a line of it has 20 pixels on a screen of 720 lines.
        case caption2 = 25

        /// Pixels of a 1080-line screen.
        package var pixels: Int { rawValue }
    }

    /// The operator's words over the video.
    package enum Words {
        /// The largest type of lines; a clock and a date are as large as their box.
        package static let lineSize = TypeSize.headline
        /// From the edge of their ground to the words, across and down.
        package static let margin = (across: 26, down: 11)

        /// How many lines there are at a time.
        package static func lines(in box: PixelRect, hasLargerText: Bool) -> Int {
            let line = lineSize.pixels * 12 * (hasLargerText ? 5 : 4) / 40
            return max(1, (box.height - 2 * margin.down) / line)
        }
    }

    /// The transport bar.
    package enum Bar {
        /// The bar without focus.
        package static let frame = PixelRect(x: 96, y: 940, width: 1728, height: 8)
        /// Its height with focus, and while scrubbing.
        package static let focusedHeight = 12
        /// Width of the line around the part that is not loaded.
        package static let lineWidth = 2
        /// The playhead's width, centred on the bar.
        package static let playheadWidth = 4
        /// The playhead's height.
        package static let playheadHeight = 28
        /// Height of the scrim under bar and title, from the bottom of the screen.
        package static let scrimHeight = 420
        /// From the lower edge of the bar to the top of the times.
        package static let timesGap = 18
        /// From the title line's lower edge to the bar.
        package static let titleGap = 24
        /// Diameter of an interstitial's dot.
        package static let dotDiameter = 12
        /// Width of the dark ring around a dot.
        package static let dotRing = 3
        /// Dots closer than this are merged.
        package static let dotMergeDistance = 16
        /// Width of a chapter's notch.
        package static let chapterTickWidth = 2
        /// Width of the thumbnail while scrubbing.
        package static let thumbnailWidth = 384
        package static let thumbnailHeight = 216
        /// From the bar to the lower edge of the thumbnail.
        package static let thumbnailGap = 24
    }

    /// Captions.
    package enum Captions {
        /// From their lower edge to words of the interface below them.
        package static let gap = 16
    }

    /// The line on which a delay is set, at the lower edge of the safe area.
    package enum Delay {
        package static let width = 1400
        /// Its height; more by a quarter with larger text.
        package static let height = 184
    }

    /// The information panel.
    package enum Panel {
        /// The whole panel.
        package static let frame = PixelRect(x: 96, y: 60, width: 1728, height: 432)
        /// Height of the row of tabs at its top.
        package static let tabsHeight = 64
        /// The opacity of its background, in percent.
        package static let opacityPercent = 96
        /// The picture fits a square of this side.
        package static let artworkSide = 300
        /// The maximum lines of the description before it is opened.
        package static let descriptionLines = 4
        /// Width of a chapter's card.
        package static let chapterCardWidth = 296
        /// Height of a chapter's picture.
        package static let chapterCardHeight = 166
        /// Lines of a chapter's title.
        package static let chapterTitleLines = 2
        /// Spacing of its elements.
        package static let spacing = 32
    }

    /// Cards in the middle of the screen, toasts, menus.
    package enum Card {
        /// Width of error cards and similar ones.
        package static let width = 960
        /// Minimum height of a row in a menu, or of a button.
        package static let rowHeight = 66
        /// Spacing of its elements.
        package static let spacing = 24
    }

    /// The video when it does not fill the screen.
    package enum Video {
        /// `preferredPlayerViewFrame` of a content proposal on this box.
        package static let proposalFrame = PixelRect(x: 480, y: 0, width: 960, height: 540)
        /// The corner of Home in which the video continues, at the trailing side.
        package static func cornerFrame(isRightToLeft: Bool) -> PixelRect {
            PixelRect(x: isRightToLeft ? Metrics.safeArea.x : 1344, y: 60, width: 480, height: 270)
        }
        /// The black over the picture behind a card, and in long pauses, in percent.
        package static let dimPercent = 60
    }

    /// A long pause.
    package enum Paused {
        /// The positions of its words, one minute each.
        package static let places = [
            PixelRect(x: 480, y: 440, width: 960, height: 200), PixelRect(x: 144, y: 120, width: 960, height: 200),
            PixelRect(x: 816, y: 760, width: 960, height: 200), PixelRect(x: 816, y: 120, width: 960, height: 200),
            PixelRect(x: 144, y: 760, width: 960, height: 200),
        ]
    }

    /// The screen saver.
    package enum ScreenSaver {
        /// The positions of picture and time of day, one minute each. No two that follow one another overlap.
        package static let places = [
            PixelRect(x: 144, y: 120, width: 960, height: 270), PixelRect(x: 816, y: 690, width: 960, height: 270),
            PixelRect(x: 144, y: 405, width: 960, height: 270), PixelRect(x: 816, y: 120, width: 960, height: 270),
            PixelRect(x: 144, y: 690, width: 960, height: 270),
        ]
    }

    /// Audio-only playback.
    package enum AudioOnly {
        /// The positions of artwork, title and progress, one minute each.
        package static let places = [
            PixelRect(x: 480, y: 330, width: 960, height: 420), PixelRect(x: 144, y: 120, width: 960, height: 420),
            PixelRect(x: 816, y: 540, width: 960, height: 420), PixelRect(x: 816, y: 120, width: 960, height: 420),
            PixelRect(x: 144, y: 540, width: 960, height: 420),
        ]
    }

    /// Home.
    package enum Home {
        /// How far a row moves away from its end when a key finds nothing more there.
        package static let bump = 16
        /// The arrangement of the rows. Larger type has fewer, larger posters with two lines of title, so that it says as much as smaller type.
        package struct Grid: Sendable, Hashable {
            /// Width and height of a poster.
            package let posterWidth, posterHeight: Int
            /// Between posters.
            package let posterSpacing: Int
            /// From a row's heading to its pictures, and from these to the words below them.
            package let pictureGap, captionGap: Int
            /// Top of the first row.
            package let firstRowTop: Int
            /// From the top of one row to the top of the next.
            package let rowPitch: Int
            /// From the top of a row's heading to the bottom of its last line.
            package let rowHeight: Int
            /// The number of posters of a row that are whole on the screen.
            package let postersPerScreen: Int
            /// The number of rows that are whole on the screen; the next one looks in from below.
            package let rowsPerScreen: Int
            /// Lines of a poster's title.
            package let titleLines: Int

            /// Between the words of two rows are 40, of which `rowHeight` has a little for low letters; and the heading of the third is in the safe area.
            package static let standard = Grid(
                posterWidth: 308, posterHeight: 164, posterSpacing: 47, pictureGap: 15, captionGap: 15, firstRowTop: 315,
                rowPitch: 334, rowHeight: 298, postersPerScreen: 5, rowsPerScreen: 2, titleLines: 1)
            package static let larger = Grid(
                posterWidth: 396, posterHeight: 223, posterSpacing: 48, pictureGap: 24, captionGap: 18, firstRowTop: 356,
                rowPitch: 472, rowHeight: 432, postersPerScreen: 4, rowsPerScreen: 1, titleLines: 2)
        }
    }

    /// The artwork of what has focus, large, over the trailing part of Home and of the pages of programmes and series.
    package enum Hero {
        /// The part of the screen's width that it takes, in percent. It has the shape of a screen.
        package static let widthPercent = 60
        /// Words over it are so wide at most, from the leading edge of the safe area; up to there it is nearly the ground. They grow with larger text.
        package static let textWidth = 900
        /// How much a picture is enlarged at most, in percent; a smaller one is not shown large.
        package static let mostEnlarged = 150
    }

    /// The page of a series.
    package enum Series {
        /// Seasons on the screen.
        package static let seasonsPerScreen = 5
        /// Episodes on the screen.
        package static let episodesPerScreen = 4
    }

    /// Search by letters: the pad on the leading side, the results next to it.
    package enum Search {
        /// The most columns of the pad.
        package static let columns = 7
        /// Rows of the pad on the screen.
        package static let keyRowsPerScreen = 7
        /// Results on the screen, in one column of rows.
        package static let resultsPerScreen = 6
        /// Recent searches on the screen, with the row that clears them.
        package static let recentsPerScreen = 8
    }

    /// The programme guide.
    package enum Guide {
        /// Width of the time axis.
        package static let axisWidth = 1408
        /// Width of the channels' column, at the leading side.
        package static let channelWidth = 320
        /// Minutes on the axis.
        package static let minutesPerScreen = 120
        /// Channels on the screen.
        package static let rowsPerScreen = 7
        /// Height of a channel's row.
        package static let rowHeight = 84
    }

    /// Menus: the tabs of the panel, and Settings.
    package enum Menu {
        /// Rows on the screen in the panel.
        package static let panelRows = 5
        /// Rows on the screen in Settings.
        package static let settingsRows = 9
        /// Rows on the screen in the list of channels.
        package static let channelRows = 7
    }

    /// The factor from these sizes to pixels of a screen.
    package struct Scale: Sendable, Hashable {
        /// Lines of the screen.
        package let height: Int

        /// The scale of a screen with this many lines.
        package init(height: Int) { self.height = height }

        /// A length in pixels of that screen, rounded to the nearest; a positive length stays positive.
        package func pixels(_ length: Int) -> Int {
            let scaled = (length.magnitude * height.magnitude + 540) / 1080
            let kept = length != 0 && scaled == 0 ? 1 : Int(scaled)
            return length < 0 ? -kept : kept
        }

        /// A rectangle in pixels of that screen. Its edges are scaled, so that adjacent rectangles stay adjacent.
        package func rectangle(_ rect: PixelRect) -> PixelRect {
            let (left, top) = (edge(rect.x), edge(rect.y))
            return PixelRect(x: left, y: top, width: edge(rect.x + rect.width) - left, height: edge(rect.y + rect.height) - top)
        }

        private func edge(_ position: Int) -> Int { (position * height + (position < 0 ? -540 : 540)) / 1080 }
    }
}

extension Metrics.Home.Grid: DumpWritable {
    package var dumpValue: DumpValue { .word(self == .larger ? "larger" : "standard") }
}
