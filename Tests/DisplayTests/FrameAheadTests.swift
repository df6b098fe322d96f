import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import Synchronization
import Testing

@testable import Display

/// Converts pictures as slowly as a small processor, or not at all.
private final class SlowConverter: RangeConverting {
    private let inner = RangeConverter()
    private let refuses = Mutex(false)
    private let count = Mutex(0)
    /// By which ten milliseconds of conversions are made for each picture.
    let clock = Mutex<(any HostClock)?>(nil)

    /// Whether there is no memory for a picture.
    var isRefusing: Bool {
        get { refuses.withLock { $0 } }
        set { refuses.withLock { $0 = newValue } }
    }
    /// How many pictures were asked for.
    var pictures: Int { count.withLock { $0 } }

    func picture(
        _ frame: VideoFrame, for range: HighDynamicRange?, from allocator: any FrameAllocator
    ) throws(MediaError) -> VideoFrame {
        count.withLock { $0 += 1 }
        guard !isRefusing else { throw MediaError(.internal, "Memory for a picture was refused: there is none in this test.") }
        let end = clock.withLock(\.self).map { $0.now + .milliseconds(10) }
        while true {
            let picture = try inner.picture(frame, for: range, from: allocator)
            guard let end, let now = clock.withLock(\.self)?.now, now < end else { return picture }
        }
    }

    func convert(_ pixels: PixelBuffer, for range: HighDynamicRange, into target: PixelBuffer) throws(MediaError) {
        try inner.convert(pixels, for: range, into: target)
    }

    func colour(_ colour: OpaqueColour, for range: HighDynamicRange) throws(MediaError) -> OpaqueColour {
        try inner.colour(colour, for: range)
    }
}

/// What a source was asked, and how many of its scenes were under way then.
private final class Questions: Sendable {
    struct Question {
        var opportunity: PresentationOpportunity
        /// The scenes that it had given and that had not been flipped.
        var open: Int
    }
    private let state = Mutex<[Question]>([])

    var asked: [Question] { state.withLock { $0 } }

    /// - Parameter shown: the scene that was flipped last, by its time.
    func note(_ opportunity: PresentationOpportunity, shown: HostTime?) {
        state.withLock { asked in
            let open = asked.count { question in shown.map { question.opportunity.targetTime > $0 } ?? true }
            asked.append(Question(opportunity: opportunity, open: open))
        }
    }
}

extension LoopSuites.CardInMemory {
    @Suite("The scene behind the one that waits for its flip", .serialized)
    @MainActor
    struct FrameAheadTests {
        /// A screen in a high range that shows pictures of a standard one: they take the CPU ten milliseconds.
        private func rig(_ converter: SlowConverter) throws -> RangeRig {
            let rig = try RangeRig(converter: converter)
            converter.clock.withLock { $0 = rig.clock }
            try rig.begin(try rig.high())
            try rig.waitForPicture(["P010", "AR24"])
            rig.show(try rig.standard())
            try rig.waitForFlips(5)
            return rig
        }

        /// Gives a scene for each question from now on.
        private func follow(_ rig: RangeRig, notBefore: Duration? = nil) -> Questions {
            let questions = Questions()
            rig.source.change { [shown = rig.shown, source = rig.source] _, opportunity in
                questions.note(opportunity, shown: source.seen.flips.last?.wantedTime)
                return PresentationAnswer(
                    scene: shown.scene(for: opportunity), wantsNext: true,
                    notBefore: notBefore.map { opportunity.targetTime + $0 })
            }
            return questions
        }

