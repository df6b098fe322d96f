import Glibc

/// One round of the sound thread: it carries out the newest order, fills the device and publishes the position.
///
/// The device runs from its opening to its closing. When there is nothing to play it gets silence, because televisions and
/// receivers swallow the first moments of sound after a stop. When an order changes what is to be heard, frames in the device
/// that are not yet heard are taken back (snd_pcm_rewind), so that orders take effect within a few milliseconds and lose no
/// frame.
///
/// Nothing here locks or allocates. Errors of the device are outcomes of `turn`.
struct ALSAFeeder: ~Copyable {
    enum Outcome: Equatable {
        /// Wait for the device or the bell.
        case wait
        /// The device is temporarily unavailable: wait a few milliseconds.
        case waitBriefly
        /// The device is gone.
        case lost
        /// The device takes frames faster than they can be heard: it has no clock, and is to be given them when they are due (`PacedDevice`).
        case runAway
    }

    private let exchange: ALSAExchange
    private let sampleRate: Int
    /// Frames right before the device's read position that are not taken back, since the hardware may be about to read them.
    private let marginFrames: Int
    /// Frames written in one call: few, so that the first of them reach the device soon.
    private var chunkFrames: Int
    private var chunk: ALSAChunk
    private var contents = ALSAContents()
    /// The end of the contents when the last status was taken; the status's delay refers to it.
    private var statusEnd = 0

    private var order: UInt64 = 0
    /// The sound of the interface that was asked for last.
    private var sound: UInt64 = 0
    private var flushed = 0
    private var isPlaying = false
    /// The instant at which the next frame is to be heard, until it has been written.
    private var start: Int64?
    /// The next frame of the ring to be written.
    private var next = 0
    /// The frame up to which sound had been heard at the last status.
    private var heard = 0
    private var isDry = false
    private var hasSounded = false
    private var underruns = 0
    /// Rounds since the last call of `takeLateRounds` that came after everything written had been heard.
    private var lateRounds = 0
    private var levels: ALSALevels
    private var pace: DevicePace

    /// - Parameter isCarrying: whether the ring holds encoded bursts.
    init(exchange: ALSAExchange, sampleRate: Int, isCarrying: Bool = false) {
        self.exchange = exchange
        self.sampleRate = sampleRate
        pace = DevicePace(sampleRate: sampleRate)
        chunkFrames = sampleRate / 500
        marginFrames = sampleRate / 125
        chunk = ALSAChunk(
            capacity: sampleRate * BufferGrowth.most / BufferGrowth.chunks / 1000, channels: exchange.channels,
            sampleRate: sampleRate, isCarrying: isCarrying)
        levels = ALSALevels(volume: Float(bitPattern: exchange.volume.load(ordering: .relaxed)), rampFrames: sampleRate / 100)
    }

