import Screens

/// Finds titles regardless of case, marks and punctuation (`FoldedTitle`). Every typed word must begin a word of the title, or a part of one, in any order.
package struct LetterSearch {
    /// The words that are looked for, as written and with the signs inside them as spaces: `spider-man` finds both `Spider-Man` and `Spider Man`.
    private let spellings: [[ArraySlice<UInt8>]]

    package init(_ query: String) {
        let whole = FoldedTitle(query).words
        let parts = FoldedTitle(query, signsSeparate: true).words
        spellings = whole.isEmpty ? [] : whole == parts ? [whole] : [whole, parts]
    }

    /// What is written in the same words is the same search.
    static func folded(_ query: String) -> String { String(decoding: FoldedTitle(query).bytes, as: UTF8.self) }

    /// The entries whose titles have words that begin with those of a query, those whose titles begin with the first word at the front. Where there are
    /// none, words without the spaces between them are looked for.
    package static func find(_ query: String, in entries: [HomeContent.Entry]) -> [HomeContent.Entry] {
        LetterSearch(query).find(in: entries)
    }

    func find(in entries: [HomeContent.Entry]) -> [HomeContent.Entry] {
        guard let first = spellings.first?.first else { return [] }
        var whole: [HomeContent.Entry] = []
        var rest: [HomeContent.Entry] = []
        for entry in entries {
            let title = FoldedTitle.of(entry.title)
            guard matches(title, number: entry.number) else { continue }
            if title.bytes.starts(with: first) { whole.append(entry) } else { rest.append(entry) }
        }
        let found = whole + rest
        return found.isEmpty ? entries.filter { isJoined(in: FoldedTitle.of($0.title)) } : found
    }

    /// The programmes of a guide with such titles, each title once: on the air now or next, the earliest first.
    ///
    /// - Parameter time: in the seconds of `GuideContent`.
    package func find(in titles: ProgrammeTitles, at time: Int) -> [FoundProgramme] {
        guard !spellings.isEmpty else { return [] }
        var found = titles.found(at: time) { matches($0, number: nil) }
        if found.isEmpty { found = titles.found(at: time, where: isJoined) }
        return found
    }

    private func matches(_ title: FoldedTitle, number: Int?) -> Bool {
        spellings.contains { words in
            words.allSatisfy { word in title.has(word) || number.map { word.elementsEqual("\($0)".utf8) } ?? false }
        }
    }

    /// Whether the words are in a title that has them apart: at least four letters, because fewer are found by chance.
    private func isJoined(in title: FoldedTitle) -> Bool {
        guard let words = spellings.first, words.count == 1, words[0].count >= 4 else { return false }
        return title.has(joined: words[0])
    }
}
