import Screens

/// One colour over the whole screen, under a page. A few pixels that the display stretches.
struct Backdrop: LayerContent {
    var tint: Tint

    /// Under pages over the picture: playback stays faintly visible.
    static let page = Backdrop(tint: Tint(Palette.background).faded(0.96))
    /// Hides everything under it.
    static let opaque = Backdrop(tint: Tint(Palette.background))
    /// Black, against burn-in.
    static let black = Backdrop(tint: .white(0))

    var isUniform: Bool { true }

    func bounds(_ kit: Kit) -> Rect { kit.scale.screen }

    func draw(on canvas: Canvas, _ kit: Kit) { canvas.fill(kit.scale.screen, tint) }
}

/// A picture of which only the colours remain, or one colour, dark enough for text on it. Where it ends it has the colour of the ground, so that no edge is seen.
struct SoftBackdrop: LayerContent {
    /// Where its colours fade into the ground.
    enum Fade: Sendable, Hashable {
        case nowhere
        /// Towards the bottom of the screen.
        case down
        /// Towards the bottom, and towards the corner video, which it does not cover.
        case downAndAside
        /// Towards the bottom of a page, on which rows have light grounds.
        case page
    }

    /// What it shows.
    enum Source: Sendable, Equatable {
        case picture(LayerPicture)
        case colour(Tint)
    }

    var source: Source
    /// The colour that it is mixed with.
    var ground: Tint
    var fade: Fade

    init(_ source: Source, ground: Tint, fade: Fade) {
        self.source = source
        self.ground = ground
        self.fade = fade
    }

    /// How much of it is seen. Secondary text has 4.5:1 on it, also if the picture is white; the colours of tiles are dark themselves.
    private var strength: Double {
        switch source {
        case .picture: fade == .page ? 0.14 : 0.22
        case .colour: 0.6
        }
    }
    private static let height = 840.0

    var coarseness: Int { 24 }

    func bounds(_ kit: Kit) -> Rect {
        var area = kit.scale.screen
        guard fade != .nowhere, fade != .page else { return area }
        area.height = Self.height - area.y
        guard fade == .downAndAside else { return area }
        let corner = Rect(Metrics.Video.cornerFrame(isRightToLeft: kit.theme.isRightToLeft))
        let right = area.maxX
        if kit.theme.isRightToLeft {
            area.x = corner.maxX + 24
            area.width = right - area.x
        } else {
            area.width = corner.x - 24 - area.x
        }
        return area
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        // The first and the last pixels, which are larger than those of the screen, reach over the edges.
        let area = bounds(kit).inset(-48)
        switch source {
        case .picture(let picture): canvas.picture(picture.pixels, in: area, radius: 0)
        case .colour(let tint): canvas.fill(area, tint)
        }
        let whole = ground.faded(1), least = ground.faded(1 - strength), none = ground.faded(0)
        canvas.fill(area, least)
        guard fade != .nowhere else { return }
        canvas.gradient(area, [(0, none), (0.3, none), (0.9, whole), (1, whole)])
        guard fade == .downAndAside else { return }
        // Large artwork begins where they end.
        canvas.gradient(area, to: .trailing, [(0, none), (0.7, none), (0.96, whole), (1, whole)])
    }
}

/// The title of a page and of its parent.
struct PageTitle: LayerContent {
    var title: String
    var size = Metrics.TypeSize.title2

    func bounds(_ kit: Kit) -> Rect {
        Rect(
            x: Rect.safeArea.x - 4, y: Rect.safeArea.y, width: Rect.safeArea.width + 8,
            height: (Double(size.pixels) * kit.theme.typeScale * 1.2).rounded(.up) + 8)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        canvas.write(title, kit.style(size, .bold), in: bounds(kit).inset(4, 0), kit.theme.tints.text)
    }
}
