import LinuxSupport

/// Boxes, tags and indexes, written field by field with numbers at their ends.
struct BinaryInputs {
    var random: SeededGenerator
    /// How many of a hundred boxes state a wrong size, after which most of a file is lost.
    private var wrongSizes = 0

    init(random: SeededGenerator) { self.random = random }

    private static let ends: [UInt64] = [
        0, 1, 2, 3, 7, 8, 16, 255, 1000, 0x7FFF, 0xFFFF, 90_000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 32, 1 << 53, 1 << 59,
        1 << 60, 1 << 61,
        (1 << 62) - 1, 1 << 62, (1 << 63) - 1, 1 << 63, .max - 1, .max,
    ]

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    /// A field of some bytes, big-endian: small, or at an end.
    private mutating func field(_ count: Int) -> [UInt8] {
        let value = chance(60) ? UInt64.random(in: 0...20, using: &random) : Self.ends.randomElement(using: &random)!
        return big(value, count)
    }

    private func big(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private mutating func fields(_ counts: Int...) -> [UInt8] { counts.flatMap { field($0) } }

    private mutating func some(_ most: Int, _ make: (inout Self) -> [UInt8]) -> [UInt8] {
        (0..<Int.random(in: 0...most, using: &random)).flatMap { _ in make(&self) }
    }

    private mutating func noise(_ most: Int) -> [UInt8] { some(most) { [UInt8.random(in: 0...255, using: &$0.random)] } }

    private mutating func text() -> [UInt8] {
        Array(["", "a", "é", "word", "<b>x</b>", "\u{0}"].randomElement(using: &random)!.utf8)
    }

    // MARK: MP4

    private mutating func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let name = Array(type.utf8).map { $0 }
        if chance(wrongSizes) { return field(4) + name + body }
        if chance(3) { return big(1, 4) + name + big(UInt64(body.count + 16), 8) + body }
        if chance(wrongSizes) { return big(1, 4) + name + field(8) + body }
        return big(UInt64(body.count + 8), 4) + name + body
    }

    /// A film with chapters, or an init segment and fragments of captions.
    mutating func movie() -> [UInt8] {
        wrongSizes = chance(60) ? 0 : 3
        var file = box("ftyp", Array("mp42".utf8) + [0, 0, 0, 0])
        if chance(30) { file += eventMessage() }
        file += box(
            "moov",
            box("mvhd", version() + fields(4, 4, 4, 4)) + some(4) { $0.track() } + box("mvex", some(2) { $0.extends() })
                + some(1) { $0.userData() })
        file += some(4) { $0.fragment() }
        return file + box("mdat", noise(60))
    }

    private mutating func version() -> [UInt8] {
        chance(80) ? [0, 0, 0, 0] : [UInt8.random(in: 0...2, using: &random), 0, 0, 0]
    }

    private mutating func track() -> [UInt8] {
        let id = big(UInt64.random(in: 0...3, using: &random), 4)
        let entry = ["wvtt", "stpp", "text", "tx3g"].randomElement(using: &random)!
        let tables =
            box("stsd", [0, 0, 0, 0] + field(4) + box(entry, noise(10)))
            + box("stts", version() + field(4) + some(4) { $0.fields(4, 4) })
            + box("stsc", version() + field(4) + some(4) { $0.fields(4, 4, 4) })
            + box("stsz", version() + fields(4, 4) + some(6) { $0.field(4) })
            + (chance(50)
                ? box("stco", version() + field(4) + some(4) { $0.field(4) })
                : box("co64", version() + field(4) + some(4) { $0.field(8) }))
        let media =
            box("mdhd", [0, 0, 0, 0] + fields(4, 4, 4, 4, 2, 2))
            + box("hdlr", [0, 0, 0, 0] + big(0, 4) + Array("text".utf8) + big(0, 12)) + box("minf", box("stbl", tables))
        let header =
            chance(80) ? [0, 0, 0, 0] + fields(4, 4) + id + fields(4, 4) : [1, 0, 0, 0] + fields(8, 8) + id + fields(4, 8)
        return box("trak", box("tkhd", header) + box("tref", box("chap", some(3) { $0.field(4) })) + box("mdia", media))
    }

    private mutating func extends() -> [UInt8] { box("trex", fields(4, 4, 4, 4, 4, 4)) }

    private mutating func userData() -> [UInt8] {
        let chapters = box(
            "chpl", [UInt8.random(in: 0...1, using: &random), 0, 0, 0] + field(4) + field(1) + some(4) { $0.field(8) + [1, 65] })
        let tags = some(4) {
            $0.box(
                ["\u{A9}nam", "covr", "trkn", "gnre", "cprt"].randomElement(using: &$0.random)!,
                $0.box("data", $0.fields(4, 4) + $0.text()))
        }
        return box(
            "udta", chapters + box("meta", [0, 0, 0, 0] + box("hdlr", big(0, 8) + Array("mdir".utf8)) + box("ilst", tags)))
    }

