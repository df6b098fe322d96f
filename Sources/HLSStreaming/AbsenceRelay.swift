import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// Carries the news of missing tracks from a demuxer's thread to the main loop.
final class AbsenceRelay: Sendable {
    private final class Found: Sendable {
        let waiting = Mutex<[(TrackID, MediaTime)]>([])
    }
    private let found: Found
    private let bell: Doorbell
    /// A stream that alternates faster than the main loop turns is only told so often.
    private static let mostWaiting = 16

    /// - Parameter receive: called on the main loop with a track and the asset time before which it is missing.
    @MainActor
    init(clock: any HostClock, _ receive: @escaping @MainActor (TrackID, MediaTime) -> Void) {
        let found = Found()
        self.found = found
        bell = clock.makeDoorbell(rank: .media) {
            let items = found.waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for (track, time) in items { receive(track, time) }
        }
    }

    /// A track is missing before an asset time. Any thread.
    func add(_ track: TrackID, since time: MediaTime) {
        found.waiting.withLock { if $0.count < Self.mostWaiting { $0.append((track, time)) } }
        bell.ring()
    }
}
