import LinuxSupport
import MediaModel
import MediaTime

/// The mode and the dynamic range that a screen is to have, and what was found out about them. Display's thread.
///
/// A high range is set with the first picture of it, because only the picture knows its light: then rate and range change in one mode set. Whatever refuses
/// it leaves a standard range until the player asks again: the kernel, a screen on which nothing appears, another screen, planes that cannot show a scene.
struct ScreenSetting {
    /// A range that the player asked for.
    private struct Asked {
        var number: Int
        var range: HighDynamicRange
    }

    /// The mode that was wanted when the display was opened.
    private let openedMode: DisplayMode?
    /// The mode requested since the screen was opened; nil: `openedMode`.
    private var askedMode: DisplayMode?
    private var rateTrial = RateTrial()
    /// The range whose first picture is awaited.
    private var awaited: Asked?
    /// What is signalled, or will be when the screen is back.
    private var signal: (asked: Asked, value: RangeSignal)?
    /// Ranges in which a flip has come.
    private var confirmed: Set<HighDynamicRange> = []
    /// Ranges that the kernel has refused, or in which nothing appeared.
    private var dark: Set<HighDynamicRange> = []
    private let link: KMSLink

    init(_ mode: DisplayMode?, link: KMSLink) {
        openedMode = mode
        self.link = link
    }

    /// The mode to set.
    var mode: DisplayMode? { askedMode ?? openedMode }

    /// Whether the first picture of a range has not come yet.
    var awaitsPicture: Bool { awaited != nil }

    /// The rates of a screen that may be requested.
    func usable(of rates: [Ratio]) -> [Ratio] { rateTrial.usable(of: rates) }

    /// The ranges of a screen that may be requested.
    func usable(of ranges: Set<HighDynamicRange>) -> Set<HighDynamicRange> { ranges.subtracting(dark) }

    /// Takes a request of the player.
    ///
    /// - Parameter mode: the current one.
    /// - Returns: whether it takes effect now; if not, with the first picture of its range.
    mutating func take(_ mail: KMSLink.Signal, mode: DisplayMode) -> Bool {
        askedMode = mail.request.refresh.map {
            var wanted = mode
            wanted.refresh = $0
            return wanted
        }
        awaited = mail.request.range.map { Asked(number: mail.number, range: $0) }
        if awaited == nil { signal = nil }
        return awaited == nil
    }

    /// A picture comes that is not on the screen yet: whether the signal has to be set for it, and if so which.
    ///
    /// - Parameter shows: whether a signal and its pictures can be shown.
    mutating func arrives(_ frame: VideoFrame, shows: (RangeSignal) -> Bool) -> Bool {
        guard let asked = awaited, frame.original.highRange == asked.range else { return false }
        awaited = nil
        signal = nil
        // A picture in another format, which the decoder has converted, needs no other signal.
        guard frame.colour.highRange == asked.range else {
            link.refuse(asked.number, because: "the pictures are not in 4:2:0 of ten bits")
            return true
        }
        let value = RangeSignal(range: asked.range, light: frame.original.light)
        if shows(value) {
            signal = (asked, value)
        } else {
            link.refuse(asked.number, because: "the planes cannot show it beside the interface")
        }
        return true
    }

    /// Whether a mode set would change nothing.
    func isInForce(on screen: any ScanOutScreen) -> Bool {
        screen.mode(nearestTo: mode) == screen.displayMode && screen.signal == signal?.value
    }

    /// Sets what is wanted. A mode that the screen lists may be refused all the same, or be gone since it was listed: then the mode of the start is
    /// wanted from now on, and if that is refused too the screen's own mode is used. A high range that is refused is not wanted any more.
    mutating func apply(to screen: any ScanOutScreen, at now: HostTime) throws(DisplayError) {
        if let next = screen.mode(nearestTo: mode), next != screen.displayMode { rateTrial.begin(next.refresh, at: now) }
        if let value = signal?.value {
            do {
                try screen.reset(wanted: mode, signal: value)
                if screen.signal == nil { refuse("the screen cannot show it") }
                return
            } catch {
                guard Self.isRefusal(error), screen.condition != .absent else { throw error }
                dark.insert(value.range)
                refuse("\(error)")
            }
        }
        do {
            try screen.reset(wanted: mode, signal: nil)
        } catch {
            guard Self.isRefusal(error), screen.condition != .absent else { throw error }
            if askedMode != nil {
                askedMode = nil
                if (try? screen.reset(wanted: openedMode, signal: nil)) != nil { return }
            }
            try screen.reset(wanted: nil, signal: nil)
        }
    }

    /// Whether the card was asked. A screen that was not found may be there a moment later: that is not a reason to give up its mode.
    private static func isRefusal(_ error: DisplayError) -> Bool {
        error.operation != .readResources && error.operation != .becomeMaster
    }

    /// A high range is given up.
    private mutating func refuse(_ reason: String) {
        if let asked = signal?.asked { link.refuse(asked.number, because: reason) }
        signal = nil
    }

    /// The planes cannot show a scene in the high range that is signalled.
    mutating func planesFailed() { refuse("the planes cannot show it beside the interface") }

    /// A flip has come: rate and range are shown.
    mutating func flipped() {
        rateTrial.flipped()
        if let range = signal?.value.range { confirmed.insert(range) }
    }

    /// A flip has not come in time.
    ///
    /// - Parameter recoveries: how often the mode was set again since the last flip.
    /// - Returns: whether something is given up that had never been shown.
    mutating func flipFailed(at now: HostTime, recoveries: Int) -> Bool {
        // A single flip may be lost.
        if recoveries >= 2, let range = signal?.value.range, !confirmed.contains(range) {
            dark.insert(range)
            refuse("nothing appeared on the screen")
            return true
        }
        guard askedMode != nil, rateTrial.hasFailed(at: now, recoveries: recoveries) else { return false }
        // Back to the rate that worked.
        askedMode = nil
        return true
    }

    /// There may be another screen: rates and ranges that showed nothing are tried again.
    mutating func screenChanges() {
        rateTrial = RateTrial()
        (dark, confirmed) = ([], [])
    }
}
