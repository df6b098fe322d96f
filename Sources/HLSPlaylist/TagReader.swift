import MediaTime
import URLReferences
import WireFormats

/// A tag with its line, and parsers of its value that report errors.
struct Tag {
    let name: String
    let line: Int
}

extension Diagnostics {
    /// Parses an attribute list and reports errors.
    mutating func attributes(_ text: Bytes, of tag: Tag, variables: VariableTable) -> AttributeList {
        var faults: [AttributeList.Fault] = []
        let list = AttributeList.read(text) { faults.append($0) }
        for fault in faults {
            switch fault {
            case .malformed(let name):
                error(
                    .malformedAttributes, line: tag.line,
                    "\(tag.name) has a malformed attribute near '\(name.clipped)'; write NAME=value, with both quotation marks")
            case .duplicate(let name):
                error(
                    .duplicateAttribute, line: tag.line, "\(tag.name) has \(name.clipped) twice; keep one of them")
            }
        }
        guard text.position(of: UInt8(ascii: "{")) != nil else { return list }
        return list.substituting { substituted($0, line: tag.line, variables: variables) }
    }

    /// Substitutes variables; an undefined one refuses the playlist, as RFC 8216bis 4.3 requires, and so does too much text.
    mutating func substituted(_ text: String, line: Int, variables: VariableTable) -> String {
        var missing: [String] = []
        guard let result = variables.substitute(text, missing: { missing.append($0) }) else {
            refuse(.invalidDefinition, line: line, "the text with its variables is longer than 64 KiB; use shorter variables")
            return ""
        }
        substitutedBytes += result.utf8.count
        if substitutedBytes > PlaylistBounds.substitutedTotal {
            refuse(
                .invalidDefinition, line: line, "the texts with variables are longer than 16 MiB in all; use shorter variables")
        }
        for name in missing {
            refuse(
                .undefinedVariable, line: line, "the variable '\(name.clipped)' has no value here; define it on a line above")
        }
        return result
    }

    /// A required attribute, which must not be empty.
    mutating func required(_ name: String, _ attributes: AttributeList, _ tag: Tag) -> String? {
        if let value = attributes[name], !value.isEmpty { return value }
        error(.missingAttribute, line: tag.line, "\(tag.name) has no \(name); add it")
        return nil
    }

    /// An integer from zero up to a limit.
    mutating func integer(
        _ name: String, _ attributes: AttributeList, _ tag: Tag, upTo limit: Int64 = PlaylistBounds.largestInteger
    ) -> Int64? {
        guard let text = attributes[name] else { return nil }
        let read = Numbers.withBytes(of: text) { Numbers.integer($0) }
        guard let read, read.value >= 0 else {
            error(
                .invalidValue, line: tag.line,
                "\(name) of \(tag.name) is '\(text.clipped)'; write a whole number that is not negative")
            return nil
        }
        guard read.value <= limit else {
            error(.invalidValue, line: tag.line, "\(name) of \(tag.name) is '\(text.clipped)'; write at most \(limit)")
            return nil
        }
        if read.length < text.utf8.count {
            error(
                .invalidValue, line: tag.line,
                "\(name) of \(tag.name) is '\(text.clipped)', read as \(read.value); write a whole number")
        }
        return read.value
    }

    /// A decimal number in units of 1/1,000,000,000.
    mutating func decimal(_ name: String, _ attributes: AttributeList, _ tag: Tag, signed: Bool = false) -> Int64? {
        guard let text = attributes[name] else { return nil }
        let read = Numbers.withBytes(of: text) { Numbers.decimal($0) }
        guard let read, signed || read.billionths >= 0, read.length == text.utf8.count else {
            error(
                .invalidValue, line: tag.line,
                "\(name) of \(tag.name) is '\(text.clipped)'; write a decimal number\(signed ? "" : " that is not negative")")
            return nil
        }
        return read.billionths
    }

    /// A decimal number of seconds of at most `limit` nanoseconds.
    mutating func time(
        _ name: String, _ attributes: AttributeList, _ tag: Tag, upTo limit: Int64, signed: Bool = false
    ) -> MediaTime? {
        guard let nanoseconds = decimal(name, attributes, tag, signed: signed) else { return nil }
        guard nanoseconds.magnitude <= limit.magnitude else {
            error(
                .invalidValue, line: tag.line,
                "\(name) of \(tag.name) is '\(attributes[name]?.clipped ?? "")'; write at most \(Numbers.text(billionths: limit)) seconds"
            )
            return nil
        }
        return .nanoseconds(nanoseconds)
    }

