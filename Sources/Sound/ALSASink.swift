import CLinux
import Glibc
import LinuxSupport
import MediaModel
import Synchronization

/// Plays through alsa-lib: stereo, 5.1 or 7.1 at 48 kHz, converted to what the device takes.
///
/// Used on the main loop, which writes samples into a ring. A separate thread (`sound`, SCHED_FIFO where allowed) moves them into
/// the device. The device is opened once and runs until `close`: between items, in a pause, and before the instant of `play(at:)`
/// it gets silence. Orders take effect within about 20 ms: frames in the device are taken back if the device supports that, and a
/// pause loses no frame. When the device is lost, what was not heard is kept; the thread tries to open it again, first after 100
/// ms, then up to every 5 s.
@MainActor
package final class ALSASink: AudioSink {
    private let clock: RealClock
    private let exchange: ALSAExchange
    private let bell: FileDescriptor
    private let thread: pthread_t
    private var isClosed = false
    private var isPlaying = false
    private var wasPresent = true
    /// The most that `enqueue` accepts: half a second, or what fits into the ring.
    private let limit: Int
    let deviceName: String
    /// How many channels the device had when it was opened.
    private let deviceChannels: Int
    private let presence: PresenceBell
    private let library: any ALSALibrary
    private let onRemark: (@MainActor (String) -> Void)?

    /// Opens a device and starts to feed it silence.
    ///
    /// - Parameters:
    ///   - device: alsa-lib's name (`default`, `hdmi:CARD=vc4hdmi0`, `hw:Loopback,0,0`); nil takes the first of
    ///     `AutomaticOutput` that opens.
    ///   - surround: the output for more than two channels; nil: there is none.
    ///   - channels: how many the sink takes, in the order of WAVE; they are mixed when the device has fewer, now or after it was
    ///     lost and came back.
    ///   - loop: the main loop; its time is real.
    ///   - onRemark: called with a sentence about why the device was lost, and about what was done to its card's mixer, which is
    ///     unmuted when the card is opened and when it has come back. nil: mixers are left as they are.
    /// - Throws: `MediaError` with `soundLost` when there is no such device or it cannot play stereo at 48 kHz.
    package convenience init(
        device: String?, surround: SurroundOutput? = nil, channels: Int = 2, loop: MainLoop,
        onRemark: (@MainActor (String) -> Void)? = nil
    ) throws(MediaError) {
        let format = AudioFormat(sampleRate: 48_000, channels: channels)
        try self.init(
            device: device, surround: surround, format, loop: loop, library: InstalledALSA(), isCarrying: false,
            onRemark: onRemark)
    }

    /// Opens a device for samples or encoded sound and starts to feed it silence.
    ///
    /// - Parameters:
    ///   - device: alsa-lib's name; nil as for samples. For encoded sound with the channel status for non-PCM data (`PassthroughOutput.device`).
    ///   - format: the carrier's, for encoded sound.
    ///   - isCarrying: whether the samples carry encoded sound, which the device must take unchanged.
    init(
        device: String?, surround: SurroundOutput?, _ format: AudioFormat, loop: MainLoop, library: any ALSALibrary,
        isCarrying: Bool, onRemark: (@MainActor (String) -> Void)?
    ) throws(MediaError) {
        guard let clock = loop.clock as? RealClock else {
            throw MediaError(.soundLost, "A sound device cannot be played in simulated time; use the null sink or a WAV file.")
        }
        let opened = try Self.open(device, surround, format, isCarrying: isCarrying, library)
        // Only a device with known speakers is asked for more than two channels.
        let most = opened.name == surround?.device ? format.channels : 2
        let bell: FileDescriptor
        do {
            let number = try systemCall("eventfd", on: "the sound thread's bell") {
                eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
            }
            bell = FileDescriptor(adopting: number)
        } catch {
            throw MediaError(.internal, "The sound thread could not be set up: \(error); close other programs.")
        }
        self.clock = clock
        self.format = format
        self.bell = bell
        deviceName = opened.name
        deviceChannels = opened.route?.outputs ?? format.channels
        limit = min(format.sampleRate / 2, ALSAExchange.capacity * 3 / 4)
        exchange = ALSAExchange(channels: format.channels)
        let presence = PresenceBell(card: opened.card)
        self.presence = presence
        self.onRemark = onRemark
        self.library = library
        let name = opened.name
        // From here on only the thread holds the device: it must close it before it reopens it.
        thread = ALSAThread(
            device: consume opened, exchange: exchange, sampleRate: format.sampleRate, isCarrying: isCarrying,
            bell: bell,
            reopen: {
                do throws(ALSAError) {
                    let device = try ALSADevice(
                        name: name, sampleRate: format.sampleRate, channels: format.channels, most: most,
                        bufferMilliseconds: $0, isCarrying: isCarrying, library: library)
                    presence.note(card: device.card)
                    return device
                } catch {
                    presence.note(failure: error)
                    return nil
                }
            },
            whenPresenceChanges: { presence.ring(isPresent: $0) }, whenPaced: { presence.ringPaced() }
        ).start()
        presence.connect(clock.makeDoorbell(rank: .sound) { [weak self] in self?.presenceChanged() })
        unmute()
    }

    deinit { if !isClosed { Self.end(exchange, bell, thread) } }

    package var name: String { "alsa:\(deviceName)" }
    package let format: AudioFormat
    /// The number of channels that leave the box, in words.
    package var layoutWords: String {
        deviceChannels == format.channels
            ? "\(deviceChannels) channels" : "\(format.channels) channels mixed to \(deviceChannels)"
    }
    package let deviceChanges = EventSource<AudioDeviceChange>()

    package var volume: Float = 1 {
        didSet { exchange.volume.store(max(0, min(1, volume)).bitPattern, ordering: .relaxed) }
    }

    private var written: Int { exchange.written.load(ordering: .relaxed) }
    private var flushed: Int { exchange.flushed.load(ordering: .relaxed) }

    package var room: Int {
        let kept = exchange.kept.load(ordering: .acquiring)
        return max(0, min(limit - (written - max(kept, flushed)), ALSAExchange.capacity - (written - kept)))
    }

    package func enqueue(_ samples: ArraySlice<Float>) -> Int {
        let frames = min(samples.count / format.channels, room)
        samples.prefix(frames * format.channels).withUnsafeBufferPointer { exchange.write($0) }
        if frames > 0, exchange.isDry.load(ordering: .acquiring) { wake() }
        return frames
    }

    package func play(at time: HostTime) {
        isPlaying = true
        exchange.start.store(time.nanoseconds + clock.origin.nanoseconds, ordering: .relaxed)
        give(order: 1)
    }

    package func pause() {
        isPlaying = false
        give(order: 0)
    }

    package func flush() {
        exchange.rising.store(-1, ordering: .releasing)
        exchange.flushed.store(written, ordering: .releasing)
        wake()
    }

    package func rise() { exchange.rising.store(written, ordering: .releasing) }

    package func timing() -> AudioTiming? {
        let report = exchange.report()
        return report.timing(
            at: clock.now, anchor: clock.instant(ofMonotonic: report.nanoseconds), flushed: flushed, isPlaying: isPlaying,
            sampleRate: format.sampleRate)
    }

    package func mix(_ sound: NavigationSound, asked: HostTime) {
        guard let number = NavigationSound.allCases.firstIndex(of: sound) else { return }
        let deadline = asked + NavigationSound.patience
        exchange.soundDeadline.store(deadline.nanoseconds + clock.origin.nanoseconds, ordering: .relaxed)
        let last = exchange.sound.load(ordering: .relaxed)
        exchange.sound.store((last >> 2 &+ 1) << 2 | UInt64(number), ordering: .releasing)
        wake()
    }

    /// The number of its card; nil for a plug-in, such as a sound server, which has none of its own.
    var card: Int? { presence.card.map(Int.init) }
    package var occupiesCard: Bool { card != nil }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        Self.end(exchange, bell, thread)
    }

    private func give(order: UInt64) {
        let last = exchange.order.load(ordering: .relaxed)
        exchange.order.store((last >> 1 &+ 1) << 1 | order, ordering: .releasing)
        wake()
    }

    private func wake() { Self.ring(bell) }

    private func presenceChanged() {
        let now = presence.take()
        guard !isClosed else { return }
        if now.news.contains(.paced) {
            onRemark?(
                "the sound device \(deviceName) has no clock, because it takes sound faster than it can be heard; it is fed in real time"
            )
        }
        // A device that was gone while this loop was busy was gone all the same: its card may be muted.
        if wasPresent, now.news.contains(.lost) {
            wasPresent = false
            onRemark?(
                presence.failure.map { "the sound device cannot be opened again: \($0)" } ?? "the sound device no longer answers")
            deviceChanges.send(.lost)
        }
        if !wasPresent, now.isPresent {
            wasPresent = true
            unmute()
            deviceChanges.send(.returned)
        }
    }

    /// The kernel resets a card that comes back, or another card in its place: it is often muted.
    private func unmute() {
        guard let onRemark, let card = presence.card else { return }
        for line in Unmuting.remarks(card: card, library: library) { onRemark(line) }
    }

    private nonisolated static func ring(_ bell: FileDescriptor) {
        var one: UInt64 = 1
        _ = Glibc.write(bell.number, &one, 8)
    }

    private nonisolated static func end(_ exchange: ALSAExchange, _ bell: FileDescriptor, _ thread: pthread_t) {
        exchange.isClosing.store(true, ordering: .releasing)
        ring(bell)
        pthread_join(thread, nil)
    }
}

