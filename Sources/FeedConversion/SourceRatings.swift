import ChannelFeed
import WireFormats

/// Ratings of the source formats as ratings of a feed.
enum SourceRatings {
    /// The systems of a feed by the names that the formats give them, in lower case.
    private static let systems: [String: RatingSystem] = [
        "mpaa": .mpa, "mpa": .mpa, "urn:mpaa": .mpa, "usa_pr": .tvpg, "us_tv": .tvpg, "tvpg": .tvpg, "v-chip": .tvpg,
        "urn:v-chip": .tvpg,
        "urn:tvpg": .tvpg, "bbfc": .bbfc, "uk_bbfc": .bbfc, "urn:bbfc": .bbfc, "fsk": .fsk, "urn:fsk": .fsk, "cnc": .cnc,
        "kavi": .kavi,
        "acb": .acb, "oflc": .acb, "au_oflc": .acb, "urn:acb": .acb, "age": .age,
    ]

    /// What says that there is no rating.
    private static let unrated: Set<String> = ["", "unrated", "nr", "ur", "not rated", "none", "n/a", "notrated"]

    /// The rating under a name of a system; nil when it is none of the feed's.
    static func rating(system: String, value: String) -> JSONText? {
        let value = Conversion.trimmed(value)
        guard let known = systems[Conversion.trimmed(system).lowercased()] else { return nil }
        return rating(known, value)
    }

    /// The rating with a value alone, in the systems whose values are words; nil when none has it.
    static func rating(value: String) -> JSONText? {
        let value = Conversion.trimmed(value)
        return rating(.mpa, value) ?? rating(.tvpg, value)
    }

    /// Whether a value says that there is no rating.
    static func isUnrated(_ value: String) -> Bool { unrated.contains(Conversion.trimmed(value).lowercased()) }

    static func age(_ age: Int) -> JSONText { json(.age, String(age)) }

    private static func rating(_ system: RatingSystem, _ value: String) -> JSONText? {
        func bare(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "+" } }
        // Publishers write PG13 and TVMA; the published spelling is used.
        return system.table.first { bare($0.value) == bare(value) }.map { json(system, $0.value) }
    }

    private static func json(_ system: RatingSystem, _ value: String) -> JSONText {
        .object([("system", .string(system.rawValue)), ("value", .string(value))])
    }
}
