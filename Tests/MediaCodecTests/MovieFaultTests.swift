import MediaModel
import TestSupport
import Testing

@testable import MediaCodec

@Suite("Encrypted MP4 files are told from damaged ones")
struct MovieFaultTests {
    private func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let size = UInt32(body.count + 8)
        return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8) + body
    }

    /// The index of a file with one track.
    private func index(entry: String, more: [UInt8] = []) -> [UInt8] {
        let table = box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + box(entry, [UInt8](repeating: 0, count: 78)))
        return box("moov", box("trak", box("mdia", box("minf", box("stbl", table)))) + more)
    }

    private func file(_ moov: [UInt8]) -> [UInt8] {
        box("ftyp", Array("isom".utf8) + [0, 0, 2, 0] + Array("isomiso2".utf8)) + box("free", [UInt8](repeating: 0, count: 5000))
            + moov
    }

    private func isStated(_ bytes: [UInt8], isSeekable: Bool = true) throws -> Bool {
        try MovieFault(in: MemoryByteStream(bytes, name: "film.mp4", isSeekable: isSeekable)) == .encrypted
    }

    @Test("by its sample entries or its key boxes", arguments: ["encv", "enca", "drmi", "drms"])
    func entries(_ entry: String) throws {
        #expect(try isStated(file(index(entry: entry))))
        #expect(try !isStated(file(index(entry: "avc1"))))
        #expect(try isStated(file(index(entry: "avc1", more: box("pssh", [UInt8](repeating: 0, count: 24))))))
    }

    @Test("a damaged or truncated index is not taken for an encrypted one, and no size in it is believed")
    func damage() throws {
        let bytes = file(index(entry: "encv"))
        for count in 0..<bytes.count - 100 where count % 37 == 0 { _ = try isStated(Array(bytes.prefix(count))) }
        #expect(try !isStated([0, 0, 0, 0] + Array("moov".utf8)))
        #expect(try !isStated([0, 0, 0, 1] + Array("moov".utf8) + [0x7F] + [UInt8](repeating: 0xFF, count: 7)))
        #expect(try !isStated([0, 0, 0, 1] + Array("free".utf8) + [UInt8](repeating: 0xFF, count: 8)))
        #expect(try !isStated(bytes, isSeekable: false))
    }

    @Test("a file that ends inside its media, before its index, is told from a damaged one")
    func cut() throws {
        let ftyp = box("ftyp", Array("isom".utf8) + [0, 0, 2, 0] + Array("isomiso2".utf8))
        let media = box("mdat", [UInt8](repeating: 7, count: 30_000))
        for count in [8, 100, 29_000] {
            let error = try #require(throws: MediaError.self) {
                _ = try Media.demuxer(ftyp + media.prefix(count), name: "film.mp4")
            }
            #expect(error.sentence.contains("it is truncated; copy it again"))
        }
        let whole = try #require(throws: MediaError.self) { _ = try Media.demuxer(ftyp + media, name: "film.mp4") }
        #expect(!whole.sentence.contains("truncated"))
    }

    @Test("a file of any container that ends in its header says so")
    func cutHeaders() throws {
        for name in ["mkv", "webm", "flac", "ogg", "avi", "mp4"] {
            let codecs = name == "webm" ? ["-c:v", "libvpx", "-c:a", "libvorbis"] : []
            let sound = ["flac", "ogg"].contains(name)
            let pictures = sound ? [] : ["-f", "lavfi", "-i", "testsrc=d=1:s=160x90"]
            let whole = try FFmpegProgram.make(pictures + ["-f", "lavfi", "-i", "sine=d=1"] + codecs, suffix: name)
            for count in [64, 200, 400] {
                let error = try #require(throws: MediaError.self) {
                    _ = try Media.demuxer(Array(whole.prefix(count)), name: "film")
                }
                #expect(error.sentence.contains("truncated"), "\(name) of \(count) bytes: \(error.sentence)")
            }
        }
    }

    @Test("opening one that FFmpeg cannot describe says that it is protected", arguments: ["encv", "drmi"])
    func opened(_ entry: String) throws {
        let error = try #require(throws: MediaError.self) { _ = try Media.demuxer(file(index(entry: entry)), name: "film.mp4") }
        #expect(error.code == .protected)
        let plain = try #require(throws: MediaError.self) { _ = try Media.demuxer(file(index(entry: "avc1")), name: "film.mp4") }
        #expect(plain.code == .sourceFormat)
    }
}
