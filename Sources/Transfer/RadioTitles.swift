import TextDecoding

/// Takes the titles out of the bytes of a radio station: Icecast and SHOUTcast put a block of text behind each so many bytes of sound, if they are asked to.
struct RadioTitles {
    private enum Place {
        /// So many bytes of sound come before the next block.
        case sound(Int)
        /// A block begins with its length in units of 16 bytes.
        case length
        /// So many bytes of the block are missing.
        case block(Int)
    }
    private let interval: Int
    private var place: Place
    private var block: [UInt8] = []
    /// Stations write the encoding of their programs: UTF-8, ISO 8859-1, or that of their country.
    private var texts = TextPieces()

    /// - Parameter interval: how many bytes of sound are between two blocks, more than 0.
    init(interval: Int) {
        self.interval = interval
        place = .sound(interval)
    }

    /// The next bytes.
    ///
    /// - Parameters:
    ///   - sound: called with each stretch of sound.
    ///   - title: called with each title; empty when nothing is named.
    mutating func take(_ bytes: UnsafeRawBufferPointer, sound: (UnsafeRawBufferPointer) -> Void, title: (String) -> Void) {
        var rest = bytes[...]
        while let first = rest.first {
            switch place {
            case .sound(let missing):
                let part = rest.prefix(missing)
                sound(UnsafeRawBufferPointer(rebasing: part))
                rest = rest.dropFirst(part.count)
                place = part.count == missing ? .length : .sound(missing - part.count)
            case .length:
                rest = rest.dropFirst()
                place = first == 0 ? .sound(interval) : .block(Int(first) * 16)
            case .block(let missing):
                let part = rest.prefix(missing)
                block += part
                rest = rest.dropFirst(part.count)
                guard part.count == missing else {
                    place = .block(missing - part.count)
                    continue
                }
                if let found = Self.title(in: block) { title(texts.text(found)) }
                block = []
                place = .sound(interval)
            }
        }
    }

    /// The title in `StreamTitle='…';StreamUrl='…';`; nil if there is none. Nothing in it is escaped, so that a quotation mark may stand in it.
    static func title(in block: [UInt8]) -> [UInt8]? {
        let text = block.prefix { $0 != 0 }
        guard let start = text.firstRange(of: Array("StreamTitle='".utf8)) else { return nil }
        let rest = text[start.upperBound...]
        let end = rest.firstRange(of: Array("';".utf8))?.lowerBound ?? rest.lastIndex(of: UInt8(ascii: "'")) ?? rest.endIndex
        return Array(rest[..<end])
    }
}
