import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

/// The demuxer's work on this thread: everything that it reads is there before it begins.
@Suite("From runs to samples in asset time", .serialized)
@MainActor
struct DemuxWorkerTests {
    private let timeline = StreamTimeline(ledger: nil)
    private let bell: Doorbell
    private let pictures = TrackID(0), sound = TrackID(1)

    init() throws { bell = try MainLoop(time: .simulated).clock.makeDoorbell(rank: .transfer) {} }

    private func worker(_ types: [MediaType] = [.video, .audio], isPrimary: Bool = true) -> DemuxWorker {
        DemuxWorker(
            codecs: FakeSegmentCodecs(), timeline: timeline,
            outlets: types.map { .init(type: $0, track: $0 == .video ? pictures : sound) }, isPrimary: isPrimary, session: 1)
    }

    private func buffer(_ tracks: [Int] = [0, 1]) -> SampleBuffer {
        var buffering = BufferingPolicy.standard
        buffering.startLimit = nil
        return SampleBuffer(tracks: tracks.map { TrackID($0) }, buffering: buffering, ledger: nil)
    }

    private func run(
        _ bytes: [UInt8], start: MediaTime = .zero, sequence: Int64 = 0, container: ContainerHint = .transportStream
    ) -> RunPlan {
        let stream = SegmentByteStream(name: "s", ledger: nil, bell: bell)
        stream.append(bytes)
        stream.finish()
        return RunPlan(stream: stream, container: container, sequence: sequence, start: start)
    }

