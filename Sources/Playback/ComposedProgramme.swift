import Composition
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// What makes one track of several tracks of a composition: the parameters of the "codec" whose samples are bundles of encoded samples.
final class ComposedProgramme: CodecParameters {
    /// What is made.
    enum Kind: Sendable {
        case pictures(VideoComposition, any VideoCompositing)
        /// The volumes of the tracks, those of full volume left out, and what hears them.
        case sound([TrackID: MixGain], [TrackID: any SoundTap])
    }
    /// In the order of the feeds of a bundle.
    let tracks: [CompositionTrack]
    let kind: Kind
    let clock: any HostClock

    /// The end of what is made.
    let duration: MediaTime

    init(_ tracks: [CompositionTrack], _ kind: Kind, duration: MediaTime, clock: any HostClock) {
        self.tracks = tracks
        self.kind = kind
        self.duration = duration
        self.clock = clock
    }

    var codecName: String { "composition" }
    func canContinue(as other: any CodecParameters) -> Bool { self === other }

    /// What the sound of a document is made of.
    static func sound(of document: CompositionDocument, _ taps: [TrackID: any SoundTap]) -> Kind {
        var gains: [TrackID: MixGain] = [:]
        for track in document.composition.tracks(of: .audio) {
            gains[track.id] = document.audioMix?.gain(of: track.id, in: document.composition)
        }
        return .sound(gains, taps)
    }

    /// The tracks of a document that have something to show, or to hear: a track of silence alone is left out.
    static func tracks(of document: CompositionDocument, _ type: MediaType) -> [CompositionTrack] {
        document.composition.tracks(of: type).filter { track in
            type == .audio ? track.segments.contains { !$0.isEmpty } : !track.segments.isEmpty
        }
    }

    /// How long one sample lasts.
    var step: MediaTime {
        switch kind {
        case .pictures(let video, _): video.frameDuration
        case .sound: Self.soundStep
        }
    }

    /// A whole number of samples at every usual rate.
    private static let soundStep = MediaTime.milliseconds(20)
}

/// What the decoders of all tracks need for one picture, or for a stretch of sound. Immutable.
final class ComposedBundle: SamplePayload {
    /// What the decoder of one track needs.
    struct Feed: Sendable {
        var samples: [EncodedSample] = []
        /// Whether nothing follows that continues these samples, so that the decoder must give what it holds back.
        var isDrained = false
        /// What is to come in the next bundle although this one needs it; nil if it has all that it needs.
        var owed: Owed?
    }
    /// The samples that a bundle lacks.
    struct Owed: Sendable {
        /// The start of their segment: nothing before it needs them.
        var segmentStart: MediaTime
        /// When the first of them is needed.
        var position: MediaTime
    }
    let feeds: [Feed]

    init(_ feeds: [Feed]) { self.feeds = feeds }

    /// Whether something that is presented before a time needs samples that come in a later bundle.
    func owes(before time: MediaTime) -> Bool {
        feeds.contains { $0.owed.map { max($0.segmentStart, $0.position) < time } ?? false }
    }

    var byteCount: Int { feeds.reduce(0) { $0 + $1.samples.reduce(0) { $0 + $1.payload.byteCount } } }
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
}

/// Reads several tracks of a composition and delivers one: a bundle of encoded samples for each picture, or for each stretch of sound.
// Unchecked: after `init` all mutable state is used only by the jobs of one worker thread, which run one after another.
final class ComposedReader: @unchecked Sendable {
    private struct Lane {
        let reader: PieceReader
        /// The sample after the delivered ones.
        var next: EncodedSample?
        /// The segment of the last delivered sample, if its decoder was not drained since.
        var open: Int?
    }
    /// The numbers of the bundles of a run of reading.
    private struct Run {
        var first: Int64 = 0
        var count: Int64 = 0
        /// The next one.
        var number: Int64 = 0
    }
    let programme: ComposedProgramme
    let id: TrackID
    private var lanes: [Lane]
    private var run = Run()

    /// Pictures are delivered from a multiple of this many on, so that backward playback has stretches of some length.
    private static let group: Int64 = 12
    /// A bundle has at most this many samples of a track, so that a decoder is not occupied for seconds: what precedes a cut in a long group of pictures comes in
    /// several.
    private static let mostSamples = 16
    /// In slow motion, decoders that hold pictures back would wait for seconds: this many samples come earlier.
    private static let slowLead = 16

