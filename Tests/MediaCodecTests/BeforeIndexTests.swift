import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

@Suite("Positions that are in no index", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct BeforeIndexTests {
    /// The first key picture of a Matroska film that starts before zero has no timestamp that an index could contain, so the index starts at the
    /// second one.
    @Test(
        "a Matroska film that starts before zero can be sought in its first group too, from any position, and to its very start"
    )
    func matroska() throws {
        let bytes = try FFmpegProgram.clip(
            seconds: 3, size: "128x72", extra: ["-avoid_negative_ts", "disabled", "-output_ts_offset", "-0.04"], suffix: "mkv")
        let demuxer = try Media.demuxer(bytes)
        let video = try Media.track(.video, of: demuxer)
        let whole = try Media.samples(demuxer)
        let times = try Media.frames(whole.filter { $0.track == video.id }).map(\.time)
        #expect(times.count >= 74)
        for number in [1, 12, 23, 30, 2, 70, 24] {
            try demuxer.seek(to: times[number])
            let samples = try Media.samples(demuxer)
            let first = try #require(samples.first { $0.track == video.id })
            #expect(first.isSync)
            #expect(try Media.frames(samples.filter { $0.track == video.id }).contains { $0.time == times[number] }, "\(number)")
            if number < 24 { #expect(samples.map(\.presentationTime) == whole.map(\.presentationTime)) }
        }
        // The selection persists.
        demuxer.select([video.id])
        try demuxer.seek(to: times[5])
        #expect(try Media.samples(demuxer).allSatisfy { $0.track == video.id })
    }

    @Test("a read error on the way to the start is reported, and the next seek succeeds")
    func failure() throws {
        let bytes = try FFmpegProgram.clip(
            seconds: 3, size: "128x72", extra: ["-avoid_negative_ts", "disabled", "-output_ts_offset", "-0.04"], suffix: "mkv")
        let wanted = MediaError(.sourceTimeout, "Loading x stalled.")
        let stream = FailingAtWill(bytes, error: wanted)
        let demuxer = try Media.codecs.openDemuxer(stream, hint: nil)
        let count = try Media.samples(demuxer).count
        stream.fails = true
        #expect(throws: MediaError.self) { try demuxer.seek(to: .milliseconds(400)) }
        stream.fails = false
        try demuxer.seek(to: .milliseconds(400))
        #expect(try Media.samples(demuxer).count == count)
    }
}

/// Fails to read while the test says so.
// Unchecked: a test uses it on one thread.
private final class FailingAtWill: ByteStream, @unchecked Sendable {
    let name = "x"
    var length: Int64? { inner.length }
    var fails = false
    private let inner: MemoryByteStream
    private let error: MediaError

    init(_ bytes: [UInt8], error: MediaError) {
        inner = MemoryByteStream(bytes, name: "x")
        self.error = error
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        if fails { throw error }
        return try inner.read(into: buffer)
    }

    func seek(to offset: Int64) throws(MediaError) { try inner.seek(to: offset) }
    func cancel() { inner.cancel() }
}
