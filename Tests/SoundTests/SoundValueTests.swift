import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Sound

@Suite("The contents written to a device")
struct DeviceContentsTests {
    @Test("consecutive stretches are one; sound, silence and a jump in the ring are separate")
    func appended() {
        var contents = ALSAContents()
        contents.append(10, ring: 0, isSound: true)
        contents.append(5, ring: 10, isSound: true)
        contents.append(4, ring: 15, isSound: false)
        contents.append(6, ring: 15, isSound: true)
        let end = contents.end
        #expect(end == 25)
        let lastSound = contents.lookUp(14).here
        #expect(lastSound == .init(device: 0, ring: 0, count: 15, isSound: true))
        let (silence, next) = contents.lookUp(15)
        #expect(silence == .init(device: 15, ring: 15, count: 4, isSound: false))
        #expect(next == .init(device: 19, ring: 15, count: 6, isSound: true))
        var kinds: [Bool?] = []
        for frame in [18, 19, 24, 25] { kinds.append(contents.lookUp(frame).here?.isSound) }
        #expect(kinds == [false, true, true, nil])
    }

    @Test("frames that are taken back shorten the last stretch, or remove it to its first frame")
    func takenBack() {
        var contents = ALSAContents()
        contents.append(10, ring: 0, isSound: true)
        contents.append(10, ring: 50, isSound: true)
        var places: [Int?] = [], ends: [Int] = []
        // The second time to the edge between the stretches: sound continues where the first stretch ended.
        for frames in [4, 6] {
            places.append(contents.takeBack(frames))
            ends.append(contents.end)
        }
        let endsInFirst = contents.endsInSound(before: 10)
        places.append(contents.takeBack(3))
        ends.append(contents.end)
        #expect(places == [56, 10, 7] && ends == [16, 10, 7])
        #expect(endsInFirst)
    }

    @Test("without contents the device starts again from zero")
    func removed() {
        var contents = ALSAContents()
        contents.append(10, ring: 30, isSound: true)
        contents.removeAll()
        let end = contents.end
        let first = contents.lookUp(0).here
        let endsInSound = contents.endsInSound(before: 40)
        #expect(end == 0 && first == nil && !endsInSound)
        contents.append(5, ring: 3, isSound: true)
        let new = contents.lookUp(4).here
        #expect(new == .init(device: 0, ring: 3, count: 5, isSound: true))
    }

    @Test("the list keeps its newest 64 stretches")
    func full() {
        var contents = ALSAContents()
        for index in 0..<65 { contents.append(1, ring: index * 10, isSound: true) }
        let end = contents.end
        var rings: [Int?] = []
        for frame in [0, 1, 64] { rings.append(contents.lookUp(frame).here?.ring) }
        #expect(end == 65 && rings == [nil, 10, 640])
    }
}

@Suite("The frame that an exact device plays")
struct FrameCounterTests {
    private func at(_ milliseconds: Int) -> HostTime { HostTime.zero + .milliseconds(milliseconds) }

    @Test("frames are counted from the instant at which playback starts, not before, and not past the end of the queue")
    func counted() {
        var counter = FrameCounter(sampleRate: 1000)
        counter.enqueue(500, at: at(0))
        counter.play(at: at(100), now: at(0))
        #expect(counter.frame(at: at(50)) == 0)
        #expect(counter.frame(at: at(100)) == 0)
        #expect(counter.frame(at: at(101)) == 1)
        #expect(counter.frame(at: at(599)) == 499)
        #expect(counter.frame(at: at(600)) == 500)
        #expect(counter.frame(at: at(900)) == 500)
        #expect(!counter.isRunning(at: at(99)) && counter.isRunning(at: at(100)))
        #expect(counter.isRunning(at: at(599)) && !counter.isRunning(at: at(600)))
    }

    @Test("an empty queue is one underrun, and later frames are heard from then on")
    func underrun() {
        var counter = FrameCounter(sampleRate: 1000)
        counter.enqueue(100, at: at(0))
        counter.play(at: at(0), now: at(0))
        #expect(counter.underruns == 0)
        counter.enqueue(100, at: at(300))
        #expect(counter.underruns == 1)
        #expect(counter.frame(at: at(350)) == 150)
        counter.enqueue(100, at: at(360))
        #expect(counter.underruns == 1 && counter.frame(at: at(400)) == 200)
    }

    @Test("a pause holds the frame, and a flush restarts at zero")
    func pausedAndFlushed() {
        var counter = FrameCounter(sampleRate: 1000)
        counter.enqueue(500, at: at(0))
        counter.play(at: at(0), now: at(0))
        counter.pause(at: at(200))
        #expect(counter.frame(at: at(400)) == 200 && !counter.isRunning(at: at(400)))
        counter.play(at: at(500), now: at(500))
        #expect(counter.frame(at: at(600)) == 300)
        counter.flush(at: at(600))
        #expect(counter.enqueued == 0 && counter.frame(at: at(650)) == 0)
        counter.enqueue(100, at: at(650))
        #expect(counter.underruns == 0)
        #expect(counter.frame(at: at(700)) == 50)
    }

    // MARK: Timing (the contract of `AudioSink.timing`)

    @Test("there is no position before the first frame is heard")
    func unheard() {
        var counter = FrameCounter(sampleRate: 1000)
        #expect(counter.timing(at: at(0)) == nil && counter.start == nil)
        counter.enqueue(100, at: at(0))
        counter.play(at: at(50), now: at(0))
        #expect(counter.timing(at: at(49)) == nil)
        #expect(counter.timing(at: at(50)) == AudioTiming(frame: 0, hostTime: at(50), isRunning: true, underruns: 0))
        #expect(counter.start?.frame == 0 && counter.start?.host == at(50))
    }

