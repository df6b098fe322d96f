import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import NetworkConditions
import TestSupport

@testable import HLSStreaming

/// A ladder of two variants on a simulated origin, read as fast as it plays.
@MainActor
final class NetworkRig {
    let loop: MainLoop
    let script = OriginScript()
    let origin: SimulatedOrigin
    private(set) var source: HLSSource!

    /// Seconds of the presentation, in segments of two.
    static let length = 40
    /// Bits per second of the variants.
    static let low: Int64 = 100_000
    static let high: Int64 = 400_000

    init(_ network: NetworkProfile) throws {
        loop = try MainLoop(time: .simulated)
        origin = SimulatedOrigin(clock: loop.clock, script: script, network: network)
        for host in ["one.test", "two.test"] { for name in ["low", "high"] { put(name, on: host) } }
        script.put(Self.master(["one.test"]), at: "http://one.test/main.m3u8")
        script.put(Self.master(["one.test", "two.test"]), at: "http://one.test/two.m3u8")
    }

    private static func master(_ hosts: [String]) -> String {
        "#EXTM3U\n"
            + hosts.map { host in
                "#EXT-X-STREAM-INF:BANDWIDTH=\(low),AVERAGE-BANDWIDTH=\(low),CODECS=\"avc1.4d401e\",RESOLUTION=320x180,PATHWAY-ID=\"\(host)\"\nhttp://\(host)/low.m3u8\n"
                    + "#EXT-X-STREAM-INF:BANDWIDTH=\(high),AVERAGE-BANDWIDTH=\(high),CODECS=\"avc1.4d401f\",RESOLUTION=640x360,PATHWAY-ID=\"\(host)\"\nhttp://\(host)/high.m3u8\n"
            }.joined()
    }

    private func put(_ name: String, on host: String) {
        for number in 0..<Self.length / 2 { script.put(Self.segment(number, of: name), at: "http://\(host)/\(name)\(number).ts") }
        script.put(Self.playlist(name), at: "http://\(host)/\(name).m3u8")
    }

    private static func playlist(_ name: String, query: String = "") -> String {
        let segments = (0..<length / 2).map { "#EXTINF:2,\n\(name)\($0).ts\(query)\n" }
        return "#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(segments.joined())#EXT-X-ENDLIST\n"
    }

    private static func segment(_ number: Int, of name: String) -> [UInt8] {
        let bytes = Int((name == "low" ? low : high) * 2 / 8)
        let media = FakeSegment.bytes(start: 900_000 + Int64(number) * 180_000, count: 50)
        // Empty packets fill up the length.
        let padding = [UInt8](repeating: 0x20, count: FakeSegment.packetSize)
        let count = max(0, (bytes - media.count) / FakeSegment.packetSize)
        return media + (0..<count).flatMap { _ in padding }
    }

    /// The viewer's experience.
    struct Viewing {
        /// From the request for the playlist to the first sample.
        var startup: Duration?
        var stalls = 0
        var stalled = Duration.zero
        /// Timestamps of the samples, in the order in which they were played.
        var times: [MediaTime] = []
        var error: MediaError?
        var hasEnded = false
    }

    /// Plays a presentation to its end, in simulated time: samples are taken when they are due; without one, everything waits for
    /// it.
    func play(_ url: String = "http://one.test/main.m3u8", within limit: Duration = .seconds(600)) -> Viewing {
        var viewing = Viewing()
        var playlist: ByteResponse?
        var failure: MediaError?
        var isLate = false
        let guardian = loop.clock.schedule(after: limit, rank: .display) { isLate = true }
        defer { guardian.cancel() }
        origin.load(ByteRequest(url: url)) { result in
            switch result {
            case .success(let response): playlist = response
            case .failure(let error): failure = error
            }
        }
        loop.run(until: { isLate || playlist != nil || failure != nil })
        guard let playlist else {
            viewing.error = failure
            return viewing
        }
        var description: SourceDescription?
        source = HLSSource(
            playlist: playlist, screen: (1920, 1080), loader: origin, codecs: FakeSegmentCodecs(), clock: loop.clock)
        source.prepare { result in
            switch result {
            case .success(let described): description = described
            case .failure(let error): failure = error
            }
        }
        loop.run(until: { isLate || description != nil || failure != nil })
        guard description != nil else {
            viewing.error = failure
            return viewing
        }
        watch(source.startReading(at: .zero, tracks: [TrackID(0)]), &viewing, isLate: { isLate })
        return viewing
    }

