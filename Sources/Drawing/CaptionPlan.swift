import Captions
import MediaModel
import MediaTime
import Screens

/// The captions to show, as a value: equal values look the same.
package struct CaptionPicture: Sendable, Equatable {
    /// The cues in layout order.
    package var cues: [CaptionCue]
    /// Their area and style.
    package var placement: CaptionPlacement
    /// The position of the video, in pixels of a 1920x1080 screen; the cues' own positions are relative to it.
    package var video: PixelRect
    /// The captions' language (BCP 47); selects the Han variant.
    package var language: String?
    /// The time of the picture, for animated captions. For all others any time at which they are shown will do.
    package var time: MediaTime

    package init(
        cues: [CaptionCue], placement: CaptionPlacement, video: PixelRect, language: String? = nil, time: MediaTime = .zero
    ) {
        self.cues = cues
        self.placement = placement
        self.video = video
        self.language = language
        self.time = time
    }

    package static let none = CaptionPicture(
        cues: [], placement: .hidden, video: PixelRect(x: 0, y: 0, width: 0, height: 0))
}

/// Turns cues into the layers that show them. Requested positions are honoured as long as the captions stay inside the area and
/// do not overlap.
struct CaptionPlan {
    let picture: CaptionPicture
    let kit: Kit

    /// Above the scrim, below the bar and all text of the interface.
    static let z = 25
    /// The cues that are placed, each beside all others; more than a screen has lines.
    private static let mostCues = 64
    private let area: Rect
    private let video: Rect
    private let look: CaptionLook

    init(picture: CaptionPicture, kit: Kit) {
        self.picture = picture
        self.kit = kit
        area = Rect(picture.placement.area)
        video = Rect(picture.video)
        look = CaptionLook(style: picture.placement.style, videoHeight: video.height, language: picture.language)
    }

    /// A block and its upper edge.
    private struct Placed {
        var block: CaptionBlock
        var frame: Rect
    }

    /// The layers, one per block.
    func layers() -> [LayerPlan] {
        guard !area.isEmpty, !video.isEmpty else { return [] }
        return placed().enumerated().map { index, placed in
            LayerPlan(
                id: "caption.\(index)", z: Self.z, content: placed.block, offsetY: placed.frame.y,
                motion: LayerMotion(fadesIn: false))
        }
    }

    /// The layers of a rendered script.
    func layers(of parts: [SubStationRenderer.Part]) -> [LayerPlan] {
        parts.enumerated().map { index, part in
            let frame = kit.scale.design(part.frame)
            let block = CaptionBlock(
                material: .image(part.image), look: look, x: frame.x, y: frame.y, width: frame.width, height: frame.height)
            return LayerPlan(
                id: "caption.script.\(index)", z: Self.z, content: block, motion: LayerMotion(fadesIn: false))
        }
    }

    /// The rectangles on the screen, for tests.
    func frames() -> [Rect] { placed().map(\.frame) }

    private func placed() -> [Placed] {
        var result: [Placed] = []
        for group in groups() {
            guard let first = group.first else { continue }
            let placed: Placed? =
                if let image = first.image {
                    self.image(image, first.box)
                } else if let box = first.box {
                    boxed(group, box)
                } else {
                    cue(first, avoiding: result.map(\.frame))
                }
            if let placed { result.append(placed) }
        }
        return result
    }

    /// Groups cues: those that share one box become its paragraphs.
    private func groups() -> [[CaptionCue]] {
        var groups: [[CaptionCue]] = []
        for cue in picture.cues.prefix(Self.mostCues) {
            if cue.image == nil, let box = cue.box,
                let index = groups.firstIndex(where: { $0[0].image == nil && $0[0].box == box })
            {
                groups[index].append(cue)
            } else {
                groups.append([cue])
            }
        }
        return groups
    }

    // MARK: Pictures

    private func image(_ image: CaptionImage, _ box: CaptionBox?) -> Placed? {
        guard let box, box.width > 0, box.height > 0 else { return nil }
        var frame = Rect(
            x: video.x + box.x * video.width, y: video.y + box.y * video.height, width: box.width * video.width,
            height: box.height * video.height)
        // The viewer's size applies to images too, as far as they fit.
        let factor = min(
            Double(picture.placement.style.sizePercent) / 100, area.width / frame.width, area.height / frame.height)
        frame = Rect(
            x: frame.midX - frame.width * factor / 2, y: frame.maxY - frame.height * factor, width: frame.width * factor,
            height: frame.height * factor)
        frame = area.enclosing(frame)
        let block = CaptionBlock(material: .image(image), look: look, x: frame.x, width: frame.width, height: frame.height)
        return Placed(block: block, frame: frame)
    }

    // MARK: Boxes

