import CivilTime
import MediaModel
import MediaTime

/// Parses the settings at the top of a feed.
struct SettingsParser {
    static let providerKeys = ["name", "logo", "support"]
    static let refreshKeys = ["interval", "jitterPercent"]
    static let policyKeys = ["parentalMax", "skippableAds", "snapBack", "metered", "idle", "skipMode", "hours"]
    static let idleKeys = ["askAfterHours"]

    private let values: FeedValues
    private let findings: FeedFindings
    private let artwork: ArtworkParser
    private let ratings: RatingParser

    init(values: FeedValues, findings: FeedFindings, artwork: ArtworkParser, ratings: RatingParser) {
        self.values = values
        self.findings = findings
        self.artwork = artwork
        self.ratings = ratings
    }

    func provider(_ object: FeedObject) -> Provider? {
        guard let node = object["provider"], let parts = values.object(node, keys: Self.providerKeys) else { return nil }
        return Provider(
            name: values.text(parts, "name", limit: FeedLimit.title), logo: parts["logo"].flatMap { artwork.picture($0) },
            support: values.string(parts, "support"))
    }

    func refresh(_ object: FeedObject) -> Refresh {
        var refresh = Refresh()
        guard let node = object["refresh"], let parts = values.object(node, keys: Self.refreshKeys) else { return refresh }
        if let interval = values.time(parts, "interval"), let node = parts["interval"] {
            if interval >= .seconds(1) {
                refresh.interval = interval
            } else {
                findings.fail(
                    .wrongType, node, "a refresh interval of \(FeedTime.plain(interval)) s", "Write 1 s or more; 900 s is used.")
            }
        }
        refresh.jitterPercent = values.integer(parts, "jitterPercent", in: 0...100).map(Int.init) ?? refresh.jitterPercent
        return refresh
    }

    func policy(_ object: FeedObject) -> Policy {
        var policy = Policy()
        guard let node = object["policy"], let parts = values.object(node, keys: Self.policyKeys) else { return policy }
        if let node = parts["parentalMax"] { policy.parentalMax = maxima(node) }
        policy.skippableAds = values.boolean(parts, "skippableAds") ?? policy.skippableAds
        policy.snapBack = values.word(parts, "snapBack", as: SnapBack.self) ?? policy.snapBack
        policy.metered = values.word(parts, "metered", as: Policy.Metered.self)
        policy.skipMode = values.word(parts, "skipMode", as: SkipMode.self) ?? policy.skipMode
        if let node = parts["idle"], let idle = values.object(node, keys: Self.idleKeys), let hours = idle["askAfterHours"] {
            policy.idleAskAfterHours = self.hours(hours)
        }
        if let node = parts["hours"] { policy.hours = openingHours(node) }
        return policy
    }

    private func openingHours(_ node: FeedNode) -> OpeningHours? {
        let texts = values.elements(node).compactMap { text in
            values.string(text).flatMap { values.timetable(text, $0, mayBeClosed: true) == nil ? nil : $0 }
        }
        do throws(CivilFault) {
            return try OpeningHours(texts)
        } catch {
            findings.report(.error, .notATimetable, node, showing: false, error.message, error.remedy)
            return nil
        }
    }

    /// Hours as a decimal number.
    private func hours(_ node: FeedNode) -> MediaTime? {
        if case .number(let text) = node.json.value, let hours = FeedTime.parse(text), hours > .zero { return hours }
        values.wrongType(node, "a number of hours, e.g. 4, or null for never")
        return nil
    }

    /// The highest open rating by system. An invalid one stays in the list and counts as the strictest limit.
    private func maxima(_ node: FeedNode) -> [Rating] {
        guard case .object(let object) = node.json.value else {
            values.wrongType(node, "the highest rating open by system, e.g. {\"MPA\": \"PG-13\"}")
            // A limit was intended, but it is unknown: use the strictest.
            return [Rating(system: RatingSystem.age.rawValue, value: "0")]
        }
        return object.members.compactMap { member in
            let child = node.child(member.node, member.key)
            switch member.node.value {
            case .string(let value), .number(let value):
                let rating = Rating(system: member.key, value: value)
                ratings.check(rating: rating, systemAt: child, valueAt: child)
                return rating
            case .null: return nil
            default:
                values.wrongType(child, "a rating, e.g. \"PG-13\"")
                return Rating(system: member.key, value: "")
            }
        }
    }
}