    /// Demuxes these runs to their end.
    private func demux(_ runs: [RunPlan], by worker: DemuxWorker, into buffer: SampleBuffer) {
        let queue = BoundedQueue<RunPlan>(capacity: 16, ledger: nil)
        for run in runs { #expect(queue.tryPush(run)) }
        queue.finish()
        worker.run(queue, into: buffer)
    }

    private func take(_ buffer: SampleBuffer, _ track: TrackID, most: Int = .max) -> [EncodedSample] {
        var samples: [EncodedSample] = []
        reading: while samples.count < most {
            switch buffer.next(track) {
            case .sample(let sample): samples.append(sample)
            case .gap: continue
            case .end, .failed, .cancelled: break reading
            }
        }
        return samples
    }

    /// A segment of a second of pictures and sound.
    private static func second(_ number: Int64, kinds: String = "va", offset: Int64 = 0) -> [UInt8] {
        FakeSegment.bytes(kinds: kinds, start: 900_000 + offset + number * 90_000)
    }

    @Test("samples are placed by the first timestamp of the pictures; sound before it is held until then")
    func places() {
        let buffer = buffer()
        var bytes = FakeSegment.bytes(kinds: "va", start: 0, count: 0)
        // Sound, then pictures that start 80 ms later.
        for kind in ["a", "v"] {
            let whole = FakeSegment.bytes(kinds: "va", start: kind == "a" ? 900_000 : 907_200, count: 3)
            for packet in 1..<whole.count / FakeSegment.packetSize {
                let line = whole[packet * FakeSegment.packetSize..<(packet + 1) * FakeSegment.packetSize]
                if line[line.startIndex + 8] == UInt8(ascii: kind == "a" ? "a" : "v") { bytes += line }
            }
        }
        demux([run(bytes, start: .seconds(4))], by: worker(), into: buffer)
        #expect(take(buffer, pictures).map(\.presentationTime) == frames(100..<103))
        #expect(take(buffer, sound).map(\.presentationTime) == frames(98..<101))
        #expect(timeline.knownOffset(of: 0) == .seconds(4) - .milliseconds(10_080))
        #expect(buffer.isFinished)
    }

    @Test("a run is one unit of decoding for each sequence; the sound and the pictures of one sequence are delivered once")
    func continued() {
        let buffer = buffer()
        let worker = worker()
        // The second run begins half a second before the end of the first, as another variant's segment does.
        demux(
            [
                run(Self.second(0)), run(FakeSegment.bytes(kinds: "va", start: 945_000), start: .milliseconds(500)),
                run(Self.second(99), start: .milliseconds(1500), sequence: 1),
            ], by: worker, into: buffer)
        let shown = take(buffer, pictures), heard = take(buffer, sound)
        #expect(shown.filter { !$0.doesNotDisplay }.map(\.presentationTime).prefix(25).last == .milliseconds(960))
        #expect(shown.filter { !$0.doesNotDisplay }.count == 25 + 13 + 25 && shown.count == 75)
        #expect(heard.count == 25 + 13 + 25 && heard.allSatisfy { !$0.doesNotDisplay })
        #expect(shown.map(\.run) == [Int](repeating: 0, count: 50) + [Int](repeating: 1, count: 25))
        #expect(shown.last?.presentationTime == .milliseconds(2460))
    }

    @Test("after a discontinuity nothing is left out, even when its segments overlap the ones before")
    func overlapping() {
        let buffer = buffer()
        demux([run(Self.second(0)), run(Self.second(50), start: .milliseconds(500), sequence: 1)], by: worker(), into: buffer)
        #expect(take(buffer, pictures).filter { !$0.doesNotDisplay }.count == 50 && take(buffer, sound).count == 50)
    }

    @Test("of an abandoned segment what no decoder has taken is replaced, and what one has taken is not shown twice")
    func replaced() {
        for taken in [0, 20] {
            let buffer = buffer()
            let worker = worker()
            demux([run(Self.second(0)), run(Self.second(1), start: .seconds(1))], by: worker, into: buffer)
            let before = take(buffer, pictures, most: 25 + taken)
            #expect(before.count == 25 + taken)
            _ = take(buffer, sound, most: 25)
            var plan = run(Self.second(1), start: .seconds(1))
            plan.replacesFrom = .milliseconds(985)
            demux([plan], by: worker, into: buffer)
            let after = take(buffer, pictures)
            #expect(after.map(\.presentationTime) == frames(25..<50))
            #expect(after.map(\.doesNotDisplay) == (25..<50).map { $0 < 25 + taken })
            #expect(take(buffer, sound).map(\.presentationTime) == frames(25..<50))
        }
    }

    @Test("a key picture of an I-frame playlist is one picture with the duration of its segment; the rest is not read")
    func keyPicture() {
        let buffer = buffer()
        var plan = run(FakeSegment.bytes(kinds: "av", start: 7_200_000, count: 5), start: .seconds(6))
        plan.keyFrameDuration = .seconds(2)
        let second = run(Self.second(0), start: .seconds(8))
        demux([plan, second], by: worker(), into: buffer)
        let shown = take(buffer, pictures)
        #expect(shown.prefix(2).map(\.presentationTime) == [.seconds(6), .seconds(8)])
        #expect(shown.first?.duration == .seconds(2) && shown.first?.isSync == true && shown.count == 26)
        #expect(take(buffer, sound).first?.presentationTime == .seconds(8))
        #expect(plan.stream.unreadSegments == 0)
    }

    @Test("a track that the first segments do not have ends at once; one that later segments lack does not")
    func absent() {
        let buffer = buffer()
        let queue = BoundedQueue<RunPlan>(capacity: 4, ledger: nil)
        _ = queue.tryPush(run(Self.second(0, kinds: "v")))
        queue.finish()
        worker().run(queue, into: buffer)
        #expect(buffer.isFinished(sound) && take(buffer, sound).isEmpty && take(buffer, pictures).count == 25)
        let later = self.buffer()
        demux(
            [
                run(Self.second(0)), run(Self.second(1, kinds: "v"), start: .seconds(1)), run(Self.second(2), start: .seconds(2)),
            ], by: worker(), into: later)
        #expect(take(later, sound).map(\.presentationTime) == frames(0..<25) + frames(50..<75))
    }

    /// What a decoder of the sound is given: the first times of samples in a row, and the ends of gaps.
    private func story(_ buffer: SampleBuffer) -> [String] {
        var story: [String] = []
        var last: MediaTime?
        while true {
            switch buffer.next(sound) {
            case .sample(let sample):
                if last.map({ sample.presentationTime - $0 > .milliseconds(40) }) ?? true {
                    story.append("\(sample.presentationTime)")
                }
                last = sample.presentationTime
            case .gap(let until): story.append("gap \(until)")
            case .end, .failed, .cancelled: return story
            }
        }
    }

    @Test("a decoder is told while its track is missing: at once if a run does not have it, else after a whole segment")
    func missing() {
        let buffer = buffer()
        demux(
            [run(Self.second(0)), run(Self.second(1, kinds: "v"), start: .seconds(1)), run(Self.second(2), start: .seconds(2))],
            by: worker(), into: buffer)
        #expect(story(buffer) == ["0.000", "gap 1.280", "gap 1.560", "gap 1.840", "2.000"])
        // The run has the track, but two of its segments have nothing of it.
        let silent = self.buffer()
        let stream = SegmentByteStream(name: "test", ledger: nil, bell: bell)
        for number in 0..<6 {
            let bytes = Self.second(Int64(number), kinds: (2..<5).contains(number) ? "v" : "va")
            stream.append(
                number == 0 ? bytes : Array(bytes.dropFirst(FakeSegment.packetSize)), cipher: nil, endsSegment: true,
                timeRange: TimeRange(start: .seconds(Int64(number)), duration: .seconds(1)))
        }
        stream.finish()
        demux([RunPlan(stream: stream, container: .transportStream, sequence: 0, start: .zero)], by: worker(), into: silent)
        #expect(story(silent) == ["0.000", "gap 3.500", "gap 4.500", "5.000"])
    }

    @Test("sound of a separate playlist is placed by the pictures' offset, and by its own where there are no pictures")
    func secondary() {
        _ = timeline.fix(0, stamp: .seconds(10), segmentStart: .seconds(2))
        timeline.leave(1)
        let buffer = buffer([1])
        demux(
            [
                run(Self.second(0, kinds: "a", offset: 1800), start: .seconds(2)),
                run(Self.second(700, kinds: "a"), start: .seconds(3), sequence: 1),
            ], by: worker([.audio], isPrimary: false), into: buffer)
        #expect(take(buffer, sound).map(\.presentationTime) == frames(50..<75).map { $0 + .milliseconds(20) } + frames(75..<100))
        // Only the pictures' reader says that a sequence has none.
        #expect(!timeline.isBarren(0))
    }

    @Test("packed audio starts at the timestamp of its tag, or without one at its segment; timestamps may wrap")
    func packedAudio() {
        _ = timeline.fix(0, stamp: .seconds(10), segmentStart: .zero)
        var plan = run(FakeSegment.bytes(kinds: "a", start: 0), start: .seconds(4), container: .packedAAC)
        let plain = buffer([1])
        demux([plan], by: worker([.audio], isPrimary: false), into: plain)
        #expect(take(plain, sound).first?.presentationTime == .seconds(4))
        plan = run(FakeSegment.bytes(kinds: "a", start: 90_000), start: .seconds(4), container: .packedAAC)
        plan.firstStamp = .milliseconds(14_020)
        let stamped = buffer([1])
        demux([plan], by: worker([.audio], isPrimary: false), into: stamped)
        #expect(take(stamped, sound).first?.presentationTime == .milliseconds(4020))
        plan = run(FakeSegment.bytes(kinds: "a", start: 0), start: StampPeriod.length, container: .packedAAC)
        plan.firstStamp = .milliseconds(10_020)
        let wrapped = buffer([1])
        demux([plan], by: worker([.audio], isPrimary: false), into: wrapped)
        #expect(take(wrapped, sound).first?.presentationTime == StampPeriod.length + .milliseconds(20))
    }

    @Test("fragments of MP4 have long timestamps, which do not wrap")
    func fragments() {
        let buffer = buffer([0])
        let late = FakeSegment.bytes(start: 3 << 33)
        let next = FakeSegment.bytes(start: 3 << 33 + 45_000)
        demux(
            [
                run(late, start: .seconds(4), container: .fragmentedMP4),
                run(next, start: .milliseconds(4400), container: .fragmentedMP4),
            ], by: worker([.video]), into: buffer)
        let times = take(buffer, pictures).map(\.presentationTime)
        #expect(times.first == .seconds(4) && times.last == .milliseconds(5460))
    }

    @Test("a fragment begins with its sound where that comes before the pictures, also if it stands behind them")
    func lateFragment() {
        let buffer = buffer()
        let isPicture: (Character, Int) -> Bool = { kind, number in kind == "v" && number >= 75 }
        let bytes =
            FakeSegment.bytes(kinds: "va", start: 900_000, count: 150, keyEvery: 25, stated: 900_000, has: isPicture)
            + FakeSegment.bytes(kinds: "va", start: 900_000, count: 150) { kind, _ in kind == "a" }
        demux([run(bytes, container: .fragmentedMP4)], by: worker(), into: buffer)
        #expect(take(buffer, pictures).map(\.presentationTime) == frames(75..<150))
        #expect(take(buffer, sound).map(\.presentationTime) == frames(0..<150))
    }

    @Test(
        "a programme begins with its sound, if that comes before its pictures by more than reordering; later that is the interleaving"
    )
    func lead() {
        let bytes = FakeSegment.bytes(kinds: "va", start: 900_000, count: 50, keyEvery: 8, stated: 900_000) {
            $0 == "a" || $1 >= 8
        }
        for (number, container) in [ContainerHint.transportStream, .fragmentedMP4].enumerated() {
            for (start, ofPictures, ofSound) in [(MediaTime.zero, 320, 0), (.seconds(4), 4000, 3680)]
                as [(MediaTime, Int64, Int64)]
            {
                let buffer = buffer()
                let sequence = Int64(number) * 2 + (start == .zero ? 0 : 1)
                demux([run(bytes, start: start, sequence: sequence, container: container)], by: worker(), into: buffer)
                #expect(take(buffer, pictures).first?.presentationTime == .milliseconds(ofPictures))
                #expect(take(buffer, sound).first?.presentationTime == .milliseconds(ofSound))
            }
        }
    }

    // MARK: Timestamps that jump

    @Test("timestamps that jump in the middle of a segment continue where each track has ended", arguments: [-8, -2, 11, 4000])
    func jump(seconds: Int64) {
        let buffer = buffer()
        let worker = worker()
        let bytes = Self.second(0) + Self.second(1 + seconds) + Self.second(2 + seconds)
        // What follows, also of another variant, has the new timestamps.
        demux([run(bytes), run(Self.second(3 + seconds), start: .seconds(3))], by: worker, into: buffer)
        for track in [pictures, sound] {
            let samples = take(buffer, track)
            #expect(samples.map(\.presentationTime) == frames(0..<100))
            #expect(samples.map(\.run) == [Int](repeating: 0, count: 25) + [Int](repeating: 1, count: 75))
        }
    }

    @Test("time stamps that begin anew in each segment, however short, go on where each track has ended")
    func beginningAnew() {
        let buffer = buffer()
        let stream = SegmentByteStream(name: "s", ledger: nil, bell: bell)
        for number in 0..<4 {
            stream.append(
                Self.second(0), cipher: nil, endsSegment: true,
                timeRange: TimeRange(start: .seconds(Int64(number)), duration: .seconds(1)))
        }
        stream.finish()
        demux([RunPlan(stream: stream, container: .transportStream, sequence: 0, start: .zero)], by: worker(), into: buffer)
        for track in [pictures, sound] { #expect(take(buffer, track).map(\.presentationTime) == frames(0..<100)) }
    }

    @Test("sound that comes before the pictures at a jump has the same offset as they")
    func jumpOfSound() {
        let buffer = buffer()
        // The sound is half a second ahead of the pictures in the stream.
        var bytes = FakeSegment.bytes(kinds: "va", start: 0, count: 0)
        func add(_ kind: Character, _ stamp: Int64) {
            bytes += FakeSegment.bytes(kinds: "va", start: stamp, count: 1).dropFirst(
                FakeSegment.packetSize * (kind == "v" ? 1 : 2)
            )
            .prefix(FakeSegment.packetSize)
        }
        let stamps = (0..<50).map { Int64($0) * 3600 + ($0 < 25 ? 1_800_000 : 0) }
        for index in 0..<62 {
            if index < 50 { add("a", stamps[index]) }
            if index >= 12 { add("v", stamps[index - 12]) }
        }
        demux([run(bytes)], by: worker(), into: buffer)
        #expect(take(buffer, pictures).map(\.presentationTime) == frames(0..<50))
        #expect(take(buffer, sound).map(\.presentationTime) == frames(0..<50))
    }

    @Test("time that the playlist passes over is no jump: the segments between could not be loaded")
    func hole() {
        let buffer = buffer([0])
        buffer.readAhead()
        let stream = SegmentByteStream(name: "s", ledger: nil, bell: bell)
        stream.append(
            Self.second(0, kinds: "v"), cipher: nil, endsSegment: true, timeRange: TimeRange(start: .zero, duration: .seconds(1)))
        stream.append(
            Self.second(12, kinds: "v"), cipher: nil, endsSegment: true,
            timeRange: TimeRange(start: .seconds(12), duration: .seconds(1)))
        stream.finish()
        demux(
            [RunPlan(stream: stream, container: .transportStream, sequence: 0, start: .zero)], by: worker([.video]), into: buffer)
        #expect(take(buffer, pictures).map(\.presentationTime) == frames(0..<25) + frames(300..<325))
    }

    @Test("a seek to behind a jump is placed by the playlist; rounded durations are no jump")
    func behindJump() {
        _ = timeline.fix(0, stamp: .seconds(10), segmentStart: .zero)
        let buffer = buffer([0])
        demux([run(Self.second(40, kinds: "v"), start: .seconds(100))], by: worker([.video]), into: buffer)
        #expect(take(buffer, pictures).first?.presentationTime == .seconds(100))
        let other = self.buffer([0])
        demux([run(Self.second(380, kinds: "v"), start: .seconds(400))], by: worker([.video]), into: other)
        #expect(take(other, pictures).first?.presentationTime == .seconds(380))
    }

    @Test("a run that cannot be demuxed fails the reading after what was delivered, and its sequence is left to the sound")
    func broken() {
        let buffer = buffer()
        demux(
            [run(Self.second(0)), run([1, 2, 3], start: .seconds(1), sequence: 1), run(Self.second(2), sequence: 2)],
            by: worker(),
            into: buffer)
        #expect(take(buffer, pictures).count == 25)
        guard case .failed(let error) = buffer.next(pictures) else {
            Issue.record("the reading has failed")
            return
        }
        #expect(error.code == .sourceFormat && timeline.isBarren(1) && !timeline.isBarren(2))
        let other = self.buffer([1])
        demux([run([1, 2, 3], sequence: 7)], by: worker([.audio], isPrimary: false), into: other)
        #expect(!timeline.isBarren(7))
    }

    @Test("a run without any picture or sound leaves its sequence")
    func empty() {
        let buffer = buffer()
        demux(
            [run(Self.second(0)), run(FakeSegment.bytes(kinds: "va", start: 0, count: 0), sequence: 1)], by: worker(),
            into: buffer)
        #expect(timeline.isBarren(1) && !timeline.isBarren(0) && take(buffer, pictures).count == 25)
    }

    @Test("a cancelled buffer ends the work, and is not marked as complete", arguments: [nil, MediaTime.seconds(2)])
    func cancelled(_ keyFrameDuration: MediaTime?) {
        let buffer = buffer()
        buffer.cancel()
        var plan = run(Self.second(0))
        plan.keyFrameDuration = keyFrameDuration
        demux([plan, run(Self.second(1), start: .seconds(1), sequence: 1)], by: worker(), into: buffer)
        #expect(!buffer.isFinished && timeline.knownOffset(of: 1) == nil)
    }
}
