import CFFmpeg
import MediaModel

/// The tracks of a transport stream belong to the moment: a new version of its tables (ISO/IEC 13818-1, 2.4.4) adds some, moves them to other PIDs, or changes
/// their codecs. FFmpeg has a stream for each PID that it has seen. A value.
struct ProgramTracks {
    /// A stream as it was when it was settled which track it is.
    private struct Settled {
        var type: AVMediaType
        var codec: AVCodecID
        var track: TrackID?
    }
    private var settled: [Int: Settled] = [:]
    /// The stream that a track is now.
    private var streams: [TrackID: Int] = [:]

    /// Nil for containers whose tracks stay the same.
    init?(format: String) {
        guard ["mpegts", "mpeg", "flv"].contains(format) else { return nil }
    }

    /// Whether the newest tables list a stream. Containers without tables list every one.
    static func lists(_ number: Int, in context: UnsafePointer<AVFormatContext>) -> Bool {
        let programs = (0..<Int(context.pointee.nb_programs)).compactMap { context.pointee.programs[$0] }
        guard !programs.isEmpty else { return true }
        return programs.contains { program in
            (0..<Int(program.pointee.nb_stream_indexes)).contains { program.pointee.stream_index[$0] == UInt32(number) }
        }
    }

    /// Whether it is known which track a stream is, and nothing has changed since.
    func isSettled(_ number: Int, _ stream: UnsafePointer<AVStream>) -> Bool {
        guard let known = settled[number], known.codec == stream.pointee.codecpar.pointee.codec_id,
            known.type == stream.pointee.codecpar.pointee.codec_type
        else { return false }
        return known.track.map { streams[$0] == number } ?? true
    }

    mutating func settle(_ number: Int, _ stream: UnsafePointer<AVStream>, as track: TrackID?) {
        let codec = stream.pointee.codecpar.pointee
        settled[number] = Settled(type: codec.codec_type, codec: codec.codec_id, track: track)
        if let track { streams[track] = number }
    }

    /// Whether a stream may be a track: no other stream that is listed beside it is that track now.
    func mayBe(_ track: TrackID, _ number: Int, in context: UnsafePointer<AVFormatContext>) -> Bool {
        guard let other = streams[track], other != number else { return true }
        return !Self.lists(other, in: context) || !Self.lists(number, in: context)
    }

    /// What comes next does not continue what was read.
    mutating func forget() { streams = [:] }
}
