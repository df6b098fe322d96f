/// What captions may have, whatever their format (docs/bounds.md).
package enum CaptionBounds {
    /// The cues of a document, those after them are ignored: a day of speech.
    package static let cues = 65_536
    /// The spans with a style in all cues of a document; after them text has no styles.
    static let spans = 100_000
    /// The code points of one cue, with its tags; the rest is ignored.
    static let cueLength = 200_000
    /// The classes of a span and of a selector; further ones are ignored.
    static let classes = 16

    /// The text of a cue as far as it is read.
    static func text(_ text: String) -> String {
        // Nothing is copied where even the bytes are few.
        text.utf8.count <= cueLength ? text : String(text.unicodeScalars.prefix(cueLength))
    }
}
