import LinuxSupport
import MediaTime
import Testing

@testable import MediaModel
@testable import MediaSources

@Suite("SampleBuffer")
@MainActor
struct SampleBufferTests {
    private final class Payload: SamplePayload {
        let byteCount = 100
        func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }
    private final class Parameters: CodecParameters {
        let codecName = "none"
        func canContinue(as other: any CodecParameters) -> Bool { true }
    }

    private func sample(_ track: TrackID, _ index: Int64) -> EncodedSample {
        let time = MediaTime(index, 10)
        return EncodedSample(
            track: track, presentationTime: time, decodeTime: time, duration: MediaTime(1, 10), isSync: true,
            payload: Payload(), parameters: Parameters())
    }

    /// The times of a track's next samples, in tenths of a second; nil for anything else.
    private func take(_ count: Int, of track: TrackID, from buffer: SampleBuffer) -> [Int64?] {
        (0..<count).map { _ in
            guard case .sample(let sample) = buffer.next(track) else { return nil }
            return sample.presentationTime.units(of: 10)
        }
    }

    private func buffering(of limit: MediaTime) -> BufferingPolicy {
        var policy = BufferingPolicy.standard
        policy.durationLimit = limit
        return policy
    }

    @Test(
        "a kept track that was deselected resumes at the position of the others, including samples that its decoder already had")
    func takenUp() {
        let (video, sound) = (TrackID(0), TrackID(1))
        let buffer = SampleBuffer(tracks: [video, sound], keptTracks: [sound], buffering: .standard, ledger: nil)
        buffer.readAhead()
        for index in Int64(0)..<100 {
            #expect(buffer.append(sample(video, index)) && buffer.append(sample(sound, index)))
        }
        #expect(!buffer.takeUp(sound, from: .zero))
        #expect(
            take(50, of: video, from: buffer) == (0..<50).map { $0 } && take(60, of: sound, from: buffer) == (0..<60).map { $0 })
        buffer.leave(sound)
        #expect(!buffer.isRead(sound) && take(1, of: sound, from: buffer) == [nil])
        #expect(buffer.bufferedUntil == .seconds(10) && buffer.headTime(of: sound) == nil)
        // Samples that the pictures passed two seconds ago are gone. A few before the position are kept, so that decoding can start earlier.
        #expect(!buffer.takeUp(sound, from: .seconds(2)))
        #expect(buffer.takeUp(sound, from: MediaTime(41, 10)) && buffer.isRead(sound))
        #expect(take(61, of: sound, from: buffer) == (39..<100).map { $0 })
        buffer.leave(sound)
        for index in Int64(100)..<130 { #expect(buffer.append(sample(video, index)) && buffer.append(sample(sound, index))) }
        #expect(take(70, of: video, from: buffer) == (50..<120).map { $0 })
        #expect(buffer.append(sample(sound, 130)))
        #expect(!buffer.takeUp(sound, from: .seconds(9)) && buffer.takeUp(sound, from: .seconds(11)))
        #expect(take(1, of: sound, from: buffer) == [108])
    }

    @Test("time stamps that repeat do not keep the samples of a kept track, and small samples count with what they occupy")
    func repeated() {
        let (video, sound) = (TrackID(0), TrackID(1))
        var policy = BufferingPolicy.standard
        policy.byteLimit = 1 << 20
        let buffer = SampleBuffer(tracks: [video, sound], keptTracks: [sound], buffering: policy, ledger: nil)
        buffer.readAhead()
        weak var early: Payload?
        for round in 0..<10_000 {
            let heard = sample(sound, 0)
            if round == 0 { early = heard.payload as? Payload }
            #expect(buffer.append(sample(video, 0)) && buffer.append(heard))
            _ = take(1, of: video, from: buffer)
            _ = take(1, of: sound, from: buffer)
        }
        #expect(early == nil, "of what the decoder has taken")
        buffer.leave(sound)
        for round in 0..<10_000 {
            let heard = sample(sound, 0)
            if round == 0 { early = heard.payload as? Payload }
            #expect(buffer.append(sample(video, 0)) && buffer.append(heard))
            _ = take(1, of: video, from: buffer)
        }
        #expect(early == nil, "of what nobody reads")
    }

    @Test("small samples count with what they occupy, where time stamps that repeat bound nothing")
    func small() throws {
        var policy = BufferingPolicy.standard
        policy.byteLimit = 1 << 20
        let reading = try Reading(.simulated, policy, (0..<5000).map { _ in sample(TrackID(0), 0) })
        defer { reading.close() }
        reading.buffer.readAhead()
        _ = reading.rest()
        #expect(!reading.buffer.isFinished && reading.buffer.isAllThere, "500,000 bytes of payload, 3 MB of memory")
    }