    /// - Parameter readers: of the tracks of the programme, in their order.
    init(_ programme: ComposedProgramme, _ readers: [PieceReader]) {
        self.programme = programme
        id = readers[0].track.id
        lanes = readers.map { Lane(reader: $0) }
    }

    private var isVideo: Bool { if case .pictures = programme.kind { true } else { false } }

    /// The description of the track that is made. All tracks are opened.
    func describe() -> Result<TrackDescription, MediaError> {
        do throws(MediaError) {
            var description: TrackDescription?
            for lane in lanes where !lane.reader.track.segments.allSatisfy(\.isEmpty) {
                let found = try lane.reader.describe().get()
                description = description ?? found
            }
            var made = description ?? TrackDescription(id: id, type: isVideo ? .video : .audio, codec: "")
            made.id = id
            made.codec = programme.codecName
            made.parameters = programme
            made.bitRate = nil
            if case .pictures(let video, _) = programme.kind {
                made.highRange = nil
                made.width = video.renderSize.width
                made.height = video.renderSize.height
                made.frameRate = Ratio(MediaTime.seconds(1), over: video.frameDuration)
            }
            return .success(made)
        } catch {
            return .failure(error)
        }
    }

    /// Delivers the bundles from a time of the composition on.
    func read(from time: MediaTime, into buffer: SampleBuffer) {
        guard !buffer.isCancelled else { return }
        do throws(MediaError) {
            try begin(at: time)
            while let bundle = try next() {
                guard buffer.append(bundle) else { return }
            }
            buffer.finish(id)
        } catch {
            buffer.fail(error, of: id)
        }
    }

    /// Begins to read at a time of the composition, or a little before it.
    func begin(at time: MediaTime) throws(MediaError) {
        let (step, duration) = (programme.step, programme.duration)
        let whole = duration.wholeSteps(of: step)
        let count = step * Int(whole) < duration ? whole + 1 : whole
        let place = max(min(time.wholeSteps(of: step), count - 1), 0)
        let first = isVideo ? place - place % Self.group : place
        run = Run(first: first, count: count, number: first)
        for index in lanes.indices {
            lanes[index].reader.begin(at: step * Int(first))
            lanes[index].open = nil
            lanes[index].next = try lanes[index].reader.next()
        }
    }

    /// The next bundle; nil after the last one.
    func next() throws(MediaError) -> EncodedSample? {
        guard run.number < run.count else { return nil }
        defer { run.number += 1 }
        let start = programme.step * Int(run.number)
        let isLast = run.number == run.count - 1
        let end = isLast ? programme.duration : start + programme.step
        var feeds: [ComposedBundle.Feed] = []
        for index in lanes.indices { feeds.append(try feed(index, until: end, isLast: isLast)) }
        return EncodedSample(
            track: id, presentationTime: start, decodeTime: start, duration: end - start,
            isSync: (run.number - run.first) % Self.group == 0, payload: ComposedBundle(feeds), parameters: programme)
    }

    /// What one track needs up to a time.
    private func feed(_ index: Int, until time: MediaTime, isLast: Bool) throws(MediaError) -> ComposedBundle.Feed {
        var feed = ComposedBundle.Feed()
        var lead = 0
        while let sample = lanes[index].next {
            let segment = lanes[index].reader.track.segments[sample.run]
            let position = position(of: sample, in: segment)
            if position >= time {
                // The last picture has no later bundle; a slow one would wait long for its own.
                guard segment.rate.map({ $0 < Ratio(1, 2) }) ?? false, isVideo, lead < Self.slowLead else { break }
                lead += 1
            }
            guard isLast || feed.samples.count < Self.mostSamples else {
                feed.owed = ComposedBundle.Owed(segmentStart: segment.target.start, position: position)
                break
            }
            feed.samples.append(sample)
            lanes[index].open = sample.run
            lanes[index].next = try lanes[index].reader.next()
        }
        if let open = lanes[index].open, isLast || lanes[index].next?.run != open {
            feed.isDrained = true
            lanes[index].open = nil
        }
        return feed
    }

    /// When a sample is needed, in the time of the composition.
    private func position(of sample: EncodedSample, in segment: CompositionTrackSegment) -> MediaTime {
        guard !isVideo, let mapping = segment.timeMapping else { return min(sample.decodeTime, sample.presentationTime) }
        return mapping.extendedTargetTime(atSource: mapping.source.start + (sample.presentationTime - mapping.target.start))
    }
}
