import Glibc
import LinuxSupport
import MediaModel

/// Opens the configured display.
package enum DisplayFactory {
    /// Opens a display. Main loop only; setting a card's mode may take some tens of milliseconds.
    ///
    /// `auto` takes a window if a desktop's session is given, and real time is used; else the first card with a connected screen. Without one it takes a
    /// headless display, whose `probe` gives the reasons.
    ///
    /// - Parameters:
    ///   - mode: the mode to set on a card's screen, if it has it; nil, or when it does not: the screen's preferred mode. A headless
    ///     display that `auto` takes has this mode, by default 1920x1080 at 60 Hz.
    ///   - rotation: how far the screen hangs turned. Not of a window, which the desktop turns.
    ///   - asksAhead: see `HeadlessDisplay`.
    ///   - converter: fits pictures and layers to the range of a card's screen; nil: only a standard range is shown.
    ///   - session: the session of a desktop in which `auto` takes a window; nil: it takes none.
    ///   - note: told, in one sentence, why there is no window although there is a desktop.
    /// - Throws: `MediaError` with code `internal` and one sentence when the card cannot be opened, is in use by another program,
    ///   or has no screen.
    @MainActor package static func make(
        _ choice: DisplayChoice, mode wanted: DisplayMode? = nil, rotation: DisplayRotation = .none, asksAhead: Bool = false,
        converter: (any RangeConverting)? = nil, session: DesktopSession? = nil, loop: MainLoop,
        note: (String) -> Void = { _ in }
    ) throws(MediaError) -> any DisplayOutput {
        let setting = KMSDisplay.Options(path: "", mode: wanted, rotation: rotation, converter: converter)
        switch choice {
        case .headless(let mode): return HeadlessDisplay(mode: mode, rotation: rotation, clock: loop.clock, asksAhead: asksAhead)
        case .kms(let card):
            let paths = card.map { [path(of: $0)] } ?? cards
            guard let first = paths.first else {
                throw MediaError(
                    .internal,
                    "Opening a graphics card failed: there is none in /dev/dri; load its driver, or use --display headless.")
            }
            var problem: MediaError?
            for path in paths {
                do {
                    return try open(path, setting, loop)
                } catch {
                    problem = problem ?? error
                }
            }
            throw problem ?? MediaError(.internal, "Opening \(first) failed; use --display headless.")
        case .window(let size): return try open(size, DesktopSession.current(), loop)
        case .auto:
            var remarks: [String] = []
            if let session, loop.clock is RealClock {
                do {
                    return try open(nil, session, loop)
                } catch {
                    note(error.sentence)
                    remarks.append(error.sentence)
                }
            }
            for path in cards {
                do {
                    return try open(path, setting, loop)
                } catch {
                    remarks.append(error.sentence)
                }
            }
            if cards.isEmpty { remarks.append("there is no graphics card in /dev/dri") }
            return HeadlessDisplay(
                mode: wanted ?? DisplayChoice.defaultHeadlessMode, rotation: rotation, clock: loop.clock, asksAhead: asksAhead,
                remarks: remarks)
        }
    }

    /// The facts about a display, for `marquee doctor` and the log.
    package static func probe(_ display: any DisplayOutput) -> DisplayProbe? {
        (display as? KMSDisplay)?.probe ?? (display as? HeadlessDisplay)?.probe ?? (display as? WindowDisplay)?.probe
    }

    /// The paths of the machine's graphics cards, ordered by number.
    package static var cards: [String] {
        (0..<64).map { "/dev/dri/card\($0)" }.filter { access($0, F_OK) == 0 }
    }

    private static func path(of card: String) -> String {
        if card.first == "/" { return card }
        return card.allSatisfy(\.isNumber) ? "/dev/dri/card\(card)" : "/dev/dri/\(card)"
    }

    @MainActor private static func open(
        _ size: DisplayChoice.WindowSize?, _ session: DesktopSession?, _ loop: MainLoop
    ) throws(MediaError) -> WindowDisplay {
        guard let session else {
            throw MediaError(
                .internal,
                "Opening a window failed: neither WAYLAND_DISPLAY nor DISPLAY is set; start the program in a desktop, or use --display headless."
            )
        }
        var options = WindowDisplay.Options()
        if let size { (options.width, options.height) = (size.width, size.height) }
        return try WindowDisplay(options, session: session, clock: loop.clock)
    }

    /// When the screen does not have the wanted mode, its preferred mode is used.
    @MainActor private static func open(
        _ path: String, _ setting: KMSDisplay.Options, _ loop: MainLoop
    ) throws(MediaError) -> KMSDisplay {
        var options = setting
        options.path = path
        if options.mode != nil, let display = try? KMSDisplay(options, clock: loop.clock) { return display }
        options.mode = nil
        return try KMSDisplay(options, clock: loop.clock)
    }
}
