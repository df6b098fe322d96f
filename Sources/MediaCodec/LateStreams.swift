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
    /// How many samples of a stream were asked in vain what it is.
    private var vain: [Int: Int] = [:]
    private static let mostVain = 100

    /// Nil for containers whose streams stay the same.
    init?(format: String) {
        guard ["mpegts", "mpeg", "flv"].contains(format) else { return nil }
    }

    /// Whether it is known what a stream is, and nothing has changed since.
    func isSettled(_ number: Int, _ stream: UnsafePointer<AVStream>) -> Bool { settled[number] == Settled(stream) }

    /// Whether the next sample is asked what a stream is, too.
    func mayComplete(_ number: Int) -> Bool { vain[number, default: 0] < Self.mostVain }

    /// A sample of a stream did not say what it is.
    mutating func unsettle(_ number: Int) {
        vain[number, default: 0] += 1
        settled[number] = nil
    }

    mutating func settle(_ number: Int, _ stream: UnsafePointer<AVStream>) { settled[number] = Settled(stream) }
}
