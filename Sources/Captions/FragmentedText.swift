import MediaTime
import WireFormats

/// Reads captions from MP4 fragments (ISO/IEC 14496-30): WebVTT (`wvtt`) and TTML (`stpp`).
package enum FragmentedText {
    /// Whether bytes start like an MP4 fragment.
    package static func isFragment(_ bytes: [UInt8]) -> Bool {
        MP4Box.beginsSegment(bytes) || MP4Box.type(of: bytes) == "free"
    }

    /// Whether a sample consists of WebVTT boxes instead of text.
    package static func isCueBox(_ bytes: [UInt8]) -> Bool {
        MP4Box.type(of: bytes).map { ["vttc", "vtte", "vtta"].contains($0) } ?? false
    }

    /// The cues of the fragments in part of a file.
    ///
    /// - Parameters:
    ///   - bytes: one or more fragments, possibly with other boxes before them.
    ///   - initialization: the init segment, if `bytes` does not contain it.
    ///   - offset: asset time of decode time zero.
    /// - Throws: `CaptionError` when there is no text track.
    package static func cues(of bytes: [UInt8], initialization: [UInt8], offset: MediaTime) throws(CaptionError) -> [CaptionCue] {
        try cues(of: bytes, initialization: initialization) { _, _ in offset }
    }

    /// The same where samples can have different offsets.
    ///
    /// - Parameter offset: asset time of decode time zero, for a sample with this start and end.
    package static func cues(
        of bytes: [UInt8], initialization: [UInt8], offset: (_ start: MediaTime, _ end: MediaTime) -> MediaTime
    ) throws(CaptionError) -> [CaptionCue] {
        var reader = FragmentReader()
        reader.read(initialization)
        reader.read(bytes)
        guard let format = reader.format else {
            throw .unknownFormat(beginning: "a fragment of MP4 without a track of captions")
        }
        var cues: [CaptionCue] = []
        for sample in reader.samples {
            let shift = offset(sample.start, sample.end)
            let start = sample.start + shift, end = sample.end + shift
            switch format {
            case "stpp": cues += TTMLReader.cues(ofSample: sample.bytes, start: start, end: end, offset: shift)
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

/// The WebVTT samples of MP4 and Matroska.
package enum WebVTTSample {
    /// The cues of an MP4 sample: `vttc` boxes with `payl`, `sttg`, `iden`.
    package static func cues(_ bytes: [UInt8], start: MediaTime, end: MediaTime) -> [CaptionCue] {
        MP4Box.boxes(in: bytes[...]).filter { $0.type == "vttc" }.compactMap { cue in
            var text = "", settings = "", id = ""
            for part in MP4Box.boxes(in: cue.body) {
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
    private var defaults: MP4TrackDefaults?
    /// Fragments with more samples are damaged; the rest of them is not read.
    private static let mostSamples = 20_000

    mutating func read(_ bytes: [UInt8]) {
        for box in MP4Box.boxes(in: bytes[...]) {
            switch box.type {
            case "moov": readMovie(box.body)
            case "moof": readFragment(box.body, start: box.start, file: bytes)
            default: break
            }
        }
    }

    private mutating func readMovie(_ body: ArraySlice<UInt8>) {
        for box in MP4Box.boxes(in: body) {
            if box.type == "trak" { readTrack(box.body) }
            if box.type == "mvex" {
                for extends in MP4Box.boxes(in: box.body) where extends.type == "trex" {
                    guard let found = MP4TrackDefaults(extends.body), track == nil || found.track == track else { continue }
                    defaults = found
                }
            }
        }
    }

    private mutating func readTrack(_ body: ArraySlice<UInt8>) {
        var id: UInt32 = 0
        var scale: UInt32 = 0
        var entry: String?
        // `stbl` is in the third box; deeper boxes of these types are damage.
        func walk(_ bytes: ArraySlice<UInt8>, depth: Int = 0) {
            for box in MP4Box.boxes(in: bytes) {
                let isLong = box.body.first == 1
                switch box.type {
                case "tkhd": id = box.body.word(at: isLong ? 20 : 12)
                case "mdhd": scale = box.body.word(at: isLong ? 20 : 12)
                case "mdia", "minf", "stbl": if depth < 3 { walk(box.body, depth: depth + 1) }
                case "stsd":
                    if box.body.count >= 16 { entry = box.body.dropFirst(12).prefix(4).latin1 }
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
        for box in MP4Box.boxes(in: body) where box.type == "traf" { readTrackFragment(box.body, fragment: start, file: file) }
    }

    private mutating func readTrackFragment(_ body: ArraySlice<UInt8>, fragment start: Int, file: [UInt8]) {
        guard let fragment = MP4TrackFragment(body), track == nil || fragment.track == track else { return }
        // No file is larger: an offset of that size cannot be added to.
        let base = fragment.baseDataOffset.flatMap { $0 < 1 << 62 ? Int($0) : nil } ?? start
        var time = Int64(fragment.startTime ?? 0)
        for run in fragment.runs { readRun(run, of: fragment, time: &time, base: base, file: file) }
    }

    private mutating func readRun(
        _ run: MP4TrackRun, of fragment: MP4TrackFragment, time: inout Int64, base: Int, file: [UInt8]
    ) {
        var data = base + Int(run.dataOffset ?? 0)
        for index in 0..<min(run.sampleCount, Self.mostSamples - samples.count) {
            guard let sample = run.sample(index), (0...file.count).contains(data) else { return }
            let length = Int64(sample.duration ?? fragment.defaultDuration ?? defaults?.duration ?? 0)
            let bytes = Int(sample.size ?? fragment.defaultSize ?? defaults?.size ?? 0)
            guard bytes <= file.count - data else { return }
            let from = MediaTime(time + Int64(sample.compositionOffset), timescale)
            samples.append(
                Sample(start: from, end: from + MediaTime(length, timescale), bytes: Array(file[data..<(data + bytes)])))
            data += bytes
            time += length
        }
    }
}

extension ArraySlice<UInt8> {
    /// A number of four bytes at an offset; zero where the bytes end before.
    fileprivate func word(at offset: Int) -> UInt32 { UInt32(big(4, at: offset) ?? 0) }
}
