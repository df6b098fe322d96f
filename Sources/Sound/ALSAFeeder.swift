import Glibc

/// What the sound thread does each time it wakes: carries out the newest order, keeps the device full, says where the sound is.
///
/// The device runs from its opening to its closing; when there is nothing to play it gets silence, because televisions and receivers
/// swallow the first moments of sound after a stop. Frames that lie in the device and are not yet heard are taken back (snd_pcm_rewind)
/// when an order changes what is to be heard, so that orders take effect within a few milliseconds and lose no frame.
///
/// Nothing here locks or allocates. Errors of the device are answers of `turn`.
struct ALSAFeeder: ~Copyable {
    /// What to do next.
    enum Outcome: Equatable {
        /// Wait for the device or the bell.
        case wait
        /// The device cannot be used for a moment: wait a few milliseconds.
        case waitBriefly
        /// The device is gone.
        case lost
    }

    private let exchange: ALSAExchange
    private let sampleRate: Int
    /// Frames right before the device's reading point that are not taken back: it may be just about to read them.
    private let marginFrames: Int
    /// Frames that are written in one call: few, so that the first of them are in the device soon.
    private var chunkFrames: Int
    /// The most that a chunk can be.
    private let chunkCapacity: Int
    /// One chunk with its gains, and as the device wants it.
    private let mixed: UnsafeMutablePointer<Float>
    /// The same in the channels of the device, where those are others.
    private let routed: UnsafeMutablePointer<Float>
    private let scratch: UnsafeMutableRawPointer
    private var contents = ALSAContents()
    /// The end of the contents when the last status was taken, to which its delay refers.
    private var statusEnd = 0

    private var order: UInt64 = 0
    private var flushed = 0
    private var isPlaying = false
    /// The instant at which the next frame is to be heard, until it has been written.
    private var start: Int64?
    /// The next frame of the ring to be written.
    private var next = 0
    /// The frame up to which sound was heard when last seen.
    private var heard = 0
    private var isDry = false
    private var hasSounded = false
    private var underruns = 0
    /// Rounds that came after all that was written had been heard, since they were last asked for.
    private var lateRounds = 0
    private var levels: ALSALevels
    /// What the ring has is bursts, which are written to the bit and never cut; nil: samples.
    private var words: BurstWords?

    init(exchange: ALSAExchange, sampleRate: Int, isCarrying: Bool = false) {
        self.exchange = exchange
        words = isCarrying ? BurstWords() : nil
        self.sampleRate = sampleRate
        chunkFrames = sampleRate / 500
        marginFrames = sampleRate / 125
        chunkCapacity = sampleRate * BufferGrowth.most / BufferGrowth.chunks / 1000
        mixed = .allocate(capacity: chunkCapacity * exchange.channels)
        routed = .allocate(capacity: chunkCapacity * ChannelRoute.mostChannels)
        scratch = .allocate(byteCount: chunkCapacity * max(exchange.channels, ChannelRoute.mostChannels) * 4, alignment: 16)
        levels = ALSALevels(volume: Float(bitPattern: exchange.volume.load(ordering: .relaxed)), rampFrames: sampleRate / 100)
    }

    deinit {
        mixed.deallocate()
        routed.deallocate()
        scratch.deallocate()
    }

    /// One round. The device is full afterwards.
    mutating func turn(_ device: some PlaybackDevice) -> Outcome {
        var status = look(device)
        if status.state != .running {
            if let outcome = recover(device, status.state) { return outcome }
            status = look(device)
        }
        if status.state == .running, status.queued < chunkFrames {
            guard catchUp(device, status) else { return problem(device) }
            status = look(device)
        }
        locate(status)
        if obey(device) { status = look(device) }
        guard fill(device, status) else { return problem(device) }
        if status.state == .prepared {
            guard device.start() >= 0 else { return problem(device) }
            status = look(device)
        }
        report(status)
        return .wait
    }

    /// The device has not wanted frames for a long time: begins anew with what was not heard.
    mutating func restart(_ device: some PlaybackDevice) -> Outcome {
        giveBack()
        return device.prepare() >= 0 ? .wait : problem(device)
    }

    /// The device is about to be closed and opened with another buffer: what was not heard is played from it.
    mutating func letGo(chunkMilliseconds: Int) {
        giveBack()
        chunkFrames = max(1, min(sampleRate * chunkMilliseconds / 1000, chunkCapacity))
    }

    /// How many rounds came too late since this was asked last.
    mutating func takeLateRounds() -> Int {
        defer { lateRounds = 0 }
        return lateRounds
    }

    /// One round without a device: orders are noted for when there is one again.
    mutating func turnWithoutDevice() {
        giveBack()
        let flush = exchange.flushed.load(ordering: .acquiring)
        let newOrder = exchange.order.load(ordering: .acquiring)
        if flush != flushed { begin(flush: flush) }
        if newOrder != order { take(newOrder) }
        publish(
            ALSAExchange.Report(
                frame: next, nanoseconds: monotonicNanoseconds(), end: next, underruns: underruns, isPresent: false))
    }

    // MARK: Orders

