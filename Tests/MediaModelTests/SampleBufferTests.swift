import LinuxSupport
import MediaTime
import Testing

@testable import MediaModel

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

    @Test("a kept track that was left resumes where the others are, including what its decoder already had")
    func takenUp() {
        let (video, sound) = (TrackID(0), TrackID(1))
        let buffer = SampleBuffer(tracks: [video, sound], keptTracks: [sound], ledger: nil)
        for index in Int64(0)..<100 {
            #expect(buffer.append(sample(video, index)) && buffer.append(sample(sound, index)))
        }
        #expect(!buffer.takeUp(sound, from: .zero))
        #expect(
            take(50, of: video, from: buffer) == (0..<50).map { $0 } && take(60, of: sound, from: buffer) == (0..<60).map { $0 })
        buffer.leave(sound)
        #expect(!buffer.isRead(sound) && take(1, of: sound, from: buffer) == [nil])
        #expect(buffer.bufferedUntil == .seconds(10) && buffer.headTime(of: sound) == nil)
        // Samples that the pictures passed two seconds ago are gone; a little before the position is kept for the run-up.
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

    @Test("a track without a reader holds nothing up, and ends with the tracks of its group")
    func idle() {
        let (video, sound, other) = (TrackID(0), TrackID(1), TrackID(2))
        let buffer = SampleBuffer(
            tracks: [video, other], keptTracks: [sound], groups: [[video, sound], [other]], durationLimit: .seconds(2),
            ledger: nil)
        // Far more than a track with a reader may have.
        for index in Int64(0)..<100 { #expect(buffer.append(sample(sound, index))) }
        #expect(buffer.append(sample(video, 0)) && buffer.append(sample(other, 0)))
        #expect(buffer.bufferedUntil == MediaTime(1, 10))
        buffer.leave(video)
        // Nothing that this thread fills has a reader any more.
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
            tracks: [video, sound, description], sparseTracks: [description], durationLimit: .seconds(10), isHeldBack: true,
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

    @Test("before readAhead is called, only a first picture's needs are read, and then up to the limit")
    func heldBack() throws {
        let loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        let (video, sound) = (TrackID(0), TrackID(1))
        let buffer = SampleBuffer(tracks: [video, sound], durationLimit: .seconds(10), isHeldBack: true, ledger: clock.ledger)
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
}
