import LinuxSupport
import MediaModel
import Screens

/// The operator's pictures and words, which are below everything of the interface: what is around the video, and what is over it.
struct ProgrammePlan {
    let state: PresentationState
    let kit: Kit
    /// The picture of a reference at a place, as in `InterfacePlan`.
    let artwork: (_ reference: String?, _ place: ImagePlace) -> LayerPicture?
    /// Of the picture, for what moves by itself.
    let time: HostTime

    /// A picture that has not been loaded, or cannot be, has no layer. They neither fade with the interface nor move.
    var layers: [LayerPlan] {
        var plans = [ground].compactMap { $0 }
        for (index, overlay) in state.overlays.enumerated() {
            guard let content = content(of: overlay) else { continue }
            var plan = plan("overlay.\(index)", z: InterfacePlan.Level.overlays + index, content)
            plan.alpha = Double(overlay.opacityPercent) / 100
            // They follow the video's pictures.
            plan.presence = overlay.presence
            plan.isMoving = content is Ticker
            plans.append(plan)
        }
        return plans
    }

    /// Black needs no layer.
    private var ground: LayerPlan? {
        guard let frame = state.video.programmeFrame else { return nil }
        let picture = artwork(frame.background, .poster(Metrics.screen)).flatMap { $0.pixels == nil ? nil : $0 }
        guard picture != nil || frame.colour != .black else { return nil }
        return plan("ground", z: InterfacePlan.Level.ground, ProgrammeGround(frame: frame, picture: picture))
    }

    private func plan(_ id: String, z: Int, _ content: any LayerContent) -> LayerPlan {
        LayerPlan(id: id, z: z, content: content, motion: LayerMotion(fadesIn: false, fadesOut: false))
    }

    private func content(of overlay: ScreenOverlay) -> (any LayerContent)? {
        if let words = overlay.words {
            if !state.appearance.reducesMotion, let ticker = Ticker(overlay, words: words, at: time, kit) { return ticker }
            return OverlayText(overlay, words: words)
        }
        guard let picture = artwork(overlay.image, .overlay(overlay)), picture.pixels != nil else { return nil }
        return OverlayPicture(overlay, picture: picture)
    }
}

/// What is around the video of a programme: a colour, and over it a picture that fills the screen. The video is seen through its hole.
struct ProgrammeGround: LayerContent {
    let frame: ScreenFrame
    /// Loaded; nil: the colour alone.
    let picture: LayerPicture?

    func bounds(_ kit: Kit) -> Rect { kit.scale.screen }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let screen = bounds(kit), colour = frame.colour
        canvas.fill(screen, Tint(Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255))
        if let picture { canvas.picture(picture.pixels, in: screen, radius: 0) }
        canvas.clear(kit.scale.design(kit.scale.video(frame.box, isOfProgramme: true)))
    }
}
