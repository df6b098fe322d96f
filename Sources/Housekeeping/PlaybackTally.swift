import MediaModel
import Playback

/// Statistics of playbacks since the start of the player. All values are sums that only grow, so that a lost report loses nothing.
@MainActor
package final class PlaybackTally: SessionLogStore {
    /// Errors with one code.
    struct Errors: Sendable {
        var count = 0
        /// How many of them ended a playback.
        var fatal = 0
        var last: ErrorLogEvent
    }
    struct Sum: Sendable {
        var sessions = 0
        var watched = Duration.zero
        /// How many playbacks showed a first picture, their total start time, and the longest.
        var startups = 0
        var startup = Duration.zero
        var longestStartup = Duration.zero
        var stalls = 0
        var droppedFrames = 0
        var bytes: Int64 = 0
        var errors: [String: Errors] = [:]
        /// Requests, switches and seeks.
        var counts = MetricEvent.Counts()

        mutating func add(_ log: PlaybackLog) {
            guard !log.accessEvents.isEmpty || !log.errorEvents.isEmpty else { return }
            let all = log.summary
            sessions += 1
            watched += all.durationWatched ?? .zero
            if let length = all.startupTime {
                startups += 1
                startup += length
                longestStartup = max(longestStartup, length)
            }
            stalls += all.numberOfStalls ?? 0
            droppedFrames += all.numberOfDroppedVideoFrames ?? 0
            bytes += all.numberOfBytesTransferred ?? 0
            counts.add(log.metricCounts)
            for (code, more) in log.errorCounts {
                var errors = errors[code] ?? Errors(last: more.last)
                errors.count += more.count
                errors.fatal += more.fatal
                errors.last = more.last
                self.errors[code] = errors
            }
        }
    }

    private var ended = Sum()
    private let next: (any SessionLogStore)?

    /// - Parameter next: receives each log as well.
    package init(next: (any SessionLogStore)?) { self.next = next }

    package func keep(_ log: PlaybackLog) {
        ended.add(log)
        next?.keep(log)
    }

    /// The sums including the current playback.
    func sum(with current: PlaybackLog?) -> Sum {
        var sum = ended
        if let current { sum.add(current) }
        return sum
    }
}