    /// Carries out what the main loop has ordered since the last round, if anything.
    ///
    /// - Returns: whether the device's contents were changed.
    private mutating func obey(_ device: some PlaybackDevice) -> Bool {
        // In this order: whoever sees a flush also sees all frames that were written before it.
        let flush = exchange.flushed.load(ordering: .acquiring)
        let newOrder = exchange.order.load(ordering: .acquiring)
        let hasNews = isDry && exchange.written.load(ordering: .acquiring) > next
        guard flush != flushed || newOrder != order || hasNews else { return false }
        takeBack(device)
        if flush != flushed || newOrder != order {
            if contents.endsInSound(before: next) {
                let end = flush > flushed ? flush : exchange.written.load(ordering: .acquiring)
                if words == nil { fadeOut(device, before: end) } else { finishBurst(device, before: end) }
            }
            if flush != flushed { begin(flush: flush) }
            if newOrder != order { take(newOrder) }
        }
        return true
    }

    private mutating func begin(flush: Int) {
        flushed = flush
        // Frames of the new generation that were heard before the flush was seen are not heard twice.
        next = max(next, flush)
        heard = max(heard, flush)
        hasSounded = false
        setDry(false)
    }

    private mutating func take(_ newOrder: UInt64) {
        order = newOrder
        isPlaying = newOrder & 1 == 1
        start = isPlaying ? exchange.start.load(ordering: .relaxed) : nil
        setDry(false)
    }

    /// Takes what is not yet heard back out of the device, but for the margin.
    private mutating func takeBack(_ device: some PlaybackDevice) {
        let wanted = device.rewindable() - marginFrames
        guard wanted > 0 else { return }
        let taken = device.rewind(wanted)
        // A device that cannot do that plays what it has: the order takes effect that much later, and nothing is lost.
        guard taken > 0 else { return }
        next = max(contents.takeBack(taken) ?? next, flushed)
        levels.goBack(to: contents.end)
    }

    /// Writes the next frames ever more softly, so that the stop does not click.
    private mutating func fadeOut(_ device: some PlaybackDevice, before end: Int) {
        var frames = min(levels.framesToSilence, end - next, device.available())
        while frames > 0, !isLate(device) {
            let count = write(device, frames, fadingTo: 0)
            guard count > 0 else { return }
            frames -= count
        }
    }

    /// Writes the rest of the burst that is under way, so that no half of one reaches the receiver.
    private mutating func finishBurst(_ device: some PlaybackDevice, before end: Int) {
        var frames = 0
        while next + frames < end {
            let samples = exchange.read(next + frames).samples
            if BurstWords.begins(samples[0], samples[1]) { break }
            frames += 1
        }
        frames = min(frames, device.available())
        while frames > 0, !isLate(device) {
            let count = write(device, frames, fadingTo: 1)
            guard count > 0 else { return }
            frames -= count
        }
    }

    // MARK: Filling

    /// Keeps the device full: sound where there is some, else silence.
    ///
    /// - Returns: false when the device refused.
    private mutating func fill(_ device: some PlaybackDevice, _ status: DeviceStatus) -> Bool {
        var room = min(device.available(), device.bufferFrames)
        guard room >= 0 else { return false }
        let written = exchange.written.load(ordering: .acquiring)
        while room > 0, !isLate(device) {
            let silence = silenceBeforeStart(status)
            let count: Int
            if isPlaying, silence == 0, next < written {
                if isDry {
                    underruns += 1
                    setDry(false)
                }
                start = nil
                hasSounded = true
                count = write(device, min(room, written - next), fadingTo: 1)
            } else {
                if isPlaying, silence == 0, hasSounded { setDry(true) }
                count = writeSilence(device, silence > 0 ? min(room, silence) : room)
            }
            guard count > 0 else { return false }
            room -= count
        }
        return true
    }

    /// Whether the device has meanwhile gone past what was written: what is written now would not be heard. The next round catches up.
    private func isLate(_ device: some PlaybackDevice) -> Bool { device.available() > device.bufferFrames }

    /// How many frames of silence are to be written until the next frame is heard at its time.
    private func silenceBeforeStart(_ status: DeviceStatus) -> Int {
        guard isPlaying, let start else { return 0 }
        let atEnd = nanoseconds(of: contents.end, status)
        return max(0, Int((Double(start - atEnd) * Double(sampleRate) / 1e9).rounded()))
    }

    /// When a frame of the device is heard.
    private func nanoseconds(of device: Int, _ status: DeviceStatus) -> Int64 {
        let ahead = device - heardDevice(status)
        return status.nanoseconds + Int64((Double(ahead) * 1e9 / Double(sampleRate)).rounded())
    }

    /// The frame of the device that is heard at the instant of the last status.
    private func heardDevice(_ status: DeviceStatus) -> Int { statusEnd - max(status.delay, 0) }

    private mutating func look(_ device: some PlaybackDevice) -> DeviceStatus {
        statusEnd = contents.end
        return device.status()
    }

