import WireFormats

/// The main picture of an AVIF file (AV1 Image File Format 1.1, in the boxes of ISO/IEC 23008-12).
struct AVIFItem {
    private(set) var turn = PictureTurn(orientation: 1)
    private var type = ""
    private var extents: [ArraySlice<UInt8>] = []
    private static let brands = ["avif", "avis"]

    /// Nil: the file is another one.
    init?(_ file: [UInt8]) {
        let boxes = MP4Box.boxes(in: file[...])
        guard let brands = boxes.first, brands.type == "ftyp", Self.isAVIF(brands.body) else { return nil }
        // Each of these boxes has a version and flags before its contents.
        guard let meta = boxes.first(where: { $0.type == "meta" })?.body.dropFirst(4) else { return }
        let parts = MP4Box.boxes(in: meta)
        func part(_ type: String) -> ArraySlice<UInt8>? { parts.first { $0.type == type }?.body }
        guard let primary = part("pitm").flatMap({ $0.big($0.first == 0 ? 2 : 4, at: 4) }) else { return }
        type = part("iinf").flatMap { Self.itemType(primary, $0) } ?? ""
        extents = part("iloc").flatMap { Self.extents(of: primary, $0, data: part("idat") ?? [], file: file[...]) } ?? []
        if let properties = part("iprp") { turn = Self.turn(of: primary, properties) }
    }

    private static func isAVIF(_ body: ArraySlice<UInt8>) -> Bool {
        // The major brand, a version, and the compatible brands.
        stride(from: 0, to: min(body.count, 256) - 3, by: 4).contains { offset in
            offset != 4 && brands.contains(body.dropFirst(offset).prefix(4).latin1)
        }
    }

    /// The data of the picture, in AV1.
    func picture() throws(PictureRefusal) -> [UInt8] {
        guard type == "av01" else {
            let reason = type == "grid" ? "it is an AVIF picture made of tiles" : "it is an AVIF file without a picture in AV1"
            throw PictureRefusal(reason: reason + "; use JPEG or PNG")
        }
        let bytes = Array(extents.joined())
        guard !bytes.isEmpty else { throw PictureRefusal(reason: "it is damaged (its data is missing); create it again") }
        return bytes
    }

    private static func itemType(_ item: UInt64, _ body: ArraySlice<UInt8>) -> String? {
        for entry in MP4Box.boxes(in: body.dropFirst(body.first == 0 ? 6 : 8)) where entry.type == "infe" {
            guard let version = entry.body.first, version >= 2 else { continue }
            let length = version == 2 ? 2 : 4
            if entry.body.big(length, at: 4) == item { return entry.body.dropFirst(4 + length + 2).prefix(4).latin1 }
        }
        return nil
    }

    /// ISO/IEC 14496-12 section 8.11.3.
    private static func extents(
        of wanted: UInt64, _ body: ArraySlice<UInt8>, data: ArraySlice<UInt8>, file: ArraySlice<UInt8>
    ) -> [ArraySlice<UInt8>]? {
        var cursor = ByteCursor(body)
        guard let version = cursor.byte(), version <= 2, cursor.take(3) != nil, let sizes = cursor.big(2) else { return nil }
        let (offsetSize, lengthSize, baseSize) = (Int(sizes >> 12 & 15), Int(sizes >> 8 & 15), Int(sizes >> 4 & 15))
        let indexSize = version == 0 ? 0 : Int(sizes & 15)
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ $0 <= 8 }),
            let count = cursor.big(version < 2 ? 2 : 4)
        else { return nil }
        for _ in 0..<min(count, 65_536) {
            guard let item = cursor.big(version < 2 ? 2 : 4), let method = version == 0 ? 0 : cursor.big(2),
                cursor.take(2) != nil, let base = cursor.big(baseSize), let extentCount = cursor.big(2)
            else { return nil }
            var found: [ArraySlice<UInt8>] = []
            for _ in 0..<extentCount {
                guard cursor.take(indexSize) != nil, let offset = cursor.big(offsetSize), let length = cursor.big(lengthSize)
                else { return nil }
                guard item == wanted else { continue }
                let source = method & 15 == 1 ? data : file
                let start = Int(clamping: base.addingReportingOverflow(offset).partialValue)
                guard method & 15 <= 1, start <= source.count else { return nil }
                let rest = source.dropFirst(start)
                found.append(length == 0 ? rest : rest.prefix(Int(clamping: length)))
            }
            if item == wanted { return found }
        }
        return nil
    }

    /// The properties that turn and mirror, in the order in which the item has them.
    private static func turn(of wanted: UInt64, _ body: ArraySlice<UInt8>) -> PictureTurn {
        var turn = PictureTurn(orientation: 1)
        let boxes = MP4Box.boxes(in: body)
        guard let container = boxes.first(where: { $0.type == "ipco" })?.body else { return turn }
        let properties = MP4Box.boxes(in: container)
        for list in boxes where list.type == "ipma" {
            for index in indexes(of: wanted, list.body) where properties.indices.contains(index - 1) {
                let property = properties[index - 1]
                // Quarter turns against the clock; mirrored about the horizontal axis if the last bit is 0.
                if property.type == "irot" { turn = PictureTurn(quarterTurns: 4 - Int((property.body.first ?? 0) & 3)) }
                if property.type == "imir" { turn = turn.mirrored(horizontally: (property.body.first ?? 0) & 1 == 1) }
            }
        }
        return turn
    }

    private static func indexes(of wanted: UInt64, _ body: ArraySlice<UInt8>) -> [Int] {
        var cursor = ByteCursor(body)
        guard let version = cursor.byte(), let flags = cursor.big(3), let count = cursor.big(4) else { return [] }
        for _ in 0..<min(count, 65_536) {
            guard let item = cursor.big(version == 0 ? 2 : 4), let length = cursor.byte() else { return [] }
            var indexes: [Int] = []
            for _ in 0..<length {
                guard let value = cursor.big(flags & 1 == 1 ? 2 : 1) else { return [] }
                indexes.append(Int(value & (flags & 1 == 1 ? 0x7fff : 0x7f)))
            }
            if item == wanted { return indexes }
        }
        return []
    }
}