    @Test("the host time is the instant at which the frame began; at the end of the queue it is now")
    func instants() {
        var counter = FrameCounter(sampleRate: 1000)
        counter.enqueue(100, at: at(0))
        counter.play(at: at(0), now: at(0))
        let late = at(30) + .microseconds(700)
        #expect(counter.timing(at: late) == AudioTiming(frame: 30, hostTime: at(30), isRunning: true, underruns: 0))
        #expect(counter.timing(at: at(100)) == AudioTiming(frame: 100, hostTime: at(100), isRunning: false, underruns: 0))
        #expect(counter.timing(at: at(130)) == AudioTiming(frame: 100, hostTime: at(130), isRunning: false, underruns: 0))
        counter.enqueue(100, at: at(150))
        #expect(counter.timing(at: at(160)) == AudioTiming(frame: 110, hostTime: at(160), isRunning: true, underruns: 1))
    }

    @Test("a paused position does not change, and is reported while playback waits for its start")
    func waiting() {
        var counter = FrameCounter(sampleRate: 1000)
        counter.enqueue(100, at: at(0))
        counter.play(at: at(0), now: at(0))
        counter.pause(at: at(40))
        #expect(counter.start == nil)
        #expect(counter.timing(at: at(500)) == AudioTiming(frame: 40, hostTime: at(500), isRunning: false, underruns: 0))
        counter.play(at: at(600), now: at(500))
        #expect(counter.timing(at: at(550)) == AudioTiming(frame: 40, hostTime: at(600), isRunning: false, underruns: 0))
        // An instant in the past is now.
        counter.play(at: at(100), now: at(560))
        #expect(counter.timing(at: at(570)) == AudioTiming(frame: 50, hostTime: at(570), isRunning: true, underruns: 0))
    }

    @Test("a position that was reached without a pause is reported while playback waits for another start")
    func restarted() {
        var counter = FrameCounter(sampleRate: 1000)
        counter.enqueue(100, at: at(0))
        counter.play(at: at(0), now: at(0))
        counter.play(at: at(90), now: at(40))
        #expect(counter.timing(at: at(60)) == AudioTiming(frame: 40, hostTime: at(90), isRunning: false, underruns: 0))
    }

    @Test("a queue that is filled while paused, or for the first time, is no underrun")
    func noUnderrun() {
        var counter = FrameCounter(sampleRate: 1000)
        counter.play(at: at(0), now: at(0))
        counter.enqueue(10, at: at(100))
        #expect(counter.underruns == 0 && counter.frame(at: at(105)) == 5)
        counter.pause(at: at(200))
        counter.enqueue(10, at: at(300))
        #expect(counter.underruns == 0 && counter.frame(at: at(400)) == 10)
        counter.play(at: at(400), now: at(400))
        counter.flush(at: at(405))
        counter.enqueue(10, at: at(500))
        #expect(counter.underruns == 0 && counter.frame(at: at(505)) == 5)
        counter.pause(at: at(505))
        counter.flush(at: at(506))
        #expect(counter.start == nil && counter.timing(at: at(506)) == nil)
    }
}

@Suite("The words of a compressed burst")
struct BurstWordTests {
    private func sample(_ word: UInt16) -> Float { Float(Int16(bitPattern: word)) / BurstWords.scale }

    @Test("a burst starts with both sync words, not with one of them")
    func begins() {
        #expect(BurstWords.begins(sample(0xF872), sample(0x4E1F)))
        #expect(!BurstWords.begins(sample(0xF872), sample(0x4E20)))
        #expect(!BurstWords.begins(sample(0xF871), sample(0x4E1F)))
        #expect(!BurstWords.begins(sample(0x4E1F), sample(0xF872)))
    }

    @Test("muting takes effect at the next burst, and so does unmuting")
    func muted() {
        var words = BurstWords()
        let middle = words.store(sample(0x1234), sample(0x5678), volume: 1)
        #expect([middle.0, middle.1] == [0x1234, 0x5678], "nothing is muted before the first burst")
        let first = words.store(sample(0xF872), sample(0x4E1F), volume: 1)
        #expect([first.0, first.1] == [Int16(bitPattern: 0xF872), 0x4E1F])
        let rest = words.store(sample(0x1234), sample(0x5678), volume: 0)
        #expect([rest.0, rest.1] == [0x1234, 0x5678])
        let silent = words.store(sample(0xF872), sample(0x4E1F), volume: 0)
        #expect([silent.0, silent.1] == [0, 0])
        let stillSilent = words.store(sample(0x1234), sample(0x5678), volume: 1)
        #expect([stillSilent.0, stillSilent.1] == [0, 0])
        let again = words.store(sample(0xF872), sample(0x4E1F), volume: 1)
        #expect([again.0, again.1] == [Int16(bitPattern: 0xF872), 0x4E1F])
        words.skip()
        let skipped = words.store(sample(0x1234), sample(0x5678), volume: 1)
        #expect([skipped.0, skipped.1] == [0, 0])
    }

    @Test("every word is recovered from its sample bit by bit")
    func exact() {
        for word in stride(from: Int(Int16.min), through: Int(Int16.max), by: 1)
        where BurstWords.word(Float(word) / BurstWords.scale) != Int16(word) {
            Issue.record("\(word) became \(BurstWords.word(Float(word) / BurstWords.scale))")
        }
    }
}
