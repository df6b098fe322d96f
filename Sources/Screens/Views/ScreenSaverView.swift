import MediaModel

/// The screen saver: a dimmed picture with the time of day, on black. It moves once a minute, so that nothing burns in.
package struct ScreenSaverView: Sendable, Hashable {
    /// Its picture, as a reference.
    package var artwork: String?
    /// The time of day; nil while it is unknown.
    package var clock: String?
    /// How it ends.
    package var hint: String
    /// Its place.
    package var frame: PixelRect

    package init(artwork: String? = nil, clock: String? = nil, hint: String, frame: PixelRect) {
        self.artwork = artwork
        self.clock = clock
        self.hint = hint
        self.frame = frame
    }
}

extension ScreenSaverView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("artwork", \.artwork), .init("clock", \.clock), .init("hint", \.hint), .init("frame", \.frame)]
    }
}
