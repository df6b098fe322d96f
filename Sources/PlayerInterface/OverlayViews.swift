import MediaModel
import MediaTime

/// The channel that was just zapped to, over the picture (or the place where it will be): on the screen within 100 ms of the key.
package struct ChannelBannerView: Sendable, Hashable {
    /// Its number.
    package var number: Int?
    /// Its name.
    package var title: String
    /// Its picture, as a reference.
    package var artwork: String?
    /// What is on now.
    package var now: String?
    /// "20:00 – 21:30".
    package var nowTimes: String?
    /// How much of that is over, in percent.
    package var progressPercent: Int?
    /// "21:30 News": what follows.
    package var next: String?

    package init(
        number: Int? = nil, title: String, artwork: String? = nil, now: String? = nil, nowTimes: String? = nil,
        progressPercent: Int? = nil, next: String? = nil
    ) {
        self.number = number
        self.title = title
        self.artwork = artwork
        self.now = now
        self.nowTimes = nowTimes
        self.progressPercent = progressPercent
        self.next = next
    }
}

/// A channel's number as it is typed, at the top trailing corner.
package struct NumberEntryView: Sendable, Hashable {
    /// The digits so far.
    package var digits: String
    /// The channel that has this number; nil: none.
    package var title: String?

    package init(digits: String, title: String? = nil) {
        self.digits = digits
        self.title = title
    }
}

/// The loudness, for a moment after it was changed; in every state, over everything.
package struct VolumeView: Sendable, Hashable {
    /// 0…100.
    package var percent: Int
    /// Whether nothing is heard whatever the level is.
    package var isMuted: Bool

    package init(percent: Int, isMuted: Bool = false) {
        self.percent = percent
        self.isMuted = isMuted
    }
}

/// A long text, full screen over the dimmed picture; Up and Down turn pages, Select and Back close it.
package struct LongTextView: Sendable, Hashable {
    /// What it belongs to.
    package var title: String?
    /// The page's text: it fits the screen in every size of type.
    package var text: String
    /// Which page, from 0.
    package var page: Int
    /// How many there are.
    package var pageCount: Int

    package init(title: String? = nil, text: String, page: Int = 0, pageCount: Int = 1) {
        self.title = title
        self.text = text
        self.page = page
        self.pageCount = pageCount
    }
}

/// Sound without a picture: artwork, title and progress, which move to another place once a minute so that nothing burns in.
package struct AudioOnlyView: Sendable, Hashable {
    /// The picture, as a reference.
    package var artwork: String?
    /// The title.
    package var title: String
    /// A second line.
    package var subtitle: String?
    /// How much was played, in percent; nil: live or unknown.
    package var progressPercent: Int?
    /// "12:34".
    package var elapsed: String
    /// Where all of it lies on a screen of 1920x1080; another place each minute.
    package var frame: PixelRect

    package init(
        artwork: String? = nil, title: String, subtitle: String? = nil, progressPercent: Int? = nil, elapsed: String = "",
        frame: PixelRect
    ) {
        self.artwork = artwork
        self.title = title
        self.subtitle = subtitle
        self.progressPercent = progressPercent
        self.elapsed = elapsed
        self.frame = frame
    }
}

/// Why the box itself has paused what plays: "Paused by the announcement." In the middle, as long as it lasts.
package struct NoticeView: Sendable, Hashable {
    /// The sentence.
    package var words: String

    package init(words: String) { self.words = words }
}

/// Captions: where they may be. They themselves are not part of this state.
package struct CaptionPlacement: Sendable, Hashable {
    /// Inside the safe area of the video as it is shown now, and clear of the bar; empty: none are shown.
    package var area: PixelRect
    /// The viewer's style.
    package var style: CaptionStyle

    package init(area: PixelRect, style: CaptionStyle = CaptionStyle()) {
        self.area = area
        self.style = style
    }

    /// Nowhere.
    package static let hidden = CaptionPlacement(area: PixelRect(x: 0, y: 0, width: 0, height: 0))
}
