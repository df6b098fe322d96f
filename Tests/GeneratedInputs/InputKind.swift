import LinuxSupport

/// A kind of input from outside.
package enum InputKind: String, Sendable, CaseIterable {
    case playlist, reload, feed, webVTT, subRip, subStation, ttml, movie, id3, bif, matroska, xiph, guide, settings, keyMap,
        keyScript, headers, session
    /// Sources of conversions: JSON of Roku and JSON Feed, Media RSS, M3U.
    case catalogue, mediaRSS, channelList
    /// These are read by code that only its module's tests see.
    case eventMessage, streamDocument, order, answer
}

/// Inputs drawn from the grammars, some of them damaged. The same seed gives the same inputs.
package struct InputGenerator {
    package let kind: InputKind
    private var random: SeededGenerator
    private var last: [UInt8] = []
    private static let sharesOfDamage = 0.3

    package init(_ kind: InputKind, seed: UInt64) {
        self.kind = kind
        random = SeededGenerator(seed: seed)
    }

    /// The next input.
    package mutating func next() -> [UInt8] {
        let fresh = draw()
        defer { last = fresh }
        return random.nextUnit() < Self.sharesOfDamage ? InputDamage.damaged(fresh, other: last, &random) : fresh
    }

    /// What the same server could answer next: the input, grown, cut at its front, renumbered, or replaced.
    package mutating func successor(of input: [UInt8]) -> [UInt8] {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return input + draw().dropFirst("#EXTM3U\n".utf8.count)
        case 1: return InputDamage.damaged(input, other: last, &random)
        case 2: return draw()
        default:
            let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let place = Int.random(in: 0..<lines.count, using: &random)
            let end = min(lines.count, place + Int.random(in: 0...4, using: &random))
            return Array((lines[..<place] + lines[end...]).joined(separator: [UInt8(ascii: "\n")]))
        }
    }

    private mutating func draw() -> [UInt8] {
        switch kind {
        case .playlist:
            Int.random(in: 0..<3, using: &random) == 0
                ? PlaylistGrammar.multivariant.text(&random) : PlaylistGrammar.media.text(&random)
        case .reload: PlaylistGrammar.media.text(&random)
        case .feed: DocumentGrammars.feed.text(&random)
        case .webVTT: CaptionGrammars.webVTT.text(&random)
        case .subRip: CaptionGrammars.subRip.text(&random)
        case .subStation: CaptionGrammars.subStation.text(&random)
        case .ttml: CaptionGrammars.ttml.text(&random)
        case .movie: binary { $0.movie() }
        case .id3: binary { $0.id3() }
        case .bif: binary { $0.bif() }
        case .matroska: binary { $0.matroska() }
        case .xiph: binary { $0.xiph() }
        case .eventMessage: binary { $0.eventMessage() }
        case .catalogue: CatalogueGrammars.json.text(&random)
        case .mediaRSS: CatalogueGrammars.mediaRSS.text(&random)
        case .channelList: CatalogueGrammars.channelList.text(&random)
        case .guide: DocumentGrammars.guide.text(&random)
        case .settings: DocumentGrammars.settings.text(&random)
        case .keyMap: DocumentGrammars.keyMap.text(&random)
        case .keyScript: DocumentGrammars.keyScript.text(&random)
        case .session: DocumentGrammars.session.text(&random)
        case .headers: DocumentGrammars.headers.text(&random)
        case .streamDocument: DocumentGrammars.streamDocuments.text(&random)
        case .order: DocumentGrammars.orders.text(&random)
        case .answer: DocumentGrammars.answers.text(&random)
        }
    }

    private mutating func binary(_ make: (inout BinaryInputs) -> [UInt8]) -> [UInt8] {
        var inputs = BinaryInputs(random: random)
        defer { random = inputs.random }
        return make(&inputs)
    }
}
