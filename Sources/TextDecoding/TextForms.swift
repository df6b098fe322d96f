import CGIO

/// The forms of Unicode in which texts are compared, by GLib.
package enum TextForms {
    /// Every letter apart from its marks, and in its one form: full width, ligatures and presentation forms are plain letters (NFKD); small as full case
    /// folding has it: `ß` is `ss`.
    package static func decomposedAndFolded(_ text: String) -> String {
        // GLib takes a zero for the end.
        let words = text.utf8.contains(0) ? String(text.map { $0 == "\0" ? " " : $0 }) : text
        return converted(converted(words) { g_utf8_normalize($0, -1, G_NORMALIZE_ALL) }) { g_utf8_casefold($0, -1) }
    }

    /// Letters with their marks as one character where there is one (NFC).
    package static func composed(_ text: String) -> String {
        converted(text) { g_utf8_normalize($0, -1, G_NORMALIZE_DEFAULT_COMPOSE) }
    }

    private static func converted(_ text: String, _ convert: (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?) -> String {
        text.withCString { pointer in
            guard let result = convert(pointer) else { return text }
            defer { g_free(result) }
            return String(cString: result)
        }
    }
}
