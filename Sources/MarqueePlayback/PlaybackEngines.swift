// Links libdispatch, whose main queue the main loop drains, into programs that do not use it otherwise.
import Dispatch
import Display
import EngineAssembly
import Glibc
import HLSStreaming
import LinuxSupport
import MediaCodec
import MediaModel
import Playback
import StatusModel
import Transfer

/// What players work with: a screen, sound, decoders, a loader and a clock, joined. Make one for a program, then assets and players with it.
///
/// **Threads.** Everything of this library is on the main actor. Decoders, loaders, screen and sound have threads of their own, which it does not wait for.
/// `run` is the main loop: while it runs, tasks of the main actor, timers and playback go on. Nothing is played outside of it.
///
/// **Output.** Nothing is written to standard error. What is worse than it could be, such as a missing sound card, is told to `remarks` in one sentence.
@MainActor
public final class PlaybackEngines {
    /// Where pictures are shown.
    public enum Screen: Sendable, Hashable {
        /// The first graphics card with a connected screen; without one, a screen in memory of 1920 by 1080 pixels.
        case automatic
        /// A graphics card: `card1`, `/dev/dri/card1`, or nil for the first one. No other program may use it.
        case card(String?)
        /// A screen in memory with 60 pictures a second. Sizes are pixels, at least 1.
        case headless(width: Int, height: Int)
    }

    /// Where sound is heard.
    public enum Sound: Sendable, Hashable {
        /// The default device; without one, silence until there is one.
        case automatic
        /// A device of ALSA.
        case device(String)
        /// A WAV file, which is replaced.
        case file(String)
        /// Nowhere; time passes as with a device.
        case none
    }

    /// Which time players live in.
    public enum Time: Sendable, Hashable {
        /// The machine's.
        case real
        /// Simulated: it jumps to the next event when no work is pending, so that an hour passes in seconds and each run gives the same result. There is
        /// no sound card in it. Work that a client does outside of the main actor is not waited for.
        case simulated
    }

    let loop: MainLoop
    private let joined: PlaybackServices
    private let makeOutputs: @MainActor () throws(MediaError) -> (any DisplayOutput, any AudioSink)
    private var isTaken = false
    private var isRunning = false

    private init(
        loop: MainLoop, joined: PlaybackServices,
        makeOutputs: @escaping @MainActor () throws(MediaError) -> (any DisplayOutput, any AudioSink)
    ) {
        (self.loop, self.joined, self.makeOutputs) = (loop, joined, makeOutputs)
    }

    /// The engines of this machine.
    ///
    /// - Parameter remarks: told, on the main actor, what is worse than it could be.
    /// - Throws: `internal` with a sentence if the card or the device that was named cannot be used.
    public static func standard(
        screen: Screen = .automatic, sound: Sound = .automatic, time: Time = .real,
        remarks: @escaping @MainActor (String) -> Void = { _ in }
    ) throws(PlaybackError) -> PlaybackEngines {
        do throws(MediaError) {
            return try make(screen, sound, time, remarks)
        } catch {
            throw PlaybackError(error)
        }
    }

    private static func make(
        _ screen: Screen, _ sound: Sound, _ time: Time, _ remarks: @escaping @MainActor (String) -> Void
    ) throws(MediaError) -> PlaybackEngines {
        let loop: MainLoop
        do throws(SystemError) {
            loop = try MainLoop(time: time == .real ? .real : .simulated)
        } catch {
            throw MediaError(.internal, "Making the main loop failed: \(error).")
        }
        let log = LogBook(clock: loop.clock) { remarks($0.words) }
        let makeOutputs = { @MainActor () throws(MediaError) -> (any DisplayOutput, any AudioSink) in
            let display = try DisplayFactory.make(
                screen.choice, asksAhead: time == .simulated, converter: RangeConverter(), loop: loop)
            let sink = try SoundFactory(loop: loop, log: log, opensCards: time == .real, unmutes: false).make(sound.choice)
            return (display, sink)
        }
        let (display, sink) = try makeOutputs()
        var services = PlaybackServices.joining(
            clock: loop.clock, loader: CurlTransfer(clock: loop.clock, version: "library"), codecs: FFmpegCodecs(),
            display: display, sink: sink, memory: NetworkMemory(), showsHighRange: true)
        services.decodesInHardware = true
        if time == .simulated {
            services = services.repeatable
        } else {
            services.wallClock = { machineDate() }
        }
        return PlaybackEngines(loop: loop, joined: services, makeOutputs: makeOutputs)
    }

