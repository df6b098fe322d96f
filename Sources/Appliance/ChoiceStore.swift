import ChannelFeed
import MediaTime
import Playback

/// Stores viewers' choices during playback as text values by name. Called on the main loop; a store on disk writes on a separate thread.
@MainActor
package protocol ChoiceStore: AnyObject {
    /// The value of a name; nil if there is none.
    func choice(_ name: String) -> String?
    /// Sets the value of a name; nil removes it.
    func setChoice(_ text: String?, _ name: String)
    /// Removes the values of all other names.
    func forgetAll(except names: Set<String>)
}

/// Choices in memory.
@MainActor
package final class MemoryChoiceStore: ChoiceStore {
    private var choices: [String: String] = [:]

    package init() {}

    package func choice(_ name: String) -> String? { choices[name] }

    package func setChoice(_ text: String?, _ name: String) { choices[name] = text }

    package func forgetAll(except names: Set<String>) { choices = choices.filter { names.contains($0.key) } }
}

/// The choices by series; an item without one has its own.
@MainActor
struct RememberedChoices {
    private let store: any ChoiceStore

    init(_ store: any ChoiceStore) { self.store = store }

    /// The choices of one kind.
    struct Shelf<Choice> {
        fileprivate let kind: String
        fileprivate let store: any ChoiceStore
        fileprivate let read: (String) -> Choice?
        fileprivate let write: (Choice) -> String?

        @MainActor subscript(_ key: String) -> Choice? {
            get { store.choice("\(kind).\(key)").flatMap(read) }
            nonmutating set { store.setChoice(newValue.flatMap(write), "\(kind).\(key)") }
        }
    }

    /// Audio.
    var audible: Shelf<SelectionMemory> { selections("audible") }
    /// Captions.
    var legible: Shelf<SelectionMemory> { selections("legible") }
    /// The angle, by its NAME (RFC 8216bis, 4.4.6.1), because angles have no language.
    var angle: Shelf<String> {
        Shelf(
            kind: "angle", store: store, read: { $0.isEmpty ? nil : $0 }, write: { $0.utf8.count <= Self.longestName ? $0 : nil })
    }
    /// A longer name, in bytes, is not stored.
    private static let longestName = 256
    /// Speed; a missing value means 1.
    var speed: Shelf<Ratio> {
        Shelf(kind: "speed", store: store, read: Self.ratio, write: { $0 == .one ? nil : "\($0.numerator)/\($0.denominator)" })
    }
    /// The item of a playlist channel that was opened last.
    var queued: Shelf<QueuePlace> { Shelf(kind: "queued", store: store, read: { QueuePlace($0) }, write: \.text) }
    /// The episode of a series that was started or watched last.
    var episode: Shelf<LastEpisode> {
        Shelf(kind: "episode", store: store, read: { LastEpisode($0) }, write: { $0.text })
    }

    private func selections(_ kind: String) -> Shelf<SelectionMemory> {
        // Without a stored choice the criteria decide.
        Shelf(kind: kind, store: store, read: { SelectionMemory(text: $0) }, write: { $0 == .automatic ? nil : $0.text })
    }

    private static func ratio(_ text: String) -> Ratio? {
        let parts = text.split(separator: "/").compactMap { Int32($0) }
        guard parts.count == 2, parts[0] > 0, parts[1] > 0 else { return nil }
        return Ratio(Int64(parts[0]), Int64(parts[1]))
    }
}

/// A viewer's place in a playlist channel.
struct QueuePlace: Equatable {
    /// Among the channel's items, which may have changed since.
    var index: Int
    /// The item.
    var id: String

    init(index: Int, id: String) {
        self.index = index
        self.id = id
    }

    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let index = Int(words[0]), index >= 0 else { return nil }
        self.init(index: index, id: String(words[1]))
    }

    var text: String { "\(index) \(id)" }

    /// Where the item is now; nil if the channel no longer has it.
    func index(in channel: Channel) -> Int? {
        channel.items.indices.contains(index) && channel.items[index] == id ? index : channel.items.firstIndex(of: id)
    }
}

/// A viewer's progress in a series.
struct LastEpisode: Equatable {
    var id: String
    /// Whether it was watched to its end. If so, the series continues with the next episode.
    var isWatched: Bool

    init(id: String, isWatched: Bool) {
        self.id = id
        self.isWatched = isWatched
    }

    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard let id = words.last, words.count == 2, words[0] == "begun" || words[0] == "watched" else { return nil }
        self.init(id: String(id), isWatched: words[0] == "watched")
    }

    var text: String { "\(isWatched ? "watched" : "begun") \(id)" }
}

extension SelectionMemory {
    /// Parses the result of `text`; nil for any other text.
    init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        switch words.first {
        case "automatic": self = .automatic
        case "off": self = .off
        case "like" where words.count >= 3 && (words[2] == "forced" || words[2] == "full"):
            self = .like(language: words[1], characteristics: Array(words.dropFirst(3)), isForced: words[2] == "forced")
        default: return nil
        }
    }

    /// One line: neither languages nor characteristics contain spaces.
    var text: String {
        switch self {
        case .automatic: "automatic"
        case .off: "off"
        case .like(let language, let characteristics, let isForced):
            (["like", language, isForced ? "forced" : "full"] + characteristics).joined(separator: " ")
        }
    }
}