    private func watch(_ buffer: SampleBuffer, _ viewing: inout Viewing, isLate: () -> Bool) {
        let inbox = Monitor<[SampleBuffer.Item]>([], ledger: nil)
        let wish = BoundedQueue<Bool>(capacity: 4, ledger: loop.clock.ledger)
        let bell = loop.clock.makeDoorbell(rank: .media) {}
        let thread = WorkerThread(name: "viewer", clock: loop.clock)
        thread.perform {
            while wish.pop() != nil {
                let item = buffer.next(TrackID(0))
                inbox.update { $0.append(item) }
                bell.ring()
                if case .sample = item { continue }
                return
            }
        }
        var due: HostTime?
        while !isLate(), !viewing.hasEnded {
            _ = wish.tryPush(true)
            loop.run(until: { isLate() || inbox.read { !$0.isEmpty } })
            guard let item = inbox.update({ $0.isEmpty ? nil : $0.removeFirst() }) else { break }
            guard case .sample(let sample) = item else {
                viewing.hasEnded = true
                if case .failed(let error) = item { viewing.error = error }
                break
            }
            // A picture that was shown is not shown again: a player drops late ones.
            if let last = viewing.times.last, sample.presentationTime <= last { continue }
            let now = loop.clock.now
            if viewing.startup == nil {
                viewing.startup = now - .zero
                // The first picture is on the screen.
                buffer.readAhead()
            }
            if let wanted = due, now > wanted {
                viewing.stalls += 1
                viewing.stalled += now - wanted
            }
            viewing.times.append(sample.presentationTime)
            let next = max(due ?? now, now) + .milliseconds(40)
            due = next
            var isDue = false
            loop.clock.schedule(at: next, rank: .display) { isDue = true }
            loop.run(until: { isDue || isLate() })
        }
        buffer.cancel()
        wish.cancel()
        thread.stop()
    }

    /// Serves a playlist in which segments are declared as missing.
    func declareGaps(_ numbers: Set<Int>, in name: String) {
        var text = "#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-TARGETDURATION:2\n"
        for number in 0..<Self.length / 2 {
            text += (numbers.contains(number) ? "#EXT-X-GAP\n" : "") + "#EXTINF:2,\n\(name)\(number).ts\n"
        }
        script.put(text + "#EXT-X-ENDLIST\n", at: "http://one.test/\(name).m3u8")
    }

    /// Refuses the addresses of all segments from some time on. The playlists then list others, with another token.
    func expireAddresses(after time: Duration, with status: Int) {
        for name in ["low", "high"] {
            let (old, new) = (Array(Self.playlist(name).utf8), Array(Self.playlist(name, query: "?token=2").utf8))
            script.put(at: "http://one.test/\(name).m3u8") { $0 < time ? old : new }
            for number in 0..<Self.length / 2 {
                script.put(Self.segment(number, of: name), at: "http://one.test/\(name)\(number).ts?token=2")
                script.fail("/\(name)\(number).ts", with: .status(status), during: time..<(.seconds(10_000)))
            }
        }
    }

    /// Lets the requests for a segment fail for some time, in every variant.
    func failSegment(_ number: Int, with fault: OriginFault, during: Range<Duration>) {
        for name in ["low", "high"] { script.fail("/\(name)\(number).ts", with: fault, during: during) }
    }

    /// The same for several segments.
    func failSegments(_ numbers: Range<Int>, with fault: OriginFault, during: Range<Duration>) {
        for number in numbers { failSegment(number, with: fault, during: during) }
    }

    /// How many segments of a variant were requested.
    func requests(_ name: String) -> Int {
        script.requests.filter { $0.url.contains("/\(name)") && $0.url.hasSuffix(".ts") }.count
    }

    func close() { source?.close() }
}
