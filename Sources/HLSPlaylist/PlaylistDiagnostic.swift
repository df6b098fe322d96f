/// Something in a playlist that breaks RFC 8216bis, with the line it stands on and what to do about it.
package struct PlaylistDiagnostic: Sendable, Hashable, CustomStringConvertible {
    /// What kind of fault it is. The raw values are stable: scripts and tests rely on them.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The text holds nothing.
        case emptyInput = "empty-input"
        /// No `#EXTM3U`: the text is no playlist.
        case missingHeader = "missing-header"
        /// `#EXTM3U` stands behind other lines.
        case headerNotFirst = "header-not-first"
        /// The text starts with a byte order mark.
        case byteOrderMark = "byte-order-mark"
        /// Bytes that are no UTF-8.
        case invalidUTF8 = "invalid-utf8"
        /// A control character other than the ends of lines.
        case controlCharacter = "control-character"
        /// Neither a segment nor a variant nor any tag that tells which kind of playlist this is.
        case noContent = "no-content"
        /// Tags of a media playlist and of a multivariant playlist in one text.
        case mixedKinds = "mixed-kinds"
        /// A tag that must be there is not.
        case missingTag = "missing-tag"
        /// A tag that may stand once stands again.
        case duplicateTag = "duplicate-tag"
        /// A tag stands where it may not.
        case misplacedTag = "misplaced-tag"
        /// A tag's value, or an attribute's, cannot be read.
        case invalidValue = "invalid-value"
        /// An attribute list cannot be read to its end.
        case malformedAttributes = "malformed-attributes"
        /// An attribute stands twice in one tag.
        case duplicateAttribute = "duplicate-attribute"
        /// An attribute that must be there is not.
        case missingAttribute = "missing-attribute"
        /// Attributes that may not stand together, or that contradict an earlier tag.
        case conflictingAttributes = "conflicting-attributes"
        /// A tag that needs a URI line after it has none.
        case missingURI = "missing-uri"
        /// A segment without EXTINF.
        case missingDuration = "missing-duration"
        /// A segment longer than the target duration.
        case durationExceedsTarget = "duration-exceeds-target"
        /// A byte range without offset that follows no range of the same resource.
        case implicitByteRange = "implicit-byte-range"
        /// A date without a time zone.
        case dateWithoutZone = "date-without-zone"
        /// A variable is used that nothing defined before.
        case undefinedVariable = "undefined-variable"
        /// A definition that cannot be made: twice, or its source is missing.
        case invalidDefinition = "invalid-definition"
        /// A tag or attribute needs a higher EXT-X-VERSION than the playlist declares.
        case versionTooLow = "version-too-low"
        /// A variant names a rendition group that does not exist.
        case unknownGroup = "unknown-group"
        /// A media playlist that has ended and has no segment.
        case noSegments = "no-segments"
    }

    /// The line, counted from 1; 0 where the playlist as a whole is meant.
    package let line: Int
    /// The kind of fault.
    package let code: Code
    /// One sentence: what is wrong, and what to write instead.
    package let message: String

    /// Makes a diagnostic of the given line, kind and sentence.
    package init(line: Int, code: Code, message: String) {
        self.line = line
        self.code = code
        self.message = message
    }

    package var description: String { line > 0 ? "line \(line): \(message) [\(code.rawValue)]" : "\(message) [\(code.rawValue)]" }
}

/// Why a playlist was refused.
package struct PlaylistError: Error, Equatable, CustomStringConvertible {
    /// Where the playlist came from, if the parser was told.
    package let url: String?
    /// What was found, in the order of the lines; never empty.
    package let diagnostics: [PlaylistDiagnostic]

    /// The fault that decided.
    package var code: PlaylistDiagnostic.Code { cause.code }

    /// The diagnostic that decided: the last, as a parse stops at what it cannot pass.
    package var cause: PlaylistDiagnostic {
        diagnostics.last ?? PlaylistDiagnostic(line: 0, code: .noContent, message: "it has no content; serve a playlist")
    }

    package var description: String {
        "Could not read the playlist\(url.map { " " + $0 } ?? ""): \(cause.line > 0 ? "line \(cause.line): " : "")\(cause.message)."
    }
}

/// Collects faults while a playlist is read, at most a few of a kind so that a hostile text cannot fill the memory.
struct Diagnostics: Sendable, Equatable {
    private(set) var errors: [PlaylistDiagnostic] = []
    private(set) var warnings: [PlaylistDiagnostic] = []
    /// The fault that ends the parse.
    private(set) var refusal: PlaylistDiagnostic?
    private var counts: [PlaylistDiagnostic.Code: Int] = [:]
    let isStrict: Bool

    /// How many faults of one kind are kept.
    static let keptPerCode = 20

    init(isStrict: Bool) { self.isStrict = isStrict }

    /// Something the playlist must not do and that was repaired; a strict parse ends here.
    mutating func error(_ code: PlaylistDiagnostic.Code, line: Int, _ message: @autoclosure () -> String) {
        guard isStrict || keeps(code) else { return }
        let diagnostic = PlaylistDiagnostic(line: line, code: code, message: message())
        errors.append(diagnostic)
        if isStrict, refusal == nil { refusal = diagnostic }
    }

    /// Something that costs nothing to the player.
    mutating func warning(_ code: PlaylistDiagnostic.Code, line: Int, _ message: @autoclosure () -> String) {
        guard keeps(code) else { return }
        warnings.append(PlaylistDiagnostic(line: line, code: code, message: message()))
    }

    /// Something no player can pass.
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

    /// The errors up to the refusal: the last is the one that decided.
    var errorsEndingInRefusal: [PlaylistDiagnostic] {
        guard let refusal, let index = errors.firstIndex(of: refusal) else { return errors }
        return Array(errors[...index])
    }
}