    private mutating func fragment() -> [UInt8] {
        let flags = UInt64.random(in: 0...0x3F, using: &random)
        let head = box("tfhd", big(flags, 4) + big(UInt64.random(in: 0...3, using: &random), 4) + fields(8, 4, 4, 4, 4))
        let time = box("tfdt", chance(50) ? [1, 0, 0, 0] + field(8) : [0, 0, 0, 0] + field(4))
        let runs = some(4) { inputs in
            let flags = UInt64.random(in: 0...0xF, using: &inputs.random) << 8 | UInt64.random(in: 0...5, using: &inputs.random)
            return inputs.box("trun", inputs.big(flags, 4) + inputs.field(4) + inputs.some(12) { $0.field(4) })
        }
        let cue = box("vttc", box("iden", text()) + box("sttg", text()) + box("payl", text()))
        return box("moof", box("mfhd", fields(4, 4)) + box("traf", head + time + runs)) + box("mdat", cue + noise(30))
    }

    /// An event message (`emsg`).
    mutating func eventMessage() -> [UInt8] {
        let scheme = text() + [0] + text() + [0]
        return chance(50)
            ? box("emsg", [1, 0, 0, 0] + fields(4, 8, 4, 4) + scheme + noise(20))
            : box("emsg", [0, 0, 0, 0] + scheme + fields(4, 4, 4, 4) + noise(20))
    }

    // MARK: ID3

    /// A tag of version 2.2 to 2.4.
    mutating func id3() -> [UInt8] {
        let version = UInt8.random(in: 2...4, using: &random)
        let flags = UInt8([0, 0, 0, 0x40, 0x80, 0x10, 0xFF].randomElement(using: &random)!)
        let body = (flags & 0x40 != 0 ? fields(4, 2) : []) + some(6) { $0.frame(version, isInChapter: false) }
        let size = chance(85) ? UInt64(body.count) : Self.ends.randomElement(using: &random)!
        return Array("ID3".utf8) + [version, 0, flags] + synchsafe(size) + body
    }

    private func synchsafe(_ value: UInt64) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> (7 * UInt64($0)) & 0x7F) } }

    private mutating func frame(_ version: UInt8, isInChapter: Bool) -> [UInt8] {
        let names =
            version == 2
            ? ["TT2", "TXX", "COM", "PIC", "ULT", "WXX"]
            : ["TIT2", "TXXX", "COMM", "APIC", "CHAP", "CTOC", "PRIV", "WXXX", "TCON", "USLT", "MCDI"]
        let name = names.randomElement(using: &random)!
        var body: [UInt8] = [UInt8.random(in: 0...4, using: &random)]
        switch name {
        case "CHAP":
            body = text() + [0] + fields(4, 4, 4, 4) + (isInChapter ? [] : some(3) { $0.frame(version, isInChapter: true) })
        case "CTOC": body = text() + [0] + fields(1, 1) + some(4) { $0.text() + [0] }
        case "PRIV": body = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0] + field(8)
        case "TCON": body += Array(["(4)", "(255)", "(99999999999999999999)", "17", "((a"].randomElement(using: &random)!.utf8)
        default: body += text() + [0] + text() + noise(12)
        }
        let size = UInt64(body.count)
        if version == 2 { return Array(name.utf8) + (chance(90) ? big(size, 3) : field(3)) + body }
        return Array(name.utf8) + (chance(10) ? field(4) : version == 4 ? synchsafe(size) : big(size, 4))
            + (chance(80) ? [0, 0] : field(2)) + body
    }

    // MARK: BIF

    /// An index of pictures.
    mutating func bif() -> [UInt8] {
        func little(_ bytes: [UInt8]) -> [UInt8] { bytes.reversed() }
        let count = Int.random(in: 0...12, using: &random)
        // One wrong field refuses the index, so most of them have none.
        let rare = chance(50) ? 0 : 15
        let stated = chance(rare) ? field(4) : big(UInt64(count), 4)
        var bytes: [UInt8] = [0x89, 0x42, 0x49, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += (chance(rare) ? field(4) : [0, 0, 0, 0]) + little(stated) + little(chance(40) ? field(4) : [0, 0, 3, 232])
        bytes += [UInt8](repeating: 0, count: 64 - bytes.count)
        var (time, place) = (UInt64(0), UInt64(64 + 8 * (count + 1)))
        for _ in 0..<count {
            bytes += little(chance(rare) ? field(4) : big(time, 4)) + little(chance(rare) ? field(4) : big(place, 4))
            time += chance(90) ? 1 : Self.ends.randomElement(using: &random)! & 0xFFFF_FFFF
            place += UInt64.random(in: 1...9, using: &random)
        }
        return bytes + (chance(rare) ? field(4) : [0xFF, 0xFF, 0xFF, 0xFF]) + little(big(place, 4))
    }
}
