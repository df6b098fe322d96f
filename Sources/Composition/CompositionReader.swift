import MediaModel
import MediaTime
import URLReferences
import WireFormats

/// What reading a document gave.
package struct CompositionVerdict: Sendable {
    /// Nil if there is an error.
    package let document: CompositionDocument?
    /// In the order of the text.
    package let findings: [CompositionFinding]
}

/// Reads and checks the JSON form of a composition (version 1). Pure: no network, no clock.
package struct CompositionReader {
    static let keys = ["$schema", "compositionVersion", "tracks", "videoComposition", "audioMix"]
    static let trackKeys = ["id", "type", "language", "segments"]
    static let segmentKeys = ["url", "track", "codec", "source", "target"]
    static let rangeKeys = ["start", "duration"]
    static let types: [MediaType] = [.video, .audio]
    private static let maximumDepth = 16

    var findings = CompositionFindings()
    /// Where the document is from: the base of relative addresses.
    private let baseURL: String

    /// The resource of the base, and whether it is a file.
    private let baseResource: String
    private let isFromFile: Bool
    /// The absolute addresses of the references that may be used, by their text: most pieces have few sources.
    private var addresses: [String: String] = [:]

    private init(baseURL: String) {
        self.baseURL = baseURL
        baseResource = Self.resource(URLReference(baseURL), of: baseURL)
        isFromFile = URLReference(baseURL).isFile
    }

    /// Reads a document and reports everything that is wrong with it. Rules that compare values are checked once all values have the right
    /// form.
    ///
    /// - Parameters:
    ///   - bytes: the document as received.
    ///   - baseURL: its origin: an absolute URL, or the absolute path of a file. Relative addresses are resolved on it.
    package static func read(_ bytes: [UInt8], baseURL: String) -> CompositionVerdict {
        var reader = CompositionReader(baseURL: baseURL)
        guard bytes.count <= CompositionLimits.document else {
            reader.findings.error(
                .limit, JSONPointer(), "the document has \(bytes.count) bytes", "Use at most \(CompositionLimits.document).")
            return CompositionVerdict(document: nil, findings: reader.findings.list)
        }
        var parser = JSONReader(bytes, maximumDepth: maximumDepth)
        let root: JSONNode
        do throws(JSONFault) {
            root = try parser.read()
        } catch {
            reader.findings.error(.form, JSONPointer(), error.reason, "Write JSON as in docs/composition.md.")
            var findings = reader.findings.list
            var walk = LocationWalk(bytes)
            findings[0].location = walk.location(of: error.offset)
            return CompositionVerdict(document: nil, findings: findings)
        }
        for duplicate in parser.duplicates {
            reader.findings.error(.key, duplicate.pointer, "the key occurs twice", "Remove one of them.")
        }
        let document = reader.document(root)
        if let document, !reader.findings.hasError { reader.findings.add(document.validate()) }
        return CompositionVerdict(
            document: reader.findings.hasError ? nil : document,
            findings: located(reader.findings.list, in: root, of: bytes))
    }

    /// Adds the position in the text to each finding, and orders them by it.
    private static func located(
        _ findings: [CompositionFinding], in root: JSONNode, of bytes: [UInt8]
    ) -> [CompositionFinding] {
        var walk = LocationWalk(bytes)
        let places = findings.enumerated().map { (offset: offset(of: $1.pointer, in: root), order: $0, finding: $1) }
        return places.sorted { ($0.offset, $0.order) < ($1.offset, $1.order) }.map { place in
            var finding = place.finding
            finding.location = walk.location(of: place.offset)
            return finding
        }
    }

    /// The offset of a value, or of what would contain it if it is missing.
    private static func offset(of pointer: JSONPointer, in root: JSONNode) -> Int {
        var node = root
        for token in pointer.tokens {
            switch node.value {
            case .object(let object):
                guard let next = object[token] else { return node.offset }
                node = next
            case .array(let nodes):
                guard let index = Int(token), nodes.indices.contains(index) else { return node.offset }
                node = nodes[index]
            default: return node.offset
            }
        }
        return node.offset
    }

    /// A verdict with further findings, which were made by other means, in the places of its text.
    ///
    /// - Parameter bytes: the text of the verdict.
    package static func adding(_ more: [CompositionFinding], to verdict: CompositionVerdict, of bytes: [UInt8])
        -> CompositionVerdict
    {
        var parser = JSONReader(bytes, maximumDepth: maximumDepth)
        guard let root = try? parser.read() else { return verdict }
        return CompositionVerdict(
            document: more.contains { $0.severity == .error } ? nil : verdict.document,
            findings: located(verdict.findings + more, in: root, of: bytes))
    }

    /// Whether a text is meant as a composition, valid or not: a JSON object with the version of one.
    package static func isComposition(_ bytes: [UInt8]) -> Bool {
        var parser = JSONReader(bytes, maximumDepth: maximumDepth)
        guard bytes.count <= CompositionLimits.document, case .object(let object)? = try? parser.read().value else {
            return false
        }
        return object["compositionVersion"] != nil
    }

    // MARK: Parts of the document

    private mutating func document(_ root: JSONNode) -> CompositionDocument? {
        let place = JSONPointer()
        guard let object = object(root, keys: Self.keys, at: place) else { return nil }
        guard let version = object["compositionVersion"] else {
            findings.error(
                .form, place, "\"compositionVersion\" is missing", "Write \"compositionVersion\": \(CompositionDocument.version)."
            )
            return nil
        }
        guard integer(version, at: place.appending("compositionVersion")) == CompositionDocument.version else {
            findings.error(
                .form, place.appending("compositionVersion"), "only version \(CompositionDocument.version) is known",
                "Write \(CompositionDocument.version).")
            return nil
        }
        guard let list = object["tracks"] else {
            findings.error(.form, place, "\"tracks\" is missing", "Write a list of tracks.")
            return nil
        }
        let tracks = elements(list, most: CompositionLimits.tracks, at: place.appending("tracks")) { reader, node, pointer in
            reader.track(node, at: pointer)
        }
        let video = object["videoComposition"].map { videoComposition($0, at: place.appending("videoComposition")) }
        let mix = object["audioMix"].map { audioMix($0, at: place.appending("audioMix")) }
        return CompositionDocument(Composition(tracks: tracks), videoComposition: video ?? nil, audioMix: mix ?? nil)
    }

    private mutating func track(_ node: JSONNode, at pointer: JSONPointer) -> CompositionTrack? {
        guard let object = object(node, keys: Self.trackKeys, at: pointer) else { return nil }
        let id = required(object, "id", at: pointer).flatMap { integer($0, at: pointer.appending("id")) }
        let type = required(object, "type", at: pointer).flatMap { string($0, at: pointer.appending("type")) }
        let media = type.flatMap { type in Self.types.first { $0.rawValue == type } }
        if let type, media == nil {
            findings.error(
                .track, pointer.appending("type"), "\(JSONText.quoted(String(type.prefix(40)))) cannot be composed",
                "Write \"video\" or \"audio\".")
        }
        let language = object["language"].flatMap { string($0, at: pointer.appending("language")) }
        var end = MediaTime.zero
        var segments: [CompositionTrackSegment] = []
        if let list = required(object, "segments", at: pointer) {
            segments = elements(list, most: CompositionLimits.segments, at: pointer.appending("segments")) {
                reader, node, pointer in
                let segment = reader.segment(node, after: end, at: pointer)
                end = segment?.target.end ?? end
                return segment
            }
        }
        guard let id, let media else { return nil }
        return CompositionTrack(id: TrackID(id), type: media, languageTag: language, segments: segments)
    }

    /// - Parameter end: where the segment begins if it does not say so.
    private mutating func segment(
        _ node: JSONNode, after end: MediaTime, at pointer: JSONPointer
    ) -> CompositionTrackSegment? {
        guard let object = object(node, keys: Self.segmentKeys, at: pointer) else { return nil }
        guard let address = object["url"] else {
            for key in ["track", "codec", "source"] where object[key] != nil {
                findings.error(
                    .form, pointer.appending(key), "an empty segment has no \"\(key)\"", "Write \"url\", or remove \"\(key)\".")
            }
            guard let target = required(object, "target", at: pointer) else { return nil }
            return range(target, startingAt: end, lasting: nil, at: pointer.appending("target"))
                .map { CompositionTrackSegment(.empty, target: $0) }
        }
        let url = string(address, at: pointer.appending("url")).flatMap { absolute($0, at: pointer.appending("url")) }
        let track = object["track"].flatMap { integer($0, at: pointer.appending("track")) }
        let codec = object["codec"].flatMap { string($0, at: pointer.appending("codec")) }
        let source = required(object, "source", at: pointer)
            .flatMap { range($0, startingAt: nil, lasting: nil, at: pointer.appending("source")) }
        guard let source else { return nil }
        let target =
            object["target"].map { range($0, startingAt: end, lasting: source.duration, at: pointer.appending("target")) }
            ?? TimeRange(start: end, duration: source.duration)
        guard let url, let target else { return nil }
        let reference = SourceReference(url: url, track: track.map { TrackID($0) }, codec: codec)
        return CompositionTrackSegment(.media(reference, source), target: target)
    }

    /// The absolute address; nil, with a finding, if it may not be used.
    private mutating func absolute(_ text: String, at pointer: JSONPointer) -> String? {
        // The rules of the value say what is wrong with an empty one.
        guard !text.isEmpty else { return text }
        if let known = addresses[text] { return known }
        let url = URLReference.resolve(reference: text, against: baseURL)
        let reference = URLReference(url)
        if Self.resource(reference, of: url) == baseResource {
            findings.error(.url, pointer, "the composition names itself", "Name media.")
            return nil
        }
        if reference.isFile, !isFromFile {
            findings.error(.url, pointer, "a composition from a server names a file", "Use an http or https URL.")
            return nil
        }
        addresses[text] = url
        return url
    }

    /// What identifies a resource: the path of a file, or a URL without its fragment.
    private static func resource(_ reference: URLReference, of url: String) -> String {
        guard let scheme = reference.scheme?.lowercased() else { return url }
        if scheme == "file" { return URLReference.percentDecoded(reference.path) }
        var reference = reference
        reference.fragment = nil
        return reference.description
    }

    // MARK: Values

    mutating func range(
        _ node: JSONNode, startingAt start: MediaTime?, lasting duration: MediaTime?, at pointer: JSONPointer
    ) -> TimeRange? {
        guard let object = object(node, keys: Self.rangeKeys, at: pointer) else { return nil }
        let begin = object["start"].map { time($0, at: pointer.appending("start")) } ?? start
        let length = object["duration"].map { time($0, at: pointer.appending("duration")) } ?? duration
        for (key, isMissing) in [
            ("start", object["start"] == nil && start == nil), ("duration", object["duration"] == nil && duration == nil),
        ] where isMissing {
            findings.error(.form, pointer, "\"\(key)\" is missing", "Write it in seconds.")
        }
        guard let begin, let length else { return nil }
        guard length >= .zero else {
            findings.error(.negative, pointer.appending("duration"), "\(length) is negative", "Write a positive duration.")
            return nil
        }
        return TimeRange(start: begin, duration: length)
    }

    mutating func time(_ node: JSONNode, at pointer: JSONPointer) -> MediaTime? {
        switch node.value {
        case .number(let text), .string(let text):
            if let time = CompositionTime.parse(text) { return time }
            findings.error(
                .form, pointer, "\(JSONText.quoted(String(text.prefix(40)))) is not a time below \(CompositionLimits.time) s",
                "Write seconds such as 12, 12.5 or \"1001/30000\".")
        default: findings.error(.form, pointer, "is not a time", "Write seconds such as 12, 12.5 or \"1001/30000\".")
        }
        return nil
    }

    mutating func object(_ node: JSONNode, keys: [String], at pointer: JSONPointer) -> JSONObject? {
        guard case .object(let object) = node.value else {
            findings.error(.form, pointer, "is not an object", "Write { } with \(keys.joined(separator: ", ")).")
            return nil
        }
        for member in object.members where !keys.contains(member.key) && !member.key.hasPrefix("x-") {
            findings.error(
                .key, pointer.appending(member.key), "the key is unknown",
                "Use \(keys.joined(separator: ", ")), or begin it with x-.")
        }
        return object
    }

    /// The elements of a list that could be read.
    mutating func elements<Element>(
        _ node: JSONNode, most: Int, at pointer: JSONPointer,
        _ read: (inout CompositionReader, JSONNode, JSONPointer) -> Element?
    ) -> [Element] {
        guard case .array(let nodes) = node.value else {
            findings.error(.form, pointer, "is not a list", "Write [ ].")
            return []
        }
        guard nodes.count <= most else {
            findings.error(.limit, pointer, "has \(nodes.count) elements", "Use at most \(most).")
            return []
        }
        return nodes.enumerated().compactMap { read(&self, $1, pointer.appending($0)) }
    }

    mutating func required(_ object: JSONObject, _ key: String, at pointer: JSONPointer) -> JSONNode? {
        if let node = object[key] { return node }
        findings.error(.form, pointer, "\"\(key)\" is missing", "Write it.")
        return nil
    }

    mutating func string(_ node: JSONNode, at pointer: JSONPointer) -> String? {
        if case .string(let text) = node.value { return text }
        findings.error(.form, pointer, "is not a text", "Write it in quotation marks.")
        return nil
    }

    mutating func integer(_ node: JSONNode, at pointer: JSONPointer) -> Int? {
        if case .number(let text) = node.value, let number = Int32(text) { return Int(number) }
        if case .number(let text) = node.value,
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        {
            findings.error(.form, pointer, "is not within 32 bits", "Write a number up to 2147483647.")
        } else {
            findings.error(.form, pointer, "is not a whole number", "Write a number without a point.")
        }
        return nil
    }
}
