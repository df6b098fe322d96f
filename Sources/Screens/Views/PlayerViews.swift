import MediaModel

/// The placement of the video, in pixels of a 1920x1080 screen.
package struct VideoPlacement: Sendable, Hashable {
    /// The rectangle of the video; empty if it is hidden.
    package var frame: PixelRect
    /// The black over it, in percent.
    package var dimPercent: Int
    /// Whether it has focus (in the corner of Home).
    package var isFocused: Bool
    /// The frame that the feed gives it, if that is where it is. It is a part of the whole screen, and not of the interface's.
    package private(set) var programmeFrame: ScreenFrame?

    package init(frame: PixelRect, dimPercent: Int = 0, isFocused: Bool = false) {
        self.frame = frame
        self.dimPercent = dimPercent
        self.isFocused = isFocused
    }

    /// In the frame of a programme; nil: on the whole screen.
    package init(of programmeFrame: ScreenFrame?) {
        self.init(frame: programmeFrame?.box ?? Metrics.screen)
        self.programmeFrame = programmeFrame
    }

    /// The whole screen.
    package static let full = VideoPlacement(frame: Metrics.screen)
    /// Hidden.
    package static let hidden = VideoPlacement(frame: PixelRect(x: 0, y: 0, width: 0, height: 0))
}

extension VideoPlacement: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("frame", \.frame), .init("dimPercent", \.dimPercent), .init("isFocused", \.isFocused),
            .init("background", \.programmeFrame?.background),
        ]
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
