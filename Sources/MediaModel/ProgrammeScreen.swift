/// What the operator says of the screen of a programme: the place of its video, and what is around and over it.
package struct ProgrammeScreen: Sendable, Hashable {
    /// The place of its video; nil: the whole screen.
    package var frame: ScreenFrame?
    /// Pictures and words over it, the lowest first.
    package var overlays: [ScreenOverlay]

    package init(frame: ScreenFrame? = nil, overlays: [ScreenOverlay] = []) {
        self.frame = frame
        self.overlays = overlays
    }
}

/// A part of the screen into which the video of a programme is fitted, and what is around it.
package struct ScreenFrame: Sendable, Hashable {
    /// In pixels of a 1920x1080 screen: the same part of one of another shape. Inside the screen, not empty, with even edges.
    package var box: PixelRect
    /// The colour around it.
    package var colour: OpaqueColour
    /// The address of the picture around it, over the colour; nil: the colour alone.
    package var background: String?
    /// Whether interstitials are shown in it too, and not on the whole screen.
    package var isKeptInInterstitials: Bool

    package init(
        box: PixelRect, colour: OpaqueColour = .black, background: String? = nil, isKeptInInterstitials: Bool = false
    ) {
        self.box = box
        self.colour = colour
        self.background = background
        self.isKeptInInterstitials = isKeptInInterstitials
    }
}
