import CFFmpeg
import Languages
import WireFormats

/// What a container states of its tracks and libavformat does not tell: language tags beside the three letters, `elng` of MP4 (ISO/IEC 14496-12, 8.4.6) and
/// LanguageBCP47 of Matroska (RFC 9559, 5.1.4.1.20), where the edit lists of MP4 begin, and whether it has fragments.
///
/// It sees the bytes that libavformat reads of the header, and keeps the few that it needs. A value.
struct TrackHeaders {
    /// What a track states.
    private struct Track {
        /// The ID of a track of MP4.
        var number: UInt64 = 0
        /// The type of a track of Matroska, and whether its codec is named: libavformat makes no stream of others.
        var type: UInt64 = 0
        var hasCodec = false
        var tag: String?
        var edit = EditBoxes()
    }
    private enum Format { case unknown, movie, matroska }
    private enum Wanted {
        case header
        /// The beginning of a box or element, and where the next one is.
        case content(id: UInt32, next: Int64)
    }
    private var format = Format.unknown
    private var tracks: [Track] = []
    /// The contents of `mvhd`.
    private var movie: [UInt8] = []
    /// The place of the bytes that are needed next, those of them that have come, and how many are needed.
    private var place: Int64 = 0
    private var bytes: [UInt8] = []
    private var count = 8
    private var wanted = Wanted.header
    /// Whether an MP4 file consists of fragments (`mvex`, ISO/IEC 14496-12, 8.8.1).
    private(set) var isFragmented = false
    /// Whether all of the header has been seen, or it is not understood.
    private(set) var isDone = false

    /// More than any text or number of interest.
    private static let longestContent: Int64 = 256
    private static let mostTracks = 1000

    /// Takes what was read at an offset of the stream.
    mutating func take(_ chunk: UnsafeRawBufferPointer, at offset: Int64) {
        while !isDone {
            let next = place + Int64(bytes.count) - offset
            guard next >= 0, next < chunk.count else {
                // The middle of what is needed was passed over.
                if next < 0, !bytes.isEmpty { isDone = true }
                return
            }
            bytes += chunk[Int(next)..<min(chunk.count, Int(next) + count - bytes.count)]
            if bytes.count == count { step() }
        }
    }

    /// The tag of a stream; nil if the container states none, or has other streams than these.
    func tag(of stream: UnsafeMutablePointer<AVStream>) -> String? {
        switch format {
        case .movie: return movieTrack(of: stream)?.tag
        case .matroska:
            let streams = tracks.filter { [1, 2, 0x11].contains($0.type) && $0.hasCodec }
            let number = Int(stream.pointee.index)
            guard streams.indices.contains(number) else { return nil }
            let types = [AVMEDIA_TYPE_VIDEO: 1, AVMEDIA_TYPE_AUDIO: 2, AVMEDIA_TYPE_SUBTITLE: 0x11] as [AVMediaType: UInt64]
            return types[stream.pointee.codecpar.pointee.codec_type] == streams[number].type ? streams[number].tag : nil
        case .unknown: return nil
        }
    }

    /// Where the edit list of a stream of pictures begins in the middle of one; nil for others.
    func edit(of stream: UnsafeMutablePointer<AVStream>) -> EditStart? {
        guard format == .movie, stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO,
            let scale = EditBoxes.scale(movie)
        else { return nil }
        return movieTrack(of: stream)?.edit.start(movieScale: scale)
    }

    private func movieTrack(of stream: UnsafeMutablePointer<AVStream>) -> Track? {
        tracks.first { $0.number == UInt64(bitPattern: Int64(stream.pointee.id)) }
    }

    /// All language tags that are stated, in the order of their tracks.
    var tags: [String] { tracks.compactMap(\.tag) }