    /// Writes the next frames of the ring, at most a chunk.
    ///
    /// - Returns: how many, or a negative errno.
    private mutating func write(_ device: some PlaybackDevice, _ frames: Int, fadingTo fade: Float) -> Int {
        if next == flushed, exchange.rising.load(ordering: .acquiring) != next { levels.begin() }
        let (samples, sideBySide) = exchange.read(next)
        let frames = min(frames, sideBySide, chunkFrames)
        if words == nil {
            levels.apply(
                to: samples, mixed, frames: frames, channels: exchange.channels, device: contents.end, volume: wantedVolume,
                fade: fade)
            if let route = device.route {
                route.apply(to: mixed, routed, frames: frames)
                device.encoding.store(routed, frames * route.outputs, in: scratch)
            } else {
                device.encoding.store(mixed, frames * exchange.channels, in: scratch)
            }
        } else {
            carry(samples, frames)
        }
        let count = device.write(scratch, count: frames)
        guard count > 0 else { return count }
        contents.append(count, ring: next, isSound: true)
        next += count
        return count
    }

    private mutating func carry(_ samples: UnsafePointer<Float>, _ frames: Int) {
        let output = scratch.assumingMemoryBound(to: Int16.self)
        let volume = wantedVolume
        for frame in 0..<frames {
            (output[2 * frame], output[2 * frame + 1]) = words!.store(samples[2 * frame], samples[2 * frame + 1], volume: volume)
        }
    }

    private mutating func writeSilence(_ device: some PlaybackDevice, _ frames: Int) -> Int {
        let frames = min(frames, chunkFrames)
        memset(scratch, 0, frames * (device.route?.outputs ?? exchange.channels) * device.encoding.bytes)
        let count = device.write(scratch, count: frames)
        guard count > 0 else { return count }
        levels.fall(device: contents.end, count: count, volume: wantedVolume)
        contents.append(count, ring: next, isSound: false)
        return count
    }

    private var wantedVolume: Float { Float(bitPattern: exchange.volume.load(ordering: .relaxed)) }

    private mutating func setDry(_ value: Bool) {
        isDry = value
        exchange.isDry.store(value, ordering: .releasing)
    }

    // MARK: Trouble

    /// The thread came late: all that was written has been heard, or is about to be. Leaves half a buffer of silence, so that what is written next
    /// is surely in time.
    ///
    /// - Returns: false when the device refused.
    private mutating func catchUp(_ device: some PlaybackDevice, _ status: DeviceStatus) -> Bool {
        if isPlaying, hasSounded, !isDry { underruns += 1 }
        lateRounds += 1
        let frames = max(-status.queued, 0)
        let count = device.forward(frames + device.bufferFrames / 2)
        guard count >= frames else {
            beginAnew()
            return device.prepare() >= 0
        }
        levels.fall(device: contents.end, count: count, volume: wantedVolume)
        contents.append(count, ring: next, isSound: false)
        return true
    }

    private func problem(_ device: some PlaybackDevice) -> Outcome { device.status().state == .lost ? .lost : .waitBriefly }

    /// - Returns: nil when the device can be filled again.
    private mutating func recover(_ device: some PlaybackDevice, _ state: DeviceStatus.State) -> Outcome? {
        switch state {
        case .running, .prepared: return nil
        case .lost: return .lost
        case .underrun:
            // The device has played all that it had, and then stopped.
            heard = max(heard, next)
            lateRounds += 1
            if isPlaying, hasSounded, !isDry { underruns += 1 }
        case .suspended:
            let code = device.resume()
            if code == 0 { return nil }
            if code == -EAGAIN { return .waitBriefly }
            giveBack()
        }
        beginAnew()
        return device.prepare() >= 0 ? nil : problem(device)
    }

    /// The device is gone with what it had: what was not heard is played when it is back.
    private mutating func giveBack() {
        next = max(min(next, heard), flushed)
        beginAnew()
        setDry(false)
    }

    /// The device has nothing of what was written, and what comes next rises from nothing.
    private mutating func beginAnew() {
        contents.removeAll()
        levels.fall(device: 0, count: 0, volume: wantedVolume)
    }

    // MARK: Telling

    /// Notes up to which frame the sound has been heard.
    private mutating func locate(_ status: DeviceStatus) {
        statusEnd = contents.end
        let (here, nextSound) = contents.lookUp(heardDevice(status))
        if let here { heard = here.isSound ? here.ring + heardDevice(status) - here.device : nextSound?.ring ?? here.ring }
    }

    private mutating func report(_ status: DeviceStatus) {
        var report = ALSAExchange.Report(frame: next, nanoseconds: status.nanoseconds, end: next, underruns: underruns)
        let device = heardDevice(status)
        let (here, nextSound) = contents.lookUp(device)
        if let here, here.isSound {
            report.frame = here.ring + device - here.device
            report.end = here.ringEnd
        } else if let nextSound {
            report.frame = nextSound.ring
            report.nanoseconds = nanoseconds(of: nextSound.device, status)
            report.end = nextSound.ringEnd
        }
        publish(report)
    }

    private func publish(_ report: ALSAExchange.Report) {
        exchange.kept.store(min(report.frame, next), ordering: .releasing)
        exchange.publish(report)
    }
}
