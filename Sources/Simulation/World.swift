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
        /// Whether segments are published in parts, and requests for the next part wait for it (RFC 8216bis, section 6.2.5.2).
        package var isLowLatency = false
    }

    /// How the origin of all streams packs and protects them.
    package struct Origin: Sendable, Hashable {
        /// Playlists redirect to an address with a token, which is refused after this time; nil for none.
        package var tokenLife: Duration?
        /// Whether live segments are encrypted with AES-128.
        package var isEncrypted = false
        /// Whether live playlists count the discontinuities that slid out.
        package var countsDiscontinuities = true
        /// How wrong the dates of the packagers are.
        package var dateError = Duration.zero
        /// Whether requests for segments are redirected to other hosts.
        package var redirectsSegments = false

        package init() {}
    }

    /// What the operator stores on the box, and how much room there is.
    package struct Saving: Sendable, Hashable {
        /// A film that is stored.
        package struct Film: Sendable, Hashable {
            /// Its length in segments of six seconds.
            package var segments: Int
            package var isRequired: Bool
        }
        package var films: [Film]
        /// The hours of the day in which they are stored; nil for always.
        package var window: Range<Int>?
        /// The bytes that the disk has for them.
        package var room: Int64
    }

    /// A channel whose programmes begin at stated times, again and again in the same order.
    package struct Schedule: Sendable, Hashable {
        /// A programme and the time until the next one begins.
        package struct Slot: Sendable, Hashable {
            /// Its length in segments of six seconds.
            package var segments: Int
            /// In seconds: longer than the programme, or too short for it.
            package var length: Int
        }
        package var slots: [Slot]
    }

    package let seed: UInt64
    package let length: Duration
    /// Whether the box is a kiosk with one channel and without a remote.
    package let isKiosk: Bool
    /// The channels, by their order. A kiosk has one.
    package let channels: [LiveStream]
    package let origin: Origin
    /// The length of the film in segments of six seconds; nil if there is none.
    package let filmSegments: Int?
    /// Whether the feed's start is the film. Otherwise it is the first channel.
    package let startsWithFilm: Bool
    /// Whether all streams have sound, and the box a sound card.
    package let hasSound: Bool
    /// When the first channel is offered, from the start of the simulation; nil for always.
    package let window: Range<Duration>?
    /// nil: nothing is stored.
    package let saving: Saving?
    /// A channel after the others, with which a kiosk begins; nil if there is none.
    package let schedule: Schedule?
    /// The faults and keys in the order of their start.
    package let faults: [Fault]

    /// Draws a world.
    package init(seed: UInt64, length: Duration) {
        var dice = Dice(seed: seed)
        self.seed = seed
        self.length = length
        isKiosk = dice.happens(0.6)
        var channels = (0..<(isKiosk ? 1 : dice.number(in: 1...3))).map { _ in Self.stream(&dice) }
        filmSegments = isKiosk ? nil : dice.number(in: 50...600)
        startsWithFilm = !isKiosk && dice.happens(0.5)
        var plan = FaultPlan(length: length)
        plan.addFaults(of: FaultPlan.Family.first, share: 0.5, pauses: [600, 1800, 7200], &dice)
        if !isKiosk { plan.addKeys(&dice) }
        // What follows has dice of its own: the worlds of known seeds keep what they had before.
        var more = Dice(seed: ~seed)
        hasSound = more.happens(0.25)
        window = more.happens(0.25) ? Self.window(in: length, &more) : nil
        var origin = Self.origin(&more)
        var families: [FaultPlan.Family] = [.hang, .date, .publication, .contents, .size, .disk]
        if hasSound { families.append(.sound) }
        if origin.isEncrypted { families.append(.keys) }
        plan.addFaults(of: families, share: 0.3, pauses: [1800, 7200, 21_600], &more)
        // Saved films have dice of their own too: worlds without them have the faults that they had before there were any.
        var third = Dice(seed: seed ^ 0x5a7e_d0f1_1a5c_0de5)
        saving = filmSegments != nil && third.happens(0.4) ? Self.saving(&third) : nil
        if let saving {
            plan.addFaults(of: [.link, .server, .process, .disk], share: 0.6, pauses: [1800, 7200], &third)
            plan.addOpenings(of: saving.films.count, &third)
        }
        // So have low latency, redirects and damaged disks.
        var fourth = Dice(seed: seed ^ 0x10a7_ec4c_f117_3ed1)
        origin.redirectsSegments = fourth.happens(0.15)
        for number in channels.indices where fourth.happens(0.2) && !origin.isEncrypted { channels[number].isLowLatency = true }
        plan.addFaults(of: [.damage], share: 0.2, pauses: [7200, 21_600], &fourth)
        // So have schedules.
        var fifth = Dice(seed: seed ^ 0xf1f7_5c4e_d01e_0a11)
        schedule = fifth.happens(0.25) ? Self.schedule(&fifth) : nil
        self.channels = channels
        self.origin = origin
        faults = plan.drawn
    }

    /// A world that is not drawn.
    init(
        seed: UInt64, length: Duration, channels: [LiveStream], filmSegments: Int?, hasSound: Bool = false,
        window: Range<Duration>? = nil, origin: Origin = Origin(), saving: Saving? = nil, schedule: Schedule? = nil,
        faults: [Fault]
    ) {
        self.seed = seed
        self.length = length
        isKiosk = false
        self.channels = channels
        self.filmSegments = filmSegments
        startsWithFilm = false
        self.hasSound = hasSound
        self.window = window
        self.origin = origin
        self.saving = saving
        self.schedule = schedule
        self.faults = faults
    }

    /// Opens in the first half of the world's time, or was open before.
    private static func window(in length: Duration, _ dice: inout Dice) -> Range<Duration> {
        let seconds = Int(length.components.seconds)
        let start = dice.happens(0.5) ? -3600 : dice.number(in: 0...max(seconds / 2, 1))
        let end = start + 3600 + dice.number(in: 0...max(seconds, 1))
        return .seconds(start)..<(.seconds(end))
    }

    private static func origin(_ dice: inout Dice) -> Origin {
        var origin = Origin()
        if dice.happens(0.2) { origin.tokenLife = .seconds(dice.one(of: [300, 900, 3600])) }
        origin.isEncrypted = dice.happens(0.2)
        origin.countsDiscontinuities = dice.happens(0.7)
        if dice.happens(0.3) { origin.dateError = .seconds(dice.one(of: [-86_400, -3600, -20, 30, 3600, 31_536_000])) }
        return origin
    }

    /// On a third of the disks the films do not fit.
    private static func saving(_ dice: inout Dice) -> Saving {
        let films = (0..<dice.number(in: 1...4)).map { _ in
            Saving.Film(segments: dice.number(in: 3...40), isRequired: dice.happens(0.5))
        }
        let start = dice.number(in: 0...20)
        let window = dice.happens(0.4) ? start..<start + dice.number(in: 1...4) : nil
        let all = films.reduce(Int64(0)) { $0 + Int64($1.segments * SimulatedServer.largestFilmSegment) }
        return Saving(films: films, window: window, room: dice.happens(0.3) ? all * 2 / 3 : all * 2)
    }

    /// Programmes of up to ten minutes. Some have ended before the next one begins, others have not.
    private static func schedule(_ dice: inout Dice) -> Schedule {
        Schedule(
            slots: (0..<dice.number(in: 2...6)).map { _ in
                let segments = dice.number(in: 5...100)
                return Schedule.Slot(
                    segments: segments,
                    length: max(segments * SimulatedServer.filmSegment + dice.number(in: -120...300), 30))
            })
    }

    private static func stream(_ dice: inout Dice) -> LiveStream {
        LiveStream(
            segment: dice.one(of: [6, 10]), window: dice.number(in: 5...10), hasVariants: dice.happens(0.7),
            hasDates: dice.happens(0.5), splice: dice.happens(0.4) ? dice.number(in: 40...400) : nil)
    }
}

extension World: CustomStringConvertible {
    /// What the box and its streams are like, without the faults.
    package var description: String {
        var words = [isKiosk ? "kiosk" : "household", "\(channels.count) channels"]
        if hasSound { words.append("sound") }
        if let saving {
            let hours = saving.window.map { " from \($0.lowerBound) to \($0.upperBound) h" } ?? ""
            words.append("\(saving.films.count) films saved\(hours) in \(saving.room >> 10) KiB")
        }
        if let schedule { words.append("schedule of \(schedule.slots.count) programmes") }
        if let window { words.append("window \(window.lowerBound.seconds)-\(window.upperBound.seconds) s") }
        if let life = origin.tokenLife { words.append("tokens for \(life.seconds) s") }
        if origin.isEncrypted { words.append("encrypted") }
        if origin.redirectsSegments { words.append("redirected segments") }
        if channels.contains(where: \.isLowLatency) { words.append("low latency") }
        if !origin.countsDiscontinuities { words.append("uncounted discontinuities") }
        if origin.dateError != .zero { words.append("dates wrong by \(origin.dateError.seconds) s") }
        return words.joined(separator: ", ")
    }
}
