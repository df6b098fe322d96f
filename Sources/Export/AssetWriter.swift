import MediaModel
import MediaTime
import WireFormats

/// Writes encoded samples into a new MP4 file, plain or fragmented; the counterpart of `AVAssetWriter`. The file has its name once `finish` has returned.
///
/// Samples are given in the time of their track's media, which begins at zero in decoding order; edit lists say when they are presented.
///
/// Confined to one thread, which waits for the disk.
package final class AssetWriter {
    private let file: any OutputFile
    private let header: HeaderOutput
    private let muxer: any Muxing
    private let container: WrittenContainer
    private let tracks: [WrittenTrack]
    /// Where fragments may begin: at key pictures this far apart.
    private var fragmentStart: MediaTime?
    private let fragmentDuration: MediaTime
    private let pacing: Int
    /// When the first chapter begins; nil without a track of chapters.
    private let firstChapter: MediaTime?

    /// A longer index than that of a film of days is not read back.
    private static let longestIndex: Int64 = 1 << 30

    /// - Parameters:
    ///   - facts: what the file says of itself.
    ///   - edits: those of each track; for a fragmented file, whose header comes first. Those of a plain file are given to `finish`.
    ///   - fragmentDuration: the least duration of a fragment.
    /// - Throws: what `WriterFactory.openMuxer` throws, or the error of the file.
    package init(
        _ file: any OutputFile, container: WrittenContainer, tracks: [WrittenTrack], facts: WrittenFacts,
        edits: [[MovieEdit]] = [], fragmentDuration: MediaTime = .seconds(2), pacing: Int = 0, factory: any WriterFactory
    ) throws(MediaError) {
        self.file = file
        self.container = container
        self.tracks = tracks
        self.fragmentDuration = fragmentDuration
        self.pacing = pacing
        firstChapter = container == .mp4 ? facts.chapters.first?.range.start : nil
        header = HeaderOutput(file, isHeld: container == .fragmentedMP4)
        muxer = try factory.openMuxer(container, tracks: tracks, facts: facts, output: header)
        if container == .fragmentedMP4 {
            let bytes = header.take()
            let all = edits.isEmpty ? tracks.map { _ in [] } : edits
            try header.pass(try Self.index(bytes, all, file.name))
        }
    }

    /// Appends a sample.
    package func append(_ sample: EncodedSample, to track: Int) throws(MediaError) {
        if container == .fragmentedMP4, track == pacing, sample.isSync {
            if let start = fragmentStart, sample.decodeTime - start >= fragmentDuration {
                try muxer.endFragment()
                fragmentStart = sample.decodeTime
            } else if fragmentStart == nil {
                fragmentStart = sample.decodeTime
            }
        }
        try muxer.append(sample, to: track)
    }

    /// Completes the file and gives it its name.
    ///
    /// - Parameter edits: those of each track of a plain file.
    package func finish(edits: [[MovieEdit]] = []) throws(MediaError) {
        try muxer.finish()
        if container == .mp4, !edits.isEmpty { try rewriteIndex(edits + chapterEdits(edits)) }
        try file.commit()
    }

    /// Those of the track of chapters, which the muxer adds after the others. Its media begins with the first chapter, to the millisecond.
    private func chapterEdits(_ edits: [[MovieEdit]]) -> [[MovieEdit]] {
        guard let firstChapter else { return [] }
        let whole = edits.map { $0.reduce(MediaTime.zero) { $0 + $1.duration } }.max() ?? .zero
        let start = min(MediaTime.milliseconds(firstChapter.milliseconds), whole)
        let media = MovieEdit(mediaTime: .zero, duration: whole - start)
        return [start > .zero ? [MovieEdit(mediaTime: nil, duration: start), media] : [media]]
    }

    /// Removes what was written.
    package func cancel() { file.discard() }

    /// The index is the last box of the file, so that it may change its length.
    private func rewriteIndex(_ edits: [[MovieEdit]]) throws(MediaError) {
        var place: Int64 = 0
        while place < file.length {
            let head = try file.read(place..<min(place + Int64(MP4Box.Header.longest), file.length))
            guard let box = MP4Box.Header(head[...]) else { break }
            let size = box.size ?? file.length - place
            guard box.type == "moov" else {
                place += size
                continue
            }
            guard place + size == file.length, size <= Self.longestIndex else { break }
            let moov = try file.read(place..<file.length)
            guard let new = MovieIndex.adding(edits, to: moov, isFragmented: false) else { break }
            try file.seek(to: place)
            return try new.withUnsafeBytesTyped { bytes throws(MediaError) in try file.write(bytes) }
        }
        throw Self.failure(file.name)
    }

    private static func index(_ bytes: [UInt8], _ edits: [[MovieEdit]], _ name: String) throws(MediaError) -> [UInt8] {
        var result: [UInt8] = []
        for box in MP4Box.boxes(in: bytes[...]) {
            let whole = Array(bytes[box.start..<box.body.endIndex])
            if box.type != "moov" {
                result += whole
            } else if let new = MovieIndex.adding(edits, to: whole, isFragmented: true) {
                result += new
            } else {
                throw failure(name)
            }
        }
        return result
    }

    private static func failure(_ name: String) -> MediaError {
        MediaError(
            .internal, "Writing the edit lists of \(name) failed: the muxer left no index that can be changed; report this.")
    }
}

/// Passes bytes on, or holds back a header that is changed first.
private final class HeaderOutput: ByteOutput {
    private let file: any ByteOutput
    private var held: [UInt8]?
    /// How much longer the header became: FFmpeg's positions are before that.
    private var shift: Int64 = 0
    private var taken: Int64 = 0

    init(_ file: any ByteOutput, isHeld: Bool) {
        self.file = file
        held = isHeld ? [] : nil
    }

    var name: String { file.name }

    func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        if held != nil { held! += bytes } else { try file.write(bytes) }
    }

    func seek(to offset: Int64) throws(MediaError) {
        guard held == nil else {
            throw MediaError(.internal, "Writing \(name) failed: the muxer sought within the header; report this.")
        }
        try file.seek(to: offset + shift)
    }

    /// The bytes so far; those that follow are passed on.
    func take() -> [UInt8] {
        defer { held = nil }
        taken = Int64(held?.count ?? 0)
        return held ?? []
    }

    /// Writes the changed header.
    func pass(_ bytes: [UInt8]) throws(MediaError) {
        shift = Int64(bytes.count) - taken
        try bytes.withUnsafeBytesTyped { bytes throws(MediaError) in try file.write(bytes) }
    }
}

extension [UInt8] {
    /// `withUnsafeBytes` with a typed error.
    func withUnsafeBytesTyped(_ body: (UnsafeRawBufferPointer) throws(MediaError) -> Void) throws(MediaError) {
        let result = withUnsafeBytes { bytes -> Result<Void, MediaError> in
            do throws(MediaError) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}
