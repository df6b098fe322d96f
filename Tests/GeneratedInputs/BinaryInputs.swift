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

    // MARK: Matroska

    /// A file of Matroska or WebM: a header, then tags, chapters, attachments and a seek head, in front of a cluster or after it.
    mutating func matroska() -> [UInt8] {
        wrongSizes = chance(60) ? 0 : 3
        let parts = some(5) { inputs in
            switch Int.random(in: 0..<5, using: &inputs.random) {
            case 0: return inputs.element([0x12, 0x54, 0xC3, 0x67], inputs.some(4) { $0.matroskaTag() })
            case 1: return inputs.element([0x10, 0x43, 0xA7, 0x70], inputs.some(3) { $0.edition() })
            case 2: return inputs.element([0x19, 0x41, 0xA4, 0x69], inputs.some(3) { $0.attachment() })
            case 3: return inputs.element([0x11, 0x4D, 0x9B, 0x74], inputs.some(3) { $0.seek() })
            default: return inputs.element([0x15, 0x49, 0xA9, 0x66], inputs.element([0x7B, 0xA9], inputs.text()))
            }
        }
        let cluster = element([0x1F, 0x43, 0xB6, 0x75], noise(20))
        let body = chance(50) ? parts + cluster : cluster + parts
        return element([0x1A, 0x45, 0xDF, 0xA3], noise(8)) + element([0x18, 0x53, 0x80, 0x67], body)
    }

    /// An element with its id, marker included, and a size of one to eight bytes.
    private mutating func element(_ id: [UInt8], _ body: [UInt8]) -> [UInt8] {
        if chance(wrongSizes) { return id + [UInt8.random(in: 0...255, using: &random)] + noise(8) + body }
        if chance(2) { return id + [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] + body }
        if chance(5) { return id + [0x01] + big(UInt64(body.count), 7) + body }
        return id
            + (body.count < 127 ? [0x80 | UInt8(body.count)] : [0x10 | UInt8(body.count >> 24)] + big(UInt64(body.count), 3))
            + body
    }

    /// An element with a number of some bytes.
    private mutating func number(_ id: [UInt8]) -> [UInt8] { element(id, field(Int.random(in: 0...9, using: &random))) }

    private mutating func matroskaTag() -> [UInt8] {
        let target = element([0x63, 0xC0], number([0x68, 0xCA]) + (chance(20) ? number([0x63, 0xC5]) : []))
        return element([0x73, 0x73], target + some(3) { $0.simpleTag(depth: 0) })
    }

    private mutating func simpleTag(depth: Int) -> [UInt8] {
        var body = element([0x45, 0xA3], text()) + element([0x44, 0x87], text())
        if chance(30) { body += element([0x44, 0x7A], Array("ger".utf8)) + element([0x44, 0x85], noise(6)) }
        if chance(40), depth < 8 { body += simpleTag(depth: depth + 1) }
        return element([0x67, 0xC8], body)
    }

    private mutating func edition() -> [UInt8] {
        element(
            [0x45, 0xB9],
            number([0x45, 0xDB])
                + some(4) { inputs in
                    let title = inputs.element([0x85], inputs.text()) + inputs.element([0x43, 0x7C], Array("fre".utf8))
                    return inputs.element(
                        [0xB6],
                        inputs.number([0x91]) + inputs.number([0x92]) + inputs.number([0x98]) + inputs.element([0x80], title))
                })
    }

    private mutating func attachment() -> [UInt8] {
        let name = ["cover.jpg", "small_cover.png", "a.ttf"].randomElement(using: &random)!
        return element(
            [0x61, 0xA7],
            element([0x46, 0x6E], Array(name.utf8)) + element([0x46, 0x60], text())
                + element([0x46, 0x5C], [0x89, 0x50, 0x4E, 0x47] + noise(6)))
    }

    private mutating func seek() -> [UInt8] {
        element([0x4D, 0xBB], element([0x53, 0xAB], [0x12, 0x54, 0xC3, 0x67]) + number([0x53, 0xAC]))
    }

    // MARK: FLAC and Ogg

    /// Comments in a FLAC file, or as the second packet of an Ogg stream.
    mutating func xiph() -> [UInt8] {
        let comments = comments()
        guard chance(50) else {
            let type = UInt8([4, 4, 4, 6, 0].randomElement(using: &random)!)
            let body = type == 6 ? picture() : comments
            let stated = chance(90) ? big(UInt64(body.count), 3) : field(3)
            let more = some(2) { inputs in
                let body = inputs.picture()
                return [6] + inputs.big(UInt64(body.count), 3) + body
            }
            return Array("fLaC".utf8) + more + [0x80 | type] + stated + body
        }
        let mark: [UInt8] = [
            Array("OpusTags".utf8), [3] + Array("vorbis".utf8), [0x81] + Array("theora".utf8),
            [0x84] + big(UInt64(comments.count), 3),
        ].randomElement(using: &random)!
        return page(Array("OpusHead".utf8) + noise(11)) + page(mark + comments) + some(2) { $0.page($0.noise(20)) }
    }

    private mutating func page(_ packet: [UInt8]) -> [UInt8] {
        var lacing = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        if chance(5) { lacing.removeLast() }
        if chance(5) { lacing += noise(4) }
        return Array("OggS".utf8) + [0, 0] + field(8) + big(UInt64.random(in: 0...1, using: &random), 4) + fields(4, 4)
            + [UInt8(truncatingIfNeeded: lacing.count)] + lacing + packet
    }

    private func little(_ value: Int) -> [UInt8] { big(UInt64(value), 4).reversed() }

    private mutating func comments() -> [UInt8] {
        let texts = [
            "TITLE=é", "CHAPTER00‹=00:00:0‹.500", "CHAPTER00‹NAME=a", "CHAPTER=‹", "CHAPTER001=999999999999:59:59",
            "LANGUAGE=deu",
            "METADATA_BLOCK_PICTURE=AAAAAwAAAAA=", "COVERART=iVBORw==", "no sign", "=",
        ]
        var count = 0
        let body = some(6) { inputs in
            count += 1
            let digit = String(Int.random(in: 0...9, using: &inputs.random))
            let text = Array(texts.randomElement(using: &inputs.random)!.replacing("‹", with: digit).utf8)
            return (inputs.chance(95) ? inputs.little(text.count) : inputs.field(4)) + text
        }
        return little(1) + [65] + (chance(90) ? little(count) : field(4)) + body
    }

    /// A picture (RFC 9639, section 8.8).
    private mutating func picture() -> [UInt8] {
        let type = Array(["image/png", "-->", ""].randomElement(using: &random)!.utf8)
        let bytes = [0x89, 0x50, 0x4E, 0x47] + noise(6)
        return field(4) + big(UInt64(type.count), 4) + type + (chance(90) ? big(0, 4) : field(4)) + fields(4, 4, 4, 4)
            + (chance(90) ? big(UInt64(bytes.count), 4) : field(4)) + bytes
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
