import ChannelFeed
import TextDecoding
import URLReferences
import Unpacking
import WireFormats
import XMLEvents

/// The channels of a programme guide, with which those of a list are matched.
package struct SourceGuide: Sendable {
    /// The address of the guide for boxes; nil: the one that the list names.
    package let url: String?
    private let ids: Set<String>
    /// The first id of each name, and of each id, in lower case.
    private let byName: [String: String]

    /// - Parameters:
    ///   - ids: the guide's channels. Many guides describe none, and name them in their programmes only.
    ///   - names: the names of those that it describes, by their ids.
    package init(url: String?, ids: Set<String>, names: [String: [String]]) {
        self.url = url
        self.ids = ids
        var byName: [String: String] = [:]
        let sorted = ids.sorted()
        for id in sorted where byName[id.lowercased()] == nil { byName[id.lowercased()] = id }
        for id in sorted {
            for name in names[id] ?? [] where byName[name.lowercased()] == nil { byName[name.lowercased()] = id }
        }
        self.byName = byName
    }

    /// The guide's channel with an id, else with one of these names.
    func channel(id: String, names: [String]) -> String? {
        if ids.contains(id) { return id }
        return ([id] + names).lazy.filter { !$0.isEmpty }.compactMap { byName[$0.lowercased()] }.first
    }
}

/// What a conversion needs besides the source.
package struct ConversionOptions: Sendable {
    /// The kind of the source; nil: it is detected.
    package var kind: SourceKind?
    /// The base of relative addresses in the feed; nil: the source's own address, if it has one.
    package var baseURL: String?
    /// The address of the source.
    package var sourceURL: String?
    package var guide: SourceGuide?
    /// The hosts that the boxes may use over plain http (`[feed] allow_http`).
    package var plainHTTPHosts: Set<String> = []
    /// The largest feed that a box reads, in bytes.
    package var maximumFeedBytes = FeedOptions().maximumBytes

    package init() {}
}

