import ChannelFeed

/// The programmes of the guide of which the viewer wants to be reminded, stored as one choice. Main loop only.
@MainActor
struct Reminders {
    /// A programme, by its channel and its start in seconds since 1970.
    struct Mark: Hashable, Sendable {
        let channel: String
        let start: Int64

        init(channel: String, start: Int64) {
            self.channel = channel
            self.start = start
        }

        /// - Parameters:
        ///   - midnight: the start of today.
        ///   - start: in the seconds of `GuideContent`.
        init(channel: String, midnight: FeedDate, start: Int) {
            self.init(channel: channel, start: midnight.milliseconds / 1000 + Int64(start))
        }

        /// "channel@start"; ids of channels contain no spaces. Stored text may be anything.
        fileprivate init?(_ word: Substring) {
            guard let at = word.lastIndex(of: "@"), let start = Int64(word[word.index(after: at)...]) else { return nil }
            self.init(channel: String(word[..<at]), start: start)
        }

        fileprivate var word: String { "\(channel)@\(start)" }
    }

    /// More are not kept: the earliest go.
    static let most = 100
    private static let name = "reminders"

    private let store: any ChoiceStore

    init(_ store: any ChoiceStore) { self.store = store }

    var marks: Set<Mark> { Set((store.choice(Self.name) ?? "").split(separator: " ").compactMap { Mark($0) }) }

    /// - Parameter now: in seconds since 1970. What began a day before is forgotten.
    func set(_ isSet: Bool, _ mark: Mark, now: Int64) {
        var marks = marks.filter { $0.start > now - 86_400 }
        if isSet { marks.insert(mark) } else { marks.remove(mark) }
        let kept = marks.sorted { ($0.start, $0.channel) < ($1.start, $1.channel) }.suffix(Self.most)
        store.setChoice(kept.isEmpty ? nil : kept.map(\.word).joined(separator: " "), Self.name)
    }
}
