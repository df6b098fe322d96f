import LinuxSupport
import MediaModel
import MediaTime

/// Carries timed metadata from a demuxer's thread to the main loop.
struct MetadataRelay: Sendable {
    private let relay: Relay<SegmentMetadata>

    /// The largest tag that is taken; a picture may be inside.
    private static let largestTag = 1 << 20
    private static let mostWaiting = 256

    /// - Parameter receive: called on the main loop with what was found, in order.
    @MainActor
    init(clock: any HostClock, _ receive: @escaping @MainActor ([SegmentMetadata]) -> Void) {
        relay = Relay(clock: clock, most: Self.mostWaiting, receive)
    }

    /// A sample of a metadata track in a transport stream: an ID3 tag. Any thread.
    ///
    /// - Parameter time: asset time.
    func add(_ sample: EncodedSample, at time: MediaTime, sequence: Int64) {
        guard sample.payload.byteCount <= Self.largestTag else { return }
        let tag = sample.payload.withBytes { Array($0) }
        relay.add(SegmentMetadata(time: time, stamp: nil, sequence: sequence, content: .id3(tag)))
    }
}