    private mutating func step() {
        switch wanted {
        case .content(let id, let next):
            take(id)
            seek(next)
        case .header:
            if format == .unknown { format = bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) ? .matroska : .movie }
            if format == .matroska { readElement() } else { readBox() }
        }
    }

    /// What is at a place is a header.
    private mutating func seek(_ place: Int64) {
        (self.place, bytes, wanted) = (place, [], .header)
        count = format == .matroska ? 2 : 8
    }

    private mutating func want(
        _ id: UInt32, at place: Int64, _ length: Int64, next: Int64, most: Int64 = Self.longestContent
    ) {
        guard length > 0, length <= most else { return seek(next) }
        (self.place, bytes, count, wanted) = (place, [], Int(length), .content(id: id, next: next))
    }

    private mutating func beginTrack() {
        isDone = tracks.count >= Self.mostTracks
        tracks.append(Track())
    }

    private mutating func take(_ id: UInt32) {
        if id == ID.mvhd { movie = bytes }
        guard let last = tracks.indices.last else { return }
        switch id {
        case ID.tkhd: tracks[last].number = bytes[...].big(4, at: bytes[0] == 1 ? 20 : 12) ?? 0
        // Version and flags come first.
        case ID.elng: tracks[last].tag = Self.tag(bytes.dropFirst(4))
        case ID.mdhd: tracks[last].edit.header = bytes
        case ID.elst: tracks[last].edit.list = bytes
        case ID.stts: tracks[last].edit.times = bytes
        case ID.ctts: tracks[last].edit.offsets = bytes
        case ID.trackType: tracks[last].type = bytes.reduce(0) { $0 << 8 | UInt64($1) }
        case ID.codec: tracks[last].hasCodec = true
        case ID.languageBCP47: tracks[last].tag = Self.tag(bytes[...])
        default: break
        }
    }

    private static func tag(_ text: ArraySlice<UInt8>) -> String? {
        LanguageCode.extendedTag(String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
    }

    /// Boxes and elements whose content is read, as numbers.
    private enum ID {
        static let tkhd: UInt32 = 0x746B_6864, elng: UInt32 = 0x656C_6E67, mvhd: UInt32 = 0x6D76_6864, mdhd: UInt32 = 0x6D64_6864
        static let elst: UInt32 = 0x656C_7374, stts: UInt32 = 0x7374_7473, ctts: UInt32 = 0x6374_7473
        static let segment: UInt32 = 0x1853_8067, tracks: UInt32 = 0x1654_AE6B, track: UInt32 = 0xAE,
            cluster: UInt32 = 0x1F43_B675
        static let trackType: UInt32 = 0x83, codec: UInt32 = 0x86, languageBCP47: UInt32 = 0x22_B59D
    }

    // MARK: MP4

    private mutating func readBox() {
        if bytes.count == 8, bytes.starts(with: [0, 0, 0, 1]) { return count = 16 }
        guard let header = MP4Box.Header(bytes[...]), let size = header.size, size >= header.length, place < 1 << 60 else {
            return isDone = true
        }
        let (body, next) = (place + Int64(header.length), place + size)
        switch header.type {
        case "moov", "mdia", "edts", "minf", "stbl": seek(body)
        case "trak":
            beginTrack()
            seek(body)
        case "tkhd": want(ID.tkhd, at: body, min(next - body, 24), next: next)
        case "mvhd": want(ID.mvhd, at: body, min(next - body, 24), next: next)
        case "mdhd": want(ID.mdhd, at: body, min(next - body, 24), next: next)
        case "elst": wantList(ID.elst, at: body, next: next)
        // They are behind the edit list, if there is one.
        case "stts" where tracks.last?.edit.isCut == true: wantList(ID.stts, at: body, next: next)
        case "ctts" where tracks.last?.edit.isCut == true: wantList(ID.ctts, at: body, next: next)
        case "elng": want(ID.elng, at: body, next - body, next: next)
        case "mvex":
            isFragmented = true
            seek(next)
        // The index is before it, or there is none.
        case "moof": isDone = true
        default: seek(next)
        }
    }

    private mutating func wantList(_ id: UInt32, at body: Int64, next: Int64) {
        want(id, at: body, min(next - body, EditBoxes.longest), next: next, most: EditBoxes.longest)
    }

    // MARK: Matroska

    private mutating func readElement() {
        let idLength = bytes[0].leadingZeroBitCount + 1
        guard idLength <= 4, place < 1 << 60 else { return isDone = true }
        if bytes.count <= idLength { return count = idLength + 1 }
        let sizeLength = bytes[idLength].leadingZeroBitCount + 1
        guard sizeLength <= 8 else { return isDone = true }
        if bytes.count < idLength + sizeLength { return count = idLength + sizeLength }
        let id = bytes[..<idLength].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let mask: UInt64 = 1 << UInt64(7 * sizeLength) - 1
        let size = bytes[idLength...].prefix(sizeLength).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & mask
        let body = place + Int64(idLength + sizeLength)
        // A segment in a stream has no size.
        let next = size == mask ? nil : body + Int64(size)
        switch id {
        case ID.segment, ID.tracks: seek(body)
        case ID.track:
            beginTrack()
            seek(body)
        case ID.cluster: isDone = true
        case ID.trackType, ID.languageBCP47: want(id, at: body, Int64(clamping: size), next: next ?? body)
        case ID.codec: want(id, at: body, 1, next: next ?? body)
        default: if let next { seek(next) } else { isDone = true }
        }
    }
}
