import CFFmpeg

/// The streams of containers in which FFmpeg finds some, or their codecs, only when their samples come. A value.
struct LateStreams {
    /// A stream as it was when it was settled what it is.
    private struct Settled: Equatable {
        var type: AVMediaType
        var codec: AVCodecID

        init(_ stream: UnsafePointer<AVStream>) {
            (type, codec) = (stream.pointee.codecpar.pointee.codec_type, stream.pointee.codecpar.pointee.codec_id)
        }
    }
    private var settled: [Int: Settled] = [:]

    /// Nil for containers whose streams stay the same.
    init?(format: String) {
        guard ["mpegts", "mpeg", "flv"].contains(format) else { return nil }
    }

    /// Whether it is known what a stream is, and nothing has changed since.
    func isSettled(_ number: Int, _ stream: UnsafePointer<AVStream>) -> Bool { settled[number] == Settled(stream) }

    mutating func settle(_ number: Int, _ stream: UnsafePointer<AVStream>) { settled[number] = Settled(stream) }
}