    /// YES or NO; absent and invalid mean NO.
    mutating func flag(_ name: String, _ attributes: AttributeList, _ tag: Tag) -> Bool {
        guard let text = attributes[name] else { return false }
        switch text {
        case "YES": return true
        case "NO": return false
        default:
            error(.invalidValue, line: tag.line, "\(name) of \(tag.name) is '\(text.clipped)'; write YES or NO")
            return false
        }
    }

    /// A date.
    mutating func date(_ name: String, _ attributes: AttributeList, _ tag: Tag) -> WallClockTime? {
        guard let text = attributes[name] else { return nil }
        return Numbers.withBytes(of: text) { date($0, of: "\(name) of \(tag.name)", line: tag.line) }
    }

    /// A date, with its subject for the error message.
    mutating func date(_ text: Bytes, of subject: String, line: Int) -> WallClockTime? {
        guard let reading = WallClockTime.read(text) else {
            error(
                .invalidValue, line: line,
                "\(subject) is '\(text.text.clipped)'; write an ISO 8601 date such as 2026-03-01T20:15:00.000Z")
            return nil
        }
        if !reading.namesZone {
            warning(.dateWithoutZone, line: line, "\(subject) has no time zone and is read as UTC; end it in Z or +hh:mm")
        }
        return reading.time
    }

    /// EXT-X-START.
    mutating func startPoint(_ attributes: AttributeList, _ tag: Tag) -> StartPoint? {
        guard required("TIME-OFFSET", attributes, tag) != nil,
            let offset = time("TIME-OFFSET", attributes, tag, upTo: PlaylistBounds.longestSpan, signed: true)
        else { return nil }
        return StartPoint(timeOffset: offset, isPrecise: flag("PRECISE", attributes, tag))
    }

    /// EXT-X-VERSION.
    mutating func version(_ value: Bytes, _ tag: Tag) -> Int? {
        guard let read = Numbers.integer(value), (1...PlaylistBounds.largestInteger).contains(read.value) else {
            error(.invalidValue, line: tag.line, "EXT-X-VERSION is '\(value.text.clipped)'; write a whole number of 1 or more")
            return nil
        }
        return Int(read.value)
    }

    /// EXT-X-TARGETDURATION.
    mutating func targetDuration(_ value: Bytes, _ tag: Tag) -> MediaTime? {
        guard let read = Numbers.decimal(value), (1...PlaylistBounds.longestSpan).contains(read.billionths) else {
            error(
                .invalidValue, line: tag.line,
                "EXT-X-TARGETDURATION is '\(value.text.clipped)' and is ignored; write the longest duration in whole seconds, at most 366 days"
            )
            return nil
        }
        if read.hasFraction || read.length < value.count {
            error(
                .invalidValue, line: tag.line,
                "EXT-X-TARGETDURATION is '\(value.text.clipped)', read as \(Numbers.text(billionths: read.billionths)); write whole seconds"
            )
        }
        return .nanoseconds(read.billionths)
    }

    /// EXT-X-MEDIA-SEQUENCE and EXT-X-DISCONTINUITY-SEQUENCE.
    mutating func sequenceNumber(_ value: Bytes, _ tag: Tag) -> Int64? {
        if let read = SequenceNumber.read(value), read.length == value.count { return read.value }
        // What begins with a number is read up to there, so that a playlist with such numbers still moves on.
        let read = SequenceNumber.read(value) ?? Numbers.integer(value)
        error(
            .invalidValue, line: tag.line,
            "\(tag.name) is '\(value.text.clipped)'\(read == nil ? " and is ignored" : ""); write a whole number from 0 to 2^64-1"
        )
        return read?.value
    }

    /// EXT-X-BYTERANGE.
    mutating func byteRange(_ value: Bytes, line: Int) -> (length: Int64, offset: Int64?)? {
        var value = value
        // As in the attributes of other tags.
        if value.count >= 2, value[0] == .quote, value[value.count - 1] == .quote {
            error(.invalidValue, line: line, "EXT-X-BYTERANGE has quotation marks; write LENGTH@OFFSET without them")
            value = value.part(1, value.count - 1)
        }
        if let read = ByteRange.read(value) { return read }
        error(.invalidValue, line: line, "EXT-X-BYTERANGE is '\(value.text.clipped)'; write LENGTH@OFFSET in bytes")
        return nil
    }

