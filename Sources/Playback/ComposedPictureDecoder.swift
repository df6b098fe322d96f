import Composition
import MediaModel
import MediaTime

/// Makes the pictures of a video composition from bundles of encoded samples: decodes each track, and composes one picture for each bundle. Confined to
/// its thread.
final class ComposedPictureDecoder: VideoDecoding {
    private struct Lane {
        let track: CompositionTrack
        let worker: DecodeWorker<VideoFrame>
        /// Decoded pictures from the shown one on.
        var frames: [VideoFrame] = []
        /// Whether the decoder holds nothing back.
        var isDry = true
        /// From when on samples are still to come; nil if none are.
        var owedFrom: MediaTime?
    }
    private struct Wanted {
        let time: MediaTime
        let duration: MediaTime
        let isSkipped: Bool
    }
    private let video: VideoComposition
    private let compositor: any VideoCompositing
    /// Whether pictures that need no composing are passed on with their place.
    private let leavesSinglePictures: Bool
    private let allocator: any FrameAllocator
    private var lanes: [Lane]
    private var wanted: ArraySlice<Wanted> = []
    var skipsNonReference = false

    /// Containers round time stamps: a picture that begins this little later is the picture of a time.
    private static let coarseness = MediaTime.milliseconds(2)

    /// - Parameter placesPictures: whether what takes the frames knows `VideoFrame.placement`, as displays do; otherwise every picture has the render size.
    init(
        _ programme: ComposedProgramme, _ video: VideoComposition, _ compositor: any VideoCompositing,
        codecs: any CodecFactory, allocator: any FrameAllocator, placesPictures: Bool
    ) {
        self.video = video
        self.compositor = compositor
        leavesSinglePictures = placesPictures && compositor.leavesSinglePictures
        self.allocator = allocator
        // What is composed is read by the CPU.
        let memory: any FrameAllocator = allocator.isCached ? StandardRangeMemory(allocator) : MemoryAllocator()
        lanes = programme.tracks.map { track in
            let kind = TrackKind<VideoFrame>.video(codecs: codecs, allocator: memory, cache: FrameCache())
            return Lane(track: track, worker: DecodeWorker(kind: kind, clock: programme.clock))
        }
    }

    func flush() {
        wanted = []
        for index in lanes.indices {
            lanes[index].worker.begin()
            lanes[index].frames = []
            lanes[index].isDry = true
            lanes[index].owedFrom = nil
        }
    }

    func decode(_ sample: EncodedSample?) throws(MediaError) -> [VideoFrame] {
        if let sample {
            guard let bundle = sample.payload as? ComposedBundle, bundle.feeds.count == lanes.count else { return [] }
            for index in lanes.indices { try take(bundle.feeds[index], &lanes[index]) }
            wanted.append(
                Wanted(
                    time: sample.presentationTime, duration: sample.duration ?? video.frameDuration,
                    isSkipped: skipsNonReference && !sample.isSync))
        } else {
            for index in lanes.indices { try take(ComposedBundle.Feed(isDrained: true), &lanes[index]) }
        }
        var frames: [VideoFrame] = []
        while let next = wanted.first, lanes.allSatisfy({ isReady($0, for: next.time) }) {
            wanted.removeFirst()
            if let frame = try compose(next) { frames.append(frame) }
        }
        return frames
    }

    private func take(_ feed: ComposedBundle.Feed, _ lane: inout Lane) throws(MediaError) {
        do throws(DecodeWorker<VideoFrame>.DecodeFailure) {
            for sample in feed.samples {
                lane.frames += try lane.worker.prepare(for: sample)
                let begin = sample.presentedRange?.start ?? .zero
                lane.worker.setHaste(sample.duration.map { sample.presentationTime + $0 <= begin } ?? false)
                lane.frames += try lane.worker.decode(sample)
                lane.isDry = false
            }
            if feed.isDrained, !lane.isDry {
                lane.frames += try lane.worker.drain()
                lane.isDry = true
            }
            lane.owedFrom = feed.owed?.segmentStart
        } catch {
            throw error.reason
        }
    }

    private var tolerance: MediaTime { min(Self.coarseness, video.frameDuration / 4) }

    /// Whether the picture of a track for a time is known.
    private func isReady(_ lane: Lane, for time: MediaTime) -> Bool {
        lane.isDry && lane.owedFrom.map { time < $0 } ?? true || lane.track.segment(at: time)?.isEmpty ?? true
            || (lane.frames.last.map { $0.end > time + tolerance } ?? false)
    }

    private func compose(_ wanted: Wanted) throws(MediaError) -> VideoFrame? {
        guard !wanted.isSkipped, let picture = video.picture(at: wanted.time) else { return nil }
        for index in lanes.indices { drop(before: wanted.time, &lanes[index]) }
        var layers: [VideoCompositionRequest.Layer] = []
        for layer in picture.layers {
            guard let lane = lanes.first(where: { $0.track.id == layer.track }), let frame = frame(of: lane, at: wanted.time)
            else {
                continue
            }
            guard frame.quarterTurns % 4 == 0 else {
                throw MediaError(
                    .decoderUnsupported,
                    "Composing the pictures of track \(layer.track) failed: they are turned; use a source with upright pictures.")
            }
            let (transform, crop) = (layer.transform, layer.crop)
            layers.append(
                VideoCompositionRequest.Layer(
                    frame: frame, opacity: layer.opacity, x: transform.x, y: transform.y, scaleX: transform.scaleX,
                    scaleY: transform.scaleY, crop: (crop.x, crop.y, crop.width, crop.height)))
        }
        let request = VideoCompositionRequest(
            width: video.renderSize.width, height: video.renderSize.height, background: picture.background, layers: layers,
            time: wanted.time, duration: wanted.duration)
        if leavesSinglePictures, let placed = request.placed { return placed }
        var frame = try compositor.compose(request, allocator: allocator)
        // A compositor of a client may not change when its picture is shown.
        (frame.time, frame.duration) = (wanted.time, wanted.duration)
        return frame
    }

    /// Releases what is not shown any more.
    private func drop(before time: MediaTime, _ lane: inout Lane) {
        let shown = lane.frames.lastIndex { $0.time <= time + tolerance } ?? 0
        lane.frames.removeFirst(shown)
    }

    /// The picture of a track at a time: the last one if its source has ended within the segment, none in an empty segment.
    private func frame(of lane: Lane, at time: MediaTime) -> VideoFrame? {
        guard let segment = lane.track.segment(at: time), !segment.isEmpty, let first = lane.frames.first,
            first.time <= time + tolerance, first.end > segment.target.start
        else { return nil }
        return first
    }
}
