import CALSA
import Glibc

/// The position of a device, read in one call so that the numbers belong together.
struct DeviceStatus: Equatable {
    enum State: Equatable { case prepared, running, underrun, suspended, lost }
    var state: State
    /// Frames until the next frame written is heard: those in the buffer and those that the hardware holds beyond it.
    var delay: Int
    /// Frames that were written and that the hardware has not yet fetched; negative when it ran past them and played silence.
    var queued: Int
    /// The instant of CLOCK_MONOTONIC at which these numbers were true, in nanoseconds.
    var nanoseconds: Int64
}

/// What the sound thread needs of a device: the seam right above alsa-lib. Failing calls return a negative errno.
///
/// Used by one thread at a time. No call allocates except opening and closing. The device is closed when the last reference is
/// released.
protocol PlaybackDevice: AnyObject {
    var encoding: SampleEncoding { get }
    /// How the sink's channels map to the device's; nil: they are the same, in the same order.
    var route: ChannelRoute? { get }
    /// The size of the device's buffer, in frames.
    var bufferFrames: Int { get }
    func status() -> DeviceStatus
    /// How many frames can be written now.
    func available() -> Int
    func write(_ frames: UnsafeRawPointer, count: Int) -> Int
    /// How many of the last frames written can be taken back.
    func rewindable() -> Int
    /// Takes back the last frames written.
    ///
    /// - Returns: how many, or a negative errno.
    func rewind(_ frames: Int) -> Int
    /// Skips `frames` frames, which stay silent.
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

/// The sample formats a device can take.
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
            var index = 0
            while index < count {
                let sample = samples[index]
                output[index] = Int32(Double(sample < 1 ? (sample > -1 ? sample : -1) : 1) * 2_147_483_647)
                index += 1
            }
        case .signed16:
            let output = memory.assumingMemoryBound(to: Int16.self)
            for index in 0..<count { output[index] = Int16((max(-1, min(1, samples[index])) * 32767).rounded()) }
        case .float:
            let output = memory.assumingMemoryBound(to: Float.self)
            for index in 0..<count { output[index] = max(-1, min(1, samples[index])) }
        }
    }
}

/// An open PCM of alsa-lib, closed in `deinit`. One thread at a time.
final class ALSADevice: PlaybackDevice {
    /// alsa-lib's name for it, e.g. `default` or `hw:Loopback,0,0`.
    let name: String
    let encoding: SampleEncoding
    let bufferFrames: Int
    let route: ChannelRoute?
    /// The number of the card behind it; nil when a plug-in or no card is behind it.
    let card: Int32?
    private let pcm: OpaquePointer
    private let statusMemory: OpaquePointer
    private let descriptors: UnsafeMutablePointer<pollfd>
    private let descriptorCount: Int

