import TextDecoding

/// The text that a page asks for, as another device may type it.
package struct TextQuestion: Sendable, Equatable {
    /// What is asked for, in the viewer's language.
    package let title: String
    /// What is typed so far; nil for a secret, which is never told.
    package let text: String?
    /// The number of typed characters.
    package let count: Int
    /// The most characters.
    package let longest: Int

    /// A text as the page takes it: with letters and their marks as one character where there is one (NFC).
    ///
    /// - Returns: nil if it has characters that are not seen, or is too long; a secret is of printable ASCII.
    package func accepts(_ typed: String) -> String? {
        // A zero would end it for the library that composes it; before that nothing needs the length of a long one.
        guard typed.utf8.count <= longest * Self.bytesOfCharacter, typed.unicodeScalars.allSatisfy(isAllowed) else { return nil }
        let composed = TextForms.composed(typed)
        return composed.unicodeScalars.count <= longest ? composed : nil
    }

    /// The most bytes of a character before it is composed: a letter with its marks.
    private static let bytesOfCharacter = 12

    private func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        guard text != nil else { return (0x20...0x7E).contains(scalar.value) }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse: return false
        // Of those that are not seen only the joiners, which Persian and the scripts of India need, the marks of direction of a keyboard, and those that choose the
        // form of a sign.
        case _ where properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format:
            return (0x200C...0x200F).contains(scalar.value) || scalar.value == 0x061C || (0xFE00...0xFE0F).contains(scalar.value)
        default: return !properties.isNoncharacterCodePoint
        }
    }
}
