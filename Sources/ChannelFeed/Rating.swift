/// A content rating by a classification board.
package struct Rating: Sendable, Hashable {
    /// The board's short name, e.g. `MPA`; see `RatingSystem`.
    package let system: String
    /// The rating in the board's own terms, e.g. `PG-13`; shown to the viewer, empty hides the stream's own.
    package let value: String

    package init(system: String, value: String) {
        self.system = system
        self.value = value
    }

    /// The minimum age; nil when the system or the value is unknown, which counts as locked under a limit.
    package var minimumAge: Int? { RatingSystem(named: system)?.minimumAge(of: value) }
}

/// The supported rating systems, each with a minimum age for each of its values.
///
/// Ages are the boards' own; when a board only advises parents (PG), the age is 8, from which all boards call it generally
/// suitable.
package enum RatingSystem: String, Sendable, CaseIterable {
    /// The Motion Picture Association, films in the United States.
    case mpa = "MPA"
    /// The TV Parental Guidelines of the United States.
    case tvpg = "TVPG"
    /// The British Board of Film Classification.
    case bbfc = "BBFC"
    /// The Freiwillige Selbstkontrolle, Germany.
    case fsk = "FSK"
    /// The Centre national du cinéma, France.
    case cnc = "CNC"
    /// The Kansallinen audiovisuaalinen instituutti, Finland.
    case kavi = "KAVI"
    /// The Australian Classification Board.
    case acb = "ACB"
    /// No board: the value is the age itself, 0 to 21.
    case age = "age"

    /// The system with this short name, case-insensitive.
    package init?(named name: String) {
        guard let system = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else { return nil }
        self = system
    }

    /// Every value with its minimum age, youngest first: the published table.
    package var table: [(value: String, minimumAge: Int)] {
        switch self {
        case .mpa: [("G", 0), ("PG", 8), ("PG-13", 13), ("R", 17), ("NC-17", 18)]
        case .tvpg: [("TV-Y", 0), ("TV-G", 0), ("TV-Y7", 7), ("TV-Y7-FV", 7), ("TV-PG", 8), ("TV-14", 14), ("TV-MA", 17)]
        case .bbfc: [("U", 0), ("PG", 8), ("12", 12), ("12A", 12), ("15", 15), ("18", 18), ("R18", 18)]
        case .fsk: [("0", 0), ("6", 6), ("12", 12), ("16", 16), ("18", 18)]
        case .cnc: [("U", 0), ("TP", 0), ("10", 10), ("12", 12), ("16", 16), ("18", 18)]
        case .kavi: [("S", 0), ("7", 7), ("12", 12), ("16", 16), ("18", 18)]
        case .acb: [("P", 0), ("C", 0), ("G", 0), ("PG", 8), ("M", 15), ("MA15+", 15), ("R18+", 18), ("X18+", 18)]
        case .age: (0...21).map { (String($0), $0) }
        }
    }

    /// The minimum age of a value; nil when the board has no such value.
    package func minimumAge(of value: String) -> Int? {
        table.first { $0.value.lowercased() == value.lowercased() }?.minimumAge
    }
}

/// The highest age rating that needs no PIN.
package struct ParentalLimit: Sendable, Hashable {
    /// The limit for one rating system.
    package struct Entry: Sendable, Hashable {
        /// The rating system.
        package let system: RatingSystem
        /// The highest minimum age that stays open.
        package let age: Int
    }

    /// The limits by system, in the feed's order.
    package let entries: [Entry]
    /// The limit for other systems: the lowest of the entries.
    package let age: Int

    /// One limit for every system.
    package init(age: Int) {
        entries = []
        self.age = age
    }

    /// The limits of a feed: a value for each of several systems; an invalid one counts as the lowest age. Nil when the list is
    /// empty.
    package init?(maxima: [Rating]) {
        guard !maxima.isEmpty else { return nil }
        entries = maxima.compactMap { maximum in
            RatingSystem(named: maximum.system).map { Entry(system: $0, age: maximum.minimumAge ?? 0) }
        }
        age = maxima.map { $0.minimumAge ?? 0 }.min() ?? 0
    }

    /// A limit given as a value without its system, as in `marquee.toml`: `PG-13`, `12`. Nil when no system has it; systems are
    /// tried in the order of `RatingSystem`.
    package init?(value: String) {
        let ages = ([RatingSystem.age] + RatingSystem.allCases).compactMap { $0.minimumAge(of: value) }
        guard let age = ages.first else { return nil }
        self.init(age: age)
    }

    /// Whether this rating needs the PIN, and why.
    package func decision(for rating: Rating?) -> ParentalDecision {
        guard let rating, !rating.value.isEmpty else { return .locked(.notRated) }
        guard let system = RatingSystem(named: rating.system), let minimumAge = system.minimumAge(of: rating.value) else {
            return .locked(.ratingUnknown)
        }
        let limit = entries.first { $0.system == system }?.age ?? age
        return minimumAge <= limit ? .open : .locked(.overLimit(minimumAge: minimumAge, limit: limit))
    }
}

/// Whether something may be watched without the PIN.
package enum ParentalDecision: Sendable, Hashable {
    case open
    case locked(Reason)

    /// Why the PIN is needed.
    package enum Reason: Sendable, Hashable {
        /// Its minimum age is above the limit.
        case overLimit(minimumAge: Int, limit: Int)
        /// It has no rating.
        case notRated
        /// Its rating system or value is unknown to this box.
        case ratingUnknown
    }

    package var isLocked: Bool { self != .open }
}
