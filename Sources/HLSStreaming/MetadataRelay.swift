import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// Carries timed metadata from a demuxer's thread to the main loop.
final class MetadataRelay: Sendable {
    private final class Found: Sendable {
        let waiting = Mutex<[SegmentMetadata]>([])
    }
    private let found: Found
    private let bell: Doorbell

    /// The largest tag that is taken; a picture may be inside.
    private static let largestTag = 1 << 20
    /// More tags than this between two turns of the main loop are noise.
    private static let mostWaiting = 256

    /// - Parameter receive: called on the main loop with what was found, in order.
    @MainActor
    init(clock: any HostClock, _ receive: @escaping @MainActor ([SegmentMetadata]) -> Void) {
        let found = Found()
        self.found = found
        bell = clock.makeDoorbell(rank: .media) {
            let items = found.waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            if !items.isEmpty { receive(items) }
        }
    }

    /// A sample of a metadata track in a transport stream: an ID3 tag. Any thread.
    ///
    /// - Parameter time: asset time.
    func add(_ sample: EncodedSample, at time: MediaTime, sequence: Int64) {
        guard sample.payload.byteCount <= Self.largestTag else { return }
        let tag = sample.payload.withBytes { Array($0) }
        let isTaken = found.waiting.withLock { waiting in
            guard waiting.count < Self.mostWaiting else { return false }
            waiting.append(SegmentMetadata(time: time, stamp: nil, sequence: sequence, content: .id3(tag)))
            return true
        }
        if isTaken { bell.ring() }
    }
}
