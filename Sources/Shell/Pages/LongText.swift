import BoxModel
import Screens
import Viewing

/// A long text, full screen, in pages that fit the screen in every text size.
struct LongText: Sendable, Equatable {
    private let title: String?
    private let artwork: String?
    private let pages: [String]
    private var page = 0

    init(_ text: String, title: String?, artwork: String?, hasLargerText: Bool) {
        self.title = title
        self.artwork = artwork
        pages = Self.pages(of: text, limit: hasLargerText ? 540 : 900)
    }

    mutating func act(_ key: RemoteKey) -> KeyOutcome {
        switch key {
        case .ok, .back, .info, .menu: return .closed
        case .down, .up:
            let moved = page + (key == .down ? 1 : -1)
            guard pages.indices.contains(moved) else { return .refused(.noChange) }
            page = moved
            return .done
        case .playpause, .play, .pause: return .playback(key)
        default: return .refused(.notSupported)
        }
    }

    func view(_ strings: StringCatalogue) -> LongTextView {
        LongTextView(
            title: title, artwork: artwork, text: pages[page], page: page, pageCount: pages.count,
            hint: strings.text(.backToClose))
    }

    /// Cuts a text at the last end of a paragraph, sentence or word before the limit. Wide characters (Han, Kana) count double.
    static func pages(of text: String, limit: Int) -> [String] {
        var pages: [String] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            var room = limit
            var end = rest.startIndex
            var breaks: (paragraph: String.Index?, sentence: String.Index?, word: String.Index?)
            while end < rest.endIndex, room > 0 {
                let character = rest[end]
                room -= character.unicodeScalars.first.map { $0.value >= 0x2E80 } ?? false ? 2 : 1
                rest.formIndex(after: &end)
                if character.isNewline {
                    room -= 60
                    breaks.paragraph = end
                } else if ".!?。！？".contains(character) {
                    breaks.sentence = end
                } else if character.isWhitespace {
                    breaks.word = end
                }
            }
            if end < rest.endIndex { end = breaks.paragraph ?? breaks.sentence ?? breaks.word ?? end }
            let page = rest[..<end].drop { $0.isWhitespace }
            if !page.isEmpty { pages.append(String(page)) }
            rest = rest[end...].drop { $0.isWhitespace }
        }
        return pages.isEmpty ? [""] : pages
    }
}
