import WireFormats

/// An extended M3U list as text: a header and entries.
struct ChannelList {
    /// One address with what the lines before it say about it.
    struct Entry {
        /// The line of the address, from 1.
        var line = 0
        /// The line of its `#EXTINF`; the line of the address without one.
        var infoLine = 0
        /// Seconds as written; nil without `#EXTINF`.
        var duration: String?
        /// Of `#EXTINF`, by their names in lower case.
        var attributes: [String: String] = [:]
        var title = ""
        /// Of `#EXTGRP`.
        var group: String?
        /// Lines of other tags: their numbers and names.
        var otherTags: [(line: Int, name: String)] = []
        var address = ""

        /// Whether it is a station, which has no end whatever its address looks like.
        var isRadio: Bool { ["true", "1", "yes"].contains(attributes["radio"]?.lowercased()) }
    }

    /// The attributes of `#EXTM3U`, by their names in lower case.
    private(set) var header: [String: String] = [:]
    private(set) var entries: [Entry] = []
    /// The line of a tag that only HLS playlists have.
    private(set) var streamLine: Int?
    /// The lines that end an entry without an address.
    private(set) var unfinished: [Int] = []
    /// `#EXTINF` lines whose quotation marks do not match.
    private(set) var brokenQuotes: [Int] = []

    init(_ text: String) {
        var next = Entry()
        var group: String?
        var number = 0
        // A line ends at LF, CR LF or CR. Other characters that separate lines somewhere are parts of titles here.
        for piece in text.split(omittingEmptySubsequences: false, whereSeparator: { ["\n", "\r\n", "\r"].contains($0) }) {
            number += 1
            // Files are filled up with zeros, or end with the mark of DOS.
            let line = Conversion.trimmed(String(piece.filter { $0.asciiValue?.isASCIIControl != true }))
            if line.isEmpty { continue }
            guard line.hasPrefix("#") else {
                next.line = number
                if next.duration == nil { next.infoLine = number }
                next.address = line
                next.group = next.group ?? group
                entries.append(next)
                next = Entry()
                continue
            }
            let name = String(line.dropFirst().prefix { $0 != ":" && !$0.isWhitespace })
            let rest = line.dropFirst(name.count + 1).drop { $0 == ":" }
            switch name.uppercased() {
            case "EXTM3U": header.merge(Self.attributes(rest).values) { first, _ in first }
            case "EXTINF":
                if next.duration != nil { unfinished.append(next.infoLine) }
                let parts = Self.attributes(rest)
                if parts.isBroken { brokenQuotes.append(number) }
                next.infoLine = number
                next.duration = parts.first
                next.attributes = parts.values
                next.title = parts.rest
            case "EXTGRP":
                // After an #EXTINF it is for its entry, before one for all that follow.
                let value = Conversion.trimmed(String(rest))
                if next.duration == nil { group = value } else { next.group = value }
            case "EXT-X-TARGETDURATION", "EXT-X-STREAM-INF", "EXT-X-MEDIA-SEQUENCE": streamLine = streamLine ?? number
            case "PLAYLIST", "EXTENC", "EXTBYT", "EXTART", "EXTALB": break
            case let other where other.hasPrefix("EXT") || other.hasPrefix("KODIPROP"): next.otherTags.append((number, name))
            default: break
            }
        }
        if next.duration != nil { unfinished.append(next.infoLine) }
    }

    /// The parts of `-1 tvg-id="a" tvg-name='b c' group-title=d,Title, with comma`.
    private static func attributes(
        _ text: Substring
    ) -> (first: String, values: [String: String], rest: String, isBroken: Bool) {
        var rest = text.drop(while: \.isWhitespace)
        let first = rest.prefix { $0 != "," && !$0.isWhitespace && $0 != "=" }
        var values: [String: String] = [:]
        var isBroken = false
        // A header has no number before its attributes.
        if rest.dropFirst(first.count).first == "=" { rest = text } else { rest = rest.dropFirst(first.count) }
        // Some lists have no comma before the title.
        var loose = rest
        while let character = rest.first {
            if character == "," {
                let title = rest.dropFirst().drop(while: \.isWhitespace)
                // Some lists have a comma before the attributes, too.
                guard values.isEmpty, isAttribute(title) else {
                    return (String(first), values, Conversion.trimmed(String(title)), isBroken)
                }
                rest = title
                continue
            }
            if character.isWhitespace {
                rest.removeFirst()
                continue
            }
            let key = rest.prefix { $0 != "=" && $0 != "," && !$0.isWhitespace }
            rest = rest.dropFirst(key.count)
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            defer { loose = rest }
            let value: Substring
            if let mark = rest.first, mark == "\"" || mark == "'" {
                let inside = rest.dropFirst()
                if let end = inside.firstIndex(of: mark) {
                    value = inside[..<end]
                    rest = inside[inside.index(after: end)...]
                } else {
                    // The title is then after the last comma.
                    isBroken = true
                    let comma = inside.lastIndex(of: ",") ?? inside.endIndex
                    value = inside[..<comma]
                    rest = inside[comma...]
                }
            } else {
                value = rest.prefix { $0 != "," && !$0.isWhitespace }
                rest = rest.dropFirst(value.count)
            }
            if values.count < 64 { values[key.lowercased()] = Conversion.trimmed(String(value)) }
        }
        return (String(first), values, Conversion.trimmed(String(loose)), isBroken)
    }

    /// Whether a text begins with `name="`, where the name is one of those that lists have.
    private static func isAttribute(_ text: Substring) -> Bool {
        let name = text.prefix { $0.isASCII && ($0.isLetter || $0 == "-") }
        return !name.isEmpty && text.dropFirst(name.count).hasPrefix("=\"") && (name.contains("-") || name == "logo")
    }
}