/// Makes channel feeds from the formats that operators have. Pure: the same source gives the same feed and the same findings.
///
/// Each format has a converter, which takes over what the feed has a place for and reports the rest. The result is then checked as a box
/// checks it, and what does not pass is removed and reported (`CheckedDocument`), so that every feed made here passes.
package enum FeedConverter {
    /// Larger sources are refused.
    package static let mostBytes = 100 << 20
    private static let mostDepth = 64
    /// The most channels and items: beyond them no feed stays under the size that a box reads.
    static let mostEntries = 200_000

    /// Converts a source, which may be compressed (`UnpackedFile`).
    package static func convert(_ bytes: [UInt8], options: ConversionOptions) -> ConversionResult {
        func refusal(_ place: SourcePlace, _ message: String, _ remedy: String) -> ConversionResult {
            let finding = ConversionFinding(severity: .refusal, place: place, message: message, remedy: remedy)
            return ConversionResult(feed: nil, kind: options.kind, channels: 0, series: 0, items: 0, findings: [finding])
        }
        guard bytes.count <= mostBytes else {
            return refusal(
                .whole, "the source has \(bytes.count >> 20) MiB", "Split it into parts of at most \(mostBytes >> 20) MiB.")
        }
        let unpacked: UnpackedFile
        do throws(UnpackedFile.TooLong) { unpacked = try UnpackedFile(bytes, most: mostBytes) } catch {
            return refusal(
                .whole, "the source has more than \(mostBytes >> 20) MiB when it is unpacked",
                "Split it into parts of at most \(mostBytes >> 20) MiB.")
        }
        // Half a catalogue would look like a whole one.
        if let fault = unpacked.fault { return refusal(.whole, fault, "Give it whole, as text or compressed with gzip.") }
        return convert(text: unpacked.bytes, options: options, refusal: refusal)
    }

    private static func convert(
        text bytes: [UInt8], options: ConversionOptions, refusal: (SourcePlace, String, String) -> ConversionResult
    ) -> ConversionResult {
        // All formats are recognised and read in UTF-8, so that none has rules of its own for encodings.
        let declared = DeclaredEncoding.ofXML(bytes)
        let source = DecodedText(bytes, declared: declared)
        let text = Array(source.text.utf8)
        guard let kind = options.kind ?? SourceKind(detecting: text) else {
            return refusal(
                .whole, "this is neither JSON, XML nor M3U",
                "Name the kind with --from \(SourceKind.allCases.map(\.rawValue).joined(separator: "|")).")
        }
        var conversion = Conversion()
        if let base = options.baseURL ?? options.sourceURL.flatMap({ $0.contains("://") ? $0 : nil }) {
            conversion.document.head.set("baseUrl", .string(base), at: SourcePlace("base"))
        }
        if declared == nil, let offset = bytes.span.firstInvalidUTF8 {
            let line = bytes.prefix(offset).count { $0 == 0x0A } + 1
            let found = source.encoding == "UTF-8" ? "damaged UTF-8" : source.encoding
            conversion.warn(SourcePlace("line \(line)"), "the source is not UTF-8", "It is read as \(found).")
        }
        do throws(Refusal) {
            conversion =
                switch kind {
                case .roku:
                    try roku(text, conversion)
                case .jsonfeed:
                    try jsonFeed(text, conversion)
                case .mrss:
                    try mediaRSS(text, conversion)
                case .m3u:
                    try channelList(text, guide: options.guide, conversion)
                }
        } catch {
            return refusal(error.place, error.message, error.remedy)
        }
        return checked(conversion, kind: kind, options: options)
    }

    private static func checked(_ conversion: Conversion, kind: SourceKind, options: ConversionOptions) -> ConversionResult {
        let rules = FeedOptions(plainHTTPHosts: options.plainHTTPHosts, maximumBytes: options.maximumFeedBytes)
        var checked = CheckedDocument(conversion.document, options: rules)
        let feed = checked.feed()
        let made = checked.document
        return ConversionResult(
            feed: feed, kind: kind, channels: feed == nil ? 0 : made[.channels].count,
            series: feed == nil ? 0 : made[.series].count,
            items: feed == nil ? 0 : made[.items].count, findings: conversion.findings + checked.findings)
    }

    // MARK: Formats

    /// Why a source cannot be read at all.
    private struct Refusal: Error {
        let place: SourcePlace
        let message: String
        let remedy: String
    }

    private static func roku(_ bytes: [UInt8], _ conversion: Conversion) throws(Refusal) -> Conversion {
        var conversion = conversion
        let top = try json(bytes, &conversion)
        guard case .object = top.json.value else {
            throw Refusal(place: .whole, message: "the outermost value is not an object", remedy: "Give a Direct Publisher feed.")
        }
        let lists = ["movies", "series", "shortFormVideos", "tvSpecials", "liveFeeds"]
        guard lists.contains(where: { top[$0] != nil }) else {
            throw Refusal(
                place: .whole, message: "none of \(lists.joined(separator: ", ")) is in it",
                remedy: "Give a Direct Publisher feed, or name the kind with --from.")
        }
        var converter = RokuConverter(top, conversion)
        return converter.converted()
    }

    private static func jsonFeed(_ bytes: [UInt8], _ conversion: Conversion) throws(Refusal) -> Conversion {
        var conversion = conversion
        let top = try json(bytes, &conversion)
        guard top["version"]?.text?.contains("jsonfeed.org/version/") == true, top["items"] != nil else {
            throw Refusal(
                place: .whole, message: "there is no \"version\" of JSON Feed, or there are no \"items\"",
                remedy: "Give a JSON Feed, or name the kind with --from.")
        }
        var converter = JSONFeedConverter(top, conversion)
        return converter.converted()
    }

    private static func json(_ bytes: [UInt8], _ conversion: inout Conversion) throws(Refusal) -> SourceNode {
        var reader = JSONReader(bytes, maximumDepth: mostDepth)
        do throws(JSONFault) {
            let node = try reader.read()
            for duplicate in reader.duplicates {
                conversion.warn(
                    SourcePlace(duplicate.pointer.description), "the key appears twice in one object", "The first is used.")
            }
            return SourceNode(json: node, pointer: JSONPointer())
        } catch {
            var walk = LocationWalk(bytes)
            let place = SourcePlace(walk.location(of: error.offset).description)
            throw Refusal(
                place: place, message: "the JSON cannot be read: \(error.reason)", remedy: "Repair the text at this place.")
        }
    }

    private static func mediaRSS(_ bytes: [UInt8], _ conversion: Conversion) throws(Refusal) -> Conversion {
        // XML allows nothing before its declaration, but publishers' templates write line breaks there.
        let space = bytes.prefix { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let (root, fault) = XMLTreeReader.read(Array(bytes.dropFirst(space.count)))
        if let fault {
            // Half a catalogue would look like a whole one.
            throw Refusal(
                place: SourcePlace("line \(fault.line + space.count { $0 == 0x0A })"),
                message: "the XML cannot be read: \(fault.reason)",
                remedy: "Repair the text at this place.")
        }
        guard let root, root.name == "rss", let channel = root.first("channel") else {
            throw Refusal(
                place: .whole,
                message: "the outermost element is <\(Conversion.oneLine(root?.name ?? ""))>, not <rss> with a <channel>",
                remedy: "Give Media RSS in RSS 2.0.")
        }
        var converter = MediaRSSConverter(channel, conversion)
        return converter.converted()
    }

    private static func channelList(_ bytes: [UInt8], guide: SourceGuide?, _ conversion: Conversion) throws(Refusal) -> Conversion
    {
        let list = ChannelList(String(decoding: bytes, as: UTF8.self))
        if let line = list.streamLine {
            throw Refusal(
                place: SourcePlace("line \(line)"), message: "this is an HLS playlist: one stream, not a list of channels",
                remedy: "Write its address in \"streams\" of a feed.")
        }
        guard list.entries.count <= mostEntries else {
            throw Refusal(
                place: .whole, message: "there are \(list.entries.count) entries",
                remedy: "Split it into parts of at most \(mostEntries).")
        }
        var converter = ChannelListConverter(list, guide: guide, conversion)
        return converter.converted()
    }
}
