import LinuxSupport
import MediaModel

/// Opens the screen that the operator asked for.
public enum DisplayFactory {
    /// Opens a display. Main loop only; a card may take some tens of milliseconds to set its mode.
    ///
    /// - Throws: `MediaError` with code `internal` and one sentence when the card cannot be opened, is another program's, or has no screen.
    @MainActor public static func make(_ choice: DisplayChoice, loop: MainLoop) throws(MediaError) -> any DisplayOutput {
        switch choice {
        case .headless(let mode): return HeadlessDisplay(mode: mode, clock: loop.clock)
        case .auto: return HeadlessDisplay(mode: DisplayChoice.defaultHeadlessMode, clock: loop.clock)
        case .kms(let card):
            throw MediaError(
                .internal, "Opening \(card ?? "a graphics card") failed: there is no screen driver yet; use --display headless.")
        }
    }
}
