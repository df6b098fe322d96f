import WireFormats

/// Parses playlists of RFC 8216bis (protocol version 13).
///
/// A parser is a value; any thread. Its only input is the text: it uses no network, no file and no clock. A lenient parse repairs
/// the violations that players commonly repair, and reports them; a strict one refuses at the first error. Both refuse a text
/// without `#EXTM3U`, one without any content, and one whose variables cannot be resolved.
package struct PlaylistParser: Sendable {
    /// How violations of RFC 8216bis are handled.
    package enum Leniency: Sendable, Hashable {
        /// Repaired if possible, and reported.
        case lenient
        /// Every error refuses the playlist.
        case strict
    }

    package var leniency: Leniency
    /// The variables of the multivariant playlist, for EXT-X-DEFINE with IMPORT.
    package var importedVariables: [String: String]
    /// The playlist's address, for EXT-X-DEFINE with QUERYPARAM and for error messages.
    package var url: String?

    package init(leniency: Leniency = .lenient, importedVariables: [String: String] = [:], url: String? = nil) {
        self.leniency = leniency
        self.importedVariables = importedVariables
        self.url = url
    }

    /// Parses a playlist from UTF-8 text. UTF-16 is an error that is repaired.
    package func parse(_ bytes: [UInt8]) -> ParsedPlaylist {
        bytes.withUnsafeBufferPointer { parse($0) }
    }

    /// Parses a playlist from a string.
    package func parse(_ text: String) -> ParsedPlaylist {
        Numbers.withBytes(of: text) { parse($0) }
    }

    /// Parses a playlist from UTF-8 text borrowed for the call.
    package func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> ParsedPlaylist {
        var diagnostics = Diagnostics(isStrict: leniency == .strict)
        if let text = PlaylistDecoding.repaired(bytes, &diagnostics) {
            return text.withUnsafeBufferPointer { parse($0, &diagnostics) }
        }
        return parse(bytes, &diagnostics)
    }

    private func parse(_ bytes: Bytes, _ diagnostics: inout Diagnostics) -> ParsedPlaylist {
        guard let start = TextCheck.contentStart(bytes, &diagnostics) else { return result(nil, diagnostics) }
        guard let kind = KindFinder.kind(of: bytes, from: start, &diagnostics) else { return result(nil, diagnostics) }
        let variables = VariableTable(imported: importedVariables, url: url, kind: kind)
        switch kind {
        case .multivariant:
            var builder = MultivariantBuilder(diagnostics: diagnostics, variables: variables)
            builder.read(bytes, from: start)
            return result(.multivariant(builder.playlist), builder.diagnostics)
        case .media:
            var builder = MediaBuilder(diagnostics: diagnostics, variables: variables)
            builder.read(bytes, from: start, checkpointAt: KindFinder.endOfLastURI(bytes))
            return result(.media(builder.playlist), builder.diagnostics)
        }
    }

    /// Parses a playlist or throws.
    ///
    /// - Throws: `PlaylistError` when the playlist is refused.
    package func playlist(from bytes: [UInt8]) throws(PlaylistError) -> Playlist {
        let parsed = parse(bytes)
        guard let playlist = parsed.playlist else { throw PlaylistError(url: url, diagnostics: parsed.errors) }
        return playlist
    }

    func result(_ playlist: Playlist?, _ diagnostics: Diagnostics) -> ParsedPlaylist {
        guard diagnostics.refusal == nil, let playlist else {
            return ParsedPlaylist(
                playlist: nil, errors: diagnostics.errorsEndingInRefusal, warnings: diagnostics.warnings)
        }
        return ParsedPlaylist(playlist: playlist, errors: diagnostics.errors, warnings: diagnostics.warnings)
    }

    /// Parses a reload of a live playlist. If the text up to the end of the last segment is unchanged, the parse continues there.
    ///
    /// The result is the same as that of `parse(_:)`. It is fast when segments were only appended; when the earlier text or the
    /// parser's settings differ, everything is parsed again. The previous segments are shared, not copied, even if other code
    /// also holds them.
    package func parse(_ bytes: [UInt8], reusing previous: consuming MediaPlaylist) -> ParsedPlaylist {
        var last: MediaPlaylist? = consume previous
        return bytes.withUnsafeBufferPointer { text in
            guard let previous = last.take() else { return parse(text) }
            return parse(text, reusing: previous)
        }
    }

    /// Parses a reload from UTF-8 text borrowed for the call.
    package func parse(_ bytes: UnsafeBufferPointer<UInt8>, reusing previous: consuming MediaPlaylist) -> ParsedPlaylist {
        guard let checkpoint = previous.checkpoint, bytes.count >= checkpoint.position,
            checkpoint.builder.diagnostics.isStrict == (leniency == .strict),
            // Variables from outside the text may have changed.
            checkpoint.builder.variables.definitions.allSatisfy({ $0.source == .value }),
            // They may be behind the checkpoint.
            !checkpoint.builder.diagnostics.concernsCharacters,
            checkpoint.digest == PrefixDigest(bytes.part(0, checkpoint.position))
        else { return parse(bytes) }
        // Problems with characters are reported before those of tags, which needs a full parse.
        var characters = Diagnostics(isStrict: false)
        TextCheck.checkCharacters(bytes, from: checkpoint.position, &characters)
        guard characters.errors.isEmpty, characters.warnings.isEmpty else { return parse(bytes) }
        var builder = checkpoint.builder
        swap(&builder.playlist.store, &previous.store)
        builder.isDatedBack = builder.firstDated != nil
        builder.variables.renew(imported: importedVariables, url: url)
        builder.read(
            bytes, from: checkpoint.position, after: checkpoint.line, checkpointAt: KindFinder.endOfLastURI(bytes),
            digest: checkpoint.digest)
        if builder.playlist.checkpoint == nil, builder.playlist.store.count == checkpoint.segmentCount {
            builder.playlist.checkpoint = checkpoint
        }
        return result(.media(builder.playlist), builder.diagnostics)
    }
}

