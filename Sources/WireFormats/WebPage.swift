/// Recognises a web page in place of another resource: a network that wants a sign-in answers every request with its page, with status 200.
package enum WebPage {
    private static let beginnings = ["<!doctype", "<html", "<head", "<body", "<script", "<meta", "<?xml"].map { Array($0.utf8) }
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether bytes are the beginning of a web page or of XML. No playlist, key or media begins like this; encrypted media do by chance, once in
    /// a million million segments.
    package static func isBeginning(_ bytes: [UInt8]) -> Bool {
        let text = (bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...])
            .drop { " \t\r\n".utf8.contains($0) }
        let head = text.prefix(16).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return beginnings.contains { head.starts(with: $0) }
    }
}
