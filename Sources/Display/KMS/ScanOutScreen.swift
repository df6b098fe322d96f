import LinuxSupport
import MediaModel
import MediaTime

/// A screen on a graphics card as the display's thread uses it: `KMSScreen`, or in tests a fake with the faults of drivers. Used by one
/// thread at a time.
protocol ScanOutScreen: AnyObject {
    /// A descriptor that is readable while `readFlips` has something to report.
    var eventDescriptor: Int32 { get }
    /// Its own mode, in which pictures are turned.
    var displayMode: DisplayMode { get }
    /// How far pictures are turned for it.
    var rotation: DisplayRotation { get }
    /// The rates of the modes that have the current size, in the order in which the screen lists them.
    var refreshRates: [Ratio] { get }
    /// From the lowest to the highest.
    var planes: [PlaneProfile] { get }
    /// Whether the hardware itself can show a background other than black.
    var showsBackground: Bool { get }
    /// Whether a commit can read back the screen. Not in a high range: its code values are not those of a picture.
    var canReadBack: Bool { get }
    /// The high ranges that the card and the screen can show.
    var ranges: Set<HighDynamicRange> { get }
    /// The high range that is signalled; nil: a standard one.
    var signal: RangeSignal? { get }
    /// What the connector says of its screen now. Asks the hardware, which may take some tens of milliseconds.
    var condition: ScreenCondition { get }

    /// The mode that `reset(wanted:signal:)` would set; nil when the screen offers none.
    func mode(nearestTo wanted: DisplayMode?) -> DisplayMode?
    /// Whether the card can scan out the memory of a picture.
    func canScanOut(_ pixels: PixelBuffer) -> Bool
    /// Asks the kernel whether a picture could be shown (a test commit).
    func accepts(_ pictures: [PlanePicture], background: OpaqueColour) -> Bool
    /// The same together with another signal in the mode that `reset(wanted:signal:)` would set.
    func accepts(_ pictures: [PlanePicture], wanted: DisplayMode?, signal: RangeSignal) -> Bool
    /// Commits a picture, visible from the next blank on; the flip's event carries `token`.
    ///
    /// - Parameter readInto: memory of the mode's size that receives a read-back of the whole screen.
    /// - Returns: the verdict, and the descriptor of a fence that signals the end of the read-back.
    func commit(
        _ pictures: [PlanePicture], background: OpaqueColour, token: UInt64, readInto: PixelBuffer?
    ) throws(DisplayError) -> (CommitVerdict, FileDescriptor?)
    /// Reports the flips that have happened since the last call. Does not wait.
    func readFlips(_ report: (CompletedFlip) -> Void)
    /// The last vertical blank: its time by `CLOCK_MONOTONIC` and its number; nil if the driver does not report it, or reports a time to come.
    func lastBlank() -> (nanoseconds: Int64, sequence: UInt64)?

    /// Reads the connectors again and switches the screen on, black: after it came back, or when it is stuck.
    ///
    /// - Parameter signal: a high range; a screen that cannot show it gets a standard one.
    func reset(wanted: DisplayMode?, signal: RangeSignal?) throws(DisplayError)
    /// Disables the output and all planes; `reset` restores it.
    func switchOff()
    /// Restores the screen as it was found.
    func restore()
}

extension ScanOutScreen {
    /// The mode as viewers see it, for which scenes are made.
    var sceneMode: DisplayMode { rotation.turn(displayMode) }
}

/// What a connector says of its screen.
enum ScreenCondition {
    /// It is the screen for which the mode was set.
    case same
    /// There is a screen, but the mode must be set again: it is another screen, or one that was away for a moment, or the link does not carry the picture.
    case changed
    case absent
    /// The connector could not be read.
    case unknown
}

/// The kernel's answer to a commit.
enum CommitVerdict {
    case accepted
    /// The previous flip is still pending: try again.
    case busy
    /// An errno.
    case refused(Int32)
}

/// The kernel's report that a commit is on the screen.
struct CompletedFlip {
    /// That of the commit.
    var token: UInt64
    /// By `CLOCK_MONOTONIC`.
    var nanoseconds: Int64
    /// The lower 32 bits of the number of the blank.
    var sequence: UInt32
}
