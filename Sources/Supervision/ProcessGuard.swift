import Glibc
import LinuxSupport
import Synchronization

/// Ends the process when it cannot do so itself. Its thread (`guard`) waits for nothing that the rest of the program holds.
///
/// - **A signal to end**: from then on the program has `Limits.ending` to end in order. After that the signal takes its default action, even if the
///   main loop or a thread that is being joined hangs.
/// - **A main loop that does not come round**: after `Limits.silence` the main thread is given SIGABRT, so that the crash record has its frames.
///
/// Main loop only.
@MainActor
package final class ProcessGuard {
    struct Limits: Sendable {
        /// How long an orderly end may take. Less than 5 s, which is when the service manager would kill the process.
        var ending = Duration.seconds(4)
        /// The time between two beats of the loop, and between two looks at them.
        var round = Duration.seconds(2)
        /// The loop is aborted after so many rounds without a beat: 10 s.
        var silentRounds = 5
    }

    private let limits: Limits
    private let thread: WorkerThread
    private let shared: GuardThread
    private var beat: ScheduledEvent?

    /// Starts the thread. Called on the main thread, after the signals were blocked and before anything that may hang.
    ///
    /// - Parameter signals: the blocked signals that end the program. The guard leaves them pending for the main loop.
    /// - Throws: `SystemError` when the kernel has no descriptor left.
    package convenience init(signals: [Int32]) throws(SystemError) {
        try self.init(signals: signals, pending: try SignalDescriptor.make(signals), limits: Limits())
    }

    /// - Parameter pending: readable while one of the signals is pending.
    init(signals: [Int32], pending: FileDescriptor, limits: Limits) throws(SystemError) {
        self.limits = limits
        let shared = GuardThread(
            signals: signals, pending: pending, bell: try FileDescriptor.event(), limits: limits, main: pthread_self())
        self.shared = shared
        thread = WorkerThread(name: "guard")
        thread.perform { shared.run() }
    }

    /// Watches a loop from now on, until `leaveLoop`. Its time must be real: simulated time may wait as long as it needs.
    package func watchLoop(of clock: any HostClock) {
        shared.beats.withLock { $0 = 0 }
        beatRegularly(clock)
    }

    /// The loop no longer runs.
    package func leaveLoop() {
        beat?.cancel()
        beat = nil
        shared.beats.withLock { $0 = nil }
    }

    /// Ends the thread. The program is about to exit.
    package func stop() {
        leaveLoop()
        shared.bell.ring()
        thread.stop()
    }

    private func beatRegularly(_ clock: any HostClock) {
        shared.beats.withLock { $0 = $0.map { $0 &+ 1 } }
        beat = clock.schedule(after: limits.round) { [weak self] in self?.beatRegularly(clock) }
    }
}

/// What the guard's thread does.
private final class GuardThread: Sendable {
    /// The beats of the loop; nil while none is watched.
    let beats = Mutex<UInt64?>(nil)
    /// Ends the thread.
    let bell: FileDescriptor
    private let signals: [Int32]
    private let pending: FileDescriptor
    private let limits: ProcessGuard.Limits
    private let main: pthread_t

    init(signals: [Int32], pending: FileDescriptor, bell: FileDescriptor, limits: ProcessGuard.Limits, main: pthread_t) {
        (self.signals, self.pending, self.bell, self.limits, self.main) = (signals, pending, bell, limits, main)
    }

    private enum Event { case bell, signal, timeout }

    func run() {
        var silence = LoopSilence(mostRounds: limits.silentRounds)
        while true {
            switch wait(for: [bell, pending], limits.round) {
            case .bell: return
            case .signal: return awaitEnd()
            case .timeout: if silence.round(beats: beats.withLock { $0 }) { abortMain() }
            }
        }
    }

    /// Waits for the first of two descriptors, bell before signal.
    private func wait(for descriptors: [FileDescriptor], _ length: Duration) -> Event {
        var polled = descriptors.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
        let milliseconds = Int32(clamping: length.wholeNanoseconds / 1_000_000)
        while true {
            let count = poll(&polled, nfds_t(polled.count), milliseconds)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .timeout }
            return polled[0].revents != 0 ? .bell : .signal
        }
    }

    /// The program has been told to end.
    private func awaitEnd() {
        guard wait(for: [bell], limits.ending) == .timeout else { return }
        say("The program did not end within \(limits.ending) after it was told to; it is ended now.")
        // The operator wanted the end, so it does not count as a crash.
        FlightRecorder.close()
        SignalDescriptor.unblock(signals)
        _exit(128 + SIGTERM)
    }

    private func abortMain() -> Never {
        say("The main loop did not come round for \(limits.round * limits.silentRounds); the program is aborted.")
        pthread_kill(main, SIGABRT)
        // A thread inside the kernel may not take the signal.
        _ = wait(for: [bell], .seconds(5))
        abort()
    }

    private func say(_ sentence: String) {
        FlightRecorder.log(sentence)
        // A reader of standard error that hangs may be why the main loop hangs.
        var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&output, 1, 0) > 0, Int32(output.revents) & POLLOUT != 0 else { return }
        let line = "marquee: \(sentence)\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
