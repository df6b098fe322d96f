/// A violation of RFC 8216bis in a playlist, with its line and the remedy.
package struct PlaylistDiagnostic: Sendable, Hashable, CustomStringConvertible {
    /// The kind of violation. The raw values are stable: scripts and tests rely on them.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The text is empty.
        case emptyInput = "empty-input"
        /// No `#EXTM3U`: the text is not a playlist.
        case missingHeader = "missing-header"
        /// `#EXTM3U` is not the first line.
        case headerNotFirst = "header-not-first"
        /// The text starts with a byte order mark.
        case byteOrderMark = "byte-order-mark"
        /// Bytes that are not UTF-8.
        case invalidUTF8 = "invalid-utf8"
        /// A control character other than line endings.
        case controlCharacter = "control-character"
        /// No segment, no variant and no tag that identifies the kind of playlist.
        case noContent = "no-content"
        /// Tags of a media playlist and of a multivariant playlist in one text.
        case mixedKinds = "mixed-kinds"
        /// A required tag is missing.
        case missingTag = "missing-tag"
        /// A tag that may occur once occurs again.
        case duplicateTag = "duplicate-tag"
        /// A tag is not allowed at this position.
        case misplacedTag = "misplaced-tag"
        /// The value of a tag or an attribute is invalid.
        case invalidValue = "invalid-value"
        /// An attribute list cannot be parsed to its end.
        case malformedAttributes = "malformed-attributes"
        /// An attribute occurs twice in one tag.
        case duplicateAttribute = "duplicate-attribute"
        /// A required attribute is missing.
        case missingAttribute = "missing-attribute"
        /// Attributes that exclude each other, or that contradict an earlier tag.
        case conflictingAttributes = "conflicting-attributes"
        /// A tag that requires a URI line after it has none.
        case missingURI = "missing-uri"
        /// A segment without EXTINF.
        case missingDuration = "missing-duration"
        /// A segment longer than the target duration.
        case durationExceedsTarget = "duration-exceeds-target"
        /// A byte range without an offset that does not follow a range of the same resource.
        case implicitByteRange = "implicit-byte-range"
        /// A date without a time zone.
        case dateWithoutZone = "date-without-zone"
        /// A variable is used before its definition.
        case undefinedVariable = "undefined-variable"
        /// A definition that is invalid: a duplicate, or its source is missing.
        case invalidDefinition = "invalid-definition"
        /// A tag or attribute requires a higher EXT-X-VERSION than the playlist declares.
        case versionTooLow = "version-too-low"
        /// A variant refers to a rendition group that does not exist.
        case unknownGroup = "unknown-group"
        /// A media playlist that has ended without any segment.
        case noSegments = "no-segments"
    }

    /// The line, counted from 1; 0 for the playlist as a whole.
    package let line: Int
    package let code: Code
    /// One sentence: what is wrong, and what to write instead.
    package let message: String

    package var description: String { line > 0 ? "line \(line): \(message) [\(code.rawValue)]" : "\(message) [\(code.rawValue)]" }
}

/// Why a playlist was refused.
package struct PlaylistError: Error, Equatable, CustomStringConvertible {
    /// The playlist's address, if the parser was given one.
    package let url: String?
    /// The diagnostics in line order; never empty.
    package let diagnostics: [PlaylistDiagnostic]

    /// The kind of the cause.
    package var code: PlaylistDiagnostic.Code { cause.code }

    /// The diagnostic that caused the refusal: the last, since the parse stops there.
    package var cause: PlaylistDiagnostic {
        diagnostics.last ?? PlaylistDiagnostic(line: 0, code: .noContent, message: "it has no content; serve a playlist")
    }

    package var description: String {
        "Could not read the playlist\(url.map { " " + $0 } ?? ""): \(cause.line > 0 ? "line \(cause.line): " : "")\(cause.message)."
    }
}

/// Collects diagnostics during a parse, at most a few of each kind so that a hostile text cannot fill the memory.
struct Diagnostics: Sendable, Equatable {
    private(set) var errors: [PlaylistDiagnostic] = []
    private(set) var warnings: [PlaylistDiagnostic] = []
    /// The violation that ends the parse.
    private(set) var refusal: PlaylistDiagnostic?
    private var counts: [PlaylistDiagnostic.Code: Int] = [:]
    let isStrict: Bool
    /// The bytes of all texts with substituted variables.
    var substitutedBytes = 0

    /// How many diagnostics of one kind are kept.
    static let keptPerCode = 20

    init(isStrict: Bool) { self.isStrict = isStrict }

    /// Whether the text has characters that it must not have; they are looked for in the whole text before its lines are read.
    var concernsCharacters: Bool { counts[.controlCharacter] != nil || counts[.invalidUTF8] != nil }

    /// A violation that was repaired; a strict parse ends here.
    mutating func error(_ code: PlaylistDiagnostic.Code, line: Int, _ message: @autoclosure () -> String) {
        guard isStrict || keeps(code) else { return }
        let diagnostic = PlaylistDiagnostic(line: line, code: code, message: message())
        errors.append(diagnostic)
        if isStrict, refusal == nil { refusal = diagnostic }
    }

    /// A list is longer than what is kept of it.
    mutating func tooMany(_ limit: Int, _ name: String, line: Int) {
        error(
            .invalidValue, line: line, "the playlist lists more than \(limit) \(name), and the rest is ignored; list fewer")
    }

    /// A violation that does not affect playback.
    mutating func warning(_ code: PlaylistDiagnostic.Code, line: Int, _ message: @autoclosure () -> String) {
        guard keeps(code) else { return }
        warnings.append(PlaylistDiagnostic(line: line, code: code, message: message()))
    }

    /// A violation that cannot be repaired.
    mutating func refuse(_ code: PlaylistDiagnostic.Code, line: Int, _ message: String) {
        let diagnostic = PlaylistDiagnostic(line: line, code: code, message: message)
        errors.append(diagnostic)
        if refusal == nil { refusal = diagnostic }
    }

    private mutating func keeps(_ code: PlaylistDiagnostic.Code) -> Bool {
        let count = counts[code, default: 0] + 1
        counts[code] = count
        return count <= Self.keptPerCode
    }

    /// The errors up to the refusal: the last one is the cause.
    var errorsEndingInRefusal: [PlaylistDiagnostic] {
        guard let refusal, let index = errors.firstIndex(of: refusal) else { return errors }
        return Array(errors[...index])
    }
}
