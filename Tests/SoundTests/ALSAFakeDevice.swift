import Glibc

@testable import Sound

/// A device whose time is controlled by the test. It records what was heard when. Float samples, any number of channels.
///
/// It allocates nothing after it is made, so that all counted allocations are the feeder's.
final class FakeDevice: PlaybackDevice {
    let encoding = SampleEncoding.float
    let bufferFrames: Int
    let channels: Int
    var route: ChannelRoute?
    private static let capacity = 1 << 19
    private let tape: UnsafeMutablePointer<Float>
    private(set) var written = 0
    private(set) var heard = 0
    private(set) var nanoseconds: Int64 = 5_000_000_000
    private(set) var state = DeviceStatus.State.prepared
    /// Frames that it holds beyond its buffer. Sound is heard this much later than the position on the tape.
    var latency = 0
    var rewinds = true
    /// Whether it stops when it has nothing to play; otherwise it plays silence.
    var stopsWhenDry = false
    var resumes = false
    /// The errno of a failed resume, negative.
    var resumeFailure = -ENOSYS
    /// Whether it refuses frames without being lost.
    var refusesFrames = false
    /// Whether it does not say how much room it has, without being lost.
    var hidesRoom = false
    /// The most frames that came in one call.
    private(set) var longestWrite = 0
    private(set) var starts = 0
    /// How often frames were taken back.
    private(set) var rewindings = 0

    init(channels: Int = 2, bufferFrames: Int = 2400) {
        self.channels = channels
        self.bufferFrames = bufferFrames
        tape = .allocate(capacity: Self.capacity * channels)
        tape.initialize(repeating: 0, count: Self.capacity * channels)
    }

    deinit { tape.deallocate() }

    /// Lets the device play this many frames at 48 kHz.
    func pass(_ frames: Int) {
        nanoseconds += Int64((Double(frames) * 1e9 / 48_000).rounded())
        guard state == .running else { return }
        heard += frames
        if stopsWhenDry, heard >= written {
            heard = written
            state = .underrun
        }
    }

    /// Lets the device take all that it has at once, as one without a clock does.
    func race() { heard = max(heard, written) }

    func suspend() { state = .suspended }
    func unplug() { state = .lost }

    /// The sample that was heard at a position of the tape.
    func sample(_ frame: Int, _ channel: Int = 0) -> Float { tape[frame * channels + channel] }

    func status() -> DeviceStatus {
        DeviceStatus(
            state: state, delay: state == .running ? written - heard + latency : 0, queued: written - heard,
            nanoseconds: nanoseconds)
    }

    func available() -> Int {
        if hidesRoom { return -Int(EIO) }
        return switch state {
        case .running, .prepared: bufferFrames - (written - heard)
        case .underrun: -Int(EPIPE)
        case .suspended: -Int(ESTRPIPE)
        case .lost: -Int(ENODEV)
        }
    }

    func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
        let room = available()
        guard room > 0 else { return room }
        guard !refusesFrames else { return -Int(EIO) }
        longestWrite = max(longestWrite, count)
        let taken = min(room, count)
        // Frames that come too late are not heard.
        let late = min(max(heard - written, 0), taken)
        memcpy(tape + (written + late) * channels, frames + late * channels * 4, (taken - late) * channels * 4)
        written += taken
        return taken
    }

    func rewindable() -> Int { rewinds ? written - heard : 0 }

    func rewind(_ frames: Int) -> Int {
        let taken = min(frames, rewindable())
        rewindings += 1
        written -= taken
        erase(taken)
        return taken
    }

    func forward(_ frames: Int) -> Int {
        let taken = min(frames, available())
        written += taken
        return taken
    }

    /// Frames that are not written are silent.
    private func erase(_ frames: Int) { memset(tape + written * channels, 0, frames * channels * 4) }

    func start() -> Int32 {
        state = .running
        starts += 1
        return 0
    }

    /// What was not heard is lost.
    func prepare() -> Int32 {
        guard state != .lost else { return -ENODEV }
        let lost = max(written - heard, 0)
        written = heard
        erase(lost)
        state = .prepared
        return 0
    }

    func wait(bell: Int32, milliseconds: Int32) -> Bool { true }

    func resume() -> Int32 {
        guard resumes else { return resumeFailure }
        state = .running
        return 0
    }
}
