import Composition
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// Reads one track of a composition: opens the source of each segment and delivers its samples in the time of the composition, each with the range of its
/// segment. What decoding needs before that range is delivered too. Pictures are moved at the speed of their segment. Sound keeps its own speed and begins
/// where its segment does: it is resampled when it has been decoded.
// Unchecked: after `init` all mutable state is used only by the jobs of one worker thread, which run one after another.
final class PieceReader: @unchecked Sendable {
    /// An open source.
    private struct Source {
        var url: String
        var stream: any ByteStream
        var demuxer: any Demuxing
    }
    /// A segment that is being read.
    private struct Piece {
        let demuxer: any Demuxing
        let id: TrackID
        /// Of pictures with their speed, of sound at speed 1: decoded sound is resampled.
        let mapping: TimeMapping
        /// Where reading begins, in the time of the source.
        let begin: MediaTime
        var continuity = StampContinuity()
        /// The decode times of pictures; nil for sound.
        var times: DecodeTimes?
        var cut: SampleCut
    }
    /// One run of reading.
    private struct Run {
        var time = MediaTime.zero
        var index = 0
        var piece: Piece?
        var ready: ArraySlice<EncodedSample> = []
        /// Why reading ends after what is ready.
        var failure: MediaError?
    }
    let track: CompositionTrack
    private let gain: (any SoundGain)?
    private let loader: any ByteLoading
    private let codecs: any CodecFactory
    private let streams: OpenStreams
    /// The most recently used last.
    private var sources: [Source] = []
    private var run = Run()

    /// A programme with advertisements changes between two sources.
    private static let mostSources = 3
    /// An audio decoder begins this much before a cut, because its first frames depend on earlier ones, and ends this much after it.
    private static let soundMargin = MediaTime.milliseconds(200)
    /// A position at the very end means the last picture: this much before it.
    private static let beforeEnd = MediaTime.milliseconds(1)

    /// - Parameter gain: how loud it is; nil for full volume.
    init(
        _ track: CompositionTrack, gain: (any SoundGain)?, loader: any ByteLoading, codecs: any CodecFactory,
        streams: OpenStreams
    ) {
        self.track = track
        self.gain = gain
        self.loader = loader
        self.codecs = codecs
        self.streams = streams
    }

    /// The description of the track: that of its first source, with the number and language in the composition.
    func describe() -> Result<TrackDescription, MediaError> {
        guard let index = track.segments.firstIndex(where: { !$0.isEmpty }), let reference = track.segments[index].source else {
            return .failure(
                MediaError(
                    .sourceFormat,
                    "Track \(track.id) of the composition was opened and has no media; add a segment with a source."))
        }
        do throws(MediaError) {
            let demuxer = try open(reference.url, index)
            var description = try found(reference, in: demuxer, index)
            description.id = track.id
            description.languageTag = track.languageTag ?? description.languageTag
            return .success(description)
        } catch {
            return .failure(error)
        }
    }

    /// Delivers the samples from a time of the composition on.
    func read(from time: MediaTime, into buffer: SampleBuffer) {
        guard !buffer.isCancelled else { return }
        begin(at: time)
        do throws(MediaError) {
            while let sample = try next() {
                guard buffer.append(sample) else { return }
            }
            if !buffer.isCancelled { buffer.finish(track.id) }
        } catch {
            buffer.fail(error, of: track.id)
        }
    }

    /// Begins to read at a time of the composition.
    func begin(at time: MediaTime) {
        let first = track.segments.partitioningIndex { $0.target.end > time }
        run = Run(time: time, index: max(min(first, track.segments.count - 1), 0))
    }

    /// The next sample, in decoding order; nil after the last one.
    func next() throws(MediaError) -> EncodedSample? {
        while true {
            if let sample = run.ready.popFirst() { return sample }
            if let failure = run.failure { throw failure }
            if let demuxer = run.piece?.demuxer {
                do throws(MediaError) {
                    if let sample = try demuxer.nextSample() { take(sample) } else { finishPiece() }
                } catch {
                    // What waits for its decode time comes before it.
                    finishPiece()
                    run.failure = error
                }
            } else if run.index < track.segments.count {
                try beginPiece()
            } else {
                return nil
            }
        }
    }

    /// Ends a piece whose source has ended.
    private func finishPiece() {
        if var piece = run.piece {
            for sample in piece.times?.finish() ?? [] where !deliver(sample, of: &piece) { break }
        }
        endPiece()
    }

