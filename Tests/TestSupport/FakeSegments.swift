import MediaModel
import MediaTime

/// Segments in a test container, packed like a transport stream: packets of 188 bytes, each a line of text after eight bytes.
///
///     tracks v a         which kinds of samples follow
///     v 900000 3600 1    a picture: timestamp and duration in units of 1/90000 s, and whether it is a sync sample
///     a 900000 1920 1    sound, the same
///     starts 900000      the first timestamp of all samples, where it is stated
package enum FakeSegment {
    /// The length of a packet.
    package static let packetSize = 188

    /// Frames and sound for a range of stream time.
    ///
    /// - Parameters:
    ///   - start: the timestamp of the first sample in units of 1/90000 s.
    ///   - count: the number of samples of 40 ms of each kind.
    ///   - keyEvery: the distance of key frames, counted from frame zero; nil: the first picture is one.
    ///   - first: the number of the first frame.
    ///   - stated: the first timestamp as a table states it; nil: there is no such table.
    ///   - has: whether a track has a sample with a number.
    ///   - kinds: a letter for each track: `v` is pictures, `w` darker pictures, `m` timed metadata, anything else sound; the sound of `b` is
    ///     negative.
    package static func bytes(
        kinds: String = "v", start: Int64, count: Int = 25, keyEvery: Int? = nil, first: Int = 0, stated: Int64? = nil,
        has: (Character, Int) -> Bool = { _, _ in true }
    ) -> [UInt8] {
        var bytes = packet("tracks " + kinds.map(String.init).joined(separator: " "))
        if let stated { bytes += packet("starts \(stated)") }
        for number in 0..<count {
            let isKey = keyEvery.map { (first + number) % $0 == 0 } ?? (number == 0)
            for kind in kinds where has(kind, first + number) {
                bytes += packet("\(kind) \(start + Int64(number) * 3600) 3600 \(isKey ? 1 : 0)")
            }
        }
        return bytes
    }

    /// An initialisation section; its first bytes identify the container as fragmented MP4.
    package static func initialisation(kinds: String = "v") -> [UInt8] {
        packet("tracks " + kinds.map(String.init).joined(separator: " "), head: [0, 0, 0, 24] + Array("ftyp".utf8))
    }

    private static func packet(_ line: String, head: [UInt8] = [0x47, 0, 0, 0, 0, 0, 0, 0]) -> [UInt8] {
        let bytes = head + Array(line.utf8)
        return bytes + [UInt8](repeating: 0x20, count: packetSize - bytes.count)
    }
}

/// Demuxes fake segments.
package final class FakeSegmentDemuxer: Demuxing {
    private let stream: any ByteStream
    private let parameters = FakeParameters("fake")
    private let otherParameters = FakeParameters("fake-b")
    private var kinds: [Character] = []
    private var selected: Set<TrackID> = []
    private var last: Int64?
    private var isStartStated = false
    /// The kinds that the newest line of tracks lists.
    private var listed: Set<Character> = []
    private var isNewTrackWanted: ((TrackDescription) -> Bool)?
    package private(set) var description: ContainerDescription

    /// Reads the first packet.
    ///
    /// - Throws: `MediaError` when it is invalid.
    package init(_ stream: any ByteStream) throws(MediaError) {
        self.stream = stream
        guard let words = try Self.line(stream), words.first == "tracks" else {
            throw MediaError(.sourceFormat, "\(stream.name) begins with no line of tracks.")
        }
        kinds = words.dropFirst().compactMap(\.first)
        listed = Set(kinds)
        let tracks = kinds.enumerated().map { Self.track($0, $1) }
        description = ContainerDescription(format: "fake segments", tracks: tracks, duration: nil, startTime: .zero)
    }

    private static func track(_ number: Int, _ kind: Character) -> TrackDescription {
        TrackDescription(
            id: TrackID(number), type: "vw".contains(kind) ? .video : kind == "m" ? .metadata : .audio, codec: "fake")
    }

    package func select(_ tracks: Set<TrackID>) { selected = tracks }

    package func offerNewTracks(to isWanted: @escaping (TrackDescription) -> Bool) { isNewTrackWanted = isWanted }

    package func lists(_ track: TrackID) -> Bool { kinds.indices.contains(track.number) && listed.contains(kinds[track.number]) }

    /// A line of tracks in the middle, like a new version of tables.
    private func list(_ now: [Character]) {
        listed = Set(now)
        guard let isNewTrackWanted else { return }
        for kind in now where !kinds.contains(kind) {
            let track = Self.track(kinds.count, kind)
            kinds.append(kind)
            description.tracks.append(track)
            if isNewTrackWanted(track) { selected.insert(track.id) }
        }
    }

    package func seek(to time: MediaTime) throws(MediaError) {
        throw MediaError(.internal, "Segments go forward only.")
    }

    package func nextSample() throws(MediaError) -> EncodedSample? {
        while let words = try Self.line(stream) {
            if words.first == "tracks" { list(words.dropFirst().compactMap(\.first)) }
            if words.first == "starts", let stamp = words.last.flatMap({ Int64($0) }) {
                description.startTime = MediaTime(stamp, 90_000)
                isStartStated = true
            }
            guard let kind = words.first?.first, words.count == 4, let number = kinds.firstIndex(of: kind) else { continue }
            guard selected.contains(TrackID(number)), var stamp = Int64(words[1]), let length = Int64(words[2]) else { continue }
            // Timestamps that wrap continue, like a demuxer's.
            if let last, stamp < last - 1 << 32 { stamp += 1 << 33 }
            let time = MediaTime(stamp, 90_000)
            // Known as soon as a sample is.
            if last == nil, !isStartStated { description.startTime = time }
            last = stamp
            let duration = MediaTime(length, 90_000)
            return EncodedSample(
                track: TrackID(number), presentationTime: time, decodeTime: time, duration: duration, isSync: words[3] == "1",
                payload: kind == "m" ? FakeTag(words[1]) : FakePayload(duration: duration, isNegative: "bw".contains(kind)),
                parameters: kind == "b" ? otherParameters : parameters)
        }
        return nil
    }

    /// The words of the next packet; nil at the end.
    private static func line(_ stream: any ByteStream) throws(MediaError) -> [String]? {
        var packet = [UInt8](repeating: 0, count: FakeSegment.packetSize)
        var count = 0
        while count < packet.count {
            let result = packet.withUnsafeMutableBytes { bytes -> Result<Int, MediaError> in
                do throws(MediaError) {
                    return .success(try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...])))
                } catch {
                    return .failure(error)
                }
            }
            let part = try result.get()
            if part == 0 { return nil }
            count += part
        }
        return String(decoding: packet[8...], as: UTF8.self).split(separator: " ").map(String.init)
    }
}

/// A sample of timed metadata: a text.
private final class FakeTag: SamplePayload {
    private let bytes: [UInt8]
    var byteCount: Int { bytes.count }

    init(_ text: String) { bytes = Array(text.utf8) }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }
}
