import LinuxSupport
import MediaModel
import Testing

@testable import Playback

@Suite("Media selection: scores, criteria, choices")
struct MediaSelectionTests {
    @Test(
        "a language scores 4 for the same tag, 3 for a prefix, 2 for the same language, 1 if it is unknown, 0 for another",
        arguments: [
            ("en", "en", 4), ("en-US", "en-us", 4), ("eng", "en", 4), ("ger", "de", 4), ("deu", "de", 4), ("en", "en-GB", 3),
            ("en-GB", "en", 3),
            ("zh-Hant-TW", "zh-Hant", 3), ("en-US", "en-GB", 2), ("zh-Hans", "zh-Hant", 2), ("zh-Hant", "zh-TW", 3),
            ("zh-Hans", "zh-TW", 2), ("pt_BR", "pt-BR", 4),
            ("und", "en", 1), (nil, "en", 1),
            ("", "en", 1), ("fr", "en", 0), ("enm", "en", 0), ("de", "de-CH-1996", 3),
        ] as [(String?, String, Int)])
    func scores(_ tag: String?, _ wanted: String, _ score: Int) { #expect(LanguageScore.of(tag, for: wanted) == score) }

    private static let describes = OptionCharacteristic.describesVideo
    private static let transcribes = OptionCharacteristic.transcribesSpokenDialog

    /// `en`, `en*` (default), `en+ad`, `en+sdh`, `en!` (forced), `en-` (not automatic), `en@` (a separate file), `?` (no language).
    private static func option(_ text: String) -> MediaSelectionOption {
        let parts = text.split(separator: "+").map(String.init)
        var tag = parts[0]
        let isForced = tag.hasSuffix("!"), isDefault = tag.hasSuffix("*"), isHidden = tag.hasSuffix("-")
        let isFile = tag.hasSuffix("@")
        if isForced || isDefault || isHidden || isFile { tag.removeLast() }
        let characteristics = parts.dropFirst().map { $0 == "ad" ? describes : transcribes }
        // The same number in every run, and a different one for each text.
        let number: Int = text.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
        return MediaSelectionOption(
            id: text, source: isFile ? .file(text) : .track(TrackID(number)), extendedLanguageTag: tag == "?" ? nil : tag,
            isDefault: isDefault,
            isAutoselect: !isHidden, isForced: isForced, mediaCharacteristics: characteristics)
    }

    private static func options(_ text: String) -> [MediaSelectionOption] {
        text.split(separator: " ").map { option(String($0)) }
    }

    struct Audible: Sendable {
        var options: String
        var languages: String
        var wantsDescriptions = false
        var chosen: String?
    }

    @Test(
        "the audio is in the first available preferred language, without description unless requested, otherwise the default",
        arguments: [
            Audible(options: "en* es", languages: "es", chosen: "es"),
            Audible(options: "en* es", languages: "fr es", chosen: "es"),
            Audible(options: "es+ad en es", languages: "es", chosen: "es"),
            Audible(options: "en* es+ad es", languages: "es", wantsDescriptions: true, chosen: "es+ad"),
            Audible(options: "en* es", languages: "fr", chosen: "en*"), Audible(options: "en es*", languages: "", chosen: "es*"),
            Audible(options: "en es", languages: "", chosen: "en"),
            Audible(options: "en-US en-GB", languages: "en-GB", chosen: "en-GB"),
            Audible(options: "en-US en", languages: "en-GB", chosen: "en"),
            Audible(options: "es en+ad", languages: "en", chosen: "es"),
            Audible(options: "en en+ad", languages: "en", chosen: "en"),
            Audible(options: "en en+ad", languages: "en", wantsDescriptions: true, chosen: "en+ad"),
            Audible(options: "en es+ad", languages: "en", wantsDescriptions: true, chosen: "en"),
            Audible(options: "? en", languages: "fr", chosen: "?"), Audible(options: "en+ad", languages: "en", chosen: "en+ad"),
            Audible(options: "", languages: "en", chosen: nil), Audible(options: "fr en en*", languages: "en", chosen: "en*"),
        ])
    func audible(_ row: Audible) {
        let criteria = MediaSelectionCriteria(
            preferredLanguages: row.languages.split(separator: " ").map(String.init),
            preferredMediaCharacteristics: row.wantsDescriptions ? [Self.describes] : [])
        #expect(AutomaticSelection.audible(Self.options(row.options), criteria)?.id == row.chosen)
    }

    struct Legible: Sendable {
        var options: String
        var audio: String?
        var languages: String
        var wantsSDH = false
        var chosen: String?
    }

    @Test(
        "captions: forced ones with their audio; full ones if the audio language is not understood; SDH if requested; files beside sound of unknown language",
        arguments: [
            Legible(options: "en es", audio: "en", languages: "en", chosen: nil),
            Legible(options: "en es", audio: "es", languages: "en", chosen: "en"),
            Legible(options: "en en! es!", audio: "en", languages: "en", chosen: "en!"),
            Legible(options: "en es!", audio: "en", languages: "en", chosen: nil),
            Legible(options: "en en!", audio: "fr", languages: "en", chosen: "en"),
            Legible(options: "es", audio: "fr", languages: "en", chosen: nil),
            Legible(options: "en en+sdh", audio: "en", languages: "en", wantsSDH: true, chosen: "en+sdh"),
            Legible(options: "en", audio: "en", languages: "en", wantsSDH: true, chosen: "en"),
            Legible(options: "en+sdh en", audio: "fr", languages: "en", chosen: "en"),
            Legible(options: "en+sdh", audio: "fr", languages: "en", chosen: "en+sdh"),
            Legible(options: "en", audio: "?", languages: "en", chosen: nil),
            Legible(options: "en", audio: "en-GB", languages: "en-US", chosen: nil),
            Legible(options: "en- es", audio: "fr", languages: "en es", chosen: "es"),
            Legible(options: "en", audio: nil, languages: "en", chosen: nil),
            Legible(options: "en es", audio: "es", languages: "", chosen: nil),
            Legible(options: "en es", audio: "fr", languages: "en es", chosen: "en"),
            Legible(options: "zh-CN zh-TW", audio: "en", languages: "zh-Hant", chosen: "zh-TW"),
            Legible(options: "zh-CN", audio: "en", languages: "zh-Hant", chosen: nil),
            Legible(options: "zh-CN en", audio: "fr", languages: "zh-Hant en", chosen: "en"),
            Legible(options: "zh zh-HK", audio: "en", languages: "zh-Hant", chosen: "zh-HK"),
            Legible(options: "zh", audio: "en", languages: "zh-Hant", chosen: "zh"),
            Legible(options: "sr-Latn sr", audio: "en", languages: "sr-Cyrl", chosen: "sr"),
            Legible(options: "zh-Hant", audio: "zh-CN", languages: "zh-Hant", chosen: nil),
            Legible(options: "es!", audio: "es-MX", languages: "es", chosen: "es!"),
            Legible(options: "en@", audio: "?", languages: "en", chosen: "en@"),
            Legible(options: "en en@ es@", audio: "?", languages: "en", chosen: "en@"),
            Legible(options: "es@ en@", audio: "?", languages: "de en", chosen: "en@"),
            Legible(options: "en@", audio: nil, languages: "en", chosen: "en@"),
            Legible(options: "es@", audio: "?", languages: "en", chosen: nil),
            Legible(options: "en@", audio: "?", languages: "", chosen: nil),
            Legible(options: "en@", audio: "en", languages: "en", chosen: nil),
        ])
    func legible(_ row: Legible) {
        let languages = row.languages.split(separator: " ").map(String.init)
        let criteria = MediaSelectionCriteria(
            preferredLanguages: languages, preferredMediaCharacteristics: row.wantsSDH ? [Self.transcribes] : [])
        let chosen = AutomaticSelection.legible(
            Self.options(row.options), criteria, audio: row.audio.map(Self.option),
            audible: MediaSelectionCriteria(preferredLanguages: languages))
        #expect(chosen?.id == row.chosen)
    }

    @Test(
        "random options and criteria: the selection is an option, no description is selected while there is another, and the order of equal options does not matter"
    )
    func random() {
        var generator = SeededGenerator(seed: 7)
        let tags = ["en", "en-GB", "es", "fr", "?", "zh-Hant"]
        for _ in 0..<2000 {
            let texts = (0..<Int.random(in: 0...6, using: &generator)).map { index -> String in
                tags.randomElement(using: &generator)! + ["", "", "*"].randomElement(using: &generator)! + ["", "+ad", "+sdh"]
                    .randomElement(using: &generator)!
            }
            let options = texts.map(Self.option)
            let criteria = MediaSelectionCriteria(
                preferredLanguages: (0..<2).map { _ in tags[Int.random(in: 0..<4, using: &generator)] })
            let chosen = AutomaticSelection.audible(options, criteria)
            #expect((chosen == nil) == options.isEmpty)
            if let chosen, chosen.isAudioDescription { #expect(options.allSatisfy { $0.isAudioDescription }) }
            let score = { (option: MediaSelectionOption?) in
                LanguageScore.of(option?.extendedLanguageTag, for: criteria.preferredLanguages[0])
            }
            let reversed = AutomaticSelection.audible(options.reversed(), criteria)
            if score(chosen) >= 2 || score(reversed) >= 2 { #expect(score(chosen) == score(reversed)) }
        }
    }

    @Test(
        "an explicit selection overrides criteria until it is withdrawn; off is a selection; unsupported options are not offered")
    @MainActor
    func choices() throws {
        let selection = MediaSelection()
        selection.criteria = [
            .audible: MediaSelectionCriteria(preferredLanguages: ["es"]),
            .legible: MediaSelectionCriteria(preferredLanguages: ["es"]),
        ]
        var changes: [MediaCharacteristic] = []
        let listening = selection.changes.listen { if case .selected(let characteristic) = $0 { changes.append(characteristic) } }
        defer { listening.cancel() }
        selection.take([
            TrackDescription(id: TrackID(0), type: .video, codec: "h264"),
            TrackDescription(id: TrackID(1), type: .audio, languageTag: "en", codec: "aac", isDefault: true),
            TrackDescription(id: TrackID(2), type: .text, languageTag: "es", codec: "webvtt"),
            TrackDescription(id: TrackID(3), type: .subtitle, languageTag: "es", codec: "dvb_teletext"),
        ])
        let legible = try #require(selection.group(.legible))
        #expect(legible.options.map(\.id) == ["2"])
        // The audio is English, which is none of the viewer's languages.
        #expect(selection.selectedOption(.legible)?.id == "2")
        #expect(selection.group(.visual) == nil)
        #expect(selection.select(nil, in: legible))
        #expect(selection.selectedOption(.legible) == nil)
        selection.criteria[.legible] = MediaSelectionCriteria(preferredLanguages: ["es", "fr"])
        #expect(selection.selectedOption(.legible) == nil, "off is a choice")
        selection.selectMediaOptionAutomatically(in: legible)
        #expect(selection.selectedOption(.legible)?.id == "2")
        let audible = try #require(selection.group(.audible))
        #expect(!selection.select(nil, in: audible), "audio cannot be off")
        selection.appliesMediaSelectionCriteriaAutomatically = false
        #expect(selection.selectedOption(.legible) == nil, "a pinned selection follows only defaults and explicit selections")
        #expect(changes == [.audible, .legible, .legible, .legible, .legible])
    }

    @Test(
        "a selection is remembered as language and characteristics and applied to the next item; without a match the criteria decide"
    )
    @MainActor
    func memory() throws {
        func item(_ texts: [(Int, String, [String])]) -> MediaSelection {
            let selection = MediaSelection()
            selection.criteria = [.audible: MediaSelectionCriteria(preferredLanguages: ["en"])]
            selection.take(
                [TrackDescription(id: TrackID(1), type: .audio, languageTag: "en", codec: "aac")]
                    + texts.map {
                        TrackDescription(
                            id: TrackID($0.0), type: .text, languageTag: $0.1, codec: "webvtt", characteristics: $0.2)
                    })
            return selection
        }
        let first = item([(5, "en", []), (6, "en", [Self.transcribes]), (7, "spa", [])])
        let group = try #require(first.group(.legible))
        first.select(group.options.first { $0.id == "6" }, in: group)
        let memory = first.memory(of: .legible)
        let second = item([(9, "en-GB", [Self.transcribes]), (8, "en", [])])
        #expect(second.select(like: memory, in: .legible))
        #expect(second.selectedOption(.legible)?.id == "9")
        let third = item([(4, "fr", [])])
        #expect(!third.select(like: memory, in: .legible))
        #expect(third.selectedOption(.legible) == nil)
        let fourth = item([(4, "en", [])])
        fourth.select(like: .off, in: .legible)
        #expect(fourth.choice(.legible) == .off)
    }

    @Test("menus: options of one language together, the main option before SDH and descriptions")
    func menuOrder() {
        let order = MediaSelectionGroup.inMenuOrder(Self.options("en+ad es en+sdh en fr")).map(\.id)
        #expect(order == ["en", "en+sdh", "en+ad", "es", "fr"])
    }
}
