import Cryptography
import WireFormats

/// Plays as a box has told them, in a file: JSON with one on each line, a report, messages of the broker, or CSV. What was verified; a value.
package struct SignedPlays: Sendable, Equatable {
    /// Why it is no proof.
    package enum Fault: Error, Sendable, Equatable, CustomStringConvertible {
        case none
        case unsigned(String)
        case changed(String)
        case again(UInt64)
        case order(UInt64, behind: UInt64)
        case missing(UInt64, UInt64)

        package var description: String {
            switch self {
            case .none: "There are no plays in it."
            case .unsigned(let play): "The play \(play) has no signature."
            case .changed(let play): "The play \(play) does not match its signature: it was changed, or signed with another key."
            case .again(let number): "The play \(number) is there twice."
            case .order(let number, let last): "The play \(number) comes behind \(last): they are not in the order of the box."
            case .missing(let first, let last):
                first == last ? "The play \(first) is missing." : "The plays \(first) to \(last) are missing."
            }
        }
    }

    package private(set) var first: UInt64 = 0
    package private(set) var last: UInt64 = 0
    package private(set) var count = 0
    /// The names of the box, which may have been changed.
    package private(set) var boxes: [String] = []

    private let key: [UInt8]
    private static let columns = StoredPlay.header(isSigned: true).split(separator: ",").count
    /// A play is shorter.
    private static let longestObject = 16 << 10

    /// Verifies the plays in these bytes.
    ///
    /// - Parameter key: the public key of the box.
    package init(verifying bytes: [UInt8], key: [UInt8]) throws(Fault) {
        self.key = key
        if bytes.starts(with: Array("number,".utf8)) { try takeTable(bytes) } else { try takeObjects(bytes) }
        guard count > 0 else { throw .none }
    }

    private mutating func take(_ text: [UInt8], _ signature: String?, number: UInt64?, box: String?) throws(Fault) {
        let name = number.map { "\($0)" } ?? "behind \(last)"
        guard let signature else { throw .unsigned(name) }
        guard let number, let box, let mark = Ed25519.signature(base64: signature),
            Ed25519.isValid(mark, for: text, publicKey: key)
        else { throw .changed(name) }
        if count > 0 {
            guard number != last else { throw .again(number) }
            guard number > last else { throw .order(number, behind: last) }
            guard number == last + 1 else { throw .missing(last + 1, number - 1) }
        } else {
            first = number
        }
        (last, count) = (number, count + 1)
        if !boxes.contains(box) { boxes.append(box) }
    }

    /// What was found, in a sentence.
    package var line: String {
        let numbers = count == 1 ? "The play \(first)" : "The \(count) plays \(first) to \(last)"
        return
            "Good: \(numbers) of \(boxes.joined(separator: ", ")) \(count == 1 ? "is" : "are") as the box signed \(count == 1 ? "it" : "them"), and none between them is missing."
    }

    // MARK: JSON

    /// Finds the objects that are plays, as they stand in the text.
    private mutating func takeObjects(_ bytes: [UInt8]) throws(Fault) {
        var starts: [Int] = []
        var isInText = false
        var isEscaped = false
        for (place, byte) in bytes.enumerated() {
            if isInText {
                let isMark = byte == UInt8(ascii: "\"") && !isEscaped
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                isInText = !isMark
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"): starts.append(place)
            case UInt8(ascii: "}"): if let start = starts.popLast() { try takeObject(bytes[start...place]) }
            default: break
            }
        }
    }

    private mutating func takeObject(_ object: ArraySlice<UInt8>) throws(Fault) {
        guard object.count <= Self.longestObject else { return }
        guard let members = JSONMembers(String(decoding: object, as: UTF8.self)) else {
            guard !object.starts(with: Array("{\"number\":".utf8)) else { throw .changed("behind \(last)") }
            return
        }
        guard members.whole("picturesShown") != nil else { return }
        let number = members.whole("number").flatMap { UInt64(exactly: $0) }
        guard let signature = members.text("signature") else { return try take(Array(object), nil, number: number, box: nil) }
        // It is the last member of what the box has written.
        let end = Array(",\"signature\":\"\(signature)\"}".utf8)
        let text = object.suffix(end.count).elementsEqual(end) ? Array(object.dropLast(end.count)) + [UInt8(ascii: "}")] : []
        try take(text, signature, number: number, box: members.text("box"))
    }

    // MARK: CSV

    private mutating func takeTable(_ bytes: [UInt8]) throws(Fault) {
        var isInText = false
        var start = bytes.startIndex
        for place in bytes.indices {
            if bytes[place] == UInt8(ascii: "\"") { isInText.toggle() }
            guard !isInText, bytes[place] == UInt8(ascii: "\n") || place == bytes.endIndex - 1 else { continue }
            var line = bytes[start...place]
            while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { line.removeLast() }
            start = place + 1
            guard !line.isEmpty, !line.starts(with: Array("number,".utf8)) else { continue }
            try takeRow(line)
        }
    }

    private mutating func takeRow(_ row: ArraySlice<UInt8>) throws(Fault) {
        let fields = Self.fields(row)
        let number = fields.first.flatMap { UInt64($0) }
        let isSigned = fields.count == Self.columns
        let signature = isSigned ? fields[fields.count - 1] : nil
        let text = row.dropLast((signature?.utf8.count ?? 0) + 1)
        try take(Array(text), signature, number: number, box: isSigned ? fields[fields.count - 2] : nil)
    }

    private static func fields(_ row: ArraySlice<UInt8>) -> [String] {
        var isInText = false
        var fields: [[UInt8]] = [[]]
        for byte in row {
            if byte == UInt8(ascii: "\"") {
                isInText.toggle()
            } else if byte == UInt8(ascii: ","), !isInText {
                fields.append([])
            } else {
                fields[fields.count - 1].append(byte)
            }
        }
        return fields.map { String(decoding: $0, as: UTF8.self) }
    }
}
