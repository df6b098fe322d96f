/// Everything that could be parsed, with its position in the document, before it is known what passes.
struct FeedDraft {
    var channels: [(node: FeedNode, index: Int, value: Channel)] = []
    var series: [(node: FeedNode, index: Int, value: Series)] = []
    var items: [(node: FeedNode, index: Int, value: Item)] = []
    /// The number of channels in the text so far: the place of one, which is its number if it has no other.
    var channelCount = 0
    var directory = FeedDirectory()
}

/// What the ids of a feed refer to. References are looked up in it alone: who held the whole draft while one of its channels changes would have all of them
/// copied for each.
struct FeedDirectory {
    /// By id: its first owner.
    private var owners: [String: Reference] = [:]
    /// The ids of all items and all channels, for suggestions.
    private(set) var itemIDs: [String] = []
    private(set) var channelIDs: [String] = []
    private(set) var targetIDs: [String] = []
    /// Those of the channels that are schedules.
    private var schedules: Set<String> = []

    init() {}

    /// - Parameter owners: by id, its first owner.
    init(of draft: FeedDraft, owners: [String: Reference]) {
        self.owners = owners
        itemIDs = draft.items.map(\.value.id).filter { !$0.isEmpty }
        channelIDs = draft.channels.map(\.value.id).filter { !$0.isEmpty }
        targetIDs = itemIDs + channelIDs
        // The first of two channels with one id owns it.
        let kinds = Dictionary(draft.channels.map { ($0.value.id, $0.value.kind) }) { first, _ in first }
        schedules = Set(kinds.filter { $0.value == .schedule }.keys)
    }

    subscript(id: String) -> Reference? { owners[id] }

    /// Whether this is the id of a channel that is a schedule.
    func isSchedule(_ id: String) -> Bool { schedules.contains(id) }
}

/// Checks that ids are unique, and looks up what refers to them.
struct ReferenceResolver {
    static let scheduleEntryKeys = ["at", "item"]
    static let seasonKeys = ["number", "title", "episodes"]
    static let rowKeys = ["title", "items", "tag"]
    static let startKeys = ["channel", "item"]

    private let values: FeedValues
    private let findings: FeedFindings
    private let clock: FeedClock

    init(values: FeedValues, findings: FeedFindings, clock: FeedClock) {
        self.values = values
        self.findings = findings
        self.clock = clock
    }

    // MARK: Uniqueness

    /// Ids are unique over channels, series and items together, numbers over channels; the first owner keeps a duplicate.
    func checkUnique(_ draft: inout FeedDraft) {
        var nodes: [String: FeedNode] = [:]
        var owners: [String: Reference] = [:]
        let all =
            draft.channels.map { ($0.node, Reference.channel($0.value.id)) }
            + draft.series.map { ($0.node, Reference.series($0.value.id)) }
            + draft.items.map { ($0.node, Reference.item($0.value.id)) }
        for (node, reference) in all where !reference.id.isEmpty {
            if let owner = nodes[reference.id] {
                findings.fail(
                    .duplicateID, idNode(node), "the id \"\(reference.id)\" belongs to \(owner.pointer)",
                    "Use a different id; the first keeps this one.")
            } else {
                nodes[reference.id] = node
                owners[reference.id] = reference
            }
        }
        draft.directory = FeedDirectory(of: draft, owners: owners)
        var numbers: [Int: FeedNode] = [:]
        for (node, _, channel) in draft.channels {
            guard let owner = numbers.updateValue(node, forKey: channel.number) else { continue }
            numbers[channel.number] = owner
            var given = node
            if case .object(let object) = node.json.value { given = FeedObject(node: node, object: object)["number"] ?? node }
            findings.report(
                .error, .duplicateNumber, given, showing: false, "the number \(channel.number) belongs to \(owner.pointer)",
                "Write another number; without one a channel has its position in the list.")
        }
    }

    private func idNode(_ node: FeedNode) -> FeedNode {
        guard case .object(let object) = node.json.value, let id = object["id"] else { return node }
        return node.child(id, "id")
    }

    // MARK: References

