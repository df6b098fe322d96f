import BoxModel
import MediaTime
import Metadata
import Playback
import URLReferences
import WireFormats

extension StreamCue {
    init(_ passage: MetadataPassage) {
        switch passage {
        case .began(let range): self = .began(DateRange(range))
        case .ended(let range): self = .ended(DateRange(range))
        case .reached(let group): self = .metadata(Metadata(group))
        }
    }
}

/// How much of one stream's texts a cue has room for. A value.
private struct CueRoom {
    private var characters = 12 << 10
    private var texts = 64
    static let longestName = 256
    static let longestText = 2048

    static func name(_ text: String) -> String {
        String(String.UnicodeScalarView(Redaction.inText(text).unicodeScalars.prefix(longestName)))
    }

    /// Nil if there is no room for it.
    mutating func text(_ text: String, longest: Int = longestText) -> String? {
        let count = text.utf8.count
        guard texts > 0, count <= longest, count <= characters else { return nil }
        texts -= 1
        characters -= count
        return Redaction.inText(text)
    }
}

extension StreamCue.DateRange {
    /// A section of SCTE 35 has at most 4096 bytes, in hexadecimal behind `0x`.
    private static let longestSplice = 2 * 4096 + 2

    fileprivate init(_ range: DateRangeMetadataGroup) {
        self.init(id: CueRoom.name(range.uniqueID), start: range.start, startDate: range.startDate)
        classID = range.classifyingLabel.map(CueRoom.name)
        endDate = range.endDate
        duration = range.end.map { $0 - range.start }
        plannedDuration = range.plannedDuration
        var room = CueRoom()
        for item in range.items {
            let name = item.identifier.key
            let longest = name.hasPrefix("SCTE35-") ? Self.longestSplice : CueRoom.longestText
            guard name.utf8.count <= CueRoom.longestName,
                let value = item.stringValue.flatMap({ room.text($0, longest: longest) })
            else {
                omitted += 1
                continue
            }
            attributes.append(Attribute(name: name, value: value))
        }
    }
}

extension StreamCue.Metadata {
    /// Sections of SCTE 35 in event messages (SCTE 214-3).
    private static let splice = "urn:scte:scte35:2013:bin"
    private static let longestSection = 4096

    fileprivate init(_ group: TimedMetadataGroup) {
        self.init(scheme: CueRoom.name(group.items.first?.identifier.keySpace.rawValue ?? ""), start: group.timeRange.start)
        var room = CueRoom()
        for item in group.items {
            guard let content = Self.content(of: item, &room), room.text(item.identifier.key + (item.info ?? "")) != nil else {
                omitted += 1
                continue
            }
            frames.append(
                Frame(key: CueRoom.name(item.identifier.key), info: item.info.map(CueRoom.name), content: content))
        }
    }

    private static func content(of item: MetadataItem, _ room: inout CueRoom) -> Frame.Content? {
        guard let data = item.dataValue else { return item.stringValue.flatMap { room.text($0) }.map { .text($0) } }
        if item.identifier.keySpace.rawValue == splice, data.count <= longestSection {
            return room.text("0x" + data.map { $0.hexadecimal(uppercase: true) }.joined(), longest: 2 * longestSection + 2).map {
                .splice($0)
            }
        }
        return .data(byteCount: data.count, type: item.dataType.map(CueRoom.name))
    }
}
