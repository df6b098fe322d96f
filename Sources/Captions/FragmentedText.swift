import MediaTime

/// Reads captions from MP4 fragments (ISO/IEC 14496-30): WebVTT (`wvtt`) and TTML (`stpp`).
package enum FragmentedText {
    /// Whether bytes start like an MP4 fragment.
    package static func isFragment(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 8 else { return false }
        return ["ftyp", "styp", "moof", "moov", "sidx", "emsg", "prft", "free"].contains(
            String(decoding: bytes[4..<8], as: UTF8.self))
    }

    /// Whether a sample consists of WebVTT boxes instead of text.
    package static func isCueBox(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 8 else { return false }
        return ["vttc", "vtte", "vtta"].contains(String(decoding: bytes[4..<8], as: UTF8.self))
    }

    /// The cues of the fragments in part of a file.
    ///
    /// - Parameters:
    ///   - bytes: one or more fragments, possibly with other boxes before them.
    ///   - initialization: the init segment, if `bytes` does not contain it.
    ///   - offset: asset time of decode time zero.
    /// - Throws: `CaptionError` when there is no text track.
    package static func cues(of bytes: [UInt8], initialization: [UInt8], offset: MediaTime) throws(CaptionError) -> [CaptionCue] {
        var reader = FragmentReader()
        reader.read(initialization)
        reader.read(bytes)
        guard let format = reader.format else {
            throw .unknownFormat(beginning: "a fragment of MP4 without a track of captions")
        }
        var cues: [CaptionCue] = []
        for sample in reader.samples {
            let start = sample.start + offset, end = sample.end + offset
            switch format {
            case "stpp": cues += TTMLReader.cues(ofSample: sample.bytes, start: start, end: end, offset: offset)
            default:
                cues += WebVTTSample.cues(sample.bytes, start: start, end: end)
            }
        }
        return joined(cues)
    }

    /// Merges a cue that continues over several samples into one.
    static func joined(_ cues: [CaptionCue]) -> [CaptionCue] {
        var result: [CaptionCue] = []
        for cue in cues {
            if let index = result.lastIndex(where: { $0.end == cue.start && $0.isSame(as: cue) }) {
                result[index].end = cue.end
            } else {
                result.append(cue)
            }
        }
        return result
    }
}

extension CaptionCue {
    /// Whether it has the same look and the same id as another.
    func isSame(as other: CaptionCue) -> Bool {
        id == other.id && nodes == other.nodes && settings == other.settings && box == other.box && image == other.image
    }
}

/// The WebVTT samples of MP4 and Matroska.
package enum WebVTTSample {
    /// The cues of an MP4 sample: `vttc` boxes with `payl`, `sttg`, `iden`.
    package static func cues(_ bytes: [UInt8], start: MediaTime, end: MediaTime) -> [CaptionCue] {
        BoxReader.boxes(bytes[...]).filter { $0.type == "vttc" }.compactMap { cue in
            var text = "", settings = "", id = ""
            for part in BoxReader.boxes(cue.body) {
                let words = String(decoding: part.body, as: UTF8.self)
                switch part.type {
                case "payl": text = words
                case "sttg": settings = words
                case "iden": id = words
                default: break
                }
            }
            return Self.cue(text: text, settings: settings, id: id, start: start, end: end)
        }
    }

    /// The cue of a Matroska block, whose settings and id are stored next to it.
    package static func cue(text: String, settings: String, id: String, start: MediaTime, end: MediaTime) -> CaptionCue {
        CaptionCue(
            id: id, start: start, end: end, settings: WebVTTSettings.settings(settings), nodes: WebVTTText.parse(text),
            source: text)
    }
}

