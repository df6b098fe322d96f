import Glibc
import LinuxSupport
import MediaModel
import MediaTime

/// Records what would be heard, when it would be heard: sample n of the file is the instant n / rate of the clock, silence
/// included.
///
/// 16-bit PCM (RIFF WAVE). A separate thread writes the file; its header is correct once the sink has been closed.
@MainActor
package final class WAVSink: AudioSink {
    private let clock: any HostClock
    private let path: String
    private var counter: FrameCounter
    private let capacity: Int64
    private let thread: WorkerThread
    private let file: FileDescriptor
    /// Samples that are queued and not yet in the file.
    private var pending: [Float] = []
    private var pendingHead = 0
    /// The first frame of `pending`.
    private var recordedFrame: Int64 = 0
    /// Frames in the file, including fades after the end of the sound.
    private var written: Int64 = 0
    /// The end of the last recorded frame in the file.
    private var soundEnd: Int64 = 0
    private let fade: FrameFade
    /// The fade level of the newest frame in the file, from silence (0) to full.
    private var level: Int
    private var rises = false
    private var isClosed = false

    /// Creates or truncates the file.
    ///
    /// - Throws: `MediaError` when it cannot be written.
    package init(path: String, clock: any HostClock, format: AudioFormat = AudioFormat(sampleRate: 48_000, channels: 2))
        throws(MediaError)
    {
        self.clock = clock
        self.path = path
        self.format = format
        counter = FrameCounter(sampleRate: format.sampleRate)
        capacity = Int64(format.sampleRate / 2)
        fade = FrameFade(sampleRate: format.sampleRate)
        level = fade.full
        do {
            file = try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_TRUNC)
        } catch {
            throw MediaError(.internal, "The recording \(path) could not be created: \(error). Give a path that can be written.")
        }
        thread = WorkerThread(name: "wav", clock: clock)
        write(WAVHeader(format: format, frames: 0).bytes, at: 0)
    }

    package var name: String { "wav" }
    package let format: AudioFormat
    package var volume: Float = 1 {
        willSet { record() }
    }
    /// The volume of the newest frame in the file, moving towards `volume`: a full change takes 10 ms, as with a device.
    private var gain: Float = 1
    /// Set when bursts are recorded, bit-exactly; nil: samples.
    private var words: BurstWords?
    /// The sound of the interface that was mixed in last, and the frame of the file at which it begins.
    private var tone: (samples: [Float], start: Int64)?
    package let deviceChanges = EventSource<AudioDeviceChange>()

    package var room: Int { Int(capacity - (counter.enqueued - counter.frame(at: clock.now))) }

    package func enqueue(_ samples: ArraySlice<Float>) -> Int {
        record()
        let frames = min(samples.count / format.channels, room)
        pending.append(contentsOf: samples.prefix(frames * format.channels))
        counter.enqueue(frames, at: clock.now)
        return frames
    }

    package func play(at time: HostTime) {
        record()
        counter.play(at: time, now: clock.now)
    }

    package func pause() {
        record()
        recordFade()
        counter.pause(at: clock.now)
    }

    package func rise() { rises = true }

    package func flush() {
        record()
        recordFade()
        rises = false
        counter.flush(at: clock.now)
        pending = []
        pendingHead = 0
        recordedFrame = 0
    }

    package func timing() -> AudioTiming? {
        record()
        return counter.timing(at: clock.now)
    }

    /// The sound begins now. It is written at once, and again with what is recorded in its place.
    package func mix(_ sound: NavigationSound, asked: HostTime) {
        record()
        let now = MediaTime.nanoseconds(clock.now.nanoseconds).units(of: Int32(format.sampleRate))
        let isOver = tone.map { now >= $0.start + Int64($0.samples.count) } ?? true
        guard !isClosed, words == nil, isOver, clock.now - asked <= NavigationSound.patience else { return }
        let samples = NavigationTone.samples(of: sound, sampleRate: format.sampleRate)
        let start = max(now, written)
        tone = (samples, start)
        put([Int16](repeating: 0, count: samples.count * format.channels), at: start)
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        record()
        let header = WAVHeader(format: format, frames: written).bytes
        let file = file
        thread.perform { Self.write(header, to: file, at: 0) }
        thread.stop()
    }

    /// Moves what has been heard by now into the file, at the instant at which it was heard.
    private func record() {
        let heard = counter.frame(at: clock.now)
        guard heard > recordedFrame, let start = counter.start else { return }
        let rate = Int32(format.sampleRate)
        // Overwrite what a fade has left behind.
        let place = max(MediaTime.nanoseconds(start.host.nanoseconds).units(of: rate) + recordedFrame - start.frame, soundEnd)
        let count = Int(heard - recordedFrame) * format.channels
        var output: [Int16] = []
        output.reserveCapacity(count)
        if recordedFrame == 0, written == 0 { gain = volume }
        if recordedFrame == 0 { level = rises ? 0 : fade.full }
        let step = 100 / Float(format.sampleRate)
        if words != nil { carry(count, &output) }
        for (index, sample) in pending[pendingHead..<pendingHead + (words == nil ? count : 0)].enumerated() {
            if index % format.channels == 0 {
                if gain != volume { gain += max(-step, min(step, volume - gain)) }
                level = min(level + 1, fade.full)
            }
            output.append(word(sample))
        }
        pendingHead += count
        if pendingHead > 1 << 16 {
            pending.removeFirst(pendingHead)
            pendingHead = 0
        }
        put(output, at: place)
        soundEnd = place + heard - recordedFrame
        recordedFrame = heard
    }

    private func word(_ sample: Float) -> Int16 {
        Int16(max(-32768, min(32767, (sample * gain * fade[level] * 32767).rounded())))
    }

    /// Fades out sound that is cut off, as a device does: the next frames are written with a falling gain, and again when
    /// playback continues. A burst is written to its end.
    private func recordFade() {
        guard counter.isRunning(at: clock.now) else { return }
        var output: [Int16] = []
        if words != nil {
            var place = pendingHead
            while place + 1 < pending.count, !BurstWords.begins(pending[place], pending[place + 1]) { place += 2 }
            if recordedFrame > 0 { carry(place - pendingHead, &output) }
            words!.skip()
        } else {
            for place in pendingHead..<min(pendingHead + level * format.channels, pending.count) {
                if (place - pendingHead) % format.channels == 0 { level -= 1 }
                output.append(word(pending[place]))
            }
            level = 0
        }
        put(output, at: soundEnd)
    }

    /// Writes frames at a position of the file; a gap before it becomes silence.
    private func put(_ output: [Int16], at place: Int64) {
        guard !output.isEmpty else { return }
        var output = output
        addTone(to: &output, at: place)
        written = max(written, place + Int64(output.count / format.channels))
        write(output.withUnsafeBytes { Array($0) }, at: WAVHeader.length + Int(place) * format.channels * 2)
    }

    /// Adds what of the interface's sound belongs to frames at a position of the file, in the first two channels.
    private func addTone(to output: inout [Int16], at place: Int64) {
        guard let tone, words == nil else { return }
        let recorded = place..<place + Int64(output.count / format.channels)
        for frame in (tone.start..<tone.start + Int64(tone.samples.count)).clamped(to: recorded) {
            let sample = (tone.samples[Int(frame - tone.start)] * volume * 32767).rounded()
            for channel in 0..<min(format.channels, 2) {
                let index = Int(frame - place) * format.channels + channel
                output[index] = Int16(max(-32768, min(32767, Float(output[index]) + sample)))
            }
        }
    }

    private func carry(_ count: Int, _ output: inout [Int16]) {
        for place in stride(from: pendingHead, to: pendingHead + count, by: 2) {
            let (left, right) = words!.store(pending[place], pending[place + 1], volume: volume)
            output.append(left)
            output.append(right)
        }
    }

    private func write(_ bytes: [UInt8], at offset: Int) {
        let file = file
        thread.perform { Self.write(bytes, to: file, at: offset) }
    }

    /// pwrite(2), to the last byte. A full disk ends the recording, not the playback.
    private nonisolated static func write(_ bytes: [UInt8], to file: FileDescriptor, at offset: Int) {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = buffer.baseAddress! + done
                let count = pwrite(file.number, rest, buffer.count - done, offset + done)
                guard count > 0 else { return }
                done += count
            }
        }
    }
}

