import CDRM
import Glibc
import MediaModel

/// A failure of the kernel's graphics interface or of picture memory. It leaves the module as a `MediaError`.
struct DisplayError: Error, Equatable, CustomStringConvertible {
    /// The operation that failed.
    enum Operation: String, Sendable {
        case openCard = "Opening the graphics card"
        case becomeMaster = "Taking over the screen of"
        case readResources = "Reading the outputs of"
        case setMode = "Setting the mode of"
        case commit = "Changing the picture on"
        case allocate = "Allocating picture memory from"
        case map = "Mapping picture memory of"
        case importBuffer = "Showing picture memory to"
        case addFramebuffer = "Registering a picture with"
    }
    let operation: Operation
    /// The object it failed on: a card, a connector, a heap.
    let object: String
    let reason: String
    /// The kernel's errno; zero if there is none.
    let code: Int32

    /// A call that failed with an errno.
    init(_ operation: Operation, on object: String, code: Int32) {
        self.operation = operation
        self.object = object
        self.code = code
        reason = "\(String(cString: strerror(code))) (errno \(code))"
    }

    /// A call that succeeded with an unusable answer.
    init(_ operation: Operation, on object: String, because reason: String) {
        self.operation = operation
        self.object = object
        self.code = 0
        self.reason = reason
    }

    var description: String { "\(operation.rawValue) \(object) failed: \(reason); \(advice)." }

    private var advice: String {
        switch operation {
        case .openCard where code == EACCES || code == EPERM: "add the user to the group video"
        case .openCard: "run marquee doctor to list the cards, or use --display headless"
        case .becomeMaster: "stop the program that holds the screen, or use --display headless"
        case .readResources: "connect a screen, or use --display headless"
        case .setMode, .commit: "run marquee doctor to list what the screen supports, or use --display headless"
        case .allocate, .map, .importBuffer, .addFramebuffer: "free some graphics memory, or give the card more (CMA)"
        }
    }

    /// The error as it leaves the module.
    var asMediaError: MediaError { MediaError(.internal, description) }
}

/// A call that a signal interrupts is repeated this often, so that a driver that answers every call with EINTR does not keep its thread for ever. libdrm itself
/// repeats most calls without end; the watchdog then misses the flips.
let mostInterruptions = 100

/// Runs a call of libdrm. Some of its functions return a negative errno, some -1 with errno: both are handled. EINTR and EAGAIN repeat
/// the call, at most `mostInterruptions` times.
///
/// - Throws: `DisplayError` naming the operation and the object.
@discardableResult
func drm(
    _ operation: DisplayError.Operation, on object: @autoclosure () -> String, _ call: () -> Int32
) throws(DisplayError) -> Int32 {
    var interruptions = 0
    while true {
        errno = 0
        let result = call()
        if result >= 0 { return result }
        let code = errno != 0 ? errno : -result
        if code == EINTR || code == EAGAIN, interruptions < mostInterruptions {
            interruptions += 1
            continue
        }
        throw DisplayError(operation, on: object(), code: code)
    }
}
