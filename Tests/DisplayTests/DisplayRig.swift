import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Display

/// A kind of display that the shared suite runs against.
enum DisplayKind: String, CaseIterable, CustomTestStringConvertible {
    case headlessSimulated, headlessReal

    /// Those that this machine has.
    static var available: [DisplayKind] { allCases }

    var testDescription: String { rawValue }
}

/// A display with its loop, and waiting that gives up.
@MainActor
struct DisplayRig {
    let loop: MainLoop
    let display: any DisplayOutput

    init(_ kind: DisplayKind, width: Int = 320, height: Int = 180) throws {
        let mode = DisplayMode(width: width, height: height, refresh: Ratio(60))
        switch kind {
        case .headlessSimulated: loop = try MainLoop(time: .simulated)
        case .headlessReal: loop = try MainLoop(time: .real)
        }
        display = HeadlessDisplay(mode: mode, clock: loop.clock)
    }

    /// Runs the loop until something is true; a test that would wait for ever fails after 20 seconds.
    func run(_ what: String, until isDone: @MainActor () -> Bool) throws {
        var isLate = false
        let alarm = loop.clock.schedule(after: .seconds(20)) { isLate = true }
        loop.run(until: { isDone() || isLate })
        alarm.cancel()
        if !isDone() { throw Overdue(what: what) }
    }

    /// Lets time pass.
    func run(for length: Duration) throws {
        var isOver = false
        loop.clock.schedule(after: length) { isOver = true }
        try run("\(length) to pass") { isOver }
    }

    /// Reads the screen.
    func read() throws -> ScreenPicture? {
        var result: ScreenPicture??
        display.readScreen { result = .some($0) }
        try run("the screen to be read") { result != nil }
        return result!
    }

    struct Overdue: Error, CustomStringConvertible {
        var what: String
        var description: String { "waited 20 s for \(what)" }
    }
}
