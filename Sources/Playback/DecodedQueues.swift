import LinuxSupport
import MediaModel
import MediaTime

/// What a decoder's thread hands over, in order of presentation.
enum Decoded<Element: Sendable>: Sendable {
    /// A frame or a stretch of sound.
    case media(Element)
    /// The track is over: nothing follows.
    case end
    /// Decoding or reading cannot go on: nothing follows.
    case failed(MediaError)
}

/// Which decoded media are wanted after a seek.
struct DecodeWindow: Sendable {
    /// What ends at or before this time is decoded and thrown away.
    var earliest: MediaTime
}

/// Decodes the video track of one player, on a thread of its own. The decoder outlives seeks and discontinuities for as long as the parameters allow.
@MainActor
final class VideoTrackDecoder {
    private let thread: WorkerThread
    private let state: State
    private let clock: any HostClock

    init(codecs: any CodecFactory, allocator: any FrameAllocator, clock: any HostClock) {
        self.clock = clock
        thread = WorkerThread(name: "decode-video", clock: clock)
        state = State(codecs: codecs, allocator: allocator)
    }

    /// Begins to decode a run of reading into a new queue. What was being decoded must have been cancelled.
    ///
    /// - Parameter bell: rung whenever something was put into the queue.
    func start(
        reading buffer: SampleBuffer, track: TrackID, window: DecodeWindow, bell: Doorbell
    ) -> BoundedQueue<Decoded<VideoFrame>> {
        let queue = BoundedQueue<Decoded<VideoFrame>>(capacity: 4, ledger: clock.ledger)
        let state = state
        thread.perform { state.run(buffer, track, window) { item in
            let isWanted = queue.push(item)
            bell.ring()
            return isWanted
        } }
        return queue
    }

    func stop() { thread.stop() }

    private final class State: @unchecked Sendable {
        // Unchecked: touched by the jobs of one worker thread only, which run one after the other.
        private let codecs: any CodecFactory
        private let allocator: any FrameAllocator
        private var decoder: (any VideoDecoding)?
        private var parameters: (any CodecParameters)?

        init(codecs: any CodecFactory, allocator: any FrameAllocator) {
            self.codecs = codecs
            self.allocator = allocator
        }

        /// - Parameter push: false when the run is over for good.
        func run(_ buffer: SampleBuffer, _ track: TrackID, _ window: DecodeWindow, _ push: (Decoded<VideoFrame>) -> Bool) {
            decoder?.flush()
            var lastDropped: VideoFrame?
            var hasDelivered = false
            /// Hands frames on; false when nobody wants them any more.
            func deliver(_ frames: [VideoFrame]) -> Bool {
                for frame in frames {
                    if !hasDelivered, frame.end <= window.earliest {
                        lastDropped = frame
                        continue
                    }
                    hasDelivered = true
                    lastDropped = nil
                    guard push(.media(frame)) else { return false }
                }
                return true
            }
            while true {
                do throws(MediaError) {
                    switch buffer.next(track) {
                    case .sample(let sample):
                        if let parameters, parameters !== sample.parameters, !parameters.canContinue(as: sample.parameters) {
                            guard try deliver(decoder?.decode(nil) ?? []) else { return }
                            decoder = nil
                        }
                        if decoder == nil {
                            decoder = try codecs.openVideoDecoder(sample.parameters, allocator: allocator)
                        }
                        parameters = sample.parameters
                        guard try deliver(decoder!.decode(sample)) else { return }
                    case .end:
                        guard try deliver(decoder?.decode(nil) ?? []) else { return }
                        // A seek to the very end shows the last frame there is.
                        if !hasDelivered, let lastDropped, !push(.media(lastDropped)) { return }
                        _ = push(.end)
                        return
                    case .failed(let error):
                        guard try deliver(decoder?.decode(nil) ?? []) else { return }
                        throw error
                    case .cancelled:
                        return
                    }
                } catch {
                    decoder = nil
                    _ = push(.failed(error))
                    return
                }
            }
        }
    }
}

/// Decodes the audio track of one player, on a thread of its own.
@MainActor
final class AudioTrackDecoder {
    private let thread: WorkerThread
    private let state: State
    private let clock: any HostClock

    init(codecs: any CodecFactory, output: AudioFormat, clock: any HostClock) {
        self.clock = clock
        thread = WorkerThread(name: "decode-audio", clock: clock)
        state = State(codecs: codecs, output: output)
    }

    func start(
        reading buffer: SampleBuffer, track: TrackID, window: DecodeWindow, bell: Doorbell
    ) -> BoundedQueue<Decoded<AudioBuffer>> {
        let queue = BoundedQueue<Decoded<AudioBuffer>>(capacity: 32, ledger: clock.ledger)
        let state = state
        thread.perform { state.run(buffer, track, window) { item in
            let isWanted = queue.push(item)
            bell.ring()
            return isWanted
        } }
        return queue
    }

    func stop() { thread.stop() }

    private final class State: @unchecked Sendable {
        // Unchecked: touched by the jobs of one worker thread only, which run one after the other.
        private let codecs: any CodecFactory
        private let output: AudioFormat
        private var decoder: (any AudioDecoding)?
        private var parameters: (any CodecParameters)?

        init(codecs: any CodecFactory, output: AudioFormat) {
            self.codecs = codecs
            self.output = output
        }

        func run(_ buffer: SampleBuffer, _ track: TrackID, _ window: DecodeWindow, _ push: (Decoded<AudioBuffer>) -> Bool) {
            decoder?.flush()
            var lastRun: Int?
            func deliver(_ buffers: [AudioBuffer]) -> Bool {
                for buffer in buffers where buffer.frameCount > 0 && buffer.end > window.earliest {
                    guard push(.media(buffer)) else { return false }
                }
                return true
            }
            while true {
                do throws(MediaError) {
                    switch buffer.next(track) {
                    case .sample(let sample):
                        // What a discontinuity separates is not one stretch of sound: the decoder gives out the end of the one
                        // before it hears of the other, so that nothing of either is lost or smeared.
                        let isNewRun = lastRun.map { $0 != sample.run } ?? false
                        let isNewFormat = parameters.map { $0 !== sample.parameters && !$0.canContinue(as: sample.parameters) } ?? false
                        if isNewRun || isNewFormat, let decoder {
                            guard try deliver(decoder.decode(nil)) else { return }
                            decoder.flush()
                        }
                        if isNewFormat { decoder = nil }
                        if decoder == nil { decoder = try codecs.openAudioDecoder(sample.parameters, output: output) }
                        parameters = sample.parameters
                        lastRun = sample.run
                        guard try deliver(decoder!.decode(sample)) else { return }
                    case .end:
                        guard try deliver(decoder?.decode(nil) ?? []) else { return }
                        _ = push(.end)
                        return
                    case .failed(let error):
                        throw error
                    case .cancelled:
                        return
                    }
                } catch {
                    decoder = nil
                    _ = push(.failed(error))
                    return
                }
            }
        }
    }
}
