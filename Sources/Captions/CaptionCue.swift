import MediaTime

/// One caption: what is shown from `start` until `end`, and where.
package struct CaptionCue: Sendable, Hashable {
    /// Its identifier in the file; empty where it has none.
    package var id: String
    /// When it appears, on the timeline of the file (see `CaptionDocument.timestampMap`).
    package var start: MediaTime
    /// When it disappears. A cue that ends by its start is never shown.
    package var end: MediaTime
    /// Where and how it is laid out.
    package var settings: CaptionSettings
    /// Its text as a tree of styles.
    package var nodes: [CaptionNode]
    /// Its text as the file has it, with its tags.
    package var source: String
    /// The box that it is put in, for captions that say so otherwise than by `settings`; nil: by `settings`.
    package var box: CaptionBox?
    /// The picture that it is; its `box` says where it lies. Nil for text.
    package var image: CaptionImage?
    /// The event of a script that it is: a renderer of such scripts needs nothing else of it.
    package var event: SubStationEvent?

    package init(
        id: String = "", start: MediaTime, end: MediaTime, settings: CaptionSettings = CaptionSettings(), nodes: [CaptionNode],
        source: String = "", box: CaptionBox? = nil, image: CaptionImage? = nil
    ) {
        self.id = id
        self.start = start
        self.end = end
        self.settings = settings
        self.nodes = nodes
        self.source = source
        self.box = box
        self.image = image
    }

    /// The text without styles, readings of ruby left out.
    package var plainText: String { nodes.map(\.plainText).joined() }

    /// Whether it is on the screen at a moment.
    package func isShown(at time: MediaTime) -> Bool { time >= start && time < end }

    /// The same cue on another timeline; times inside its text move with it.
    package func shifted(by offset: MediaTime) -> CaptionCue {
        var cue = self
        cue.start += offset
        cue.end += offset
        cue.nodes = nodes.map { $0.shifted(by: offset) }
        return cue
    }
}

/// Where and how a cue is laid out; the names and defaults are those of WebVTT (section 3.1). Percentages are of the video's width or height.
package struct CaptionSettings: Sendable, Hashable {
    /// The region it belongs to, by its id; nil: none.
    package var region: String?
    /// Whether its lines run from top to bottom, and to which side they grow.
    package var vertical = Vertical.horizontal
    /// Where its first line lies.
    package var line = Line.auto
    /// Which edge of the box `line` places.
    package var lineAlignment = LineAlignment.start
    /// Where the box lies along its lines, in per cent; nil: by the alignment of the text.
    package var position: Double?
    /// Which edge of the box `position` places; nil: by the alignment of the text.
    package var positionAlignment: PositionAlignment?
    /// The length of its lines, in per cent.
    package var size = 100.0
    /// How its text is aligned in its box.
    package var alignment = Alignment.center

    /// Makes settings with WebVTT's defaults.
    package init() {}

    /// Which way text runs.
    package enum Vertical: String, Sendable, Hashable {
        /// Along the screen.
        case horizontal = ""
        /// Down the screen, growing to the left.
        case growingLeft = "rl"
        /// Down the screen, growing to the right.
        case growingRight = "lr"
    }

    /// Where the first line lies.
    package enum Line: Sendable, Hashable {
        /// Where there is room, at the bottom.
        case auto
        /// A line of text, counted from the top; negative ones from the bottom.
        case number(Int)
        /// A part of the height, in per cent.
        case percentage(Double)
    }

    /// Which edge of the box `line` places.
    package enum LineAlignment: String, Sendable, Hashable {
        /// The first.
        case start
        /// The middle.
        case center
        /// The last.
        case end
    }

    /// Which edge of the box `position` places.
    package enum PositionAlignment: String, Sendable, Hashable {
        /// The left, or the top of vertical text.
        case lineLeft = "line-left"
        /// The middle.
        case center
        /// The right, or the bottom of vertical text.
        case lineRight = "line-right"
    }

    /// How text is aligned in its box.
    package enum Alignment: String, Sendable, Hashable {
        /// At the side where reading starts.
        case start
        /// In the middle.
        case center
        /// At the side where reading ends.
        case end
        /// At the left.
        case left
        /// At the right.
        case right
    }

    /// The edge that `position` places, told or following from the alignment (for text that is read from the left).
    package var effectivePositionAlignment: PositionAlignment {
        if let positionAlignment { return positionAlignment }
        switch alignment {
        case .start, .left: return .lineLeft
        case .center: return .center
        case .end, .right: return .lineRight
        }
    }

    /// Where the box lies along its lines, told or following from the alignment (for text that is read from the left).
    package var effectivePosition: Double {
        if let position { return position }
        switch alignment {
        case .start, .left: return 0
        case .center: return 50
        case .end, .right: return 100
        }
    }
}

/// A part of the video in which cues are gathered (WebVTT section 3.4).
package struct CaptionRegion: Sendable, Hashable {
    /// Its id, which cues name.
    package var id: String
    /// Its width, in per cent of the video's.
    package var width = 100.0
    /// Its height in lines of text.
    package var lines = 3
    /// The point of the region, in per cent of itself, that lies on `viewportAnchor`.
    package var regionAnchor = Point(x: 0, y: 100)
    /// The point of the video, in per cent, on which `regionAnchor` lies.
    package var viewportAnchor = Point(x: 0, y: 100)
    /// Whether old lines move up when new ones come.
    package var scrollsUp = false

    /// A point in per cent of a width and a height.
    package struct Point: Sendable, Hashable {
        /// To the right.
        package var x: Double
        /// Down.
        package var y: Double
    }
}