    private func endPiece() {
        run.piece = nil
        run.index += 1
    }

    private func beginPiece() throws(MediaError) {
        let index = run.index
        guard let reference = track.segments[index].source, let mapping = track.segments[index].timeMapping,
            let rate = mapping.rate
        else { return endPiece() }
        let position = max(min(max(run.time, mapping.target.start), mapping.target.end - Self.beforeEnd), mapping.target.start)
        let demuxer = try open(reference.url, index)
        let id = try found(reference, in: demuxer, index).id
        let isSound = track.type == .audio
        let margin = isSound ? Self.soundMargin : .zero
        let begin = mapping.source.start + (position - mapping.target.start).scaled(by: rate) - margin
        demuxer.select([id])
        try demuxer.seek(to: max(begin, .zero) + demuxer.description.startTime)
        let placing = isSound ? mapping.unscaled : mapping
        run.piece = Piece(
            demuxer: demuxer, id: id, mapping: placing, begin: begin, times: isSound ? nil : DecodeTimes(),
            cut: SampleCut(
                at: placing.target.end + margin, longestReordering: isSound ? 0 : SampleCut.pictureReordering))
    }

    private func take(_ sample: EncodedSample) {
        guard var piece = run.piece, sample.track == piece.id else { return }
        // The run must not hold a second reference to what is changed.
        run.piece = nil
        var sample = sample
        sample.presentationTime -= piece.demuxer.description.startTime
        sample.decodeTime -= piece.demuxer.description.startTime
        piece.continuity.place(&sample)
        let isSound = track.type == .audio
        if isSound, let duration = sample.duration, sample.presentationTime + duration <= piece.begin {
            run.piece = piece
            return
        }
        var isWanted = true
        if let known = piece.times?.take(sample) {
            for sample in known where isWanted { isWanted = deliver(sample, of: &piece) }
            if piece.times?.isComplete == true { piece.times = nil }
        } else {
            isWanted = deliver(sample, of: &piece)
        }
        run.piece = piece
        if !isWanted { endPiece() }
    }

    /// Moves a sample to the time of the composition and makes ready what is needed.
    ///
    /// - Returns: whether later samples of the piece may be needed.
    private func deliver(_ sample: EncodedSample, of piece: inout Piece) -> Bool {
        var sample = sample
        sample.track = track.id
        sample.run = run.index
        piece.mapping.move(&sample)
        sample.presentedRange = piece.mapping.target
        sample.gain = gain
        var needed: [EncodedSample] = []
        let isWanted = piece.cut.take(sample, into: &needed)
        run.ready += needed
        return isWanted
    }

    // MARK: Sources

    private func open(_ url: String, _ index: Int) throws(MediaError) -> any Demuxing {
        if let place = sources.firstIndex(where: { $0.url == url }) {
            sources.append(sources.remove(at: place))
            return sources[sources.count - 1].demuxer
        }
        if sources.count >= Self.mostSources { streams.end(sources.removeFirst().stream) }
        let stream = loader.stream(url)
        streams.add(stream)
        do throws(MediaError) {
            let demuxer = try opened(stream, index)
            sources.append(Source(url: url, stream: stream, demuxer: demuxer))
            return demuxer
        } catch {
            streams.end(stream)
            throw error
        }
    }

    private func opened(_ stream: any ByteStream, _ index: Int) throws(MediaError) -> any Demuxing {
        do throws(PieceSource.Failure) {
            return try PieceSource.open(stream, codecs)
        } catch {
            switch error {
            case .unusable(let fault): throw refusal(index, stream.name, fault)
            case .failed(let error): throw error
            }
        }
    }

    private func found(
        _ reference: SourceReference, in demuxer: any Demuxing, _ index: Int
    ) throws(MediaError) -> TrackDescription {
        let all = demuxer.description.tracks
        do throws(SourceFault) {
            let id = try SourceFacts(demuxer.description).track(reference.track, of: track.type).id
            return all.first { $0.id == id } ?? all[0]
        } catch {
            throw refusal(index, reference.url, error)
        }
    }

    private func refusal(_ index: Int, _ name: String, _ fault: SourceFault) -> MediaError {
        MediaError(
            .sourceFormat,
            "Opening segment \(index + 1) of track \(track.id) of the composition, \(name), failed: \(fault.words)")
    }
}