/// Boxes of ISO/IEC 14496-12.
enum BoxReader {
    /// Parses a sequence of boxes; stops at a damaged one.
    static func boxes(_ bytes: ArraySlice<UInt8>) -> [(type: String, body: ArraySlice<UInt8>, start: Int)] {
        var boxes: [(type: String, body: ArraySlice<UInt8>, start: Int)] = []
        var place = bytes.startIndex
        while place + 8 <= bytes.endIndex {
            var size = Int(uint32(bytes, place))
            var header = 8
            if size == 1, place + 16 <= bytes.endIndex {
                guard let large = Int(exactly: uint64(bytes, place + 8)) else { break }
                size = large
                header = 16
            } else if size == 0 {
                size = bytes.endIndex - place
            }
            guard size >= header, size <= bytes.endIndex - place else { break }
            let type = String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self)
            boxes.append((type, bytes[(place + header)..<(place + size)], place))
            place += size
        }
        return boxes
    }

    static func uint32(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
        guard place >= bytes.startIndex, place + 4 <= bytes.endIndex else { return 0 }
        return bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func uint64(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt64 {
        guard place >= bytes.startIndex, place + 8 <= bytes.endIndex else { return 0 }
        return bytes[place..<(place + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Reads the samples of the text track in fragments.
struct FragmentReader {
    struct Sample {
        var start: MediaTime
        var end: MediaTime
        var bytes: [UInt8]
    }

    /// The sample entry: `wvtt` or `stpp`.
    private(set) var format: String?
    private(set) var samples: [Sample] = []
    private var track: UInt32?
    private var timescale: Int32 = 1000
    /// The defaults of `trex`.
    private var defaultDuration: UInt32 = 0
    private var defaultSize: UInt32 = 0

    mutating func read(_ bytes: [UInt8]) {
        for box in BoxReader.boxes(bytes[...]) {
            switch box.type {
            case "moov": readMovie(box.body)
            case "moof": readFragment(box.body, start: box.start, file: bytes)
            default: break
            }
        }
    }

    private mutating func readMovie(_ body: ArraySlice<UInt8>) {
        for box in BoxReader.boxes(body) {
            if box.type == "trak" { readTrack(box.body) }
            if box.type == "mvex" {
                for extends in BoxReader.boxes(box.body) where extends.type == "trex" {
                    let start = extends.body.startIndex
                    guard track == nil || BoxReader.uint32(extends.body, start + 4) == track else { continue }
                    defaultDuration = BoxReader.uint32(extends.body, start + 12)
                    defaultSize = BoxReader.uint32(extends.body, start + 16)
                }
            }
        }
    }

    private mutating func readTrack(_ body: ArraySlice<UInt8>) {
        var id: UInt32 = 0
        var scale: UInt32 = 0
        var entry: String?
        func walk(_ bytes: ArraySlice<UInt8>) {
            for box in BoxReader.boxes(bytes) {
                let start = box.body.startIndex
                let isLong = box.body.first == 1
                switch box.type {
                case "tkhd": id = BoxReader.uint32(box.body, start + (isLong ? 20 : 12))
                case "mdhd": scale = BoxReader.uint32(box.body, start + (isLong ? 20 : 12))
                case "mdia", "minf", "stbl": walk(box.body)
                case "stsd":
                    if box.body.count >= 16 { entry = String(decoding: box.body[(start + 12)..<(start + 16)], as: UTF8.self) }
                default: break
                }
            }
        }
        walk(body)
        guard let entry, ["wvtt", "stpp"].contains(entry) else { return }
        format = entry
        track = id
        timescale = Int32(exactly: scale).flatMap { $0 > 0 ? $0 : nil } ?? 1000
    }

    private mutating func readFragment(_ body: ArraySlice<UInt8>, start: Int, file: [UInt8]) {
        for box in BoxReader.boxes(body) where box.type == "traf" { readTrackFragment(box.body, fragment: start, file: file) }
    }

    private mutating func readTrackFragment(_ body: ArraySlice<UInt8>, fragment: Int, file: [UInt8]) {
        var time: Int64 = 0
        var base = fragment
        var duration = defaultDuration, size = defaultSize
        for box in BoxReader.boxes(body) {
            let start = box.body.startIndex
            let flags = BoxReader.uint32(box.body, start) & 0xFFFFFF
            switch box.type {
            case "tfhd":
                guard track == nil || BoxReader.uint32(box.body, start + 4) == track else { return }
                var place = start + 8
                if flags & 1 != 0 {
                    base = Int(exactly: BoxReader.uint64(box.body, place)) ?? base
                    place += 8
                }
                if flags & 2 != 0 { place += 4 }
                if flags & 8 != 0 {
                    duration = BoxReader.uint32(box.body, place)
                    place += 4
                }
                if flags & 16 != 0 { size = BoxReader.uint32(box.body, place) }
            case "tfdt":
                time =
                    box.body.first == 1
                    ? Int64(exactly: BoxReader.uint64(box.body, start + 4)) ?? 0 : Int64(BoxReader.uint32(box.body, start + 4))
            case "trun":
                readRun(box.body, flags: flags, time: &time, base: base, duration: duration, size: size, file: file)
            default: break
            }
        }
    }

    private mutating func readRun(
        _ body: ArraySlice<UInt8>, flags: UInt32, time: inout Int64, base: Int, duration: UInt32, size: UInt32, file: [UInt8]
    ) {
        let start = body.startIndex
        let count = BoxReader.uint32(body, start + 4)
        var place = start + 8
        var data = base
        if flags & 1 != 0 {
            data = base + Int(Int32(bitPattern: BoxReader.uint32(body, place)))
            place += 4
        }
        if flags & 4 != 0 { place += 4 }
        for _ in 0..<min(count, 100_000) {
            var length = duration, bytes = size, shift: Int64 = 0
            if flags & 0x100 != 0 {
                length = BoxReader.uint32(body, place)
                place += 4
            }
            if flags & 0x200 != 0 {
                bytes = BoxReader.uint32(body, place)
                place += 4
            }
            if flags & 0x400 != 0 { place += 4 }
            if flags & 0x800 != 0 {
                shift = Int64(Int32(bitPattern: BoxReader.uint32(body, place)))
                place += 4
            }
            guard place <= body.endIndex, data >= 0, Int(bytes) <= file.count - min(data, file.count) else { return }
            let from = MediaTime(time + shift, timescale)
            samples.append(
                Sample(
                    start: from, end: from + MediaTime(Int64(length), timescale), bytes: Array(file[data..<(data + Int(bytes))])))
            data += Int(bytes)
            time += Int64(length)
        }
    }
}
