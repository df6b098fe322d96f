import Composition
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import URLReferences
import WireFormats

/// Reads the encoded samples of a time range of one file, of one or several tracks; the counterpart of `AVAssetReader` with track outputs without settings.
///
/// Times are those of the asset, which begins at zero. Delivered is all that decoding of the range needs: pictures from the key picture at or before its start, sound
/// from `soundMargin` before it, captions from `textMargin` before it. Each track comes in decoding order, several in the order of the file.
///
/// Confined to one thread, which waits for bytes. `OpenStreams.close` of another thread ends that; the samples then end.
package final class AssetReader {
    /// The state of one track of a range.
    private struct Lane {
        let track: TrackID
        let type: MediaType
        /// Where the key picture may be: pictures from the last known one on.
        var held: [EncodedSample] = []
        var hasBegun = false
        var cut: SampleCut
        var isDone = false
    }
    /// The address as it was given.
    package let url: String
    /// What the container states.
    package let description: ContainerDescription
    private let demuxer: any Demuxing
    private let stream: any ByteStream
    private let streams: OpenStreams
    private var range = TimeRange(start: .zero, duration: .zero)
    /// In the order of their numbers.
    private var lanes: [Lane] = []
    private var ready: [EncodedSample] = []
    private var given = 0

    /// The first frames of a sound decoder depend on earlier ones: at most this much sound.
    package static let soundMargin = MediaTime.milliseconds(200)
    /// A caption that is shown at the start of a range may have begun this much earlier.
    package static let textMargin = MediaTime.seconds(10)
    /// More pictures between two key pictures are not held back to find a later key picture.
    private static let mostHeld = 3000

    /// Opens a file, local or on a server with ranges.
    ///
    /// - Parameter streams: where its byte stream is added, so that another thread can cancel it.
    /// - Throws: `sourceFormat` for what is no file of media, an HLS playlist included, `protected`, or the error of the stream.
    package init(url: String, loader: any ByteLoading, codecs: any CodecFactory, streams: OpenStreams) throws(MediaError) {
        self.url = url
        self.streams = streams
        stream = loader.stream(url)
        streams.add(stream)
        do throws(MediaError) {
            demuxer = try Self.open(stream, codecs)
        } catch {
            streams.end(stream)
            throw error
        }
        description = demuxer.description
    }

    deinit { streams.end(stream) }

    private static func open(_ stream: any ByteStream, _ codecs: any CodecFactory) throws(MediaError) -> any Demuxing {
        let head = try stream.read(count: 64)
        if PlaylistHead.isBeginning(head) {
            throw MediaError(
                .sourceFormat,
                "Exporting \(stream.name) was refused: it is an HLS playlist, and streams are not copied; use a file.")
        }
        if head.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") {
            throw MediaError(
                .sourceFormat,
                "Exporting \(stream.name) was refused: it is a JSON document; use a file of media, and give a composition with --composition."
            )
        }
        guard stream.length != nil else {
            throw MediaError(
                .sourceFormat,
                "Exporting \(stream.name) was refused: it cannot be sought; use a file, or a server that supports ranges.")
        }
        try stream.seek(to: 0)
        return try codecs.openDemuxer(stream, hint: nil)
    }

    /// What compositions need to know of it.
    var facts: SourceFacts { SourceFacts(description) }

    /// The duration of the asset, if the container states it.
    package var duration: MediaTime? { description.duration }

    /// The tracks with pictures or sound, in the order of the file.
    package var tracks: [TrackDescription] { description.tracks.filter { $0.type == .video || $0.type == .audio } }

    /// A track by its number, or without one the first of a media type.
    ///
    /// - Throws: `sourceFormat` if there is none, or it has another type.
    package func track(_ id: TrackID?, of type: MediaType) throws(MediaError) -> TrackDescription {
        let all = description.tracks
        do throws(SourceFault) {
            let found = try facts.track(id, of: type).id
            return all.first { $0.id == found } ?? all[0]
        } catch {
            throw MediaError(.sourceFormat, "Reading \(type.rawValue) of \(stream.name) failed: \(error.words)")
        }
    }

    /// Starts to read a range of some tracks; what was being read is dropped.
    package func start(_ range: TimeRange, tracks: Set<TrackID>) throws(MediaError) {
        self.range = range
        ready = []
        given = 0
        lanes = []
        for track in description.tracks where tracks.contains(track.id) {
            let isVideo = track.type == .video
            let cut = SampleCut(at: range.end, longestReordering: isVideo ? SampleCut.pictureReordering : 0)
            lanes.append(Lane(track: track.id, type: track.type, hasBegun: !isVideo, cut: cut))
        }
        lanes.sort { $0.track < $1.track }
        demuxer.select(Set(lanes.map(\.track)))
        let hasSound = lanes.contains { $0.type != .video }
        let margin = lanes.contains { $0.type == .text } ? Self.textMargin : hasSound ? Self.soundMargin : .zero
        let begin = max(range.start - margin, .zero)
        try demuxer.seek(to: begin + description.startTime)
    }

    /// The next sample; nil after the last one of the range.
    package func nextSample() throws(MediaError) -> EncodedSample? {
        while true {
            if given < ready.count {
                given += 1
                return ready[given - 1]
            }
            ready.removeAll(keepingCapacity: true)
            given = 0
            // Captions are rare: the end of the others ends reading.
            if lanes.allSatisfy({ $0.isDone || $0.type == .text }) { return nil }
            if let sample = try read() { take(sample) } else { finish() }
        }
    }

    /// The key picture at or before a time, or the first one if there is none; nil if the file has none from there on. What was being read is dropped.
    package func keyPicture(at time: MediaTime, of track: TrackID) throws(MediaError) -> EncodedSample? {
        lanes = []
        demuxer.select([track])
        try demuxer.seek(to: max(time, .zero) + description.startTime)
        while let sample = try read() {
            if sample.track == track, sample.isSync { return sample }
        }
        return nil
    }

    /// The next sample of the file, in the time of the asset.
    private func read() throws(MediaError) -> EncodedSample? {
        guard var sample = try demuxer.nextSample() else { return nil }
        if description.startTime != .zero {
            sample.presentationTime -= description.startTime
            sample.decodeTime -= description.startTime
        }
        return sample
    }

    private func take(_ sample: EncodedSample) {
        guard let index = lanes.firstIndex(where: { $0.track == sample.track }), !lanes[index].isDone else { return }
        if lanes[index].type == .video { takePicture(sample, &lanes[index]) } else { takeSound(sample, &lanes[index]) }
        if lanes[index].isDone { demuxer.select(Set(lanes.filter { !$0.isDone }.map(\.track))) }
    }

    private func takePicture(_ sample: EncodedSample, _ lane: inout Lane) {
        guard !lane.hasBegun else { return pass(sample, &lane) }
        if sample.isSync, sample.presentationTime <= range.start {
            lane.held = [sample]
        } else if sample.isSync || !lane.held.isEmpty {
            lane.held.append(sample)
        }
        // A later key picture is presented after the start: nothing is presented before it is decoded.
        guard sample.decodeTime > range.start || lane.held.count > Self.mostHeld else { return }
        begin(&lane)
    }

    private func begin(_ lane: inout Lane) {
        lane.hasBegun = true
        let held = lane.held
        lane.held = []
        for sample in held where !lane.isDone { pass(sample, &lane) }
    }

    private func takeSound(_ sample: EncodedSample, _ lane: inout Lane) {
        let end = sample.presentationTime + (sample.duration ?? .zero)
        if lane.type != .text, end <= range.start - Self.soundMargin { return }
        pass(sample, &lane)
    }

    private func pass(_ sample: EncodedSample, _ lane: inout Lane) {
        if !lane.cut.take(sample, into: &ready) { lane.isDone = true }
    }

    /// The file has ended.
    private func finish() {
        for index in lanes.indices where !lanes[index].isDone {
            if !lanes[index].hasBegun { begin(&lanes[index]) }
            lanes[index].isDone = true
        }
    }
}