    @Test("a track that is read by itself fails by itself, after its samples; the others go on, until one for all fails")
    func failures() {
        let (video, sound) = (TrackID(0), TrackID(1))
        let buffer = SampleBuffer(tracks: [video, sound], groups: [[video], [sound]], buffering: .standard, ledger: nil)
        buffer.readAhead()
        func failure(of track: TrackID) -> String? {
            guard case .failed(let error) = buffer.next(track) else { return nil }
            return error.sentence
        }
        for index in Int64(0)..<3 { #expect(buffer.append(sample(video, index)) && buffer.append(sample(sound, index))) }
        buffer.fail(MediaError(.networkDown, "The sound has gone."), of: sound)
        buffer.fail(MediaError(.internal, "It is not asked again."), of: sound)
        #expect(take(3, of: sound, from: buffer) == [0, 1, 2] && failure(of: sound) == "The sound has gone.")
        #expect(!buffer.isAllThere)
        for index in Int64(3)..<6 { #expect(buffer.append(sample(video, index))) }
        #expect(take(6, of: video, from: buffer) == [0, 1, 2, 3, 4, 5])
        buffer.fail(MediaError(.networkDown, "All has gone."))
        #expect(buffer.isAllThere && failure(of: video) == "All has gone." && failure(of: sound) == "The sound has gone.")
    }

    @Test("a track without a reader blocks nothing, and ends with the tracks of its group")
    func idle() {
        let (video, sound, other) = (TrackID(0), TrackID(1), TrackID(2))
        let buffer = SampleBuffer(
            tracks: [video, other], keptTracks: [sound], groups: [[video, sound], [other]],
            buffering: buffering(of: .seconds(2)), ledger: nil)
        // Far more than a track with a reader may have.
        for index in Int64(0)..<100 { #expect(buffer.append(sample(sound, index))) }
        #expect(buffer.append(sample(video, 0)) && buffer.append(sample(other, 0)))
        #expect(buffer.bufferedUntil == MediaTime(1, 10))
        buffer.leave(video)
        // No track that this thread fills has a reader any more.
        #expect(!buffer.append(sample(video, 1)) && !buffer.append(sample(sound, 100)) && buffer.append(sample(other, 1)))
        #expect(!buffer.takeUp(sound, from: .zero))
        #expect(!buffer.isFinished && buffer.isFinished(video))
        buffer.finish(other)
        #expect(buffer.isFinished)
    }

    @Test("a gap in a sparse track makes the source read up to the limit, but at least what a first picture needs")
    func sparse() throws {
        let loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        let (video, sound, description) = (TrackID(0), TrackID(1), TrackID(2))
        let buffer = SampleBuffer(
            tracks: [video, sound, description], sparseTracks: [description], buffering: buffering(of: .seconds(10)),
            ledger: clock.ledger)
        let source = WorkerThread(name: "source", clock: clock)
        let samples = (Int64(0)..<400).flatMap { [sample(video, $0), sample(sound, $0)] }
        source.perform { for sample in samples { guard buffer.append(sample) else { return } } }
        var seen: MediaTime?
        clock.schedule(after: .seconds(1)) { seen = buffer.bufferedUntil(except: description) }
        loop.run(until: { seen != nil })
        #expect(seen == .seconds(10) && buffer.bufferedUntil == nil)
        buffer.cancel()
        source.stop()
    }

    @Test("before readAhead is called, only samples for a first picture are read, and then up to the limit")
    func heldBack() throws {
        let loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        let (video, sound) = (TrackID(0), TrackID(1))
        let buffer = SampleBuffer(tracks: [video, sound], buffering: buffering(of: .seconds(10)), ledger: clock.ledger)
        let source = WorkerThread(name: "source", clock: clock)
        source.perform {
            for index in Int64(0)..<200 {
                for track in [video, sound] {
                    let time = MediaTime(index, 10)
                    let sample = EncodedSample(
                        track: track, presentationTime: time, decodeTime: time, duration: MediaTime(1, 10), isSync: true,
                        payload: Payload(), parameters: Parameters())
                    guard buffer.append(sample) else { return }
                }
            }
        }
        var seen: [MediaTime?] = []
        clock.schedule(after: .seconds(1)) {
            seen.append(buffer.bufferedUntil)
            buffer.readAhead()
        }
        clock.schedule(after: .seconds(2)) { seen.append(buffer.bufferedUntil) }
        loop.run(until: { seen.count == 2 })
        #expect(seen == [.seconds(2), .seconds(10)])
        buffer.cancel()
        source.stop()
    }

    /// Fills a buffer with one track and takes some of it, in either kind of time.
    @MainActor private final class Reading {
        let loop: MainLoop
        let buffer: SampleBuffer
        private let source: WorkerThread

        init(_ time: MainLoop.Time, _ buffering: BufferingPolicy, _ samples: [EncodedSample]) throws {
            loop = try MainLoop(time: time)
            buffer = SampleBuffer(tracks: [TrackID(0)], buffering: buffering, ledger: loop.clock.ledger)
            source = WorkerThread(name: "source", clock: loop.clock)
            source.perform { [buffer] in
                for sample in samples { guard buffer.append(sample) else { return } }
                buffer.finish()
            }
        }

        /// Where the source stops by itself.
        func rest() -> MediaTime? {
            var isOver = false
            // In real time the source gets as long as it needs, up to a limit.
            for _ in 0..<3000 where !isOver || !buffer.isAllThere {
                isOver = false
                loop.clock.schedule(after: .milliseconds(10)) { isOver = true }
                loop.run(until: { isOver })
            }
            return buffer.bufferedUntil
        }

        func close() {
            buffer.cancel()
            source.stop()
        }
    }

    @Test(
        "a source that has read to its limit continues when the decoder enters the next stretch, or for each sample without stretches",
        arguments: [MainLoop.Time.simulated, .real], [MediaTime.zero, .seconds(1)])
    func stretches(time: MainLoop.Time, stretch: MediaTime) throws {
        var policy = buffering(of: .seconds(10))
        policy.stretch = stretch
        let reading = try Reading(time, policy, (Int64(0)..<400).map { sample(TrackID(0), $0) })
        defer { reading.close() }
        // A quarter of the limit for the start is the longest stretch until then.
        #expect(reading.rest() == .seconds(2))
        reading.buffer.readAhead()
        #expect(reading.rest() == .seconds(10))
        #expect(take(9, of: TrackID(0), from: reading.buffer) == (0..<9).map { $0 })
        #expect(reading.rest() == (stretch == .zero ? MediaTime(109, 10) : .seconds(10)))
        #expect(take(1, of: TrackID(0), from: reading.buffer) == [9])
        #expect(reading.rest() == .seconds(11))
        #expect(take(25, of: TrackID(0), from: reading.buffer).last == 34)
        #expect(reading.rest() == (stretch == .zero ? MediaTime(135, 10) : .seconds(13)))
    }

    @Test("a source that may go on is not at rest, also before its thread has woken")
    func resumed() throws {
        var policy = buffering(of: .seconds(10))
        policy.startLimit = nil
        policy.stretch = .zero
        let reading = try Reading(.real, policy, (Int64(0)..<400).map { sample(TrackID(0), $0) })
        defer { reading.close() }
        #expect(reading.rest() == .seconds(10))
        for index in Int64(0)..<20 {
            #expect(take(1, of: TrackID(0), from: reading.buffer) == [index])
            // Asked at once: it has gone on already, or says that it will.
            let isAtRest = reading.buffer.isAllThere
            let end = reading.buffer.bufferedUntil
            #expect(!isAtRest || end == MediaTime(101 + index, 10))
            #expect(reading.rest() == MediaTime(101 + index, 10))
        }
    }

    @Test(
        "where a source stops depends on how much was taken and not on when, also for samples in decoding order",
        arguments: [MainLoop.Time.simulated, .real], [MediaTime.zero, .seconds(1)])
    func order(time: MainLoop.Time, stretch: MediaTime) throws {
        // Each picture comes before the two after which it is shown.
        var samples: [EncodedSample] = []
        for first in stride(from: Int64(0), to: 390, by: 3) {
            samples += [first + 2, first, first + 1].map { sample(TrackID(0), $0) }
        }
        var policy = buffering(of: .seconds(10))
        policy.stretch = stretch
        policy.startLimit = nil
        for count in [1, 10, 11, 12, 13, 29, 30, 31] {
            let late = try Reading(time, policy, samples)
            defer { late.close() }
            _ = late.rest()
            _ = take(count, of: TrackID(0), from: late.buffer)
            let early = try Reading(time, policy, samples)
            defer { early.close() }
            _ = take(count, of: TrackID(0), from: early.buffer)
            #expect(late.rest() == early.rest(), "after \(count) samples")
        }
    }
}
