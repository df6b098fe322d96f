import BoxModel
import MediaTime
import Screens
import Viewing

/// The page of a programme before it plays: what it is, and what can be done with it.
struct ProgrammePage: Sendable, Equatable {
    /// What can be done, in the order of the buttons.
    private enum Action: Sendable, Hashable, CaseIterable {
        /// Play it, or resume it.
        case play
        case fromBeginning
        /// Open the page of its series.
        case episodes
        /// Into the viewer's list, or out of it.
        case myList
        /// Take it out of what was begun.
        case forget
    }

    private enum Focus: Sendable, Equatable {
        /// The summary, which OK opens in full.
        case summary
        case action(Action)
        /// The row of what is like it.
        case related
    }

    /// What its poster knows.
    private var entry: HomeContent.Entry
    /// nil until the box has answered.
    private var details: ProgrammeDetails?
    private var focus = Focus.action(.play)
    private var row = RelatedRow()

    init(_ entry: HomeContent.Entry) { self.entry = entry }

    var id: String { entry.id }

    /// More is known about it. Focus stays if its button still exists.
    mutating func take(_ new: ProgrammeDetails) {
        entry = new.entry
        details = new
        if focus != .related, !places(related: []).contains(focus) { focus = .action(.play) }
    }

    private var actions: [Action] {
        guard let details else { return [] }
        return Action.allCases.filter { action in
            switch action {
            case .play: true
            case .fromBeginning: resume != nil
            case .episodes: details.series != nil
            case .myList: true
            case .forget: details.resume != nil || details.isContinued
            }
        }
    }

    /// Where it resumes after its beginning.
    private var resume: MediaTime? { details?.resume.flatMap { $0 > .zero ? $0 : nil } }

    /// What is like it and can be played now.
    private func related(_ context: BrowsingContext) -> [HomeContent.Entry] {
        (details?.related ?? []).filter { $0.canPlay(isOffline: context.isOffline) }
    }

    /// What can have focus, from the top.
    private func places(related: [HomeContent.Entry]) -> [Focus] {
        (entry.summary == nil ? [] : [.summary]) + actions.map { .action($0) } + (related.isEmpty ? [] : [.related])
    }

    /// Focus leaves a row that has become empty.
    private mutating func settle(_ related: [HomeContent.Entry]) {
        if focus == .related, related.isEmpty { focus = actions.last.map { .action($0) } ?? .action(.play) }
    }

    // MARK: Keys

    mutating func act(_ key: RemoteKey, in context: BrowsingContext) -> KeyOutcome {
        let related = related(context)
        settle(related)
        switch key {
        case .back: return .closed
        case .up, .down:
            let places = places(related: related)
            guard let index = places.firstIndex(of: focus), places.indices.contains(index + (key == .down ? 1 : -1)) else {
                return .refused(.noChange)
            }
            focus = places[index + (key == .down ? 1 : -1)]
            return .done
        case .left, .right:
            guard focus == .related else { return .refused(.noChange) }
            return row.move(context.strings.step(of: key), in: related, context.grid)
        case .ok where focus == .related: return .wants(row.entry(in: related).intent)
        case .ok: return select()
        case .play, .playpause: return .wants(.open(focus == .related ? row.entry(in: related) : entry))
        default: return .refused(.notSupported)
        }
    }

    private func select() -> KeyOutcome {
        guard places(related: []).contains(focus) else { return .refused(.notReady) }
        return switch focus {
        case .summary: .wants(.read(entry.summary ?? "", title: entry.title, artwork: entry.isLocked ? nil : entry.artwork))
        case .action(.play): .wants(.open(entry))
        case .action(.fromBeginning): .wants(.openFromBeginning(entry))
        case .action(.episodes): details?.series.map { .wants(.openDetails($0)) } ?? .refused(.notReady)
        case .action(.myList): .wants(.request(.setInList(id: id, details?.isInList != true)))
        case .action(.forget): .wants(.request(.forgetPlace(id: id)))
        case .related: .refused(.notReady)
        }
    }

    // MARK: View

    func view(_ context: BrowsingContext) -> ProgrammeView {
        var page = self
        let related = related(context)
        page.settle(related)
        return page.settledView(related, context)
    }

    private func settledView(_ related: [HomeContent.Entry], _ context: BrowsingContext) -> ProgrammeView {
        let strings = context.strings
        return ProgrammeView(
            title: entry.title, subtitle: entry.subtitle, facts: entry.facts, summary: entry.summary,
            isSummaryFocused: focus == .summary, more: strings.text(.more), backdrop: entry.backdrop,
            isLocked: entry.isLocked, watched: entry.isWatched ? strings.text(.watched) : nil,
            progressPercent: resume == nil ? nil : entry.watchedPercent,
            languages: [
                languages(details?.audioLanguages ?? [], .audioIs, strings),
                languages(details?.subtitleLanguages ?? [], .subtitlesAre, strings),
            ].compactMap { $0 },
            buttons: actions.map { ButtonView(title: title(of: $0, strings), isFocused: focus == .action($0)) },
            related: row.view(related, isFocused: focus == .related, context.grid, strings))
    }

    private func languages(_ tags: [String], _ phrase: Phrase, _ strings: StringCatalogue) -> String? {
        // Regions of a language may share its name.
        var seen: Set<String> = []
        let names = tags.map { strings.languageName(of: $0) }.filter { seen.insert($0).inserted }
        return names.isEmpty ? nil : strings.text(phrase, strings.list(names))
    }

    private func title(of action: Action, _ strings: StringCatalogue) -> String {
        switch action {
        case .play: resume.map { strings.text(.resumeAt, TimeText.clock($0.wholeSeconds)) } ?? strings.text(.play)
        case .fromBeginning: strings.text(.fromBeginning)
        case .episodes: strings.text(.allEpisodes)
        case .myList: strings.text(details?.isInList == true ? .removeFromMyList : .addToMyList)
        case .forget: strings.text(.removeFromContinue)
        }
    }
}
