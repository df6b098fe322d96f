import TextDecoding

/// Repairs the characters of XML as it is written in the world, so that Expat reads it: an `&` that is no reference, the names of HTML, control
/// characters, a `<` that begins no tag, white space and marks before the declaration. Its structure stays as it is.
///
/// The text is UTF-8, and comes in pieces that begin where a tag begins. Declarations of the encoding and comments are left out. A value.
package struct XMLRepair: Sendable {
    private enum Place { case content, characterData, comment }
    private var place = Place.content
    /// Entities that the text declares itself.
    private var entities: Set<String> = []

    package init() {}

    /// A piece of the text, repaired.
    package mutating func repaired(_ piece: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(piece.count + piece.count / 16)
        var rest = piece
        while !rest.isEmpty {
            switch place {
            case .comment: rest = rest[Self.end(of: "-->", in: rest, &place)...]
            case .characterData:
                let end = Self.end(of: "]]>", in: rest, &place)
                result += rest[..<end].lazy.filter { !Self.isControl($0) }
                rest = rest[end...]
            case .content: content(&rest, into: &result)
            }
        }
        return result
    }

    /// Where a word has ended, which leads back to content; the end of the piece if it does not occur.
    private static func end(of word: StaticString, in text: ArraySlice<UInt8>, _ place: inout Place) -> Int {
        guard let found = find(word, in: text) else { return text.endIndex }
        place = .content
        return found + word.utf8CodeUnitCount
    }

    /// Up to the next mark, and what it is.
    private mutating func content(_ rest: inout ArraySlice<UInt8>, into result: inout [UInt8]) {
        let mark = rest.firstIndex { $0 == 0x3C || $0 == 0x26 || $0 == 0x5D || $0 == 0xEF || Self.isControl($0) } ?? rest.endIndex
        result += rest[..<mark]
        rest = rest[mark...]
        guard let first = rest.first else { return }
        switch first {
        case 0x26: reference(&rest, into: &result)
        case 0x3C: tag(&rest, into: &result)
        case 0x5D:
            let closes = rest.starts(with: Array("]]>".utf8))
            result += Array((closes ? "]]&gt;" : "]").utf8)
            rest = rest.dropFirst(closes ? 3 : 1)
        case 0xEF:
            // U+FFFE and U+FFFF are no characters, and U+FEFF is a mark that was left where files were joined.
            let next = Array(rest.dropFirst().prefix(2))
            let isNone = next == [0xBF, 0xBE] || next == [0xBF, 0xBF] || next == [0xBB, 0xBF]
            if !isNone { result.append(first) }
            rest = rest.dropFirst(isNone ? 3 : 1)
        default: rest = rest.dropFirst()
        }
    }

    /// `&name;`, `&#10;`, `&#xA;`, or an ampersand that was meant as one.
    private func reference(_ rest: inout ArraySlice<UInt8>, into result: inout [UInt8]) {
        let body = rest.dropFirst().prefix(32).prefix { $0 != 0x3B && $0 != 0x26 && $0 != 0x3C && $0 > 0x20 }
        let name = String(decoding: body, as: UTF8.self)
        let isClosed = body.endIndex < rest.endIndex && rest[body.endIndex] == 0x3B && !body.isEmpty
        guard isClosed, let text = replacement(name) else {
            result += Array("&amp;".utf8)
            rest = rest.dropFirst()
            return
        }
        result += Array(text.utf8)
        rest = rest[(body.endIndex + 1)...]
    }

    private func replacement(_ name: String) -> String? {
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) || entities.contains(name) { return "&\(name);" }
        guard name.hasPrefix("#") else { return NamedCharacters.character(name).map { String(Character($0)) } }
        let isHex = name.hasPrefix("#x") || name.hasPrefix("#X")
        guard let code = isHex ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst()) else { return nil }
        return NamedCharacters.character(code).map { "&#\($0.value);" } ?? ""
    }

    private mutating func tag(_ rest: inout ArraySlice<UInt8>, into result: inout [UInt8]) {
        func begins(_ word: StaticString) -> Bool { Self.find(word, in: rest.prefix(word.utf8CodeUnitCount)) != nil }
        if begins("<!--") {
            place = .comment
            rest = rest.dropFirst(4)
        } else if begins("<![CDATA[") {
            place = .characterData
            result += rest.prefix(9)
            rest = rest.dropFirst(9)
        } else if begins("<!DOCTYPE") {
            declare(&rest, into: &result)
        } else if begins("<?") {
            let end = Self.find("?>", in: rest).map { $0 + 2 } ?? rest.endIndex
            // The text is UTF-8 now, whatever it declares.
            if !begins("<?xml") || rest.dropFirst(5).first.map({ $0 > 0x20 }) ?? false { result += rest[..<end] }
            rest = rest[end...]
        } else {
            let isEnd = rest.dropFirst().first == 0x2F
            let isTag = rest.dropFirst(isEnd ? 2 : 1).first.map(Self.beginsName) ?? true
            result += isTag ? [0x3C] : Array("&lt;".utf8)
            rest = rest.dropFirst()
        }
    }

    /// The document type, with the entities that are declared in it.
    private mutating func declare(_ rest: inout ArraySlice<UInt8>, into result: inout [UInt8]) {
        let close = rest.firstIndex(of: 0x3E) ?? rest.endIndex
        let isOpen = rest[..<close].contains(0x5B)
        let subset = isOpen ? Self.find("]>", in: rest).map { $0 + 2 } ?? rest.endIndex : min(close + 1, rest.endIndex)
        let text = rest[..<subset]
        var from = text
        while let found = Self.find("<!ENTITY", in: from) {
            from = from[(found + 8)...].drop { $0 <= 0x20 }
            entities.insert(String(decoding: from.prefix(64).prefix { $0 > 0x20 }, as: UTF8.self))
        }
        result += text
        rest = rest[subset...]
    }

    private static func find(_ word: StaticString, in text: ArraySlice<UInt8>) -> Int? {
        let count = word.utf8CodeUnitCount
        return word.withUTF8Buffer { word -> Int? in
            text.withUnsafeBufferPointer { text -> Int? in
                guard text.count >= count else { return nil }
                var index = 0
                while index <= text.count - count {
                    if text[index] == word[0], (1..<count).allSatisfy({ text[index + $0] == word[$0] }) { return index }
                    index += 1
                }
                return nil
            }
        }.map { text.startIndex + $0 }
    }

    private static func beginsName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || byte == 0x5F || byte == 0x3A
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x9 && byte != 0xA && byte != 0xD }
}
