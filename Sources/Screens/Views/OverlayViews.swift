import MediaModel
import MediaTime

/// The banner of a new channel, over the picture (or its area): on the screen within 100 ms of the key.
package struct ChannelBannerView: Sendable, Hashable {
    package var number: Int?
    package var title: String
    /// Its picture, as a reference.
    package var artwork: String?
    /// The current programme.
    package var now: String?
    /// "20:00 – 21:30".
    package var nowTimes: String?
    /// Its progress, in percent.
    package var progressPercent: Int?
    /// "Next: 21:30 News": the next programme.
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

extension ChannelBannerView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("number", \.number), .init("title", \.title), .init("artwork", \.artwork), .init("now", \.now),
            .init("nowTimes", \.nowTimes), .init("progressPercent", \.progressPercent), .init("next", \.next),
        ]
    }
}

/// A channel number, or a place in a film, while it is typed, at the top trailing corner.
package struct NumberEntryView: Sendable, Hashable {
    /// The digits so far.
    package var digits: String
    /// The channel with this number, or the place in a film; nil for none.
    package var title: String?

    package init(digits: String, title: String? = nil) {
        self.digits = digits
        self.title = title
    }
}

extension NumberEntryView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("digits", \.digits), .init("title", \.title)]
    }
}

/// The volume, shown briefly after a change; in every state, over everything.
package struct VolumeView: Sendable, Hashable {
    /// 0…100.
    package var percent: Int
    /// Whether the sound is muted.
    package var isMuted: Bool

    package init(percent: Int, isMuted: Bool = false) {
        self.percent = percent
        self.isMuted = isMuted
    }
}

extension VolumeView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("percent", \.percent), .init("isMuted", \.isMuted)]
    }
}

/// A long text, full screen over the dimmed picture; Up and Down turn pages, Select and Back close it.
package struct LongTextView: Sendable, Hashable {
    /// The title of its item.
    package var title: String?
    /// Its picture, as a reference.
    package var artwork: String?
    /// The page's text, which fits the screen in every text size.
    package var text: String
    /// The index of the page.
    package var page: Int
    /// The number of pages.
    package var pageCount: Int
    /// "Press Back to close".
    package var hint: String?

    package init(
        title: String? = nil, artwork: String? = nil, text: String, page: Int = 0, pageCount: Int = 1, hint: String? = nil
    ) {
        self.title = title
        self.artwork = artwork
        self.hint = hint
        self.text = text
        self.page = page
        self.pageCount = pageCount
    }
}

extension LongTextView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("artwork", \.artwork), .init("text", \.text), .init("page", \.page),
            .init("pageCount", \.pageCount), .init("hint", \.hint),
        ]
    }
}

/// Audio-only playback: artwork, title and progress, which move once a minute to prevent burn-in.
package struct AudioOnlyView: Sendable, Hashable {
    /// The picture, as a reference.
    package var artwork: String?
    package var title: String
    /// A second line.
    package var subtitle: String?
    /// The progress, in percent; nil if live, unknown or on the bar.
    package var progressPercent: Int?
    /// "12:34"; empty if the bar has it.
    package var elapsed: String
    /// Its rectangle on a screen of 1920x1080, which changes each minute while there is no bar.
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

extension AudioOnlyView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("artwork", \.artwork), .init("title", \.title), .init("subtitle", \.subtitle),
            .init("progressPercent", \.progressPercent), .init("elapsed", \.elapsed), .init("frame", \.frame),
        ]
    }
}

/// A long pause, instead of title and bar. It moves once a minute to prevent burn-in.
package struct PausedView: Sendable, Hashable {
    package var title: String?
    /// The time of the position: "14:26".
    package var time: String
    /// Its rectangle on a screen of 1920x1080, which changes each minute.
    package var frame: PixelRect

    package init(title: String? = nil, time: String, frame: PixelRect) {
        self.title = title
        self.time = time
        self.frame = frame
    }
}

extension PausedView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("time", \.time), .init("frame", \.frame)]
    }
}

/// Why the box has paused playback: "Paused by the announcement." In the middle, while the reason lasts.
package struct NoticeView: Sendable, Hashable {
    package var words: String
    /// What the viewer can do; nil for nothing.
    package var next: String?

    package init(words: String, next: String? = nil) {
        self.words = words
        self.next = next
    }
}

extension NoticeView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("words", \.words), .init("next", \.next)]
    }
}

/// The area of captions. The captions themselves are not part of this state.
package struct CaptionPlacement: Sendable, Hashable {
    /// Inside the safe area of the video, and clear of the bar; empty if none are shown.
    package var area: PixelRect
    /// The viewer's style.
    package var style: CaptionStyle

    package init(area: PixelRect, style: CaptionStyle = CaptionStyle()) {
        self.area = area
        self.style = style
    }

    /// No captions.
    package static let hidden = CaptionPlacement(area: PixelRect(x: 0, y: 0, width: 0, height: 0))

    /// The area of captions for a state: inside the safe area and the video, clear of the bar and of elements above it.
    ///
    /// It is empty without a picture, under a card, and if the state requires it.
    package static func standard(for state: PresentationState, style: CaptionStyle) -> CaptionPlacement {
        guard state.screen == .player, !state.video.frame.isEmpty, state.card == nil, state.pin == nil, state.longText == nil,
            state.page?.hidesPicture != true
        else { return CaptionPlacement(area: CaptionPlacement.hidden.area, style: style) }
        var area = state.video.frame
        // In a shrunk picture the margin shrinks too.
        let safe = Metrics.safeArea
        let screen = Metrics.screen
        if area.width < screen.width {
            let (x, y) = (safe.x * area.width / screen.width, safe.y * area.height / screen.height)
            area = PixelRect(x: area.x + x, y: area.y + y, width: area.width - 2 * x, height: area.height - 2 * y)
        }
        let (left, top) = (max(area.x, safe.x), max(area.y, safe.y))
        let right = min(area.x + area.width, safe.x + safe.width)
        var bottom = min(area.y + area.height, safe.y + safe.height)
        /// The height of lines of text as they are drawn: with 1.2 of the size, and larger for who wants larger text.
        func lines(_ sizes: Metrics.TypeSize...) -> Int {
            sizes.reduce(0) { $0 + $1.pixels } * 6 / 5 * (state.appearance.hasLargerText ? 5 : 4) / 4
        }
        if state.bar != nil || state.title != nil {
            bottom = min(bottom, Metrics.Bar.frame.y - Metrics.Bar.titleGap - lines(.title3, .body) - Metrics.Captions.gap)
        }
        if state.bar?.scrub != nil {
            let bubble = Metrics.Bar.thumbnailGap + Metrics.Bar.thumbnailHeight + lines(.body, .caption1) + Metrics.Captions.gap
            bottom = min(bottom, Metrics.Bar.frame.y - bubble)
        }
        if case .delay? = state.page {
            let height = Metrics.Delay.height * (state.appearance.hasLargerText ? 5 : 4) / 4
            bottom = min(bottom, safe.y + safe.height - height - Metrics.Captions.gap)
        }
        // A label is as high as a button, whose ring ends with the safe area.
        let words = lines(.body) + 2 * Metrics.Captions.gap + 32
        let standsAbove =
            state.bar == nil ? state.interstitialLabel != nil || state.action != nil : state.interstitialLabel != nil
        if standsAbove || state.toast != nil || state.refusal != nil { bottom -= words }
        return CaptionPlacement(
            area: PixelRect(x: left, y: top, width: max(right - left, 0), height: max(bottom - top, 0)), style: style)
    }
}

extension CaptionPlacement: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("area", \.area), .init("style", \.style)]
    }
}
