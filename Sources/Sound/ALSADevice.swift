import CALSA
import Glibc

/// A call of alsa-lib that failed: which one, on which device, and the errno it answered with.
struct ALSAError: Error, Equatable, CustomStringConvertible {
    var call: String
    var device: String
    var code: Int32

    var description: String { "\(call) on \(device) failed: \(String(cString: snd_strerror(-abs(code)))) (errno \(abs(code)))" }
}

/// Where a device is: taken in one call, so that nothing moves between the numbers.
struct DeviceStatus: Equatable {
    /// What the device is doing.
    enum State: Equatable { case prepared, running, underrun, suspended, lost }
    var state: State
    /// Frames until what is written next is heard: those that were written, and those that the hardware holds beyond them.
    var delay: Int
    /// Frames that were written and that the hardware has not yet fetched; less than zero when it went on with silence for want of them.
    var queued: Int
    /// The instant of CLOCK_MONOTONIC of which that is true, in nanoseconds.
    var nanoseconds: Int64
}

/// What the sound thread needs of a device; the seam right above alsa-lib. Calls that fail answer with a negative errno.
///
/// Used by one thread at a time, and no call allocates but for opening and closing. It is closed when the last one lets go of it.
protocol PlaybackDevice: AnyObject {
    /// How samples are stored.
    var encoding: SampleEncoding { get }
    /// How the sink's channels come into the device's; nil: they are the same, in the same order.
    var route: ChannelRoute? { get }
    /// Frames that fit into the device.
    var bufferFrames: Int { get }
    func status() -> DeviceStatus
    /// How many frames can be written now.
    func available() -> Int
    func write(_ frames: UnsafeRawPointer, count: Int) -> Int
    /// How many of the frames that were written last can be taken back.
    func rewindable() -> Int
    /// Takes back frames that were written last.
    ///
    /// - Returns: how many, or a negative errno.
    func rewind(_ frames: Int) -> Int
    /// Leaves out so many frames, which stay silence.
    ///
    /// - Returns: how many, or a negative errno.
    func forward(_ frames: Int) -> Int
    func start() -> Int32
    func prepare() -> Int32
    func resume() -> Int32
    /// Waits until the device wants frames, the bell is rung, or the time is up.
    ///
    /// - Returns: false when the time was up.
    func wait(bell: Int32, milliseconds: Int32) -> Bool
}

/// How a device wants its samples.
enum SampleEncoding: CaseIterable {
    case signed32, signed16, float

    var bytes: Int { self == .signed16 ? 2 : 4 }

    fileprivate var format: snd_pcm_format_t {
        switch self {
        case .signed32: SND_PCM_FORMAT_S32_LE
        case .signed16: SND_PCM_FORMAT_S16_LE
        case .float: SND_PCM_FORMAT_FLOAT_LE
        }
    }

    /// Stores samples, clipped to -1…1.
    func store(_ samples: UnsafePointer<Float>, _ count: Int, in memory: UnsafeMutableRawPointer) {
        switch self {
        case .signed32:
            let output = memory.assumingMemoryBound(to: Int32.self)
            // A Double, because a Float has not enough digits for the largest numbers.
            for index in 0..<count { output[index] = Int32(Double(max(-1, min(1, samples[index]))) * 2_147_483_647) }
        case .signed16:
            let output = memory.assumingMemoryBound(to: Int16.self)
            for index in 0..<count { output[index] = Int16((max(-1, min(1, samples[index])) * 32767).rounded()) }
        case .float:
            let output = memory.assumingMemoryBound(to: Float.self)
            for index in 0..<count { output[index] = max(-1, min(1, samples[index])) }
        }
    }
}

/// An open PCM of alsa-lib, closed when the object goes away. One thread at a time.
final class ALSADevice: PlaybackDevice {
    /// alsa-lib's name for it, e.g. `default` or `hw:Loopback,0,0`.
    let name: String
    let encoding: SampleEncoding
    let bufferFrames: Int
    let route: ChannelRoute?
    /// The number of the card behind it; nil where that is a program, or nothing.
    let card: Int32?
    private let pcm: OpaquePointer
    private let statusMemory: OpaquePointer
    private let descriptors: UnsafeMutablePointer<pollfd>
    private let descriptorCount: Int