    /// EXT-X-PLAYLIST-TYPE.
    mutating func playlistType(_ value: Bytes, _ tag: Tag) -> MediaPlaylist.PlaylistType? {
        if let type = MediaPlaylist.PlaylistType(rawValue: value.text) { return type }
        error(
            .invalidValue, line: tag.line, "EXT-X-PLAYLIST-TYPE is '\(value.text.clipped)' and is ignored; write EVENT or VOD")
        return nil
    }

    /// EXT-X-SERVER-CONTROL.
    mutating func serverControl(_ attributes: AttributeList, _ tag: Tag) -> ServerControl {
        ServerControl(
            canSkipUntil: time("CAN-SKIP-UNTIL", attributes, tag, upTo: PlaylistBounds.longestSpan),
            canSkipDateRanges: flag("CAN-SKIP-DATERANGES", attributes, tag),
            holdBack: time("HOLD-BACK", attributes, tag, upTo: PlaylistBounds.longestSpan),
            partHoldBack: time("PART-HOLD-BACK", attributes, tag, upTo: PlaylistBounds.longestSpan),
            canBlockReload: flag("CAN-BLOCK-RELOAD", attributes, tag))
    }

    /// EXT-X-PRELOAD-HINT.
    mutating func preloadHint(_ attributes: AttributeList, _ tag: Tag) -> PreloadHint? {
        guard let type = required("TYPE", attributes, tag), let uri = required("URI", attributes, tag) else { return nil }
        return PreloadHint(
            type: type, uri: uri, byteRangeStart: integer("BYTERANGE-START", attributes, tag) ?? 0,
            byteRangeLength: integer("BYTERANGE-LENGTH", attributes, tag))
    }

    /// EXT-X-RENDITION-REPORT.
    mutating func renditionReport(_ attributes: AttributeList, _ tag: Tag) -> RenditionReport? {
        guard let uri = required("URI", attributes, tag) else { return nil }
        let last = attributes["LAST-MSN"].flatMap { text in Numbers.withBytes(of: text) { sequenceNumber($0, tag) } }
        return RenditionReport(uri: uri, lastMediaSequence: last, lastPart: integer("LAST-PART", attributes, tag))
    }

    /// EXT-X-KEY and EXT-X-SESSION-KEY; nil when there is no METHOD.
    mutating func key(_ attributes: AttributeList, _ tag: Tag) -> EncryptionKey? {
        guard let method = required("METHOD", attributes, tag).map(EncryptionKey.Method.init) else { return nil }
        var vector: [UInt8]?
        if let text = attributes["IV"] {
            vector = Self.hexadecimal16(text)
            if vector == nil {
                error(
                    .invalidValue, line: tag.line,
                    "IV of \(tag.name) is '\(text.clipped)'; write 0x and at most 32 hexadecimal digits")
            }
        }
        let uri = method == .none ? attributes["URI"] : required("URI", attributes, tag)
        let versions = (attributes["KEYFORMATVERSIONS"] ?? "1").split(separator: "/").compactMap { Int($0) }
        return EncryptionKey(
            method: method, uri: uri, initializationVector: vector, keyFormat: attributes["KEYFORMAT"] ?? "identity",
            keyFormatVersions: versions.isEmpty ? [1] : versions, attributes: attributes)
    }

    /// The 16 bytes of a hexadecimal sequence of up to 32 digits, padded with leading zeros.
    private static func hexadecimal16(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count > 2, digits.count <= 34, digits[0] == UInt8(ascii: "0"), digits[1] | 0x20 == UInt8(ascii: "x") else {
            return nil
        }
        var result = [UInt8](repeating: 0, count: 16)
        for (index, digit) in digits[2...].reversed().enumerated() {
            guard let value = digit.hexadecimalValue else { return nil }
            result[15 - index / 2] |= index % 2 == 0 ? value : value << 4
        }
        return result
    }
}

extension String {
    /// At most 60 characters, for a message.
    var clipped: String { count > 60 ? String(prefix(57)) + "..." : self }
}

/// Splits `#NAME:value` into the name without `#` and the trimmed value.
struct TagLine {
    let name: String
    let value: Bytes

    init(_ line: Bytes) {
        let colon = line.position(of: .colon)
        name = line.part(1, colon ?? line.count).trimmed.text
        value = colon.map { line.part($0 + 1, line.count).trimmed } ?? Bytes(start: nil, count: 0)
    }
}
