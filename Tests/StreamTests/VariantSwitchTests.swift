import Display
import Glibc
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import NetworkConditions
import Playback
import Sound
import TestSupport
import Testing

@testable import HLSStreaming

/// Selects variants by a fixed plan.
@MainActor
private final class PlannedPolicy: StreamPolicy {
    /// The time from which each variant is wanted.
    private let plan: [(from: MediaTime, variant: Int)]

    init(_ plan: [(from: MediaTime, variant: Int)]) { self.plan = plan }

    func firstVariant() -> Int? { plan[0].variant }
    func variant(for question: VariantQuestion) -> Int { plan.last { $0.from <= question.startTime }?.variant ?? 0 }
    func action(after failure: StreamFailure) -> FailureAction { .fail }
}

/// Cuts a transport stream before its key pictures.
private enum TransportStreamCutter {
    static let size = 188

    /// The segments, each starting with the tables, like a packager's output.
    static func segments(of stream: [UInt8]) -> [[UInt8]] {
        let packets = stride(from: 0, to: stream.count - size + 1, by: size).map { stream[$0..<$0 + size] }
        let video = pid(packets.first { isKey($0) } ?? packets[0])
        let tables = [0, 0x1000].compactMap { number in packets.first { pid($0) == number } }.flatMap { $0 }
        let starts = packets.indices.filter { pid(packets[$0]) == video && isKey(packets[$0]) }
        return starts.indices.map { index in
            let first = index == 0 ? 0 : starts[index]
            let end = index + 1 < starts.count ? starts[index + 1] : packets.count
            return tables + packets[first..<end].flatMap { $0 }
        }
    }

    private static func pid(_ packet: ArraySlice<UInt8>) -> Int {
        Int(packet[packet.startIndex + 1] & 0x1F) << 8 | Int(packet[packet.startIndex + 2])
    }

    /// Whether an independently decodable access unit starts here. Audio sets the same flag: video has the lowest PID.
    private static func isKey(_ packet: ArraySlice<UInt8>) -> Bool {
        let start = packet.startIndex
        return pid(packet) == 0x100 && packet[start + 1] & 0x40 != 0 && packet[start + 3] & 0x20 != 0 && packet[start + 4] > 0
            && packet[start + 5] & 0x40 != 0
    }
}

@Suite("Another variant", .serialized, .enabled(if: FFmpegProgram.isPresent, "\(FFmpegProgram.absence)"))
@MainActor
struct VariantSwitchTests {
    private static let length = 12

    /// Adds a variant with key pictures at these times, and its playlist.
    private static func put(_ name: String, size: String, keys: [Double], rate: String, into script: OriginScript) throws {
        let stream = try FFmpegProgram.clip(
            seconds: length, size: size,
            video: [
                "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "1000", "-sc_threshold", "0", "-force_key_frames",
                keys.map { "\($0)" }.joined(separator: ","),
            ],
            audio: ["-c:a", "aac", "-b:a", rate], extra: ["-muxpreload", "0", "-muxdelay", "0"], suffix: "ts")
        let segments = TransportStreamCutter.segments(of: stream)
        #expect(segments.count == keys.count + 1)
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
        let edges = [0] + keys + [Double(length)]
        for (number, segment) in segments.enumerated() {
            text += "#EXTINF:\(edges[number + 1] - edges[number]),\n\(name)\(number).ts\n"
            script.put(segment, at: "/\(name)\(number).ts")
        }
        script.put(text + "#EXT-X-ENDLIST\n", at: "/\(name).m3u8")
    }

    @Test(
        "continues frame-accurately and without a click, also when the segments of the two variants are not aligned",
        arguments: [
            [3, 6, 9],
            // They start slightly after those of the other variant; the media in between must not be skipped.
            [2.12, 4.12, 6.12, 8.12, 10.12],
            [2, 4, 6, 8, 10],
        ])
    func seamless(_ keys: [Double]) throws {
        let loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        let script = OriginScript()
        let codecs = FFmpegCodecs()
        try Self.put("low", size: "160x90", keys: [2, 4, 6, 8, 10], rate: "96k", into: script)
        try Self.put("high", size: "320x180", keys: keys, rate: "128k", into: script)
        script.put(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=160x90,CODECS="avc1.42c00b,mp4a.40.2"
            low.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=320x180,CODECS="avc1.42c00d,mp4a.40.2"
            high.m3u8
            """, at: "/main.m3u8")
        let origin = SimulatedOrigin(clock: clock, script: script)
        let display = HeadlessDisplay(mode: DisplayMode(width: 320, height: 180, refresh: Ratio(50)), clock: clock)
        let sink = RecordingSink(NullSink(clock: clock))
        let player = try Player(
            services: PlaybackServices(clock: clock, loader: origin, codecs: codecs, display: display, sink: sink) {
                url, playlist in
                HLSSource(playlist: playlist, screen: (320, 180), loader: origin, codecs: codecs, clock: clock) {
                    _, _ in
                    PlannedPolicy([(.zero, 0), (.seconds(4), 1), (.seconds(9), 0)])
                }
            }.repeatable)
        defer { player.close() }
        var times: [MediaTime] = []
        var runs: [MediaTime] = []
        var isOver = false
        let listening = player.events.listen { event in
            switch event {
            case .frame(let record): times.append(record.time)
            case .audioRun(let time): runs.append(time)
            case .didPlayToEnd: isOver = true
            case .state(let state): if case .failed = state.itemStatus { isOver = true }
            default: break
            }
        }
        defer { listening.cancel() }
        player.replaceCurrentItem(with: PlayerItem(asset: Asset(url: "http://test/main.m3u8", services: player.services)))
        player.play()
        clock.schedule(after: .seconds(60), rank: .display) { isOver = true }
        loop.run(until: { isOver })
        let expected: [MediaTime] = (0..<Self.length * 25).map { .milliseconds(Int64($0) * 40) }
        let wrong = zip(times, expected).first { $0 != $1 }
        #expect(
            wrong == nil && times.count == expected.count, "\(times.count) frames, \(wrong.map { "\($0.0) for \($0.1)" } ?? "")")
        let asked = script.requests.map(\.path).filter { $0.hasSuffix(".ts") }
        #expect(asked.contains { $0.hasPrefix("/high") } && asked.last?.hasPrefix("/low") == true)
        #expect(runs.count == 1)
        #expect(Sine.clicks(in: sink.enqueued) == [])
    }
}
