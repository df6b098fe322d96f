import MediaTime

/// One caption: shown from `start` until `end`, at a position.
package struct CaptionCue: Sendable, Hashable {
    /// Its identifier in the file; empty if it has none.
    package var id: String
    /// When it appears, on the timeline of the file (see `CaptionDocument.timestampMap`).
    package var start: MediaTime
    /// When it disappears. A cue that ends by its start is never shown.
    package var end: MediaTime
    /// Position and layout.
    package var settings: CaptionSettings
    /// Its text as a tree of styles.
    package var nodes: [CaptionNode]
    /// Its text as in the file, with tags.
    package var source: String
    /// Its box, for formats that do not use `settings`; nil: placed by `settings`.
    package var box: CaptionBox?
    /// Its image, placed by `box`. Nil for text.
    package var image: CaptionImage?
    /// Its original script event, which is all that a script renderer needs.
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

    /// The text without styles and without ruby annotations.
    package var plainText: String { nodes.map(\.plainText).joined() }

    /// Whether it is shown at a time.
    package func isShown(at time: MediaTime) -> Bool { time >= start && time < end }

    /// The same cue on another timeline; timestamps inside its text are shifted too.
    package func shifted(by offset: MediaTime) -> CaptionCue {
        var cue = self
        cue.start += offset
        cue.end += offset
        cue.nodes = nodes.map { $0.shifted(by: offset) }
        return cue
    }

    /// What is drawn: packagers number the cues of each segment anew.
    var withoutIdentifier: CaptionCue {
        var cue = self
        cue.id = ""
        return cue
    }

    /// Whether it has the same look and the same id as another.
    func isSame(as other: CaptionCue) -> Bool {
        id == other.id && nodes == other.nodes && settings == other.settings && box == other.box && image == other.image
    }
}

/// Position and layout of a cue, with WebVTT's names and defaults (section 3.1). Percentages are of the video's width or height.
package struct CaptionSettings: Sendable, Hashable {
    /// The id of its region; nil: none.
    package var region: String?
    /// Whether its lines run from top to bottom, and to which side they grow.
    package var vertical = Vertical.horizontal
    /// The position of its first line.
    package var line = Line.auto
    /// The edge of the box that `line` positions.
    package var lineAlignment = LineAlignment.start
    /// The position of the box along its lines, in percent; nil: by the alignment of the text.
    package var position: Double?
    /// The edge of the box that `position` positions; nil: by the alignment of the text.
    package var positionAlignment: PositionAlignment?
    /// The length of its lines, in percent.
    package var size = 100.0
    /// The alignment of its text in the box.
    package var alignment = Alignment.center

    /// Makes settings with WebVTT's defaults.
    package init() {}

    /// The direction of text lines.
    package enum Vertical: String, Sendable, Hashable {
        case horizontal = ""
        /// Vertical, growing to the left.
        case growingLeft = "rl"
        /// Vertical, growing to the right.
        case growingRight = "lr"
    }

    /// The position of the first line.
    package enum Line: Sendable, Hashable {
        /// The first free position, at the bottom.
        case auto
        /// A line number, counted from the top; negative ones from the bottom.
        case number(Int)
        /// A percentage of the height.
        case percentage(Double)
    }

    /// The edge of the box that `line` positions.
    package enum LineAlignment: String, Sendable, Hashable {
        case start
        case center
        case end
    }

    /// The edge of the box that `position` positions.
    package enum PositionAlignment: String, Sendable, Hashable {
        /// The left, or the top of vertical text.
        case lineLeft = "line-left"
        case center
        /// The right, or the bottom of vertical text.
        case lineRight = "line-right"
    }

    /// The alignment of text in its box.
    package enum Alignment: String, Sendable, Hashable {
        /// At the side where reading starts.
        case start
        case center
        /// At the side where reading ends.
        case end
        case left
        case right
    }

    /// The edge that `position` positions, either stated or derived from the alignment (for left-to-right text).
    package var effectivePositionAlignment: PositionAlignment {
        if let positionAlignment { return positionAlignment }
        switch alignment {
        case .start, .left: return .lineLeft
        case .center: return .center
        case .end, .right: return .lineRight
        }
    }

    /// The position of the box along its lines, either stated or derived from the alignment (for left-to-right text).
    package var effectivePosition: Double {
        if let position { return position }
        switch alignment {
        case .start, .left: return 0
        case .center: return 50
        case .end, .right: return 100
        }
    }
}

/// A region of the video that collects cues (WebVTT section 3.4).
package struct CaptionRegion: Sendable, Hashable {
    /// The id by which cues refer to it.
    package var id: String
    /// Its width, in percent of the video's.
    package var width = 100.0
    /// Its height in lines of text.
    package var lines = 3
    /// The point of the region, in percent of itself, that lies on `viewportAnchor`.
    package var regionAnchor = Point(x: 0, y: 100)
    /// The point of the video, in percent, on which `regionAnchor` lies.
    package var viewportAnchor = Point(x: 0, y: 100)
    /// Whether old lines scroll up when new ones are added.
    package var scrollsUp = false

    /// A point in percent of a width and a height.
    package struct Point: Sendable, Hashable {
        /// To the right.
        package var x: Double
        /// Down.
        package var y: Double
    }

    /// The height of a line, as a fraction of the video's height (WebVTT section 3.4: 5.33 vh).
    static let lineHeight = 0.0533

    /// The region as a box.
    var box: CaptionBox {
        let width = width / 100
        let height = Double(lines) * Self.lineHeight
        return CaptionBox(
            x: viewportAnchor.x / 100 - regionAnchor.x / 100 * width, y: viewportAnchor.y / 100 - regionAnchor.y / 100 * height,
            width: width, height: height)
    }
}
