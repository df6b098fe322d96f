import BoxModel
import LinuxSupport

/// Draws the faults of a world. Each seed has its own mixture of kinds: faults that rarely meet do meet in some worlds.
struct FaultPlan {
    private let length: Duration
    private var faults: [Fault] = []

    /// - Parameter length: of the world's time.
    init(length: Duration) { self.length = length }

    /// Families of faults, which a world has or does not have.
    enum Family: CaseIterable {
        case link, server, packager, feed, television, decoder, process
        case hang, sound, date, publication, keys, contents, size, disk, damage

        /// Those of the network and the servers, the screen and the process.
        static let first: [Family] = [.link, .server, .packager, .feed, .television, .decoder, .process]
    }

    /// What was drawn, in the order of the start.
    var drawn: [Fault] { faults.sorted { ($0.start, $0.number) < ($1.start, $1.number) } }

    /// Draws faults of some of these families.
    ///
    /// - Parameters:
    ///   - share: the probability of each family.
    ///   - pauses: one of them is the longest pause in seconds between two faults.
    mutating func addFaults(of all: [Family], share: Double, pauses: [Int], _ dice: inout Dice) {
        let families = all.filter { _ in dice.happens(share) }
        let pause = dice.one(of: pauses)
        guard !families.isEmpty else { return }
        // Some boxes are switched on in the middle of a fault.
        var time = dice.happens(0.3) ? .zero : Duration.seconds(dice.number(in: 0...pause))
        while time < length {
            let family = dice.one(of: families)
            let kind = Self.kind(of: family, &dice)
            let fault = Fault(number: faults.count, kind: kind, start: time, length: Self.span(of: kind, &dice))
            faults.append(fault)
            // Some faults overlap; most of the time there is one or none.
            time +=
                dice.happens(0.15) ? .seconds(dice.number(in: 1...10)) : fault.spent + .seconds(dice.number(in: 60...pause))
        }
    }

    private static func kind(of family: Family, _ dice: inout Dice) -> Fault.Kind {
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
        case .hang: return .decoderHang
        case .publication: return dice.happens(0.5) ? .earlyListing : .laggingVariant
        case .keys: return .keyStatus(dice.one(of: [401, 403, 404, 500, 503]))
        case .contents: return .changedFeed
        case .size: return .otherSize
        case .disk: return .fullDisk
        case .damage: return .damagingCut
        case .sound: return dice.happens(0.7) ? .soundLost : .soundStall
        case .date: return dice.happens(0.3) ? .noDate : .wrongDate(hours: dice.one(of: [-8760, -25, -3, -1, 1, 2, 26, 8760]))
        }
    }

    private static func span(of kind: Fault.Kind, _ dice: inout Dice) -> Duration {
        switch kind {
        case .sequenceReset: .zero
        case .crash: .seconds(2)
        case .powerCut, .damagingCut: dice.length(from: 5, to: 3600)
        case .screenLost, .otherMode, .otherSize, .otherInput: dice.length(from: 1, to: 600)
        case .decoderError: dice.length(from: 1, to: 30)
        case .decoderHang: dice.length(from: 1, to: 10)
        case .soundLost, .wrongDate, .noDate: dice.length(from: 1, to: 3600)
        case .soundStall: .milliseconds(dice.number(in: 50...3000))
        case .brokenFeed, .withdrawnFilm, .changedFeed: dice.length(from: 900, to: 7200)
        default: dice.length(from: 1, to: 1800)
        }
    }

    /// A viewer sits down some times a day and presses keys.
    mutating func addKeys(_ dice: inout Dice) {
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

    /// Somebody opens saved films with the page, some times a day.
    mutating func addOpenings(of films: Int, _ dice: inout Dice) {
        var time = Duration.seconds(dice.number(in: 600...3600))
        while time < length {
            let kind = Fault.Kind.open(dice.number(in: 0...films - 1))
            faults.append(Fault(number: faults.count, kind: kind, start: time, length: .zero))
            time += .seconds(dice.number(in: 300...10_800))
        }
    }
}