    /// Opens and sets up a device; nothing is heard yet.
    ///
    /// - Parameters:
    ///   - channels: in the order of WAVE; a device that has fewer gets them mixed.
    ///   - most: as many channels it is asked for at most.
    ///   - isCarrying: it is to take 16-bit words as they are, which nothing on the way may change.
    init(
        name: String, sampleRate: Int, channels: Int, most: Int = .max, bufferMilliseconds: Int = BufferGrowth.first,
        isCarrying: Bool = false
    ) throws(ALSAError) {
        marquee_alsa_be_quiet()
        var handle: OpaquePointer?
        try Self.check("snd_pcm_open", name, snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK)))
        let pcm = handle!
        var status: OpaquePointer?
        do {
            let counts = isCarrying ? [channels] : [channels, 6, 2].filter { $0 <= min(channels, max(most, 2)) }
            let outputs: Int
            (encoding, bufferFrames, outputs) = try Self.setUp(
                pcm, name: name, sampleRate: sampleRate, channels: counts, milliseconds: bufferMilliseconds,
                isCarrying: isCarrying)
            route = isCarrying ? nil : ChannelRoute(inputs: channels, outputs: Self.positions(of: pcm, channels: outputs))
            try Self.check("snd_pcm_status_malloc", name, snd_pcm_status_malloc(&status))
        } catch {
            snd_pcm_close(pcm)
            throw error
        }
        self.name = name
        self.pcm = pcm
        card = Self.card(of: pcm)
        statusMemory = status!
        descriptorCount = Int(max(snd_pcm_poll_descriptors_count(pcm), 0))
        // One more than the device's own: the thread's bell.
        descriptors = .allocate(capacity: descriptorCount + 1)
        descriptors.initialize(repeating: pollfd(), count: descriptorCount + 1)
    }

    deinit {
        descriptors.deallocate()
        snd_pcm_status_free(statusMemory)
        snd_pcm_close(pcm)
    }

    func status() -> DeviceStatus {
        let code = snd_pcm_status(pcm, statusMemory)
        guard code >= 0 else {
            return DeviceStatus(state: Self.state(ofFailure: code), delay: 0, queued: 0, nanoseconds: monotonicNanoseconds())
        }
        var stamp = snd_htimestamp_t()
        snd_pcm_status_get_htstamp(statusMemory, &stamp)
        let now = monotonicNanoseconds()
        var instant = Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
        // Some plug-ins give no time, or that of another clock; then the moment of the call is the best that is known.
        if abs(now - instant) > 1_000_000_000 { instant = now }
        let state: DeviceStatus.State
        switch snd_pcm_status_get_state(statusMemory) {
        case SND_PCM_STATE_RUNNING, SND_PCM_STATE_DRAINING: state = .running
        // Set up and not prepared: somebody has stopped it, which comes to the same.
        case SND_PCM_STATE_XRUN, SND_PCM_STATE_SETUP: state = .underrun
        case SND_PCM_STATE_SUSPENDED, SND_PCM_STATE_PAUSED: state = .suspended
        case SND_PCM_STATE_PREPARED: state = .prepared
        default: state = .lost
        }
        let queued = bufferFrames - Int(snd_pcm_status_get_avail(statusMemory))
        return DeviceStatus(state: state, delay: snd_pcm_status_get_delay(statusMemory), queued: queued, nanoseconds: instant)
    }

    static func state(ofFailure code: Int32) -> DeviceStatus.State {
        switch -code {
        case EPIPE: .underrun
        case ESTRPIPE: .suspended
        default: .lost
        }
    }

    func available() -> Int { snd_pcm_avail(pcm) }
    func write(_ frames: UnsafeRawPointer, count: Int) -> Int { snd_pcm_writei(pcm, frames, snd_pcm_uframes_t(count)) }
    func rewindable() -> Int {
        snd_pcm_hwsync(pcm)
        return snd_pcm_rewindable(pcm)
    }
    func rewind(_ frames: Int) -> Int { snd_pcm_rewind(pcm, snd_pcm_uframes_t(frames)) }
    func forward(_ frames: Int) -> Int { snd_pcm_forward(pcm, snd_pcm_uframes_t(frames)) }
    func start() -> Int32 { snd_pcm_start(pcm) }
    func prepare() -> Int32 { snd_pcm_prepare(pcm) }
    func resume() -> Int32 { snd_pcm_resume(pcm) }

    func wait(bell: Int32, milliseconds: Int32) -> Bool {
        descriptors[descriptorCount] = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
        snd_pcm_poll_descriptors(pcm, descriptors, UInt32(descriptorCount))
        let count = poll(descriptors, nfds_t(descriptorCount + 1), milliseconds)
        if descriptorCount > 0 {
            // Plug-ins count on being asked: they acknowledge their timers here.
            var events: UInt16 = 0
            snd_pcm_poll_descriptors_revents(pcm, descriptors, UInt32(descriptorCount), &events)
        }
        return count != 0
    }

    // MARK: Setting up

    private static func card(of pcm: OpaquePointer) -> Int32? {
        var memory: OpaquePointer?
        guard snd_pcm_info_malloc(&memory) >= 0, let information = memory else { return nil }
        defer { snd_pcm_info_free(information) }
        guard snd_pcm_info(pcm, information) >= 0 else { return nil }
        let number = snd_pcm_info_get_card(information)
        return number >= 0 ? number : nil
    }

    /// The smallest buffer is small enough that a key is heard at once, and large enough for a thread without real-time rights.
    private static let periodsOfBuffer = 5

    private static func setUp(
        _ pcm: OpaquePointer, name: String, sampleRate: Int, channels: [Int], milliseconds: Int, isCarrying: Bool
    ) throws(ALSAError) -> (SampleEncoding, Int, Int) {
        var memory: OpaquePointer?
        try check("snd_pcm_hw_params_malloc", name, snd_pcm_hw_params_malloc(&memory))
        let hardware = memory!
        defer { snd_pcm_hw_params_free(hardware) }
        try check("snd_pcm_hw_params_any", name, snd_pcm_hw_params_any(pcm, hardware))
        try check(
            "snd_pcm_hw_params_set_rate_resample", name, snd_pcm_hw_params_set_rate_resample(pcm, hardware, isCarrying ? 0 : 1))
        try check(
            "snd_pcm_hw_params_set_access", name, snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
        guard
            let encoding = (isCarrying ? [.signed16] : SampleEncoding.allCases).first(where: {
                snd_pcm_hw_params_test_format(pcm, hardware, $0.format) == 0
            })
        else {
            throw ALSAError(call: "snd_pcm_hw_params_test_format", device: name, code: EINVAL)
        }
        try check("snd_pcm_hw_params_set_format", name, snd_pcm_hw_params_set_format(pcm, hardware, encoding.format))
        let taken: Int = channels.first(where: { snd_pcm_hw_params_test_channels(pcm, hardware, UInt32($0)) == 0 }) ?? channels[0]
        try check("snd_pcm_hw_params_set_channels", name, snd_pcm_hw_params_set_channels(pcm, hardware, UInt32(taken)))
        try check("snd_pcm_hw_params_set_rate", name, snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(sampleRate), 0))
        var period = snd_pcm_uframes_t(sampleRate * milliseconds / Self.periodsOfBuffer / 1000)
        var buffer = snd_pcm_uframes_t(sampleRate * milliseconds / 1000)
        try check(
            "snd_pcm_hw_params_set_period_size_near", name, snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil))
        try check("snd_pcm_hw_params_set_buffer_size_near", name, snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer))
        try check("snd_pcm_hw_params", name, snd_pcm_hw_params(pcm, hardware))
        try setUpSoftware(pcm, name: name, period: period)
        return (encoding, Int(buffer), taken)
    }

    /// What each channel of a device that is set up is for: its own word, or alsa-lib's order where it has none.
    private static func positions(of pcm: OpaquePointer, channels: Int) -> [ChannelPosition?] {
        var words: [UInt32] = []
        if let map = snd_pcm_get_chmap(pcm) {
            // The count, and then so many positions.
            let memory = UnsafeRawPointer(map).assumingMemoryBound(to: UInt32.self)
            words = (0..<Int(memory[0])).map { memory[1 + $0] }
            free(map)
        }
        return ChannelPosition.list(alsa: words, count: channels)
    }

    private static func setUpSoftware(_ pcm: OpaquePointer, name: String, period: snd_pcm_uframes_t) throws(ALSAError) {
        var memory: OpaquePointer?
        try check("snd_pcm_sw_params_malloc", name, snd_pcm_sw_params_malloc(&memory))
        let software = memory!
        defer { snd_pcm_sw_params_free(software) }
        try check("snd_pcm_sw_params_current", name, snd_pcm_sw_params_current(pcm, software))
        var boundary: snd_pcm_uframes_t = 0
        try check("snd_pcm_sw_params_get_boundary", name, snd_pcm_sw_params_get_boundary(software, &boundary))
        // Only snd_pcm_start starts it.
        try check("snd_pcm_sw_params_set_start_threshold", name, snd_pcm_sw_params_set_start_threshold(pcm, software, boundary))
        // When frames come late it goes on with silence: a stop would cost what receivers swallow after it.
        try check("snd_pcm_sw_params_set_stop_threshold", name, snd_pcm_sw_params_set_stop_threshold(pcm, software, boundary))
        try check("snd_pcm_sw_params_set_silence_threshold", name, snd_pcm_sw_params_set_silence_threshold(pcm, software, 0))
        try check("snd_pcm_sw_params_set_silence_size", name, snd_pcm_sw_params_set_silence_size(pcm, software, boundary))
        try check("snd_pcm_sw_params_set_avail_min", name, snd_pcm_sw_params_set_avail_min(pcm, software, period))
        try check(
            "snd_pcm_sw_params_set_tstamp_mode", name, snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE))
        try check(
            "snd_pcm_sw_params_set_tstamp_type", name,
            snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC))
        try check("snd_pcm_sw_params", name, snd_pcm_sw_params(pcm, software))
    }

    private static func check(_ call: String, _ device: String, _ code: Int32) throws(ALSAError) {
        guard code >= 0 else { throw ALSAError(call: call, device: device, code: -code) }
    }
}

/// The present instant of CLOCK_MONOTONIC in nanoseconds.
func monotonicNanoseconds() -> Int64 {
    var value = timespec()
    clock_gettime(CLOCK_MONOTONIC, &value)
    return Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec)
}
