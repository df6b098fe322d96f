/// Recognises an HLS playlist by its first bytes (RFC 8216, 4.1), also one in UTF-16 or with its tags in small letters, which the parser repairs.
package enum PlaylistHead {
    private static let mark = Array("#EXTM3U".utf8)

    /// Whether bytes are the beginning of a playlist. A byte order mark and the empty lines that templates leave may come first.
    package static func isBeginning(_ bytes: some Collection<UInt8>) -> Bool { start(bytes) == mark }

    /// Whether bytes are certainly no beginning of a playlist, however they go on.
    package static func isExcluded(_ bytes: some Collection<UInt8>) -> Bool {
        // Half a character, or half a byte order mark.
        if bytes.count < 3, [0, 0xEF, 0xFE, 0xFF].contains(bytes.first) { return false }
        return !mark.starts(with: start(bytes))
    }

    /// The first characters of a text, as many as the mark has, in capital letters. A playlist may be long, and is not copied.
    private static func start(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var rest = bytes[...]
        var isWide = false
        var isBig = false
        switch (rest.first, rest.dropFirst().first) {
        case (0xEF, 0xBB) where rest.dropFirst(2).first == 0xBF: rest = rest.dropFirst(3)
        case (0xFF, 0xFE): (isWide, rest) = (true, rest.dropFirst(2))
        case (0xFE, 0xFF): (isWide, isBig, rest) = (true, true, rest.dropFirst(2))
        case (0, .some(1...0x7F)): (isWide, isBig) = (true, true)
        case (.some(1...0x7F), 0): isWide = true
        default: break
        }
        var found: [UInt8] = []
        while found.count < mark.count, let first = rest.popFirst() {
            var byte = first
            if isWide {
                guard let second = rest.popFirst() else { break }
                // Characters above ASCII are none of the mark.
                byte = (isBig ? first : second) == 0 ? (isBig ? second : first) : 0xFF
            }
            if found.isEmpty, " \t\r\n".utf8.contains(byte) { continue }
            found.append((0x61...0x7A).contains(byte) ? byte - 0x20 : byte)
        }
        return found
    }
}