    private func boxed(_ cues: [CaptionCue], _ box: CaptionBox) -> Placed {
        var wanted = Rect(
            x: video.x + box.x * video.width, y: video.y + box.y * video.height, width: max(box.width * video.width, look.size),
            height: box.height * video.height)
        // Larger type needs more room than the captions' author planned.
        let share = Double(picture.placement.style.sizePercent) / 100
        if share > 1 {
            let width = min(wanted.width * share, area.width)
            wanted = Rect(x: wanted.midX - width / 2, y: wanted.y, width: width, height: wanted.height)
        }
        let across = area.enclosing(Rect(x: wanted.x, y: area.y, width: min(wanted.width, area.width), height: 1))
        let block = CaptionBlock(
            material: .text(cues.map { .init(nodes: $0.nodes, alignment: $0.settings.alignment) }), look: look,
            window: box.window,
            x: across.x, width: across.width, isWrapped: !box.isGrid, side: cues[0].settings.alignment)
        let bounds = block.bounds(kit)
        let y: Double =
            switch box.displayAlignment {
            case .before: wanted.y
            case .middle: wanted.midY - bounds.height / 2
            case .after: wanted.maxY - bounds.height
            }
        return kept(block, bounds, y: y)
    }

    // MARK: WebVTT

    /// A cue placed by its settings. A cue without a position goes to the bottom, above the cues already there.
    private func cue(_ cue: CaptionCue, avoiding taken: [Rect]) -> Placed {
        let settings = cue.settings
        let isRightToLeft = CaptionText.isRightToLeft(cue.nodes)
        let (x, width) = across(settings, isRightToLeft: isRightToLeft)
        let block = CaptionBlock(
            material: .text([.init(nodes: cue.nodes, alignment: settings.alignment)]), look: look, x: x, width: width,
            side: settings.alignment)
        let bounds = block.bounds(kit)
        switch settings.line {
        case .percentage(let percentage):
            let line = video.y + video.height * percentage / 100
            let y: Double =
                switch settings.lineAlignment {
                case .start: line
                case .center: line - bounds.height / 2
                case .end: line - bounds.height
                }
            return kept(block, bounds, y: y)
        case .number(let number) where number >= 0:
            return apart(block, bounds, y: area.y + Double(number) * block.lineHeight(kit), taken, downward: true)
        case .number(let number):
            let y = area.maxY + Double(number + 1) * block.lineHeight(kit) - bounds.height
            return apart(block, bounds, y: y, taken, downward: false)
        case .auto: return apart(block, bounds, y: area.maxY - bounds.height, taken, downward: false)
        }
    }

    /// The horizontal extent of a cue's lines (WebVTT section 7.2), kept inside the area.
    private func across(_ settings: CaptionSettings, isRightToLeft: Bool) -> (x: Double, width: Double) {
        let side: CaptionSettings.Alignment =
            switch settings.alignment {
            case .start: isRightToLeft ? .right : .left
            case .end: isRightToLeft ? .left : .right
            default: settings.alignment
            }
        let anchor = settings.positionAlignment ?? (side == .left ? .lineLeft : side == .right ? .lineRight : .center)
        let position = settings.position ?? (side == .left ? 0 : side == .right ? 100 : 50)
        let most: Double =
            switch anchor {
            case .lineLeft: 100 - position
            case .lineRight: position
            case .center: 2 * min(position, 100 - position)
            }
        let size = min(settings.size, max(most, 5))
        let left: Double =
            switch anchor {
            case .lineLeft: position
            case .lineRight: position - size
            case .center: position - size / 2
            }
        let start = max(video.x + video.width * left / 100, area.x)
        let end = min(video.x + video.width * (left + size) / 100, area.maxX)
        // A very narrow strip at the edge of the picture is too small for text.
        let least = min(look.size * 6, area.width)
        if end - start >= least { return (start, end - start) }
        let moved = area.enclosing(Rect(x: (start + end) / 2 - least / 2, y: area.y, width: least, height: 1))
        return (moved.x, moved.width)
    }

    /// A block moved by the smallest distance, away from its edge, that separates it from the others; unchanged when there is no
    /// room.
    private func apart(_ block: CaptionBlock, _ bounds: Rect, y: Double, _ taken: [Rect], downward: Bool) -> Placed {
        var frame = kept(block, bounds, y: y).frame
        for _ in 0..<taken.count + 1 {
            guard let other = taken.first(where: { $0.intersects(frame) }) else { break }
            let moved = downward ? other.maxY : other.y - frame.height
            guard moved >= area.y, moved + frame.height <= area.maxY else { break }
            frame.y = moved
        }
        return Placed(block: block, frame: frame)
    }

    /// A block kept inside the area. One that is too tall sticks out at the bottom, so that its first words can be read.
    private func kept(_ block: CaptionBlock, _ bounds: Rect, y: Double) -> Placed {
        let y = max(min(y, area.maxY - bounds.height), area.y)
        return Placed(block: block, frame: Rect(x: bounds.x, y: y, width: bounds.width, height: bounds.height))
    }
}
