import Screens

/// The programmes of a guide by their titles, for search: a programme that is on every day has one entry. A value.
package struct ProgrammeTitles: Sendable, Equatable {
    private struct Showing: Sendable, Equatable {
        var channel: Int
        var programme: Int
    }

    private let channels: [GuideContent.Channel]
    private var titles: [(title: String, showings: [Showing])] = []
    /// What search finds at most.
    private static let most = 100

    package init(_ guide: GuideContent) {
        channels = guide.channels
        var indexes: [String: Int] = [:]
        for (channel, content) in channels.enumerated() {
            for (programme, listed) in content.programmes.enumerated() {
                let showing = Showing(channel: channel, programme: programme)
                if let index = indexes[listed.title] {
                    titles[index].showings.append(showing)
                } else {
                    indexes[listed.title] = titles.count
                    titles.append((listed.title, [showing]))
                }
            }
        }
    }

    package static func == (left: ProgrammeTitles, right: ProgrammeTitles) -> Bool { left.channels == right.channels }

    /// The titles in their folded form.
    var folded: some Sequence<FoldedTitle> { titles.lazy.map { FoldedTitle.of($0.title) } }

    /// The programmes that are not over and whose titles pass, each title once, the earliest first.
    func found(at time: Int, where passes: (FoldedTitle) -> Bool) -> [FoundProgramme] {
        var found: [FoundProgramme] = []
        for (title, showings) in titles where passes(FoldedTitle.of(title)) {
            let coming = showings.filter { channels[$0.channel].programmes[$0.programme].end > time }
            guard let next = coming.min(by: { start(of: $0) < start(of: $1) }) else { continue }
            var channel = channels[next.channel]
            let programme = channel.programmes[next.programme]
            channel.programmes = []
            found.append(FoundProgramme(programme: programme, channel: channel))
        }
        return Array(found.sorted { $0.programme.start < $1.programme.start }.prefix(Self.most))
    }

    private func start(of showing: Showing) -> Int { channels[showing.channel].programmes[showing.programme].start }
}

/// A programme of the guide that search found.
package struct FoundProgramme: Sendable, Equatable {
    package let programme: GuideContent.Programme
    /// Without its programmes.
    package let channel: GuideContent.Channel

    /// What is shown of it: its channel's picture, and when it is on.
    ///
    /// - Parameter entry: that of its channel.
    package func shown(as entry: HomeContent.Entry, in strings: StringCatalogue) -> HomeContent.Entry {
        HomeContent.Entry(
            id: entry.id, kind: .channel, title: programme.title,
            subtitle: strings.list([strings.station(channel), strings.day(of: programme.start), strings.times(of: programme)]),
            number: entry.number, artwork: entry.artwork, isLocked: entry.isLocked, playsOffline: entry.playsOffline)
    }
}
