/// A box of a QuickTime file, and those that a film of repeated seconds needs.
struct QuickTimeBox {
    let bytes: [UInt8]

    init(_ type: String, _ body: [UInt8]) { bytes = Self.number(body.count + 8) + Array(type.utf8) + body }

    init(_ type: String, _ children: [QuickTimeBox]) { self.init(type, children.flatMap(\.bytes)) }

    /// With a version and flags.
    private init(full type: String, flags: Int = 0, _ body: [UInt8]) { self.init(type, Self.number(flags) + body) }

    /// Big-endian.
    static func number(_ value: Int, bytes: Int = 4) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
    }

    private static func numbers(_ values: Int...) -> [UInt8] { values.flatMap { number($0) } }

    /// One after the other. A long sum of arrays takes the compiler too much time.
    private static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    private static let matrix = numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000)
    /// Units of a second in the header of the movie.
    private static let scale = 1000

    static func movieHeader(seconds: Int, tracks: Int) -> QuickTimeBox {
        QuickTimeBox(
            full: "mvhd",
            joined(
                numbers(0, 0, scale, seconds * scale, 0x10000), number(0x100, bytes: 2), number(0, bytes: 10), matrix,
                number(0, bytes: 24), number(tracks + 1)))
    }

    /// A track of pictures of which one second is stored.
    ///
    /// - Parameters:
    ///   - configuration: the contents of `avcC`.
    ///   - sizes: the bytes of each picture of the second; the first one is a key picture.
    ///   - offset: where the second begins in the file.
    static func pictureTrack(
        width: Int, height: Int, configuration: [UInt8], framesPerSecond: Int, seconds: Int, sizes: [Int], offset: Int
    ) -> QuickTimeBox {
        let format = QuickTimeBox(
            "avc1",
            joined(
                number(0, bytes: 6), number(1, bytes: 2), number(0, bytes: 16), number(width, bytes: 2), number(height, bytes: 2),
                numbers(0x48_0000, 0x48_0000, 0), number(1, bytes: 2), number(0, bytes: 32), number(24, bytes: 2),
                number(0xFFFF, bytes: 2), QuickTimeBox("avcC", configuration).bytes))
        let table = sizes.flatMap { number($0) }
        let count = seconds * framesPerSecond
        let boxes = [
            QuickTimeBox(full: "stss", number(seconds) + (0..<seconds).flatMap { number($0 * framesPerSecond + 1) }),
            QuickTimeBox(full: "stsz", numbers(0, count) + (0..<seconds).flatMap { _ in table }),
        ]
        return track(
            1, handler: "vide", head: QuickTimeBox(full: "vmhd", flags: 1, number(0, bytes: 8)), format: format, seconds: seconds,
            perSecond: framesPerSecond, offset: offset, width: width, height: height, boxes)
    }

    /// A track of stereo sound with 16 bits, little-endian, of which one second is stored.
    static func soundTrack(sampleRate: Int, seconds: Int, offset: Int) -> QuickTimeBox {
        let format = QuickTimeBox(
            "sowt",
            joined(
                number(0, bytes: 6), number(1, bytes: 2), number(0, bytes: 8), number(2, bytes: 2), number(16, bytes: 2),
                number(0), number(sampleRate << 16)))
        return track(
            2, handler: "soun", head: QuickTimeBox(full: "smhd", number(0)), format: format, seconds: seconds,
            perSecond: sampleRate, offset: offset, width: 0, height: 0,
            [QuickTimeBox(full: "stsz", numbers(4, seconds * sampleRate))])
    }

    /// - Parameter tables: those that differ between kinds of tracks.
    private static func track(
        _ id: Int, handler: String, head: QuickTimeBox, format: QuickTimeBox, seconds: Int, perSecond: Int, offset: Int,
        width: Int, height: Int, _ tables: [QuickTimeBox]
    ) -> QuickTimeBox {
        let samples = QuickTimeBox(
            "stbl",
            [
                QuickTimeBox(full: "stsd", number(1) + format.bytes),
                QuickTimeBox(full: "stts", numbers(1, seconds * perSecond, 1)),
                QuickTimeBox(full: "stsc", numbers(1, 1, perSecond, 1)),
                QuickTimeBox(full: "stco", number(seconds) + (0..<seconds).flatMap { _ in number(offset) }),
            ] + tables)
        let reference = QuickTimeBox(
            "dinf", [QuickTimeBox(full: "dref", number(1) + QuickTimeBox(full: "url ", flags: 1, []).bytes)])
        let media = QuickTimeBox(
            "mdia",
            [
                QuickTimeBox(
                    full: "mdhd", numbers(0, 0, perSecond, seconds * perSecond) + number(0x55C4, bytes: 2) + number(0, bytes: 2)),
                QuickTimeBox(full: "hdlr", Array("mhlr".utf8) + Array(handler.utf8) + number(0, bytes: 13)),
                QuickTimeBox("minf", [head, reference, samples]),
            ])
        let header = QuickTimeBox(
            full: "tkhd", flags: 3,
            joined(
                numbers(0, 0, id, 0, seconds * scale, 0, 0, 0), number(handler == "soun" ? 0x100 : 0, bytes: 2),
                number(0, bytes: 2), matrix, numbers(width << 16, height << 16)))
        return QuickTimeBox("trak", [header, media])
    }
}
