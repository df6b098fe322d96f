import Display
import Glibc
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import Sound
import TestSupport
import Testing

@testable import Playback

/// A player of files in memory with the real decoders on the simulated clock. Its sound is recorded in any number of channels.
@MainActor
final class RecordedBox {
    let loop: MainLoop
    let player: Player
    let channels: Int
    private let sink: WAVSink
    private let path = "/tmp/marquee-recorded-\(UInt32.random(in: 0 ... .max)).wav"
    private(set) var ends = 0
    private var listening: Subscription?
    private(set) var runs: [MediaTime] = []

    /// - Parameter codecs: wraps the real codecs.
    init(
        _ files: [String: [UInt8]], channels: Int = 2,
        codecs: (any CodecFactory, any HostClock) -> any CodecFactory = { codecs, _ in codecs }
    ) throws {
        loop = try MainLoop(time: .simulated)
        self.channels = channels
        let display = HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: Ratio(50)), clock: loop.clock)
        sink = try WAVSink(path: path, clock: loop.clock, format: AudioFormat(sampleRate: 48_000, channels: channels))
        player = try Player(
            services: PlaybackServices(
                clock: loop.clock, loader: FileLoader(clock: loop.clock, files),
                codecs: codecs(FFmpegCodecs(videoThreads: 1), loop.clock),
                display: display, sink: sink, makeHLSSource: { _, _ in preconditionFailure("no HLS here") }
            ).repeatable, actionAtItemEnd: .advance)
        listening = player.events.listen { [weak self] event in
            switch event {
            case .didPlayToEnd: self?.ends += 1
            case .audioRun(let time): self?.runs.append(time)
            default: break
            }
        }
    }

    @discardableResult
    func insert(_ name: String, configure: (PlayerItem) -> Void = { _ in }) -> PlayerItem {
        let item = PlayerItem(asset: Asset(url: name, services: player.services))
        configure(item)
        player.insert(item, after: nil)
        return item
    }

    /// Plays at a rate as soon as the item is ready.
    func play(at rate: Ratio) -> Bool {
        loop.run(within: .seconds(10), until: { self.player.currentItem?.status == .readyToPlay }) && player.setRate(rate)
    }

    func run(until time: MediaTime) -> Bool { loop.run(within: .seconds(60), until: { self.player.currentTime >= time }) }
    func run(toEnd count: Int = 1) -> Bool { loop.run(within: .seconds(60), until: { self.ends == count }) }

    /// The recording by channel, from the first frame that is not silent in every channel.
    func recording() throws -> [[Float]] {
        player.close()
        sink.close()
        let bytes = try #require(fileBytes(path))
        unlink(path)
        let words = stride(from: 44, to: bytes.count - 1, by: 2).map {
            Float(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / 32767
        }
        let first = (words.firstIndex { $0 != 0 } ?? 0) / channels
        return (0..<channels).map { channel in
            stride(from: first * channels + channel, to: words.count, by: channels).map { words[$0] }
        }
    }
}

/// The amplitude of the recording between two times, as if it were a single tone.
func amplitude(in samples: [Float], _ seconds: ClosedRange<Double>) -> Double {
    let part = samples[Int(seconds.lowerBound * 48_000)..<min(Int(seconds.upperBound * 48_000), samples.count)]
    return (2 * part.reduce(0) { $0 + Double($1) * Double($1) } / Double(part.count)).squareRoot()
}

/// The amplitude of a tone in the recording between two times.
func amplitude(of frequency: Double, in samples: [Float], _ seconds: ClosedRange<Double>) -> Double {
    let range = Int(seconds.lowerBound * 48_000)..<min(Int(seconds.upperBound * 48_000), samples.count)
    return range.isEmpty ? 0 : ToneMeter.amplitude(of: frequency, in: samples[range], sampleRate: 48_000)
}
