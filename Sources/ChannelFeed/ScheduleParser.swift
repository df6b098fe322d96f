import CivilTime
import MediaTime

/// Parses the rules of schedule channels, and checks them.
struct ScheduleParser {
    /// The keys of a rule. The published schema must list them in this order.
    static let keys = ["when", "except", "priority", "title", "items", "channel"]

    let values: FeedValues
    let findings: FeedFindings
    let resolver: ReferenceResolver
    let clock: FeedClock

    /// Reads the rules and the filler of a channel.
    func read(_ object: FeedObject, into channel: inout Channel, directory: FeedDirectory) {
        let nodes = values.list(object, "rules", atMost: FeedLimit.rules)
        channel.schedule.filler = values.list(object, "filler").compactMap { resolver.itemID($0, directory: directory) }
        let read = nodes.compactMap { node in rule(node, directory: directory).map { (node, $0) } }
        channel.schedule.timetable = Timetable(read.map(\.1))
        guard channel.kind == .schedule else {
            for key in ["rules", "filler"] {
                guard let node = object[key] else { continue }
                withoutEffect(
                    node, "a \(channel.kind.rawValue) channel has no schedule", "Remove it, or write \"kind\": \"schedule\".")
            }
            return
        }
        guard let rules = object["rules"] else { return }
        if let entries = object["entries"] {
            channel.schedule.entries = []
            withoutEffect(entries, "the channel has rules", "Write rules for dates in place of entries; the box ignores these.")
        }
        check(channel.schedule.timetable, read.map(\.0), rules)
    }

    private func withoutEffect(_ node: FeedNode, _ message: String, _ remedy: String) {
        findings.report(.warning, .withoutEffect, node, showing: false, message, remedy)
    }

    private func check(_ table: Timetable<ScheduleRule>, _ nodes: [FeedNode], _ list: FeedNode) {
        let count = table.rules.reduce(0) { $0 + $1.times.count }
        guard count <= FeedLimit.ruleTimes else {
            findings.report(
                .error, .wrongType, list, showing: false, "\(count) texts about days and times",
                "Write \(FeedLimit.ruleTimes) or fewer in a channel.")
            return
        }
        for (place, other) in table.overlaps() {
            findings.report(
                .warning, .rulesOverlap, nodes[place].member("when"), showing: false,
                "at some time \(nodes[other].pointer) holds, too",
                "There the first one counts; give one of them a higher \"priority\".")
        }
        guard case .trusted(let now) = clock else { return }
        // Of a day before yesterday in every zone.
        for place in table.rulesOver(before: now.second / 86_400 - 1) {
            findings.report(
                .warning, .ruleOver, nodes[place].member("when"), showing: false, "all its dates have passed",
                "Remove the rule, or write later dates."
            )
        }
    }

    private func rule(_ node: FeedNode, directory: FeedDirectory) -> Timetable<ScheduleRule>.Rule? {
        guard let object = values.object(node, keys: Self.keys) else { return nil }
        let times =
            values.required(object, "when", "days and times, e.g. \"mon-fri 08:00-18:00\"").map { values.timetables($0) } ?? []
        let except = values.list(object, "except").compactMap { days($0) }
        let priority = values.integer(object, "priority", in: 0...100).map(Int.init) ?? 0
        let title = values.text(object, "title", limit: FeedLimit.title)
        guard let shows = shows(object, directory: directory), !times.isEmpty else { return nil }
        return Timetable.Rule(ScheduleRule(title: title, shows: shows), times, except: except, priority: priority)
    }

    private func days(_ node: FeedNode) -> Days? {
        guard let text = values.string(node) else { return nil }
        do throws(CivilFault) {
            return try Days(text)
        } catch {
            findings.report(.error, .notATimetable, node, showing: false, error.message, error.remedy)
            return nil
        }
    }

    private func shows(_ object: FeedObject, directory: FeedDirectory) -> ScheduleRule.Shows? {
        if let node = object["channel"] {
            if let items = object["items"] {
                withoutEffect(items, "the rule names a channel", "Write either \"items\" or \"channel\"; the channel is shown.")
            }
            return channel(node, directory: directory).map { .channel($0) }
        }
        guard let node = values.required(object, "items", "a list of item ids, or \"channel\" with the id of a channel") else {
            return nil
        }
        if values.isEmptyList(node) { values.wrongType(node, "the ids of what is shown") }
        let items = values.elements(node).compactMap { resolver.itemID($0, directory: directory) }
        return items.isEmpty ? nil : .items(items)
    }

    private func channel(_ node: FeedNode, directory: FeedDirectory) -> String? {
        guard let id = values.string(node) else { return nil }
        guard case .channel? = directory[id] else {
            resolver.noSuch("channel", id, at: node, among: directory.channelIDs)
            return nil
        }
        guard !directory.isSchedule(id) else {
            findings.report(
                .error, .noSuchReference, node, showing: false, "\(FeedText.quoted(id)) is a schedule itself",
                "Name a live or playlist channel, or write its items here.")
            return nil
        }
        return id
    }
}