/// A recording accepts bursts at its own rate: AC-3 at 48 kHz.
extension WAVSink: PassingSink {
    package func passage(codec: String, sampleRate: Int) -> SoundPassage? {
        guard let codec = IEC61937.Codec(rawValue: codec), format.channels == 2,
            codec.carrierRate(ofSampleRate: sampleRate) == format.sampleRate
        else { return nil }
        return .iec61937(codec, sampleRate: sampleRate)
    }

    package func pass(_ passage: SoundPassage?) {
        flush()
        words = passage.map { _ in BurstWords() }
    }
}

/// The 44-byte header of a PCM WAVE file, all numbers little-endian.
struct WAVHeader {
    var format: AudioFormat
    var frames: Int64

    static let length = 44

    var bytes: [UInt8] {
        let dataBytes = UInt32(clamping: frames * Int64(format.channels) * 2)
        var bytes = Array("RIFF".utf8)
        bytes += word(dataBytes &+ 36) + Array("WAVEfmt ".utf8) + word(16)
        bytes += half(1) + half(format.channels) + word(UInt32(format.sampleRate))
        bytes += word(UInt32(format.sampleRate * format.channels * 2)) + half(format.channels * 2) + half(16)
        return bytes + Array("data".utf8) + word(dataBytes)
    }

    private func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    private func half(_ value: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)] }
}

/// A linear ramp between silence and full sound, 10 ms long. It ends just short of either, so that each of its frames is audible.
struct FrameFade {
    /// The level without attenuation; 0 is silence.
    let full: Int

    init(sampleRate: Int) { full = sampleRate / 100 + 1 }

    subscript(level: Int) -> Float { level == full ? 1 : Float(level) / Float(full) }
}