/// The kind of a playlist.
enum PlaylistKind { case multivariant, media }

/// The tags that only one kind of playlist has, as its lines begin with them.
struct KindTags: Sendable {
    /// Those of a segment or a variant, which decide on the kind.
    let decisive: [StaticString]
    /// Those of the whole playlist. Some packagers copy them into playlists of the other kind.
    let others: [StaticString]
    private let names: Set<String>

    init(decisive: [StaticString], others: [StaticString]) {
        self.decisive = decisive
        self.others = others
        names = Set((decisive + others).map { "\($0)".filter { $0 != "#" && $0 != ":" } })
    }

    /// Whether a tag, by its whole name, is one of them.
    func contains(_ name: String) -> Bool { names.contains(name) }
}

/// Checks of the text before its tags are parsed.
enum TextCheck {
    /// The start of the lines, after a byte order mark. Nil when the text is not a playlist.
    static func contentStart(_ bytes: Bytes, _ diagnostics: inout Diagnostics) -> Int? {
        guard !bytes.isEmpty else {
            diagnostics.refuse(.emptyInput, line: 0, "it is empty; serve a playlist that starts with #EXTM3U")
            return nil
        }
        guard bytes.count < Int(UInt32.max) else {
            diagnostics.refuse(.invalidValue, line: 0, "it is 4 GiB or longer; serve a shorter window")
            return nil
        }
        var start = 0
        if bytes.starts(with: "\u{FEFF}") {
            start = 3
            diagnostics.warning(.byteOrderMark, line: 1, "the text starts with a byte order mark; save it without one")
        }
        var reader = LineReader(bytes, from: start)
        while let line = reader.next() {
            guard line.starts(with: "#EXTM3U") else { continue }
            guard line.count == 7 || line[7].isBlank || line[7] == .colon else { continue }
            if reader.number > 1 {
                diagnostics.error(
                    .headerNotFirst, line: reader.number, "#EXTM3U is on line \(reader.number); move it to the first line")
            }
            checkCharacters(bytes, from: start, &diagnostics)
            return start
        }
        let firstLine = LineReader(bytes, from: start).firstContent
        let isMarkup = firstLine.starts(with: "<")
        diagnostics.refuse(
            .missingHeader, line: 1,
            isMarkup
                ? "it is HTML or XML, not a playlist; check the address" : "there is no #EXTM3U line; start the playlist with one"
        )
        return nil
    }

    /// Reports control characters and invalid UTF-8 from a position on.
    static func checkCharacters(_ text: Bytes, from start: Int, _ diagnostics: inout Diagnostics) {
        let bytes = text.part(start, text.count)
        guard !isPlainASCII(bytes) else { return }
        let controls = bytes.indices.filter { bytes[$0].isASCIIControl }
        if let first = controls.first {
            diagnostics.warning(
                .controlCharacter, line: line(of: start + first, in: text),
                "the text holds \(controls.count) control character\(controls.count == 1 ? "" : "s"); write UTF-8 text only")
        }
        if let position = bytes.span.firstInvalidUTF8 {
            diagnostics.error(
                .invalidUTF8, line: line(of: start + position, in: text), "the text is not UTF-8; save it as UTF-8")
        }
    }

    /// Whether the text is ASCII without control characters, as nearly every playlist is.
    private static func isPlainASCII(_ bytes: Bytes) -> Bool {
        // Without a branch in the loop the compiler vectorises it.
        var found: UInt8 = 0
        for byte in bytes { found |= (byte &- 0x20 > 0x5E ? 1 : 0) & (byte &- 9 > 4 ? 1 : 0) }
        return found == 0
    }

    private static func line(of position: Int, in bytes: Bytes) -> Int {
        var reader = LineReader(bytes)
        while reader.position <= position, reader.next() != nil {}
        return reader.number
    }
}

/// Determines the kind of a playlist from its tags.
enum KindFinder {
    /// The kind, from the first tag that only one kind has; nil when there is none.
    static func kind(of bytes: Bytes, from start: Int, _ diagnostics: inout Diagnostics) -> PlaylistKind? {
        // Tags of the whole playlist decide only when no tag of a segment or variant does.
        var weak: PlaylistKind?
        let (media, multivariant) = (MediaBuilder.tags, MultivariantBuilder.tags)
        var reader = LineReader(bytes, from: start)
        while let line = reader.next() {
            guard line.starts(with: "#EXT") else { continue }
            if media.decisive.contains(where: { line.starts(with: $0) }) { return .media }
            if multivariant.decisive.contains(where: { line.starts(with: $0) }) { return .multivariant }
            guard weak == nil else { continue }
            if multivariant.others.contains(where: { line.starts(with: $0) }) {
                weak = .multivariant
            } else if media.others.contains(where: { line.starts(with: $0) }) {
                weak = .media
            }
        }
        if weak == nil {
            diagnostics.refuse(
                .noContent, line: 0, "it lists neither segments nor variants; add EXTINF or EXT-X-STREAM-INF entries")
        }
        return weak
    }

    /// The end of the line with the last segment's URI: the text before it is unchanged when a live playlist grows.
    static func endOfLastURI(_ bytes: Bytes) -> Int? {
        var end = bytes.count
        while end > 0 {
            var start = end
            while start > 0, bytes[start - 1] != .lineFeed { start -= 1 }
            let line = bytes.part(start, end).trimmed
            if let first = line.first, first != .hash, end < bytes.count { return end + 1 }
            end = start - 1
        }
        return nil
    }
}