        @Test("is asked for and prepared meanwhile if that takes the CPU long; all scenes come in order and not early")
        func slow() throws {
            let rig = try rig(SlowConverter())
            defer { rig.stop() }
            // A computer that stands still for a while makes flips late, and a late flip gives up what was prepared behind it.
            var (questions, timeouts) = (Questions(), 0)
            repeat {
                timeouts = rig.display.counters.timeouts
                questions = follow(rig)
                try rig.waitForFlips(30)
            } while rig.display.counters.timeouts > timeouts
            let asked = questions.asked
            // Of the first its time is not known, and the last one before may still be open.
            let behind = asked.dropFirst(4).count { $0.open == 1 }
            #expect(behind > asked.count / 2, "\(asked.map(\.open))")
            #expect(asked.dropFirst(2).allSatisfy { (0...1).contains($0.open) })
            let targets = asked.map(\.opportunity.targetTime)
            #expect(zip(targets, targets.dropFirst()).allSatisfy { $0 < $1 })
            let flips = rig.source.seen.flips.suffix(25)
            let wanted = flips.map(\.wantedTime)
            let earliest = try #require(wanted.first)
            let first = try #require(targets.firstIndex(of: earliest))
            #expect(wanted == Array(targets[first...].prefix(wanted.count)), "none is left out")
            // The timer that makes the blanks is late on a busy computer: single blanks are not where they were expected.
            #expect(flips.count { $0.time < $0.wantedTime - .milliseconds(12) } <= flips.count / 4)
        }

        @Test("is not asked for before the flip if the planes show its pictures as they are, or only layers are new")
        func fast() throws {
            let rig = try rig(SlowConverter())
            defer { rig.stop() }
            rig.show(try rig.high(luma: 90))
            try rig.waitForFlips(5)
            let questions = follow(rig)
            try rig.waitForFlips(15)
            #expect(questions.asked.dropFirst().allSatisfy { $0.open == 0 })
        }

        @Test("is made for the blank that the source has named")
        func named() throws {
            let rig = try rig(SlowConverter())
            defer { rig.stop() }
            // Twenty frames a second.
            let questions = follow(rig, notBefore: .milliseconds(48))
            try rig.waitForFlips(15)
            let asked = questions.asked.dropFirst(2)
            let steps = zip(asked, asked.dropFirst()).map { $1.opportunity.targetTime - $0.opportunity.targetTime }.sorted()
            #expect(steps[steps.count / 2] > .milliseconds(45) && steps[steps.count / 2] < .milliseconds(55))
            #expect(asked.count { $0.open == 1 } > asked.count / 2)
            // A film that rests is not asked for ahead: the answer to a key would wait for its picture.
            let resting = follow(rig, notBefore: .milliseconds(150))
            try rig.waitForFlips(5)
            #expect(resting.asked.dropFirst(2).allSatisfy { $0.open == 0 })
        }

        @Test("survives lost flips, a screen that goes away and standby")
        func lost() throws {
            let rig = try rig(SlowConverter())
            defer { rig.stop() }
            for _ in 0..<3 {
                rig.card.change { $0.lostFlips = 1 }
                try rig.waitForFlips(6)
            }
            rig.display.setPower(false)
            try rig.waitForPicture([])
            rig.display.setPower(true)
            try rig.waitForFlips(6)
            rig.card.changeScreen { $0.isConnected = false }
            rig.display.connectorsChanged()
            try rig.wait("the loss") { rig.source.seen.modes.last == .some(nil) }
            rig.card.changeScreen { $0.isConnected = true }
            rig.display.connectorsChanged()
            try rig.waitForFlips(6)
            let wanted = rig.source.seen.flips.map(\.wantedTime)
            #expect(zip(wanted, wanted.dropFirst()).allSatisfy { $0 < $1 })
        }

        @Test("that cannot be prepared leaves the last picture, and the source is asked again until it can")
        func noMemory() throws {
            let converter = SlowConverter()
            let rig = try rig(converter)
            defer { rig.stop() }
            converter.isRefusing = true
            let pictures = converter.pictures
            try rig.wait("attempts") { converter.pictures >= pictures + 5 }
            let modesets = rig.card.modesets
            converter.isRefusing = false
            try rig.waitForFlips(5)
            #expect(rig.card.modesets == modesets && rig.source.seen.modes.allSatisfy { $0 != nil })
        }

        @Test("does not keep those waiting who read the screen")
        func readers() throws {
            let rig = try rig(SlowConverter())
            defer { rig.stop() }
            for _ in 0..<5 {
                var read: ScreenPicture??
                rig.display.readScreen { read = .some($0) }
                try rig.wait("the screen being read") { read != nil }
                #expect(read??.pixels.width == 320)
            }
            try rig.waitForFlips(3)
        }
    }
}
