import NIOHTTP1
import StatusModel
import Synchronization

/// Counts the answers of the server by the class of their status. Any thread.
final class RequestCounts: Sendable {
    private let counts = Mutex([Int](repeating: 0, count: 5))

    func add(_ status: HTTPResponseStatus) {
        counts.withLock { $0[min(max(Int(status.code) / 100, 1), 5) - 1] += 1 }
    }

    var metrics: [MetricFamily] {
        let samples = counts.withLock { $0 }.enumerated().map { index, count in
            MetricFamily.Sample(Double(count), labels: [.init("class", "\(index + 1)xx")])
        }
        return [
            MetricFamily(
                "marquee_page_responses", .counter, help: "Answers of the local page and its API by the class of their status.",
                samples: samples)
        ]
    }
}
