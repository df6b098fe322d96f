import MediaModel
import TestSupport
import Testing

@testable import Playback

@Suite("Parts of a file read as one")
struct SplicedByteStreamTests {
    private func spliced(isSeekable: Bool = true) -> SplicedByteStream {
        SplicedByteStream(MemoryByteStream(Array(0..<100)), [10..<20, 50..<60], isSeekable: isSeekable)
    }

    @Test("the parts follow one another, and nothing else is read")
    func whole() throws {
        #expect(try spliced().read(count: 100) == Array(10..<20) + Array(50..<60))
    }

    @Test(
        "a seek works within the parts, to positions that were read before and to others",
        arguments: [(0, 10), (3, 13), (9, 19), (10, 50), (12, 52), (19, 59)])
    func seek(_ place: Int64, _ byte: UInt8) throws {
        let stream = spliced()
        _ = try stream.read(count: 15)
        try stream.seek(to: place)
        #expect(try stream.read(count: 1) == [byte])
    }

    @Test("a position before the start is the start; a position after the end has no bytes")
    func outside() throws {
        let stream = spliced()
        try stream.seek(to: -5)
        #expect(try stream.read(count: 2) == [10, 11])
        try stream.seek(to: 20)
        #expect(try stream.read(count: 2) == [])
    }

    @Test("only a seekable stream reports its length", arguments: [true, false])
    func length(_ isSeekable: Bool) { #expect(spliced(isSeekable: isSeekable).length == (isSeekable ? 20 : nil)) }
}
