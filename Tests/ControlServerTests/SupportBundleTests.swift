import CZstd
import Dispatch
import Foundation
import LinuxSupport
import MediaModel
import StatusModel
import Testing

@testable import ControlServer

/// `GET /v1/support-bundle`.
@MainActor
struct SupportBundleTests {
    /// Every secret that is planted has these characters.
    private nonisolated static let planted = "pl4nt3d"

    /// Waits for every part, however busy the machine is.
    private static let patient = ControlLimits(doctorTime: .seconds(600), healthTime: .seconds(600))

    private func unpacked(_ archive: [UInt8]) -> String {
        let size = Int(ZSTD_getFrameContentSize(archive, archive.count))
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = ZSTD_decompress(buffer.baseAddress, buffer.count, archive, archive.count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func bundle(of running: RunningServer) async throws -> [UInt8] {
        let route = try #require(running.server.routes["/v1/support-bundle"]?.first { $0.method == .GET })
        let request = HTTPRequest(method: .GET, target: "/v1/support-bundle")
        guard case .response(let response) = try await route.answer(request, .look) else { return [] }
        #expect(response.headers.first(name: "Content-Type") == "application/zstd")
        return response.body
    }

    @Test func noSecretOfAnySourceIsInIt() async throws {
        let planted = Self.planted
        let url = "https://u:\(planted)@cdn.example/a.m3u8?token=\(planted)&x=\(planted)#\(planted)"
        let known = "known-\(planted)"
        // One of each kind: in addresses, in headers, as a value with a name, as a value that the box knows, as a digest.
        let digest = String(repeating: "ab12", count: 16)
        let text = "GET \(url) Authorization: Bearer \(planted)\npassword=\(planted) \(known) \(digest)\n"
        let running = try await RunningServer(
            limits: Self.patient,
            machine: {
                MachineReading(metrics: [
                    MetricFamily(
                        "marquee_a", .gauge, help: text, samples: [.init(1, labels: [.init("uri", url), .init("k", known)])])
                ])
            },
            support: SupportSources(
                box: "box \(known) \(url)", secrets: [known, "Bearer \(known)"], configuration: text, doctor: { text },
                date: { 1_795_168_800_000_000_000 }))
        defer { running.server.stop() }
        var now = NowPlaying(state: .failed, hostTime: .zero)
        (now.id, now.title, now.subtitle, now.artworkURL) = (url, text, known, url)
        now.error = MediaError(.sourceMissing, text)
        now.selections = [
            .init(characteristic: "audible", options: [.init(id: known, language: nil, name: text)], selected: known)
        ]
        running.box.nowPlaying = now
        var feed = FeedStatus()
        (feed.source, feed.id, feed.summary, feed.trouble) = (url, known, text, known)
        feed.findings = [.init(severity: "error", code: "FEED-001", pointer: "/\(known)", message: text, remedy: text)]
        running.box.feedStatus = feed
        running.box.lines = [text, known]
        running.box.playbackLogs = (text, text)
        running.box.metrics = [MetricFamily("marquee_b", .gauge, help: known, 1)]
        running.box.statusEvents.send(
            .metric(
                MetricEvent(
                    sessionID: known, date: nil, mediaTime: .zero,
                    kind: .playlistRequest(
                        .init(url: url, serverAddress: known, byteCount: 1, timeToFirstByte: nil, transferDuration: .zero)))))
        let text2 = unpacked(try await bundle(of: running))
        #expect(!text2.contains(planted) && !text2.contains(digest))
        for name in [
            "index.html", "now.json", "health.json", "feed.json", "log.txt", "error-log.txt", "access-log.txt",
            "metric-events.jsonl", "metrics.txt", "doctor.txt", "configuration.toml", "screen.jpg",
        ] { #expect(text2.contains("\(name)\0"), "\(name)") }
        #expect(text2.contains("cdn.example/a.m3u8") && text2.contains("playlistRequest") && text2.contains("JPEG of 1"))
    }

    @Test func metricEventsAreKeptUpToTheLimit() async throws {
        let running = try await RunningServer(
            limits: ControlLimits(metricEvents: 3, doctorTime: .seconds(600), healthTime: .seconds(600)))
        defer { running.server.stop() }
        for number in 1...5 {
            running.box.statusEvents.send(
                .metric(MetricEvent(sessionID: "session-\(number)", date: nil, mediaTime: .zero, kind: .stall)))
        }
        let text = unpacked(try await bundle(of: running))
        let places = (1...5).map { text.firstRange(of: "session-\($0)\"")?.lowerBound }
        #expect(places[0] == nil && places[1] == nil)
        let kept = places[2...].compactMap(\.self)
        #expect(kept.count == 3 && kept == kept.sorted())
    }

    @Test func aScreenOrDoctorThatDoesNotAnswerLeavesTheRest() async throws {
        let gate = DoctorGate()
        let running = try await RunningServer(
            limits: ControlLimits(doctorTime: .milliseconds(10), healthTime: .seconds(600)),
            support: SupportSources(
                box: "test", secrets: [], configuration: "[box]\n", doctor: { gate.wait() }, date: { nil }))
        defer { running.server.stop() }
        defer { gate.open() }
        running.box.screen = nil
        running.box.lines = ["a line"]
        let text = unpacked(try await bundle(of: running))
        #expect(text.contains("It did not end within") && text.contains("a line\n") && text.contains("[box]\n"))
        #expect(text.contains("The screen could not be read.") && text.contains("date unknown"))
    }
}

/// A doctor that hangs until the test ends.
private final class DoctorGate: Sendable {
    private let monitor = DispatchSemaphore(value: 0)
    func wait() -> String {
        monitor.wait()
        return "late"
    }
    func open() { monitor.signal() }
}