    /// Looks up the contents of channels and series, and the targets of proposals.
    func checkReferences(_ draft: inout FeedDraft) {
        let directory = draft.directory
        for place in draft.channels.indices {
            guard case .object(let object) = draft.channels[place].node.json.value else { continue }
            let channel = FeedObject(node: draft.channels[place].node, object: object)
            draft.channels[place].value.items = values.list(channel, "items").compactMap { itemID($0, directory: directory) }
            let entries = values.list(channel, "entries").compactMap { scheduleEntry($0, directory: directory) }
            draft.channels[place].value.schedule.entries =
                entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
            let schedules = ScheduleParser(values: values, findings: findings, resolver: self, clock: clock)
            schedules.read(channel, into: &draft.channels[place].value, directory: directory)
        }
        for place in draft.series.indices {
            guard case .object(let object) = draft.series[place].node.json.value else { continue }
            let series = FeedObject(node: draft.series[place].node, object: object)
            draft.series[place].value.seasons = values.list(series, "seasons").enumerated().compactMap { index, node in
                season(node, number: index + 1, directory: directory)
            }
        }
        let withNext = Set(draft.series.flatMap { $0.value.seasons.flatMap(\.episodes).dropLast() })
        for place in draft.items.indices {
            guard case .given(var proposal) = draft.items[place].value.proposal,
                case .object(let object) = draft.items[place].node.json.value,
                let node = FeedObject(node: draft.items[place].node, object: object)["proposal"],
                case .object(let members) = node.json.value
            else { continue }
            let parts = FeedObject(node: node, object: members)
            let id = draft.items[place].value.id
            if let next = parts["next"] {
                proposal.next = proposalTarget(next, of: id, directory: directory)
            } else if parts["url"] == nil, !withNext.contains(id) {
                findings.report(
                    .error, .proposalNext, node, showing: false, "the proposal has no target: no \"next\", and no next episode",
                    "Add \"next\" with the id of what follows, or write \"proposal\": null.")
            }
            draft.items[place].value.proposal = .given(proposal)
        }
    }

    private func proposalTarget(_ node: FeedNode, of id: String, directory: FeedDirectory) -> Reference? {
        guard let text = values.string(node) else { return nil }
        if text == id {
            findings.fail(.proposalNext, node, "the item proposes itself", "Name another, or write \"proposal\": null.")
            return nil
        }
        switch directory[text] {
        case .item(let id): return .item(id)
        case .channel(let id): return .channel(id)
        case .series, nil:
            let suggestion = values.suggestion(for: text, among: directory.targetIDs, except: id)
            findings.fail(
                .proposalNext, node, "no item or channel \(FeedText.quoted(text))",
                suggestion.map { "Did you mean \"\($0)\"?" } ?? "Name one of this feed, or write \"proposal\": null.")
            return nil
        }
    }

    /// The id of an existing item; a reference to nothing is dropped.
    func itemID(_ node: FeedNode, directory: FeedDirectory) -> String? {
        guard let text = values.string(node) else { return nil }
        if case .item? = directory[text] { return text }
        noSuch("item", text, at: node, among: directory.itemIDs)
        return nil
    }

    func noSuch(_ what: String, _ text: String, at node: FeedNode, among ids: [String]) {
        let suggestion = values.suggestion(for: text, among: ids)
        findings.fail(
            .noSuchReference, node, "no \(what) \(FeedText.quoted(text))",
            suggestion.map { "Did you mean \"\($0)\"?" } ?? "Write the id of one in this feed, or remove it.")
    }

    private func scheduleEntry(_ node: FeedNode, directory: FeedDirectory) -> ScheduleEntry? {
        guard let object = values.object(node, keys: Self.scheduleEntryKeys) else { return nil }
        let at = values.required(object, "at", "when it begins, e.g. \"2026-11-20T20:00:00Z\"").flatMap { values.date($0) }
        let item = values.required(object, "item", "the id of an item").flatMap { itemID($0, directory: directory) }
        guard let at, let item else { return nil }
        return ScheduleEntry(at: at, item: item)
    }

    private func season(_ node: FeedNode, number: Int, directory: FeedDirectory) -> Season? {
        guard let object = values.object(node, keys: Self.seasonKeys) else { return nil }
        var season = Season(number: values.integer(object, "number", in: 0...99_999).map(Int.init) ?? number)
        season.title = values.text(object, "title", limit: FeedLimit.title)
        if let episodes = values.required(object, "episodes", "a list of item ids") {
            season.episodes = values.elements(episodes).compactMap { itemID($0, directory: directory) }
        }
        return season
    }

    /// One row of Home; nil when an error drops it.
    func row(_ node: FeedNode, directory: FeedDirectory) -> Row? {
        guard let object = values.object(node, keys: Self.rowKeys) else { return nil }
        var row = Row()
        if let title = values.required(object, "title", "the heading of the row") {
            row.title = values.text(title, limit: FeedLimit.title) ?? row.title
        }
        row.tag = values.string(object, "tag")
        for entry in values.list(object, "items") {
            guard let id = values.string(entry) else { continue }
            if let reference = directory[id] {
                row.entries.append(reference)
            } else {
                noSuch("item, channel or series", id, at: entry, among: directory.targetIDs)
            }
        }
        if object["items"] == nil, object["tag"] == nil {
            findings.report(
                .error, .wrongType, object.missing("items"), showing: false, "missing", "Write \"items\": […] or \"tag\": \"…\".")
        }
        return findings.isDropped("rows", node.index, of: node.page) ? nil : row
    }

    /// What plays at power-on.
    func start(_ object: FeedObject, directory: FeedDirectory) -> Reference? {
        guard let node = object["start"], let parts = values.object(node, keys: Self.startKeys) else { return nil }
        if let node = parts["channel"], let id = values.string(node) {
            if case .channel? = directory[id] { return .channel(id) }
            noSuch("channel", id, at: node, among: directory.channelIDs)
        }
        if let node = parts["item"], let id = itemID(node, directory: directory) { return .item(id) }
        return nil
    }
}
