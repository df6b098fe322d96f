import LinuxSupport
import MediaModel
import MediaTime

/// Codecs whose decoder of descriptions does not return from the first sample at or after a time, until it is released.
final class HangingDescription: CodecFactory {
    private let inner: any CodecFactory
    private let time: MediaTime
    private let monitor: Monitor<Bool>

    init(_ inner: any CodecFactory, at time: MediaTime, clock: any HostClock) {
        self.inner = inner
        self.time = time
        monitor = Monitor(false, ledger: clock.ledger)
    }

    /// Releases hanging decoders.
    func release() { monitor.update { $0 = true } }

    func openAudioDecoder(
        _ parameters: any CodecParameters, output: AudioFormat, processing: SoundProcessing?
    ) throws(MediaError) -> any AudioDecoding {
        let decoder = try inner.openAudioDecoder(parameters, output: output, processing: processing)
        // Only descriptions are not processed.
        guard processing == nil else { return decoder }
        let monitor = monitor
        return Decoder(decoder, at: time) { monitor.wait { $0 ? () : nil } }
    }

    func openDemuxer(_ stream: any ByteStream, hint: ContainerHint?) throws(MediaError) -> any Demuxing {
        try inner.openDemuxer(stream, hint: hint)
    }
    func openVideoDecoder(
        _ parameters: any CodecParameters, allocator: any FrameAllocator
    ) throws(MediaError) -> any VideoDecoding {
        try inner.openVideoDecoder(parameters, allocator: allocator)
    }
    func makeTimeStretcher(_ format: AudioFormat, rate: Ratio) throws(MediaError) -> any TimeStretching {
        try inner.makeTimeStretcher(format, rate: rate)
    }
    func canStretchTime(_ format: AudioFormat) -> Bool { inner.canStretchTime(format) }
    func checkSoundShaping(_ shaping: SoundShaping) throws(MediaError) { try inner.checkSoundShaping(shaping) }
    func canDecode(codecString: String) -> Bool? { inner.canDecode(codecString: codecString) }

    private final class Decoder: AudioDecoding {
        private let inner: any AudioDecoding
        private let time: MediaTime
        private let hang: () -> Void

        init(_ inner: any AudioDecoding, at time: MediaTime, hang: @escaping () -> Void) {
            self.inner = inner
            self.time = time
            self.hang = hang
        }

        func decode(_ sample: EncodedSample?) throws(MediaError) -> [AudioBuffer] {
            if let sample, sample.presentationTime >= time { hang() }
            return try inner.decode(sample)
        }

        func flush() { inner.flush() }
    }
}
