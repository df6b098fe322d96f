import Display
import Glibc
import HLSStreaming
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import NetworkConditions
import Playback
import Sound
import TestSupport
import Testing

/// The tone of `FFmpegProgram.clip`.
enum Sine {
    /// The samples that deviate from the sine's equation by more than coding noise: there samples were cut or are missing.
    static func clicks(in samples: [Float]) -> [Int] {
        let factor = Float(2 * cos(2 * Double.pi * 440 / 48_000))
        // Except at the start and end of the codec's output.
        return (2400..<max(2400, samples.count - 9600)).filter {
            abs(samples[$0 + 1] + samples[$0 - 1] - factor * samples[$0]) > 0.02
        }
    }
}

/// Audio segments without a container (RFC 8216bis, 3.4).
enum PackedAudio: String, CaseIterable, Sendable {
    case aac, mp3, ac3, eac3

    var arguments: [String] {
        switch self {
        case .aac: ["-c:a", "aac", "-b:a", "128k", "-f", "adts"]
        case .mp3: ["-c:a", "libmp3lame", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0", "-f", "mp3"]
        case .ac3: ["-c:a", "ac3", "-b:a", "192k", "-f", "ac3"]
        case .eac3: ["-c:a", "eac3", "-b:a", "192k", "-f", "eac3"]
        }
    }

    /// Samples per frame.
    var samples: Int {
        switch self {
        case .aac: 1024
        case .mp3: 1152
        case .ac3, .eac3: 1536
        }
    }

    /// The frames of a stream, at constant bit rates except for AAC, whose headers have the length.
    func frames(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var frames: [ArraySlice<UInt8>] = []
        var start = 0
        while start + 8 < bytes.count {
            let length =
                switch self {
                case .aac: Int(bytes[start + 3] & 3) << 11 | Int(bytes[start + 4]) << 3 | Int(bytes[start + 5]) >> 5
                case .mp3: 384
                case .ac3, .eac3: 768
                }
            frames.append(bytes[start..<min(start + length, bytes.count)])
            start += length
        }
        return frames
    }

    /// An ID3 tag with the 90 kHz timestamp of the first sample.
    static func tag(_ stamp: Int64) -> [UInt8] {
        let content =
            Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
            + (0..<8).reversed().map { UInt8(stamp >> ($0 * 8) & 0xFF) }
        let frame = Array("PRIV".utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    }
}

@Suite("Packed audio", .serialized, .enabled(if: FFmpegProgram.isPresent, "\(FFmpegProgram.absence)"))
@MainActor
struct PackedAudioTests {
    @Test("packed audio plays to its end without a discontinuity between segments", arguments: PackedAudio.allCases)
    func plays(_ format: PackedAudio) throws {
        let script = OriginScript()
        let bytes = try FFmpegProgram.make(
            ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=5", "-ac", "2"] + format.arguments, suffix: format.rawValue)
        let frames = format.frames(of: bytes)
        let count = 48_000 / format.samples
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
        for (number, first) in stride(from: 0, to: frames.count, by: count).enumerated() {
            let part = frames[first..<min(first + count, frames.count)]
            text += "#EXTINF:\(Double(part.count * format.samples) / 48_000),\n\(number).\(format.rawValue)\n"
            let stamp = 900_000 + Int64(first * format.samples) * 90_000 / 48_000
            script.put(PackedAudio.tag(stamp) + part.flatMap { $0 }, at: "/\(number).\(format.rawValue)")
        }
        script.put(text + "#EXT-X-ENDLIST\n", at: "/main.m3u8")
        let loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        let origin = SimulatedOrigin(clock: clock, script: script)
        let codecs = FFmpegCodecs()
        let sink = RecordingSink(NullSink(clock: clock))
        let display = HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: Ratio(50)), clock: clock)
        let player = try Player(
            services: PlaybackServices(clock: clock, loader: origin, codecs: codecs, display: display, sink: sink) {
                url, playlist in
                HLSSource(playlist: playlist, screen: (64, 36), loader: origin, codecs: codecs, clock: clock)
            }.repeatable)
        defer { player.close() }
        var runs: [MediaTime] = []
        var failure: MediaError?
        var hasEnded = false
        var isLate = false
        let listening = player.events.listen { event in
            switch event {
            case .audioRun(let time): runs.append(time)
            case .didPlayToEnd: hasEnded = true
            case .state(let state): if case .failed(let error) = state.itemStatus { failure = error }
            default: break
            }
        }
        defer { listening.cancel() }
        player.replaceCurrentItem(with: PlayerItem(asset: Asset(url: "http://test/main.m3u8", services: player.services)))
        player.play()
        clock.schedule(after: .seconds(60), rank: .display) { isLate = true }
        loop.run(until: { hasEnded || failure != nil || isLate })
        #expect(failure == nil && hasEnded)
        #expect(runs.count == 1)
        #expect(sink.enqueued.count > 48_000 * 49 / 10)
        #expect(Sine.clicks(in: sink.enqueued) == [])
    }
}
