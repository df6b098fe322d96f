import LinuxSupport
import Screens

/// The artwork of what has focus, large and sharp over the trailing part of the screen. It fades towards the leading side, where words are, and towards
/// the bottom; what is under it shows through there.
struct HeroArt: LayerContent {
    private var picture: LayerPicture
    /// Where it has ended: rows begin there that are wider than the words.
    private var floor: Double
    /// The video in the corner, which it does not cover.
    var hole: Rect?

    /// Its size, in the shape of a screen.
    static let size = (
        width: Double(Metrics.screen.width * Metrics.Hero.widthPercent / 100),
        height: Double(Metrics.screen.height * Metrics.Hero.widthPercent / 100)
    )

    /// The width of words over it.
    static func textWidth(_ kit: Kit) -> Double { Double(Metrics.Hero.textWidth) * kit.theme.typeScale }

    /// What is left of it, from the leading to the trailing side. Up to the end of the words secondary text has 4.5:1 on it, also if it is white and lies on
    /// its own soft colours.
    private static func across(_ kit: Kit) -> [(Double, Double)] {
        let words = (Rect.safeArea.x + textWidth(kit) - (Double(Metrics.screen.width) - size.width)) / size.width
        return [(0, 0), (words, 0.12), (words + 0.12, 0.45), (words + 0.25, 0.82), (words + 0.38, 1), (1, 1)]
    }

    /// From the top to the floor.
    private static let down = [(0, 1), (0.45, 1), (0.8, 0.35), (1, 0)]

    /// - Parameter floor: nil if no row lies across.
    /// - Returns: nil if there is no picture, if a part of it would be left because it is upright, or if it is too small.
    init?(_ picture: LayerPicture?, floor: Double?, _ kit: Kit) {
        guard let picture, let pixels = picture.pixels, Poster.shape(of: picture) == .wide else { return nil }
        let enlarged = max(Self.size.width / Double(pixels.width), Self.size.height / Double(pixels.height))
        // A small screen asks for a small picture.
        guard enlarged * min(kit.scale.factor, 1) * 100 <= Double(Metrics.Hero.mostEnlarged) else { return nil }
        self.picture = picture
        self.floor = min(floor ?? Self.size.height, Self.size.height)
    }

    /// The whole picture, of which `bounds` has the upper part.
    private func place(_ kit: Kit) -> Rect {
        let screen = kit.scale.screen
        let width = screen.width * Double(Metrics.Hero.widthPercent) / 100
        let x = kit.theme.isRightToLeft ? screen.x : screen.maxX - width
        return Rect(x: x, y: screen.y, width: width, height: width * Self.size.height / Self.size.width)
    }

    func bounds(_ kit: Kit) -> Rect {
        var area = place(kit)
        area.height = min(area.maxY, floor) - area.y
        return area
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = bounds(kit)
        canvas.picture(picture.pixels, in: place(kit), radius: 0)
        canvas.fade(area, Self.down)
        canvas.fade(area, to: .trailing, Self.across(kit))
        if let hole { canvas.clear(hole.inset(-6), radius: Radius.row + 6) }
    }

    /// Its layer, which is the same on Home and on the page that opens from there. It fades in once; with reduced motion it is there at once.
    func plan(z: Int, _ kit: Kit) -> LayerPlan {
        let fades = !kit.theme.reducesMotion
        return LayerPlan(id: "hero", z: z, content: self, motion: LayerMotion(fadesIn: fades, fadesOut: fades))
    }
}

/// What lies behind Home and behind the pages of programmes and series: soft colours, and over them large artwork. In high contrast nothing does.
struct HeroPlan {
    let kit: Kit
    /// The picture of a reference at a place, as in `InterfacePlan`.
    let artwork: (_ reference: String?, _ place: ImagePlace) -> LayerPicture?

