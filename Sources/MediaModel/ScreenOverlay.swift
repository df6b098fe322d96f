import MediaTime

/// A picture or words of the programme over its video, below everything of the interface: the logo of a channel, a lower third, a clock. It is given by the
/// operator.
package struct ScreenOverlay: Sendable, Hashable {
    /// What is shown.
    package enum Content: Sendable, Hashable {
        /// The picture at an address.
        case picture(String)
        case words(OverlayWords)
    }

    /// The part of the screen from which its place is measured, and to which the picture or the words keep in its box.
    package enum Anchor: String, Sendable, Hashable, CaseIterable, DumpWritable {
        case topLeft, top, topRight, left, centre, right, bottomLeft, bottom, bottomRight
    }

    package var content: Content
    package var anchor: Anchor
    /// The rectangle that the picture is fitted into, whole and in its proportions, in pixels of a 1920x1080 screen. Inside the screen, not empty.
    package var box: PixelRect
    /// The part of the picture that is shown.
    package var crop: OverlayCrop
    /// 1…100.
    package var opacityPercent: Int
    /// When it is on the screen.
    package var presence: LayerPresence
    /// Whether it is also shown over interstitials.
    package var isShownInInterstitials: Bool

    package init(
        _ content: Content, anchor: Anchor, box: PixelRect, crop: OverlayCrop = OverlayCrop(), opacityPercent: Int = 100,
        presence: LayerPresence = LayerPresence(), isShownInInterstitials: Bool = false
    ) {
        self.content = content
        self.anchor = anchor
        self.box = box
        self.crop = crop
        self.opacityPercent = opacityPercent
        self.presence = presence
        self.isShownInInterstitials = isShownInInterstitials
    }

    /// The address of its picture or of the document with its words; nil for other words.
    package var address: String? {
        switch content {
        case .picture(let url): url
        case .words(let words): if case .document(let url, _) = words.source { url } else { nil }
        }
    }
    /// The address of the picture; nil for words.
    package var image: String? { if case .picture(let url) = content { url } else { nil } }
    package var words: OverlayWords? {
        get { if case .words(let words) = content { words } else { nil } }
        set { if let newValue { content = .words(newValue) } }
    }
}

/// Words of an overlay, which the box draws itself.
package struct OverlayWords: Sendable, Hashable {
    /// Where they come from.
    package enum Source: Sendable, Hashable {
        /// The time of day.
        case clock
        /// The day.
        case date
        /// Lines of the feed, by the name under which it has them in its languages.
        case feed(String)
        /// Lines of a document, which is fetched again when it has this age.
        case document(url: String, refresh: MediaTime)
    }
    package var source: Source
    /// Whether all lines are one, which passes by; or, where nothing is to move, whether there is one at a time.
    package var isTicker: Bool
    /// The lines as they are known, in the viewer's language: those of the feed or of the document, and on the screen those that are shown there now.
    package var lines: [String]

    package init(_ source: Source, isTicker: Bool = false, lines: [String] = []) {
        self.source = source
        self.isTicker = isTicker
        self.lines = lines
    }
}

extension ScreenOverlay: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("image", \.image), .init("lines", \.words?.lines), .init("anchor", \.anchor), .init("box", \.box),
            .init("crop", \.crop),
            .init("opacityPercent", \.opacityPercent), .init("presence", \.presence),
            .init("isShownInInterstitials", \.isShownInInterstitials),
        ]
    }
}

/// What is cut off each side of a picture, in percent of its width or height. Opposite sides add up to less than 100.
package struct OverlayCrop: Sendable, Hashable {
    package var left, top, right, bottom: Int

    package init(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }
}

extension OverlayCrop: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("left", \.left), .init("top", \.top), .init("right", \.right), .init("bottom", \.bottom)]
    }
}

/// When a layer is on the screen, in asset time of the item that plays. A pure function of that time: it stands still while the item does, and a seek finds
/// it as playback would have.
package struct LayerPresence: Sendable, Hashable {
    /// The first instant; nil: it has always begun.
    package var start: MediaTime?
    /// The instant from which it is gone; nil: it stays.
    package var end: MediaTime?
    /// How long it takes to appear after `start`. Not negative; without a start it has no effect.
    package var fadeIn: MediaTime
    /// How long it takes to disappear before `end`. Not negative; without an end it has no effect.
    package var fadeOut: MediaTime

    package init(start: MediaTime? = nil, end: MediaTime? = nil, fadeIn: MediaTime = .zero, fadeOut: MediaTime = .zero) {
        self.start = start
        self.end = end
        self.fadeIn = fadeIn
        self.fadeOut = fadeOut
    }

    /// Its opacity at a time: 0…255. Both ramps are linear; where they meet the lower one counts.
    package func opacity(at time: MediaTime) -> UInt8 {
        if let start, time < start { return 0 }
        if let end, time >= end { return 0 }
        return min(
            start.map { Self.part(time - $0, of: fadeIn) } ?? 255,
            end.map { Self.part($0 - time, of: fadeOut) } ?? 255)
    }

    /// - Parameter elapsed: not negative.
    private static func part(_ elapsed: MediaTime, of length: MediaTime) -> UInt8 {
        elapsed < length ? UInt8((elapsed * 255).wholeSteps(of: length)) : 255
    }
}

extension LayerPresence: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("start", \.start), .init("end", \.end), .init("fadeIn", \.fadeIn), .init("fadeOut", \.fadeOut)]
    }
}
