import MediaModel
import MediaTime

/// A payload without bytes, and the parameters of a codec that continues every other.
package final class NoBytes: SamplePayload, CodecParameters {
    package let codecName = "none"
    package let byteCount = 0

    package init() {}

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    package func canContinue(as other: any CodecParameters) -> Bool { true }
}

extension EncodedSample {
    /// A sample that has nothing but its times.
    package static func empty(
        track: TrackID = TrackID(0), presentation: MediaTime, decode: MediaTime, duration: MediaTime?, isSync: Bool = false
    ) -> EncodedSample {
        let nothing = NoBytes()
        return EncodedSample(
            track: track, presentationTime: presentation, decodeTime: decode, duration: duration, isSync: isSync,
            payload: nothing, parameters: nothing)
    }
}