/// The doorbell that the thread rings when the device is lost or comes back. The thread is made before the bell, whose handler
/// needs the whole sink; an event in between is delivered when they are connected.
private final class PresenceBell: Sendable {
    struct News: OptionSet {
        let rawValue: Int
        /// There was no device, for a time at least.
        static let lost = News(rawValue: 1)
        /// The device was found to have no clock.
        static let paced = News(rawValue: 2)
    }

    private struct State {
        var bell: Doorbell?
        var hasRung = false
        var isPresent = true
        var news: News = []
        var card: Int32?
        var failure: ALSAError?
    }

    private let state: Mutex<State>

    init(card: Int32?) { state = Mutex(State(card: card)) }

    /// The card that was opened last.
    var card: Int32? { state.withLock { $0.card } }
    /// Why it could not be opened the last time; nil once it was opened.
    var failure: ALSAError? { state.withLock { $0.failure } }

    func note(card: Int32?) {
        state.withLock { state in
            state.card = card
            state.failure = nil
        }
    }

    func note(failure: ALSAError) { state.withLock { $0.failure = failure } }

    func ring(isPresent: Bool) {
        state.withLock { state in
            state.hasRung = true
            state.isPresent = isPresent
            if !isPresent { state.news.insert(.lost) }
            state.bell?.ring()
        }
    }

