import LinuxSupport
import MediaModel
import MediaTime

/// A texture of a window, by its number.
typealias TextureID = Int

/// A rectangle in the pixels of a window, between them while the picture is scaled.
struct PlacedRect: Hashable {
    var x, y, width, height: Double
}

/// One step of drawing a window.
enum DrawStep: Equatable {
    /// Everything, black.
    case clear
    /// What follows is only seen inside of this rectangle.
    case clip(PixelRect)
    case fill(PlacedRect, OpaqueColour)
    /// A part of a texture, turned clockwise around the middle of its destination.
    case texture(TextureID, source: PixelRect, destination: PlacedRect, quarterTurns: Int, alpha: UInt8, isBlended: Bool)
}

/// Something that happened to a window.
enum WindowEvent: Equatable {
    case input(WindowInput)
    /// The viewer wants the window to be closed.
    case close
    /// It is to fill the screen, or not any more.
    case toggleFullScreen
    /// Its size may have changed, or the screen on which it is.
    case resized
    /// Its content was lost, but not its textures.
    case exposed
    /// Its textures were lost.
    case texturesLost
    /// Whether anything of it can be seen.
    case visible(Bool)
    /// The bell rang.
    case bell
}

/// What a viewer does in a window. Codes are those of linux/input-event-codes.h, as from a keyboard or a mouse of a box.
package enum WindowInput: Sendable, Hashable {
    /// - value: 1 down, 0 up, 2 repeated.
    case key(code: UInt16, value: Int32)
    /// The pointer was moved by so many pixels, right and down.
    case motion(horizontal: Int32, vertical: Int32)
    /// The wheel was turned, away from the viewer.
    case wheel(Int32)
}

/// A window of a desktop: SDL's, or one in memory for tests. It belongs to the window's thread.
protocol WindowPort: AnyObject {
    /// What it is, for `marquee doctor`.
    var facts: String { get }
    /// The size of its content in pixels.
    var size: (width: Int, height: Int) { get }
    /// How often the screen on which it is shows a picture.
    var refresh: Ratio { get }
    /// The largest width and height of a texture; nil without a graphics processor: `put` is used then, and never `draw`.
    var largestTexture: (width: Int, height: Int)? { get }
    /// Whether `draw` and `put` wait for the screen.
    var waitsForScreen: Bool { get }

    /// Makes it visible.
    ///
    /// - Returns: the last blank of the screen; nil if it is not known.
    func show() -> HostTime?
    /// - Returns: nil if there is no memory for it.
    func makeTexture(_ shape: TextureShape) -> TextureID?
    /// Fills a texture with a picture of its shape.
    ///
    /// - Returns: whether it could be filled.
    func fill(_ texture: TextureID, with picture: PixelBuffer) -> Bool
    func discard(_ texture: TextureID)
    /// Draws a picture from textures and shows it.
    func draw(_ steps: [DrawStep])
    /// Shows a picture in `xrgb8888`, scaled to a rectangle; black around it.
    func put(_ picture: PixelBuffer, in area: PixelRect)

    /// The next event.
    ///
    /// - Parameter patience: how long to wait for it; nil waits forever.
    func nextEvent(within patience: Duration?) -> WindowEvent?
    /// Has `nextEvent` return `bell`, from any thread.
    var ring: @Sendable () -> Void { get }

    func toggleFullScreen()
    func showPointer(_ isShown: Bool)
    /// Whether the desktop may switch off its screen.
    func allowSleep(_ isAllowed: Bool)
    /// Destroys it. Nothing else is called after this.
    func close()
}
