import Glibc
import LinuxSupport
import MediaModel
import MediaTime

/// Records what would be heard, when it would be heard: sample n of the file is the instant n / rate of the clock, silence included.
///
/// 16-bit PCM (RIFF WAVE). The file is written on a thread of its own; its header is right once the sink has been closed.
@MainActor
public final class WAVSink: AudioSink {
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
    /// Frames in the file.
    private var written: Int64 = 0
    private var isClosed = false

    /// Creates the file, or empties it.
    ///
    /// - Throws: `MediaError` when it cannot be written.
    public init(path: String, clock: any HostClock, format: AudioFormat = AudioFormat(sampleRate: 48_000, channels: 2))
        throws(MediaError)
    {
        self.clock = clock
        self.path = path
        self.format = format
        counter = FrameCounter(sampleRate: format.sampleRate)
        capacity = Int64(format.sampleRate / 2)
        do {
            file = try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_TRUNC)
        } catch {
            throw MediaError(.internal, "The recording \(path) could not be created: \(error). Give a path that can be written.")
        }
        thread = WorkerThread(name: "wav", clock: clock)
        write(WAVHeader(format: format, frames: 0).bytes)
    }

    public var name: String { "wav" }
    public let format: AudioFormat
    public var volume: Float = 1 {
        willSet { record() }
    }
    /// The loudness of the newest frame in the file, on its way to `volume`: the whole way takes 10 ms, as it does with a device.
    private var gain: Float = 1
    /// Bursts are recorded to the bit; nil: samples are.
    private var words: BurstWords?
    public var onDeviceChange: (@MainActor (Bool) -> Void)?

    public var room: Int { Int(capacity - (counter.enqueued - counter.frame(at: clock.now))) }

    public func enqueue(_ samples: ArraySlice<Float>) -> Int {
        record()
        let frames = min(samples.count / format.channels, room)
        pending.append(contentsOf: samples.prefix(frames * format.channels))
        counter.enqueue(frames, at: clock.now)
        return frames
    }

    public func play(at time: HostTime) {
        record()
        counter.play(at: time, now: clock.now)
    }

    public func pause() {
        record()
        counter.pause(at: clock.now)
    }

    public func flush() {
        record()
        counter.flush(at: clock.now)
        pending = []
        pendingHead = 0
        recordedFrame = 0
    }

    public func timing() -> AudioTiming? {
        record()
        return counter.timing(at: clock.now)
    }

    public func close() {
        guard !isClosed else { return }
        isClosed = true
        record()
        let header = WAVHeader(format: format, frames: written).bytes
        let file = file
        thread.perform { Self.write(header, to: file, at: 0) }
        thread.stop()
    }

    /// Moves what has been heard by now into the file, at the place of the instant at which it was heard.
    private func record() {
        let heard = counter.frame(at: clock.now)
        guard heard > recordedFrame, let start = counter.start else { return }
        let rate = Int32(format.sampleRate)
        let place = MediaTime.nanoseconds(start.host.nanoseconds).units(of: rate) + recordedFrame - start.frame
        var output: [Int16] = []
        if place > written {
            output = [Int16](repeating: 0, count: Int(place - written) * format.channels)
            written = place
        }
        let count = Int(heard - recordedFrame) * format.channels
        output.reserveCapacity(output.count + count)
        if recordedFrame == 0, written == 0 { gain = volume }
        let step = 100 / Float(format.sampleRate)
        if words != nil { carry(count, &output) }
        for (index, sample) in pending[pendingHead..<pendingHead + (words == nil ? count : 0)].enumerated() {
            if index % format.channels == 0, gain != volume { gain += max(-step, min(step, volume - gain)) }
            output.append(Int16(max(-32768, min(32767, (sample * gain * 32767).rounded()))))
        }
        pendingHead += count
        if pendingHead > 1 << 16 {
            pending.removeFirst(pendingHead)
            pendingHead = 0
        }
        written += heard - recordedFrame
        recordedFrame = heard
        write(output.withUnsafeBytes { Array($0) })
    }

    private func carry(_ count: Int, _ output: inout [Int16]) {
        for place in stride(from: pendingHead, to: pendingHead + count, by: 2) {
            let (left, right) = words!.store(pending[place], pending[place + 1], volume: volume)
            output.append(left)
            output.append(right)
        }
    }

    private func write(_ bytes: [UInt8]) {
        let file = file
        thread.perform { Self.write(bytes, to: file, at: nil) }
    }

    /// write(2) or pwrite(2), to the last byte. A full disk ends the recording, not the playback.
    private nonisolated static func write(_ bytes: [UInt8], to file: FileDescriptor, at offset: Int?) {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = buffer.baseAddress! + done
                let count =
                    offset.map { pwrite(file.number, rest, buffer.count - done, $0 + done) }
                    ?? Glibc.write(file.number, rest, buffer.count - done)
                guard count > 0 else { return }
                done += count
            }
        }
    }
}

/// A recording takes bursts at the rate that it has: AC-3 at 48 kHz.
extension WAVSink: PassingSink {
    public func passage(codec: String, sampleRate: Int) -> SoundPassage? {
        guard let codec = IEC61937.Codec(rawValue: codec), format.channels == 2,
            codec.carrierRate(ofSampleRate: sampleRate) == format.sampleRate
        else { return nil }
        return .iec61937(codec, sampleRate: sampleRate)
    }

    public func pass(_ passage: SoundPassage?) {
        flush()
        words = passage.map { _ in BurstWords() }
    }
}

/// The 44 bytes before the samples of a PCM WAVE file, all numbers little-endian.
struct WAVHeader {
    var format: AudioFormat
    var frames: Int64

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