    /// Opens and configures a device; it does not start yet.
    ///
    /// - Parameters:
    ///   - channels: in the order of WAVE; for a device with fewer channels they are mixed.
    ///   - most: the most channels to ask the device for.
    ///   - isCarrying: the device must take 16-bit words unchanged, so nothing on the way may convert or mix them.
    init(
        name: String, sampleRate: Int, channels: Int, most: Int = .max, bufferMilliseconds: Int = BufferGrowth.first,
        isCarrying: Bool = false, library: any ALSALibrary
    ) throws(ALSAError) {
        let check = ALSACheck(device: name)
        let pcm = try library.openPCM(name)
        var status: OpaquePointer?
        do {
            let counts = isCarrying ? [channels] : [channels, 6, 2].filter { $0 <= min(channels, max(most, 2)) }
            let outputs: Int
            (encoding, bufferFrames, outputs) = try Self.setUp(
                pcm, check, sampleRate: sampleRate, channels: counts, milliseconds: bufferMilliseconds, isCarrying: isCarrying)
            route = isCarrying ? nil : ChannelRoute(inputs: channels, outputs: Self.positions(of: pcm, channels: outputs))
            try check("snd_pcm_status_malloc", snd_pcm_status_malloc(&status))
        } catch {
            snd_pcm_close(pcm)
            throw error
        }
        self.name = name
        self.pcm = pcm
        card = library.card(of: pcm)
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
        let (seconds, hasOverflown) = Int64(stamp.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        var instant = hasOverflown ? 0 : seconds &+ Int64(stamp.tv_nsec)
        // Some plug-ins give no time, or the time of another clock; then use the instant of the call.
        if !(now - 1_000_000_000...now + 1_000_000_000).contains(instant) { instant = now }
        let state: DeviceStatus.State
        switch snd_pcm_status_get_state(statusMemory) {
        case SND_PCM_STATE_RUNNING, SND_PCM_STATE_DRAINING: state = .running
        // SETUP: configured but not prepared, because something stopped it. Treat it as an underrun.
        case SND_PCM_STATE_XRUN, SND_PCM_STATE_SETUP: state = .underrun
        case SND_PCM_STATE_SUSPENDED, SND_PCM_STATE_PAUSED: state = .suspended
        case SND_PCM_STATE_PREPARED: state = .prepared
        default: state = .lost
        }
        let queued = bufferFrames - min(Int(clamping: snd_pcm_status_get_avail(statusMemory)), Self.mostFrames)
        let delay = max(-Self.mostFrames, min(Self.mostFrames, snd_pcm_status_get_delay(statusMemory)))
        return DeviceStatus(state: state, delay: delay, queued: queued, nanoseconds: instant)
    }

    /// More frames than a device can hold: hours at any rate. What a plug-in reports beyond it is an error of its own.
    private static let mostFrames = 1 << 31

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
            // Plug-ins rely on this call: they acknowledge their timers here.
            var events: UInt16 = 0
            snd_pcm_poll_descriptors_revents(pcm, descriptors, UInt32(descriptorCount), &events)
        }
        return count != 0
    }

    // MARK: Setting up

    /// The smallest buffer is small enough that a key takes effect at once, and large enough for a thread without real-time
    /// rights.
    private static let periodsOfBuffer = 5

    private static func setUp(
        _ pcm: OpaquePointer, _ check: ALSACheck, sampleRate: Int, channels: [Int], milliseconds: Int, isCarrying: Bool
    ) throws(ALSAError) -> (SampleEncoding, Int, Int) {
        var memory: OpaquePointer?
        try check("snd_pcm_hw_params_malloc", snd_pcm_hw_params_malloc(&memory))
        let hardware = memory!
        defer { snd_pcm_hw_params_free(hardware) }
        try check("snd_pcm_hw_params_any", snd_pcm_hw_params_any(pcm, hardware))
        try check("snd_pcm_hw_params_set_rate_resample", snd_pcm_hw_params_set_rate_resample(pcm, hardware, isCarrying ? 0 : 1))
        try check("snd_pcm_hw_params_set_access", snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
        guard
            let encoding = (isCarrying ? [.signed16] : SampleEncoding.allCases).first(where: {
                snd_pcm_hw_params_test_format(pcm, hardware, $0.format) == 0
            })
        else {
            throw ALSAError(call: "snd_pcm_hw_params_test_format", device: check.device, code: EINVAL)
        }
        try check("snd_pcm_hw_params_set_format", snd_pcm_hw_params_set_format(pcm, hardware, encoding.format))
        let taken: Int = channels.first(where: { snd_pcm_hw_params_test_channels(pcm, hardware, UInt32($0)) == 0 }) ?? channels[0]
        try check("snd_pcm_hw_params_set_channels", snd_pcm_hw_params_set_channels(pcm, hardware, UInt32(taken)))
        try check("snd_pcm_hw_params_set_rate", snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(sampleRate), 0))
        var period = snd_pcm_uframes_t(sampleRate * milliseconds / Self.periodsOfBuffer / 1000)
        var buffer = snd_pcm_uframes_t(sampleRate * milliseconds / 1000)
        try check("snd_pcm_hw_params_set_period_size_near", snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil))
        try check("snd_pcm_hw_params_set_buffer_size_near", snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer))
        try check("snd_pcm_hw_params", snd_pcm_hw_params(pcm, hardware))
        try setUpSoftware(pcm, check, period: period)
        return (encoding, Int(buffer), taken)
    }

    /// The position of each channel of a configured device: from its channel map, or alsa-lib's order if it has none.
    private static func positions(of pcm: OpaquePointer, channels: Int) -> [ChannelPosition?] {
        var words: [UInt32] = []
        if let map = snd_pcm_get_chmap(pcm) {
            // The count, then one position per channel.
            let memory = UnsafeRawPointer(map).assumingMemoryBound(to: UInt32.self)
            words = (0..<Int(memory[0])).map { memory[1 + $0] }
            free(map)
        }
        return ChannelPosition.list(alsa: words, count: channels)
    }

    private static func setUpSoftware(_ pcm: OpaquePointer, _ check: ALSACheck, period: snd_pcm_uframes_t) throws(ALSAError) {
        var memory: OpaquePointer?
        try check("snd_pcm_sw_params_malloc", snd_pcm_sw_params_malloc(&memory))
        let software = memory!
        defer { snd_pcm_sw_params_free(software) }
        try check("snd_pcm_sw_params_current", snd_pcm_sw_params_current(pcm, software))
        var boundary: snd_pcm_uframes_t = 0
        try check("snd_pcm_sw_params_get_boundary", snd_pcm_sw_params_get_boundary(software, &boundary))
        // Only snd_pcm_start starts it.
        try check("snd_pcm_sw_params_set_start_threshold", snd_pcm_sw_params_set_start_threshold(pcm, software, boundary))
        // On an underrun the device plays silence: receivers swallow the start of the sound after a stop.
        try check("snd_pcm_sw_params_set_stop_threshold", snd_pcm_sw_params_set_stop_threshold(pcm, software, boundary))
        try check("snd_pcm_sw_params_set_silence_threshold", snd_pcm_sw_params_set_silence_threshold(pcm, software, 0))
        try check("snd_pcm_sw_params_set_silence_size", snd_pcm_sw_params_set_silence_size(pcm, software, boundary))
        try check("snd_pcm_sw_params_set_avail_min", snd_pcm_sw_params_set_avail_min(pcm, software, period))
        try check("snd_pcm_sw_params_set_tstamp_mode", snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE))
        try check(
            "snd_pcm_sw_params_set_tstamp_type", snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC))
        try check("snd_pcm_sw_params", snd_pcm_sw_params(pcm, software))
    }
}

/// The present instant of CLOCK_MONOTONIC in nanoseconds.
func monotonicNanoseconds() -> Int64 {
    var value = timespec()
    clock_gettime(CLOCK_MONOTONIC, &value)
    return Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec)
}
