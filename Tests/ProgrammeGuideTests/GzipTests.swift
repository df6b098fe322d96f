import CZlib
import ChannelFeed
import Testing

@testable import ProgrammeGuide

@Suite("Guides compressed with gzip")
struct GzipTests {
    private static let day = FeedDate("2026-11-20T00:00:00Z")!..<FeedDate("2026-11-22T00:00:00Z")!

    private func read(_ bytes: [UInt8]) throws -> GuideListings {
        try XMLTVReader.read(bytes, within: Self.day, name: "guide.xml.gz")
    }

    /// A member of a gzip file.
    private func packed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var stream = z_stream()
        #expect(marquee_deflate_gzip(&stream) == Z_OK)
        defer { deflateEnd(&stream) }
        var result = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let count = bytes.withUnsafeMutableBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                #expect(deflate(&stream, Z_FINISH) == Z_STREAM_END)
                return output.count - Int(stream.avail_out)
            }
        }
        return Array(result.prefix(count))
    }

    private func guide(_ count: Int) -> [UInt8] {
        let programmes = (0..<count).map { index in
            "<programme start=\"202611201\(index % 10)0000 +0000\" channel=\"c\(index / 10)\"><title>Programme \(index)</title></programme>\n"
        }
        return Array(("<tv>" + programmes.joined() + "</tv>").utf8)
    }

    @Test("a compressed guide gives the same result as an uncompressed one", arguments: [1, 10, 20_000])
    func same(count: Int) throws {
        let plain = guide(count)
        let listings = try read(packed(plain))
        #expect(try listings.programmes == read(plain).programmes && listings.remarks.isEmpty)
        #expect(listings.programmes.values.map(\.count).reduce(0, +) == count)
    }

    @Test("a file of several gzip members is read to its end, and trailing bytes are ignored")
    func members() throws {
        let plain = guide(100)
        let file = packed(Array(plain.prefix(700))) + packed(Array(plain.dropFirst(700))) + [0, 0, 0, 0]
        #expect(try read(file).programmes == read(plain).programmes)
    }

    @Test("a truncated file, wherever it is cut, is used up to the cut or refused in a sentence")
    func brokenOff() throws {
        let whole = packed(guide(400))
        for length in stride(from: 2, to: whole.count - 1, by: 19) {
            do {
                let listings = try read(Array(whole.prefix(length)))
                #expect(!listings.programmes.isEmpty)
                #expect(listings.remarks.first?.contains("the gzip file is incomplete") == true, "\(listings.remarks)")
            } catch let error as GuideError {
                #expect(error.description.contains("the gzip file is incomplete"), "\(error)")
            }
        }
    }

    @Test("a damaged file is refused, or used up to the damage; nothing crashes")
    func damaged() throws {
        let whole = packed(guide(400))
        for place in stride(from: 2, to: whole.count, by: 12) {
            var file = whole
            file[place] ^= 0x55
            do {
                let listings = try read(file)
                #expect(listings.programmes.count <= 400)
            } catch let error as GuideError {
                #expect(error.description.hasPrefix("Reading the guide guide.xml.gz failed: "))
            }
        }
        #expect(throws: GuideError.self) { try read([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 7, 7, 7]) }
        #expect(throws: GuideError.self) { try read([0x1f, 0x8b]) }
    }

    @Test("a small file that expands beyond the limit is refused with a reason")
    func bomb() throws {
        let file = packed(Array("<tv>".utf8) + [UInt8](repeating: 0x20, count: XMLTVReader.mostBytes + 10))
        #expect(file.count < 200_000)
        #expect {
            try read(file)
        } throws: { error in
            "\(error)" == "Reading the guide guide.xml.gz failed: it has more than 64 MiB when it is unpacked; split it."
        }
    }
}
