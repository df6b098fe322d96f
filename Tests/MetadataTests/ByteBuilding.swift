/// Helpers that build containers byte by byte, independently of the code that parses them.
func big(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    let body = parts.flatMap(\.self)
    return big(body.count + 8, 4) + latin1(type) + body
}

func fullBox(_ type: String, _ parts: [UInt8]...) -> [UInt8] { box(type, [0, 0, 0, 0] + parts.flatMap(\.self)) }

func packed(_ language: String) -> [UInt8] { big(language.utf8.reduce(0) { $0 << 5 | (Int($1) - 0x60) }, 2) }

func element(_ id: Int, _ parts: [UInt8]...) -> [UInt8] {
    let body = parts.flatMap(\.self)
    let idLength = id > 0xFF_FFFF ? 4 : id > 0xFFFF ? 3 : id > 0xFF ? 2 : 1
    return big(id, idLength) + [0x08] + big(body.count, 4) + body
}

func synchsafe(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> (7 * $0) & 0x7F) } }

func utf16(_ text: String) -> [UInt8] { [0xFF, 0xFE] + text.utf16.flatMap { little(Int($0), 2) } }
