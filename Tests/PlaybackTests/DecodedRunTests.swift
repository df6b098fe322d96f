import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("What a run of playback decodes")
struct DecodedRunTests {
    private static let format = AudioFormat(sampleRate: 48_000, channels: 2)

    /// Frames of AAC with one value, from a time on.
    private func pieces(_ value: Float, from start: MediaTime, count: Int) -> [AudioBuffer] {
        (0..<count).map {
            AudioBuffer(
                format: Self.format, samples: [Float](repeating: value, count: 2048),
                time: start + MediaTime(Int64($0) * 1024, 48_000))
        }
    }

    private func output(of pieces: [AudioBuffer]) -> [AudioBuffer] {
        let kind = TrackKind<AudioBuffer>.audio(codecs: FakeCodecs(), output: Self.format, processing: nil)
        var run = DecodedRun(kind, DecodingWish(earliest: .zero))
        var output: [AudioBuffer] = []
        func push(_ item: Decoded<AudioBuffer>) -> Bool {
            if let buffer = item.media { output.append(buffer) }
            return true
        }
        #expect(run.add(pieces, push) && run.finish(push))
        return output
    }

    @Test("where a new piece begins before the old one ends, its first samples are heard", arguments: [3, 20, 64, 70])
    func joint(milliseconds: Int64) {
        let old = pieces(1, from: .zero, count: 20)
        let start = old.last!.end - .milliseconds(milliseconds)
        let whole = output(of: old + pieces(2, from: start, count: 20))
        #expect(whole.first { $0.samples[0] == 2 }?.time == start)
        for (one, next) in zip(whole, whole.dropFirst()) {
            #expect((next.time - one.end).magnitude < .milliseconds(1))
        }
        #expect(whole.filter { $0.samples[0] == 1 }.last.map { ($0.end - start).magnitude < .milliseconds(1) } == true)
    }

    @Test("sound that follows itself, with stamps that are rounded, stays as it is")
    func contiguous() {
        let old = pieces(1, from: .zero, count: 20)
        let all = old + pieces(2, from: old.last!.end - .milliseconds(1), count: 5)
        #expect(output(of: all).map(\.time) == all.map(\.time) && output(of: all).allSatisfy { $0.frameCount == 1024 })
    }

    private func picture(_ number: Int, isSync: Bool) -> EncodedSample {
        EncodedSample(
            track: TrackID(0), presentationTime: MediaTime(Int64(number), 25), decodeTime: MediaTime(Int64(number), 25),
            duration: MediaTime(1, 25), isSync: isSync, payload: FakePayload(duration: MediaTime(1, 25)),
            parameters: FakeParameters("fake"))
    }

    @Test("decoding starts with the first key frame, and with the first picture where none is marked")
    func start() {
        var start = DecodingStart()
        #expect((0..<60).allSatisfy { start.take(picture($0, isSync: false)).isEmpty })
        #expect(start.waited == MediaTime(59, 25))
        #expect(start.take(picture(60, isSync: true)).map(\.presentationTime) == [MediaTime(60, 25)])
        #expect(start.take(picture(61, isSync: false)).count == 1 && start.takeHeld().isEmpty)
        // Unmarked: after half a minute all of it is decoded, and after a seek at once.
        start = DecodingStart()
        let taken = (0...750).map { start.take(picture($0, isSync: false)).count }
        #expect(taken.last == 751 && taken.dropLast().allSatisfy { $0 == 0 })
        start.restart()
        #expect(start.take(picture(5, isSync: false)).count == 1)
        // A short film without a mark is decoded at its end.
        start = DecodingStart()
        #expect(start.take(picture(0, isSync: false)).isEmpty && start.takeHeld().count == 1)
    }
}