    /// Nanoseconds since the start of 1970, UTC; nil while the machine's date is not trusted.
    private static func machineDate() -> Int64? {
        guard MachineDate.isTrusted() else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    /// For assets.
    var services: PlaybackServices { joined }

    /// For a new player: the first one takes the screen and the sound that were opened at the start, a later one opens them again.
    func takeServices() throws(MediaError) -> PlaybackServices {
        var services = joined
        if isTaken { (services.display, services.sink) = try makeOutputs() }
        isTaken = true
        return services
    }

    /// Runs the main loop until a task on the main actor has ended, and returns its result. Blocks the main thread; tasks that it has started and not
    /// awaited go on only in the next call. Call it from top-level code or a `main` that is not `async`: an `async` main gives the main thread away.
    ///
    /// - Precondition: it is not called from inside of itself, and on the main thread.
    /// - Throws: what the task throws.
    public func run<Output: Sendable>(_ body: @escaping @MainActor (PlaybackEngines) async throws -> Output) throws -> Output {
        precondition(!isRunning, "the main loop runs already: await instead")
        precondition(
            Self.isOnMainThread, "the main actor has left the main thread: run the main loop in a main that is not async")
        isRunning = true
        defer { isRunning = false }
        let result = Outcome<Output>()
        Task {
            result.value = await Self.outcome { try await body(self) }
            // The main loop looks at the result after it has been woken once more: it may be about to wait.
            await Task.yield()
        }
        loop.run(until: { result.value != nil })
        return try result.value!.get()
    }

    /// The kernel names this thread PID/task/TID; the main thread's number is that of the process.
    private static var isOnMainThread: Bool {
        var name = [UInt8](repeating: 0, count: 64)
        let count = name.withUnsafeMutableBytes { readlink("/proc/thread-self", $0.baseAddress!, $0.count) }
        let numbers = String(decoding: name.prefix(max(count, 0)), as: UTF8.self).split(separator: "/")
        return numbers.first == numbers.last
    }

    private static func outcome<Output: Sendable>(
        _ body: @MainActor () async throws -> Output
    ) async -> Result<Output, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    /// Waits for a length of the engines' time.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; at once.
    public func wait(for duration: Duration) async throws(CancellationError) {
        guard !Task.isCancelled else { throw CancellationError() }
        let waiter = Waiter<Bool>(loop.clock)
        let event = loop.clock.schedule(after: duration) { waiter.resume(true) }
        let hasPassed = await waiter.wait { waiter.cancel(false) }
        event.cancel()
        if !hasPassed { throw CancellationError() }
    }

    /// The result of a task, when it has one.
    @MainActor
    private final class Outcome<Output: Sendable> {
        var value: Result<Output, any Error>?
    }
}

extension PlaybackEngines.Screen {
    fileprivate var choice: DisplayChoice {
        switch self {
        case .automatic: .auto
        case .card(let card): .kms(card: card)
        case .headless(let width, let height):
            .headless(
                DisplayMode(width: max(width, 1), height: max(height, 1), refresh: DisplayChoice.defaultHeadlessMode.refresh))
        }
    }
}

extension PlaybackEngines.Sound {
    fileprivate var choice: AudioChoice {
        switch self {
        case .automatic: .automatic
        case .device(let device): .alsa(device: device)
        case .file(let path): .wav(path: path)
        case .none: .null
        }
    }
}
