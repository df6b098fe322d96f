import MediaModel
import MediaTime
import URLReferences
import WireFormats

/// The rules of tracks and segments.
struct CompositionValidator {
    /// The numbers that a track may have.
    static let trackNumbers = 1...1_000_000
    private(set) var findings = CompositionFindings()
    /// The addresses that were found usable: most pieces have few sources.
    private var usable: Set<String> = []

    mutating func check(_ composition: Composition) {
        let place = JSONPointer(["tracks"])
        if composition.tracks.count > CompositionLimits.tracks {
            findings.error(
                .limit, place, "there are \(composition.tracks.count) tracks", "Use at most \(CompositionLimits.tracks).")
        }
        if composition.segmentCount > CompositionLimits.segments {
            return findings.error(
                .limit, place, "there are \(composition.segmentCount) segments",
                "Use at most \(CompositionLimits.segments): divide the programme.")
        }
        var used: Set<TrackID> = []
        for (index, track) in composition.tracks.enumerated() {
            let pointer = place.appending(index)
            checkNumber(of: track, &used, at: pointer)
            check(track.segments, at: pointer.appending("segments"))
            checkCodecs(track, at: pointer.appending("segments"))
        }
    }

    private mutating func checkNumber(of track: CompositionTrack, _ used: inout Set<TrackID>, at pointer: JSONPointer) {
        if !Self.trackNumbers.contains(track.id.number) {
            findings.error(
                .track, pointer.appending("id"), "\(track.id) is not the number of a track",
                "Use a number from \(Self.trackNumbers.lowerBound) to \(Self.trackNumbers.upperBound).")
        } else if !used.insert(track.id).inserted {
            findings.error(
                .track, pointer.appending("id"), "another track has the number \(track.id)", "Give each track its own number.")
        }
        if track.type != .video && track.type != .audio {
            findings.error(
                .track, pointer.appending("type"), "a track of \(track.type.rawValue) cannot be composed",
                "Use \"video\" or \"audio\".")
        }
    }

    private mutating func check(_ segments: [CompositionTrackSegment], at place: JSONPointer) {
        var end: MediaTime? = .zero
        for (index, segment) in segments.enumerated() {
            let pointer = place.appending(index)
            let target = pointer.appending("target")
            let isSound = findings.checkRange(segment.target, at: target)
            if isSound, let end { checkPlace(segment.target.start, after: end, isFirst: index == 0, at: target) }
            // What follows an impossible range is not compared with it.
            end = isSound ? segment.target.end : nil
            guard case .media(let source, let range) = segment.content else { continue }
            check(source, at: pointer)
            if findings.checkRange(range, at: pointer.appending("source")), isSound { checkRate(segment, at: pointer) }
        }
    }

    private mutating func checkPlace(_ start: MediaTime, after end: MediaTime, isFirst: Bool, at pointer: JSONPointer) {
        let before = isFirst ? "the start of the track" : "the end of the segment before it, \(end)"
        if start > end {
            findings.error(
                .gap, pointer, "begins at \(start), \(start - end) s after \(before)",
                "Begin at \(end), or put an empty segment between them.")
        } else if start < end {
            findings.error(
                .overlap, pointer, "begins at \(start), \(end - start) s before \(before)", "Begin at \(end).")
        }
    }

    private mutating func check(_ source: SourceReference, at pointer: JSONPointer) {
        if !usable.contains(source.url) { checkAddress(source.url, at: pointer.appending("url")) }
        if let track = source.track, track.number < 0 {
            findings.error(
                .track, pointer.appending("track"), "\(track) is not the number of a track",
                "Use a number that `marquee probe` prints, or leave it out.")
        }
    }

    private mutating func checkAddress(_ url: String, at pointer: JSONPointer) {
        if url.isEmpty || url.utf8.count > CompositionLimits.address {
            findings.error(
                .url, pointer, "the address has \(url.utf8.count) bytes",
                "Use an address of 1 to \(CompositionLimits.address) bytes.")
        } else if !SourceAddress.isUsable(url) {
            findings.error(
                .url, pointer, "\(JSONText.quoted(Redaction.withoutSecrets(url))) cannot be a source",
                "Use an http, https or file URL, or a path.")
        } else {
            usable.insert(url)
        }
    }

    private mutating func checkRate(_ segment: CompositionTrackSegment, at pointer: JSONPointer) {
        guard let mapping = segment.timeMapping else { return }
        guard let rate = mapping.rate else {
            return findings.error(
                .inexact, pointer, "the speed of \(mapping.source) in \(mapping.target) cannot be expressed exactly",
                "Use times of a common timescale.")
        }
        let limits = CompositionLimits.rates
        if !limits.contains(rate) {
            findings.error(
                .rate, pointer, "the source plays at \(rate) times its speed",
                "Use a target between \(limits.lowerBound) and \(limits.upperBound) times the length of the source.")
        }
    }

    /// AVFoundation keeps media of different formats in different tracks; here they are allowed, and cost a new decoder.
    private mutating func checkCodecs(_ track: CompositionTrack, at place: JSONPointer) {
        guard let first = track.codec else { return }
        for (index, segment) in track.segments.enumerated() {
            guard let codec = segment.source?.codec, codec != first else { continue }
            findings.warn(
                .codec, place.appending(index).appending("codec"), "is \(codec), and the track began with \(first)",
                "A new decoder is opened at this edge; use a track of its own to export without decoding.")
        }
    }
}

/// Which addresses may be sources.
enum SourceAddress {
    static let schemes = ["http", "https", "file"]

    static func isUsable(_ url: String) -> Bool {
        let reference = URLReference(url)
        guard let scheme = reference.scheme?.lowercased() else { return !reference.path.isEmpty && !url.contains("\0") }
        guard schemes.contains(scheme) else { return false }
        return scheme == "file" ? !reference.path.isEmpty : !(reference.authority ?? "").isEmpty
    }
}
