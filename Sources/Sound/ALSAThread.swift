import CLinux
import Glibc
import LinuxSupport

/// The sound thread: owns the device, keeps it full, and reopens it when it was lost and has come back.
///
/// SCHED_FIFO if the process may; otherwise an ordinary thread. Its rounds take no lock and allocate nothing. Only losing and
/// reopening the device does, when there is no sound to disturb.
// Unchecked: `device`, `feeder` and `growth` belong to the thread from its start to its end; everything else is constant and Sendable.
final class ALSAThread: @unchecked Sendable {
    private var device: (any PlaybackDevice)?
    private var feeder: ALSAFeeder
    private let exchange: ALSAExchange
    private let bell: FileDescriptor
    private let sampleRate: Int
    private let whenPresenceChanges: @Sendable (Bool) -> Void
    private let whenPaced: @Sendable () -> Void
    private let reopen: @Sendable (Int) -> (any PlaybackDevice)?
    private var growth = BufferGrowth()
    /// Since when the device has refused everything, by CLOCK_MONOTONIC.
    private var troubleSince: Int64?

    /// Low among the real-time priorities: above every ordinary thread, below the kernel's own threads.
    private static let priority: Int32 = 10
    /// The device wants frames every ten milliseconds. If it wants none for this long, it hangs.
    private static let hangLimit: Int32 = 1000
    /// How many times a device that was closed to enlarge its buffer is tried, 10 ms apart, before it counts as lost.
    private static let reopenings = 20
    /// After a late round the device is full, and needs nothing for at least this many milliseconds.
    private static let lateRoundPause: Int32 = 5
    /// A device that refuses everything for this long without being gone, such as one whose screen no longer takes sound, counts as lost: nothing else
    /// would end the silence.
    private static let troubleLimit: Int64 = 1_000_000_000
    private static let firstRetry: Int32 = 100
    private static let lastRetry: Int32 = 5000

    /// - Parameters:
    ///   - reopen: opens the device again, with a buffer of the given length in milliseconds; nil while it is absent. Runs on the
    ///     thread.
    ///   - whenPresenceChanges: called on the thread with whether there is a device, after the report says it too.
    ///   - whenPaced: called on the thread when the device was found to have no clock.
    init(
        device: sending any PlaybackDevice, exchange: ALSAExchange, sampleRate: Int, isCarrying: Bool, bell: FileDescriptor,
        reopen: @escaping @Sendable (Int) -> (any PlaybackDevice)?, whenPresenceChanges: @escaping @Sendable (Bool) -> Void,
        whenPaced: @escaping @Sendable () -> Void
    ) {
        self.device = device
        self.exchange = exchange
        self.bell = bell
        self.reopen = reopen
        self.whenPresenceChanges = whenPresenceChanges
        self.whenPaced = whenPaced
        self.sampleRate = sampleRate
        feeder = ALSAFeeder(exchange: exchange, sampleRate: sampleRate, isCarrying: isCarrying)
    }

    /// Starts the thread. To end it: set `isClosing`, ring the bell, join.
    func start() -> pthread_t {
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, soundThreadMain, Unmanaged.passRetained(self).toOpaque())
        precondition(code == 0, "no thread could be created: \(String(cString: strerror(code)))")
        return thread
    }

    fileprivate func run() {
        "sound".withCString { marquee_name_thread($0) }
        var parameters = sched_param()
        parameters.sched_priority = Self.priority
        // Without the right to do this the thread stays an ordinary one.
        _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
        while !exchange.isClosing.load(ordering: .acquiring) {
            if device == nil {
                waitForDevice()
            } else if serve() {
                enlarge()
            }
        }
        device = nil
    }

    /// Runs one round. It leaves no reference to the device behind, so a caller that drops the device closes it at once.
    ///
    /// - Returns: true when the device is to be reopened with the buffer in `growth`.
    private func serve() -> Bool {
        guard let device else { return false }
        var outcome = feeder.turn(device)
        if outcome == .wait, !device.wait(bell: bell.number, milliseconds: Self.hangLimit) { outcome = feeder.restart(device) }
        switch outcome {
        case .wait:
            troubleSince = nil
            clearBell()
            let late = feeder.takeLateRounds()
            // A device that runs dry again at once must not occupy this thread, which has priority over all others.
            if late > 0 { waitForBell(milliseconds: Self.lateRoundPause) }
            return growth.note(late: late, at: monotonicNanoseconds())
        case .waitBriefly:
            let now = monotonicNanoseconds()
            let since = troubleSince ?? now
            troubleSince = since
            if now - since >= Self.troubleLimit { lose() } else { waitForBell(milliseconds: 10) }
        case .lost: lose()
        case .runAway: setPace(device)
        }
        return false
    }

    /// From now on the device is given frames when they are due, as one with a clock asks for them.
    private func setPace(_ device: any PlaybackDevice) {
        let paced = PacedDevice(device, sampleRate: sampleRate)
        self.device = paced
        if feeder.restart(paced) == .lost { lose() } else { whenPaced() }
    }

    private func lose() {
        troubleSince = nil
        device = nil
        feeder.turnWithoutDevice()
        whenPresenceChanges(false)
    }

    /// Reopens the device with a larger buffer for a slow machine, or with the old size if it accepts no larger one.
    ///
    /// The device is closed first, since most devices can be opened only once: no caller may hold a reference. Some are busy for
    /// a moment after closing, which does not count as a loss.
    private func enlarge() {
        feeder.prepareToReopen(chunkMilliseconds: growth.milliseconds / BufferGrowth.chunks)
        device = nil
        for attempt in 1...Self.reopenings where device == nil && !exchange.isClosing.load(ordering: .acquiring) {
            device = reopen(growth.milliseconds)
            if device == nil { waitForBell(milliseconds: 10) }
            if attempt == Self.reopenings / 2, device == nil {
                growth.takeBack()
                feeder.prepareToReopen(chunkMilliseconds: growth.milliseconds / BufferGrowth.chunks)
            }
        }
        if device == nil { lose() }
    }

    /// Tries to open the device again, at growing intervals.
    private func waitForDevice() {
        var pause = Self.firstRetry
        while !exchange.isClosing.load(ordering: .acquiring) {
            if !waitForBell(milliseconds: pause) {
                // One that can be opened and fails in its first round is not back.
                if let device = reopen(growth.milliseconds), feeder.turn(device) == .wait {
                    self.device = device
                    return whenPresenceChanges(true)
                }
                pause = min(pause * 2, Self.lastRetry)
            }
            feeder.turnWithoutDevice()
        }
    }

    @discardableResult
    private func waitForBell(milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: bell.number, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, milliseconds) > 0 else { return false }
        clearBell()
        return true
    }

    private func clearBell() {
        var count: UInt64 = 0
        _ = read(bell.number, &count, 8)
    }
}

private func soundThreadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    Unmanaged<ALSAThread>.fromOpaque(argument!).takeRetainedValue().run()
    return nil
}
