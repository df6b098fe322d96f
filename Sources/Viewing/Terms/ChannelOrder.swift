import Screens

/// Where a viewer wants a channel that is not simply among the others.
package enum ChannelPlace: String, Sendable, Hashable, CaseIterable {
    /// Before the others.
    case favourite
    /// In no list, nor in the guide, nor among those that channel up and down lead to.
    case hidden

    /// Its name, and the sentence about it.
    var phrases: (title: Phrase, explanation: Phrase) {
        switch self {
        case .favourite: (.favourite, .favouriteExplained)
        case .hidden: (.hidden, .hiddenExplained)
        }
    }
}

/// The channels as a viewer wants them: favourites first, and hidden ones left out.
package struct ChannelOrder: Sendable, Hashable {
    /// By the ids of the channels.
    package var places: [String: ChannelPlace] = [:]

    package init() {}

    /// The ids of those that come first.
    package var favourites: Set<String> { Set(places.filter { $0.value == .favourite }.keys) }

    /// Favourites first; otherwise their order stays.
    package func arranged<Channel>(_ channels: [Channel], id: (Channel) -> String) -> [Channel] {
        guard !places.isEmpty else { return channels }
        let favourites = channels.filter { places[id($0)] == .favourite }
        return favourites + channels.filter { places[id($0)] == nil }
    }
}
