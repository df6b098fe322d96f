/// Recognises an HLS playlist by its first bytes (RFC 8216, 4.1).
package enum PlaylistHead {
    private static let mark = Array("#EXTM3U".utf8)
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether bytes are the beginning of a playlist. A byte order mark and the empty lines that templates leave may come first.
    package static func isBeginning(_ bytes: some Collection<UInt8>) -> Bool { text(bytes).starts(with: mark) }

    /// Whether bytes are certainly no beginning of a playlist, however they go on.
    package static func isExcluded(_ bytes: some Collection<UInt8>) -> Bool {
        let text = text(bytes)
        return !text.isEmpty && !text.starts(with: mark) && !(text.count < mark.count && mark.starts(with: text))
    }

    /// A playlist may be long, and is not copied.
    private static func text<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        bytes.dropFirst(bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0).drop { " \t\r\n".utf8.contains($0) }
    }
}
