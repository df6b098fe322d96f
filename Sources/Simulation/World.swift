import LinuxSupport
import MediaModel

/// The world around one box for some days, drawn from a seed: its streams, its viewer, and the faults. The same seed and length give the same world.
package struct World: Sendable, Hashable {
    /// A live stream and its packager.
    package struct LiveStream: Sendable, Hashable {
        /// The length of a segment in seconds.
        package var segment: Int
        /// Segments in a playlist.
        package var window: Int
        /// Whether there is a second variant.
        package var hasVariants: Bool
        /// Whether segments have dates.
        package var hasDates: Bool
        /// After this many segments an advertisement is spliced in, and the time stamps jump; nil for never.
        package var splice: Int?
    }

    package let seed: UInt64
    package let length: Duration
    /// Whether the box is a kiosk with one channel and without a remote.
    package let isKiosk: Bool
    /// The channels, by their order. A kiosk has one.
    package let channels: [LiveStream]
    /// The length of the film in segments of six seconds; nil if there is none.
    package let filmSegments: Int?
    /// Whether the feed's start is the film. Otherwise it is the first channel.
    package let startsWithFilm: Bool
    /// The faults and keys in the order of their start.
    package let faults: [Fault]

    /// Draws a world.
    package init(seed: UInt64, length: Duration) {
        var dice = Dice(seed: seed)
        self.seed = seed
        self.length = length
        isKiosk = dice.happens(0.6)
        channels = (0..<(isKiosk ? 1 : dice.number(in: 1...3))).map { _ in Self.stream(&dice) }
        filmSegments = isKiosk ? nil : dice.number(in: 50...600)
        startsWithFilm = !isKiosk && dice.happens(0.5)
        var plan = FaultPlan(dice: dice, length: length, hasRemote: !isKiosk)
        faults = plan.draw()
    }

    /// A world that is not drawn.
    init(seed: UInt64, length: Duration, channels: [LiveStream], filmSegments: Int?, faults: [Fault]) {
        self.seed = seed
        self.length = length
        isKiosk = false
        self.channels = channels
        self.filmSegments = filmSegments
        startsWithFilm = false
        self.faults = faults
    }

    private static func stream(_ dice: inout Dice) -> LiveStream {
        LiveStream(
            segment: dice.one(of: [6, 10]), window: dice.number(in: 5...10), hasVariants: dice.happens(0.7),
            hasDates: dice.happens(0.5), splice: dice.happens(0.4) ? dice.number(in: 40...400) : nil)
    }
}

/// Draws values from a seed.
struct Dice: Sendable {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func happens(_ probability: Double) -> Bool { generator.nextUnit() < probability }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(generator.next() % UInt64(range.count))
    }

    mutating func one<Value>(of values: [Value]) -> Value { values[number(in: 0...values.count - 1)] }

    /// A length whose logarithm is equally likely everywhere in the range: short ones are as frequent as long ones.
    mutating func length(from shortest: Int, to longest: Int) -> Duration {
        var bound = shortest
        while bound < longest, happens(0.75) { bound *= 2 }
        return .milliseconds(number(in: shortest * 1000...min(bound, longest) * 1000))
    }
}

/// Draws the faults of a world. Each seed has its own mixture of kinds: faults that rarely meet do meet in some worlds.
struct FaultPlan {
    private var dice: Dice
    private let length: Duration
    private let hasRemote: Bool
    private var faults: [Fault] = []

    init(dice: Dice, length: Duration, hasRemote: Bool) {
        self.dice = dice
        self.length = length
        self.hasRemote = hasRemote
    }

    /// The families of faults that a world has or does not have.
    private enum Family: CaseIterable {
        case link, server, packager, feed, television, decoder, process
    }

    mutating func draw() -> [Fault] {
        let families = Family.allCases.filter { _ in dice.happens(0.5) }
        let pause = dice.one(of: [600, 1800, 7200])
        if !families.isEmpty {
            // Some boxes are switched on in the middle of a fault.
            var time = dice.happens(0.3) ? .zero : Duration.seconds(dice.number(in: 0...pause))
            while time < length {
                let family = dice.one(of: families)
                let kind = kind(of: family)
                let fault = Fault(number: faults.count, kind: kind, start: time, length: span(of: kind))
                faults.append(fault)
                // Some faults overlap; most of the time there is one or none.
                time +=
                    dice.happens(0.15) ? .seconds(dice.number(in: 1...10)) : fault.spent + .seconds(dice.number(in: 60...pause))
            }
        }
        if hasRemote { drawKeys() }
        return faults.sorted { ($0.start, $0.number) < ($1.start, $1.number) }
    }

    private mutating func kind(of family: Family) -> Fault.Kind {
        let target = dice.one(of: Fault.Target.allCases)
        switch family {
        case .link: return dice.one(of: [.outage, .outage, .nameFailure, .slowLink(dice.one(of: [2_000, 8_000, 20_000]))])
        case .server:
            return dice.one(of: [
                .status(dice.one(of: [401, 403, 404, 410, 429, 500, 502, 503, 504]), target), .silence(target), .stall(target),
                .truncation(target), .webPage(target),
            ])
        case .packager: return dice.happens(0.7) ? .frozenPlaylists : .sequenceReset
        case .feed: return dice.happens(0.7) ? .brokenFeed : .withdrawnFilm
        case .television: return dice.one(of: [.screenLost, .screenLost, .otherMode, .otherInput])
        case .decoder: return .decoderError
        case .process: return dice.happens(0.5) ? .crash : .powerCut
        }
    }

    private mutating func span(of kind: Fault.Kind) -> Duration {
        switch kind {
        case .sequenceReset: .zero
        case .crash: .seconds(2)
        case .powerCut: dice.length(from: 5, to: 3600)
        case .screenLost, .otherMode, .otherInput: dice.length(from: 1, to: 600)
        case .decoderError: dice.length(from: 1, to: 30)
        case .brokenFeed, .withdrawnFilm: dice.length(from: 900, to: 7200)
        default: dice.length(from: 1, to: 1800)
        }
    }

    /// A viewer sits down some times a day and presses keys.
    private mutating func drawKeys() {
        let keys: [RemoteKey] = [
            .up, .down, .left, .right, .ok, .ok, .ok, .back, .home, .play, .pause, .playpause, .ff, .rw, .next, .prev, .channelUp,
            .channelDown, .info, .subtitle, .audio, .menu, .guide, .last, .digit1, .digit2, .power,
        ]
        var time = Duration.seconds(dice.number(in: 20...600))
        while time < length {
            for _ in 0..<dice.number(in: 2...25) {
                faults.append(Fault(number: faults.count, kind: .key(dice.one(of: keys)), start: time, length: .zero))
                time += .milliseconds(dice.number(in: 120...6000))
            }
            time += .seconds(dice.number(in: 300...14_400))
        }
    }
}

extension Fault {
    /// For how long no other fault is likely to begin.
    fileprivate var spent: Duration {
        switch kind {
        case .brokenFeed, .withdrawnFilm: .zero
        default: length
        }
    }
}