    /// Behind Home. The colours are those of the picture that the entry's poster has, so that nothing more is loaded for them. A channel has the colour of
    /// its tile: of its logo one letter would be left, very large.
    ///
    /// - Parameters:
    ///   - corner: the video.
    ///   - large: the artwork that is shown large; nil before focus has rested.
    func layers(
        of entry: HomeContent.Entry, style: HomeContent.Row.Style, grid: Metrics.Home.Grid, corner: Rect?, large: String?
    ) -> [LayerPlan] {
        guard !kit.theme.hasHighContrast, !entry.isLocked else { return [] }
        var plans: [LayerPlan] = []
        let poster = style == .channels ? nil : artwork(entry.artwork, .entry(grid)).flatMap { $0.pixels == nil ? nil : $0 }
        let colour = style == .channels ? SoftBackdrop.Source.colour(Tint.tile(entry.id)) : nil
        if let source = colour ?? poster.map({ .picture($0) }) {
            let content = SoftBackdrop(source, ground: Tint(Palette.background), fade: corner == nil ? .down : .downAndAside)
            plans.append(LayerPlan(id: "home.backdrop", z: InterfacePlan.Level.home - 2, content: content))
        }
        let pictures = HomeRowLayer.postersTop(grid, top: Double(grid.firstRowTop), kit)
        var art = HeroArt(artwork(large, .hero), floor: pictures + Double(grid.posterHeight), kit)
        art?.hole = corner
        if let art { plans.append(art.plan(z: InterfacePlan.Level.home - 1, kit)) }
        return plans
    }

    /// Behind a page, once its artwork is loaded. Without artwork it has a colour that is always the same.
    ///
    /// - Parameter floor: where rows begin that are wider than the words; nil if there are none.
    func layers(_ reference: String?, of title: String, over floor: Double?) -> [LayerPlan] {
        guard !kit.theme.hasHighContrast else { return [] }
        let picture = artwork(reference, .hero)
        if let picture, picture.pixels == nil { return [] }
        let source = picture.map { SoftBackdrop.Source.picture($0) } ?? .colour(Tint.tile(title))
        let colours = SoftBackdrop(source, ground: Tint(Palette.background), fade: .page)
        var plans = [LayerPlan(id: "page.backdrop", z: InterfacePlan.Level.page, content: colours)]
        if let art = HeroArt(picture, floor: floor, kit) { plans.append(art.plan(z: InterfacePlan.Level.page + 1, kit)) }
        return plans
    }
}

extension PresentationState {
    /// The artwork that is shown large: that of what has focus on Home, or of the page of a programme or a series; nil if there is none.
    var heroArtwork: String? {
        guard pin == nil, screenSaver == nil, setUp == nil, longText == nil, screen != .standby, !appearance.hasHighContrast
        else {
            return nil
        }
        switch page {
        case .programme(let programme): return programme.backdrop
        case .series(let series): return series.backdrop
        case nil:
            guard screen == .home, let home, case .entry(let row, let column) = home.focus,
                home.content.rows.indices.contains(row),
                home.content.rows[row].entries.indices.contains(column)
            else { return nil }
            return home.content.rows[row].entries[column].backdrop
        default: return nil
        }
    }
}

/// Whether focus has rested on Home, so that moving it neither loads nor draws large artwork. A page has nothing to wait for.
struct FocusRest {
    private var artwork: String?
    private var end = HostTime.zero

    /// Follows the focus.
    ///
    /// - Returns: whether it rests on something else now.
    mutating func moves(to state: PresentationState, at now: HostTime) -> Bool {
        let (old, oldEnd) = (artwork, end)
        artwork = state.heroArtwork
        if state.page != nil {
            end = min(end, now)
        } else if artwork != old {
            end = now + Timing.heroRest
        }
        return artwork != old || end != oldEnd
    }

    func isOver(at now: HostTime) -> Bool { now >= end }

    /// How long it still has to rest; nil if it has, or if there is nothing to show.
    func length(at now: HostTime) -> Duration? { artwork == nil || isOver(at: now) ? nil : end - now }
}