    /// Runs one round. The device is full afterwards.
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
        if status.state == .running, pace.isAhead(frame: heardDevice(status), at: status.nanoseconds) { return .runAway }
        if applyOrders(device) { status = look(device) }
        if beginSound(device) { status = look(device) }
        guard fill(device, status) else { return problem(device) }
        if status.state == .prepared {
            guard device.start() >= 0 else { return problem(device) }
            status = look(device)
        }
        report(status)
        return .wait
    }

    /// Restarts a device that has not wanted frames for a long time, or that was exchanged, from the first frame not heard.
    mutating func restart(_ device: some PlaybackDevice) -> Outcome {
        keepUnheard()
        return device.prepare() >= 0 ? .wait : problem(device)
    }

    /// The device is about to be closed and opened with another buffer: what was not heard is played from it.
    mutating func prepareToReopen(chunkMilliseconds: Int) {
        keepUnheard()
        chunkFrames = max(1, min(sampleRate * chunkMilliseconds / 1000, chunk.capacity))
    }

    /// Returns the number of late rounds since the last call, and resets it.
    mutating func takeLateRounds() -> Int {
        defer { lateRounds = 0 }
        return lateRounds
    }

    /// One round without a device: orders are recorded for when a device is back.
    mutating func turnWithoutDevice() {
        keepUnheard()
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
    private mutating func applyOrders(_ device: some PlaybackDevice) -> Bool {
        // In this order: a reader that sees a flush also sees all frames that were written before it.
        let flush = exchange.flushed.load(ordering: .acquiring)
        let newOrder = exchange.order.load(ordering: .acquiring)
        let hasNews = isDry && exchange.written.load(ordering: .acquiring) > next
        guard flush != flushed || newOrder != order || hasNews else { return false }
        takeBack(device)
        if flush != flushed || newOrder != order {
            if contents.endsInSound(before: next) {
                let end = flush > flushed ? flush : exchange.written.load(ordering: .acquiring)
                if chunk.isCarrying { finishBurst(device, before: end) } else { fadeOut(device, before: end) }
            }
            if flush != flushed { begin(flush: flush) }
            if newOrder != order { take(newOrder) }
        }
        return true
    }

    private mutating func begin(flush: Int) {
        flushed = flush
        // Frames of the new generation that were heard before this flush was seen are not played twice.
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

    /// Takes back what is not yet heard from the device, except the margin.
    ///
    /// - Parameter most: the most frames.
    private mutating func takeBack(_ device: some PlaybackDevice, most: Int = .max) {
        let wanted = min(device.rewindable() - marginFrames, most)
        guard wanted > 0 else { return }
        let taken = device.rewind(wanted)
        // A device that cannot rewind plays what it has: the order takes effect later, and nothing is lost.
        guard taken > 0 else { return }
        next = max(contents.takeBack(taken) ?? next, flushed)
        levels.goBack(to: contents.end)
    }

    /// Writes the next frames with a falling gain, so that the stop does not click.
    private mutating func fadeOut(_ device: some PlaybackDevice, before end: Int) {
        var frames = min(levels.framesToSilence, end - next, device.available())
        while frames > 0, !isLate(device) {
            let count = write(device, frames, fadingTo: 0)
            guard count > 0 else { return }
            frames -= count
        }
    }

    /// Writes the rest of the current burst, so that the receiver never gets half a burst.
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

    // MARK: Sounds of the interface

    /// Begins a sound that was asked for since the last round, unless it would be late or another one is not over.
    ///
    /// Silence is taken back, so that the sound is heard sooner. Of a programme only what would make the sound late is taken back, which is nothing unless
    /// the buffer has grown; it is written again with the sound.
    ///
    /// - Returns: whether the device's contents may have changed.
    private mutating func beginSound(_ device: some PlaybackDevice) -> Bool {
        let newest = exchange.sound.load(ordering: .acquiring)
        guard newest != sound else { return false }
        sound = newest
        guard !chunk.isCarrying else { return false }
        takeBack(device, most: contents.silenceAtEnd)
        var status = look(device)
        let deadline = exchange.soundDeadline.load(ordering: .relaxed)
        let excess = nanoseconds(of: contents.end, status) - deadline
        if excess > 0 {
            let frames = Int((Double(excess) * Double(sampleRate) / 1e9).rounded(.up))
            guard frames <= device.rewindable() - marginFrames, !chunk.tones.sounds(at: contents.end - frames) else {
                return true
            }
            takeBack(device, most: frames)
            status = look(device)
        }
        let start = nanoseconds(of: contents.end, status)
        if start <= deadline, !chunk.tones.sounds(at: contents.end) { chunk.tones.begin(Int(newest & 3), at: contents.end) }
        return true
    }

    // MARK: Filling

    /// Fills the device with sound if there is any, else with silence.
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

    /// Whether the device has run past everything written, so that new frames would not be heard. The next round catches up.
    private func isLate(_ device: some PlaybackDevice) -> Bool { device.available() > device.bufferFrames }

    /// The number of frames of silence to write so that the next frame is heard at its start time.
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

    /// Writes the next frames of the ring, at most one chunk.
    ///
    /// - Returns: how many, or a negative errno.
    private mutating func write(_ device: some PlaybackDevice, _ frames: Int, fadingTo fade: Float) -> Int {
        if next == flushed, exchange.rising.load(ordering: .acquiring) != next { levels.begin() }
        let (samples, sideBySide) = exchange.read(next)
        let frames = min(frames, sideBySide, chunkFrames)
        let filled = chunk.fill(
            samples, frames: frames, for: device, at: contents.end, levels: &levels, volume: wantedVolume, fade: fade)
        let count = device.write(filled, count: frames)
        guard count > 0 else { return count }
        contents.append(count, ring: next, isSound: true)
        next += count
        return count
    }

    private mutating func writeSilence(_ device: some PlaybackDevice, _ frames: Int) -> Int {
        let frames = min(frames, chunkFrames)
        let silence = chunk.silence(frames: frames, for: device, at: contents.end, volume: wantedVolume)
        let count = device.write(silence, count: frames)
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

    /// The thread came late: everything written has been heard, or is about to be. Leaves half a buffer of silence, so that what
    /// is written next is in time.
    ///
    /// - Returns: false when the device refused.
    private mutating func catchUp(_ device: some PlaybackDevice, _ status: DeviceStatus) -> Bool {
        if isPlaying, hasSounded, !isDry { underruns += 1 }
        lateRounds += 1
        let frames = max(-status.queued, 0)
        let count = device.forward(frames + device.bufferFrames / 2)
        guard count >= frames else {
            restartSilent()
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
            // The device played everything it had, and then stopped.
            heard = max(heard, next)
            lateRounds += 1
            if isPlaying, hasSounded, !isDry { underruns += 1 }
        case .suspended:
            let code = device.resume()
            if code == 0 { return nil }
            if code == -EAGAIN { return .waitBriefly }
            keepUnheard()
        }
        restartSilent()
        return device.prepare() >= 0 ? nil : problem(device)
    }

    /// The device was lost with its contents. What was not heard is played when it is back.
    private mutating func keepUnheard() {
        next = max(min(next, heard), flushed)
        restartSilent()
        setDry(false)
    }

    /// The device is empty again, and the next sound fades in from silence.
    private mutating func restartSilent() {
        contents.removeAll()
        pace.restart()
        chunk.tones.drop()
        levels.fall(device: 0, count: 0, volume: wantedVolume)
    }

    // MARK: Reporting

    /// Updates `heard` from a status.
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