    /// The device was found to have no clock.
    func ringPaced() {
        state.withLock { state in
            state.hasRung = true
            state.news.insert(.paced)
            state.bell?.ring()
        }
    }

    /// Whether there is a device, and what has happened since the last call.
    func take() -> (isPresent: Bool, news: News) {
        state.withLock { state in
            defer { state.news = [] }
            return (state.isPresent, state.news)
        }
    }

    func connect(_ bell: Doorbell) {
        state.withLock { state in
            state.bell = bell
            if state.hasRung { bell.ring() }
        }
    }
}

// MARK: Opening

extension ALSASink {
    private static func open(
        _ wanted: String?, _ surround: SurroundOutput?, _ format: AudioFormat, isCarrying: Bool, _ library: any ALSALibrary
    ) throws(MediaError) -> sending ALSADevice {
        var search = AutomaticOutput(library)
        let others = wanted.map { [$0] } ?? search.names
        var names = (surround.map { [$0.device] } ?? []) + others.filter { $0 != surround?.device }
        var firstFailure: ALSAError?
        while !names.isEmpty {
            let name = names.removeFirst()
            do {
                let device = try ALSADevice(
                    name: name, sampleRate: format.sampleRate, channels: format.channels,
                    most: name == surround?.device ? format.channels : 2, isCarrying: isCarrying, library: library)
                let better = wanted == nil ? search.better(than: name, onCard: device.card) : []
                if better.isEmpty { return device }
                // The device is closed before the others are tried, and is the next choice.
                names = better + [name] + names.filter { !better.contains($0) }
                search.hasCompared = true
            } catch {
                firstFailure = firstFailure ?? error
            }
        }
        let reason = firstFailure.map(\.description) ?? "no device"
        let advice =
            wanted == nil
            ? "connect a sound device, or choose --audio null"
            : "aplay -L lists the devices; open a device that accepts only one format as plughw: or hdmi:"
        throw MediaError(
            .soundLost,
            "No sound at \(format.sampleRate) Hz in \(format.channels) channels could be opened on \(wanted ?? "any device"): \(reason); \(advice)."
        )
    }
}
