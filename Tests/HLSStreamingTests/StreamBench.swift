import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport

@testable import HLSStreaming

/// Answers from a list, and records the questions.
@MainActor
final class ScriptedPolicy: StreamPolicy {
    /// The answers to failures, in order; without one, a load fails.
    var actions: [FailureAction] = []
    /// The variant to load a segment from instead, whatever its progress.
    var substitute: Int?
    private(set) var attempts: [Int] = []
    private(set) var loads: [StreamRequest] = []
    private(set) var byteCounts: [Int64] = []
    private(set) var failures: [StreamFailure] = []
    private(set) var reports: [StreamProgress] = []

    func firstVariant() -> Int? { 0 }
    func variant(for question: VariantQuestion) -> Int { question.current }

    func didLoad(_ load: StreamLoad) {
        loads.append(load.request)
        byteCounts.append(load.byteCount)
    }

    func abandon(_ progress: StreamProgress) -> Int? {
        reports.append(progress)
        return substitute
    }

    func action(after failure: StreamFailure) -> FailureAction {
        attempts.append(failure.attempts)
        failures.append(failure)
        return actions.isEmpty ? .fail : actions.removeFirst()
    }
}

/// A context on the simulated clock with a loader of literal texts.
@MainActor
final class Bench {
    let loop: MainLoop
    let loader: FakeLoader
    let policy = ScriptedPolicy()
    let context: StreamContext

    init() throws {
        loop = try MainLoop(time: .simulated)
        loader = FakeLoader(clock: loop.clock)
        context = StreamContext(loader: loader, codecs: FakeSegmentCodecs(), clock: loop.clock, policy: policy)
    }

    func put(_ text: String, at url: String) { loader.put(Array(text.utf8), at: url) }

    /// Puts a playlist of segments of two seconds at `http://h/list.m3u8`.
    func put(_ first: Int, _ count: Int = 5, head: String = "", tail: String = "") {
        var text = "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:2\n\(head)#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        for index in first..<first + count { text += "#EXTINF:2,\n\(index).ts\n" }
        put(text + tail, at: "http://h/list.m3u8")
    }

    func run(for seconds: Double) {
        var isOver = false
        loop.clock.schedule(after: .milliseconds(Int64(seconds * 1000)), rank: .display) { isOver = true }
        loop.run(until: { isOver })
    }

    func tracker() -> MediaPlaylistTracker {
        MediaPlaylistTracker(
            address: "http://h/list.m3u8", role: .variant(0), context: context, state: { ReadingState() }, reference: { _ in nil }
        )
    }
}
