import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// Carries timed metadata from a demuxer's thread to the main loop.
struct MetadataRelay: Sendable {
    private let relay: Relay<SegmentMetadata>
    private let waiting = Waiting()

    /// The bytes that wait for the main loop.
    private final class Waiting: Sendable {
        let bytes = Mutex(0)
    }

    /// The largest tag that is taken; a picture may be inside.
    private static let largestTag = 1 << 20
    private static let mostWaiting = 256
    private static let mostBytesWaiting = 4 << 20

    /// - Parameter receive: called on the main loop with what was found, in order.
    @MainActor
    init(clock: any HostClock, _ receive: @escaping @MainActor ([SegmentMetadata]) -> Void) {
        relay = Relay(clock: clock, most: Self.mostWaiting) { [waiting] found in
            waiting.bytes.withLock { $0 = 0 }
            receive(found)
        }
    }

    /// A sample of a metadata track in a transport stream: an ID3 tag, or a section of SCTE 35. Any thread.
    ///
    /// - Parameter time: asset time.
    func add(_ sample: EncodedSample, at time: MediaTime, sequence: Int64) {
        let count = sample.payload.byteCount
        guard count <= Self.largestTag else { return }
        let isTaken = waiting.bytes.withLock { bytes in
            guard bytes + count <= Self.mostBytesWaiting else { return false }
            bytes += count
            return true
        }
        guard isTaken else { return }
        let bytes = sample.payload.withBytes { Array($0) }
        let content: SegmentMetadata.Content = bytes.first == Self.spliceTable ? .event(EventMessage(splice: bytes)) : .id3(bytes)
        relay.add(SegmentMetadata(time: time, stamp: nil, sequence: sequence, content: content))
    }

    /// The first byte of each section of SCTE 35 (`table_id`); that of a tag is a letter.
    private static let spliceTable: UInt8 = 0xFC
}
