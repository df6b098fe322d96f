import Foundation
import InterfaceTexts
import MediaModel
import Testing

@testable import Screens

@Suite struct CatalogueTests {
    /// The languages whose files have all texts.
    static let whole = InterfaceTexts.languages.filter { InterfaceTexts.parent(of: $0) == nil }
    /// The regions whose files have only the texts that differ.
    static let regions = InterfaceTexts.languages.filter { InterfaceTexts.parent(of: $0) != nil }

    /// The texts in a language's file by their keys, without those that English fills in.
    private func texts(of language: String) -> [CatalogueKey: String] {
        Dictionary(
            CatalogueFile(InterfaceTexts.file(of: language)).entries.compactMap { entry in
                CatalogueKey(entry.key).map { ($0, entry.text) }
            }
        ) { $1 }
    }

    private func placeholders(_ text: String) -> [Character] {
        zip(text, text.dropFirst()).filter { $0.0 == "%" && $0.1.isNumber }.map(\.1).sorted()
    }

    @Test(arguments: InterfaceTexts.languages) func everyLineCanBeReadAndEveryKeyIsKnownAndUnique(_ language: String) {
        let file = CatalogueFile(InterfaceTexts.file(of: language))
        #expect(!file.entries.isEmpty)
        #expect(file.unreadableLines == [])
        var seen: Set<String> = []
        for (key, text) in file.entries {
            #expect(CatalogueKey(key) != nil, "\(key) is unknown")
            #expect(seen.insert(key).inserted, "\(key) appears twice")
            #expect(!text.isEmpty, "\(key) is empty")
        }
    }

    @Test(arguments: whole) func everyPhraseIsThereWithThePlaceholdersOfEnglish(_ language: String) throws {
        let (texts, english) = (texts(of: language), texts(of: "en"))
        for phrase in Phrase.allCases {
            guard let text = texts[.phrase(phrase)], let model = english[.phrase(phrase)] else {
                Issue.record("no \(phrase.rawValue)")
                continue
            }
            #expect(placeholders(text) == placeholders(model), "\(phrase.rawValue): \(text)")
        }
    }

    @Test(arguments: whole) func everyPluralHasExactlyTheFormsOfTheLanguage(_ language: String) {
        let texts = texts(of: language)
        for phrase in PluralPhrase.allCases {
            for form in PluralCategory.allCases {
                let text = texts[.plural(phrase, form)]
                #expect((text != nil) == PluralCategory.all(of: language).contains(form), "\(phrase.rawValue)[\(form.rawValue)]")
                // A form of one number alone may say it in words.
                let numbers = (0...200).count { PluralCategory($0, language: language) == form }
                if let text, numbers != 1 || !placeholders(text).isEmpty {
                    #expect(placeholders(text) == ["1"], "\(phrase.rawValue)[\(form.rawValue)]: \(text)")
                }
            }
        }
    }

    @Test(arguments: whole) func everyLanguageIsNamedAndHasItsLetters(_ language: String) throws {
        func names(_ texts: [CatalogueKey: String]) -> [String] {
            texts.keys.compactMap { if case .name(let tag) = $0 { tag } else { nil } }.sorted()
        }
        let texts = texts(of: language)
        #expect(names(texts) == names(self.texts(of: "en")))
        #expect(texts[.direction].map { $0 == "rtl" } ?? true)
        #expect(texts[.keyboard].map { $0 == "suggested" } ?? true)
        let catalogue = try #require(StringCatalogue.all.first { $0.language == language })
        #expect(!catalogue.ownName.isEmpty && catalogue.ownName != language)
        #expect(catalogue.letters.count >= 30 && Set(catalogue.letters).count == catalogue.letters.count)
    }

    @Test(arguments: regions) func aRegionHasOnlyTextsThatDifferFromItsLanguage(_ region: String) throws {
        let parent = try #require(InterfaceTexts.parent(of: region))
        #expect(Self.whole.contains(parent))
        let (texts, base) = (texts(of: region), texts(of: parent))
        #expect(texts[.ownName] != nil)
        let ownKeys: Set<CatalogueKey> = [.timePattern, .timePeriods, .timeRangeInPeriod]
        for (key, text) in texts where !(ownKeys.contains(key) && base[key] == nil) {
            guard let other = base[key] else {
                Issue.record("\(parent) has no \(key)")
                continue
            }
            #expect(text != other, "\(key)")
            #expect(placeholders(text) == placeholders(other), "\(key): \(text)")
        }
        // What the region does not say is said in its language, and English fills in the rest.
        let catalogue = StringCatalogue.best(for: [region])
        let language = StringCatalogue.best(for: [parent])
        #expect(catalogue.language == region && catalogue != language)
        for phrase in Phrase.allCases where texts[.phrase(phrase)] == nil {
            #expect(catalogue.text(phrase) == language.text(phrase), "\(phrase)")
        }
        #expect(catalogue.languageName(of: "de") == language.languageName(of: "de"))
    }

    /// In no language: typewriter quotes, three full stops, doubled spaces. In some: ordinary spaces where a line must not break.
    @Test(arguments: InterfaceTexts.languages) func typographyIsThatOfTheLanguage(_ language: String) throws {
        let forbidden: [String: Regex<AnyRegexOutput>] = [
            "fr": try Regex("[ \u{A0}][?!;]| [:»]| %(?!\\d)|« |[a-zé0-9»][?!;:]"), "de": try Regex("[^\u{A0}]…| %(?!\\d)|[«»]"),
            // “y” and “o” are “e” and “u” before their own sound.
            "es": try Regex(" %(?!\\d)|[“”]|(?i:\\by h?i(?!e)|\\bo h?o)"), "ru": try Regex(" %(?!\\d)|[“”]"),
            "zh-Hans": try Regex("[,;?!()]|[「」]"),
            "zh-Hant": try Regex("[,;?!()]|[“”]"), "ja": try Regex("[,;?!:()“”『』《》]|[ぁ-ん] [A-Z%]"), "ko": try Regex("[“”「」]"),
            "ar": try Regex("[,;?]|اً"), "he": try Regex("[“”]|ה-[A-Z]"), "pt-BR": try Regex("[«»]"), "pt-PT": try Regex("[“”]"),
            "en": try Regex("[«»]"),
        ]
        let rule = try #require(forbidden[language] ?? forbidden[InterfaceTexts.parent(of: language) ?? language])
        for (key, text) in CatalogueFile(InterfaceTexts.file(of: language)).entries
        where !key.hasPrefix("name.") && !key.hasPrefix("time.") && !key.hasPrefix("date.") && key != "decimalSeparator"
            && key != "listSeparator"
        {
            let isTyped = text.contains("'") || text.contains("\"") || text.contains("...") || text.contains("  ")
            #expect(!isTyped, "\(key): \(text)")
            // The beginning of an address is the same in every language.
            #expect(text.replacing("https://", with: "").firstMatch(of: rule) == nil, "\(key): \(text)")
        }
    }

    /// What Back does is another thing each time: undo takes back what was done, cancel ends what is being done.
    @Test(arguments: InterfaceTexts.languages) func undoCancelAndCloseAreThreeSentences(_ language: String) {
        let catalogue = StringCatalogue.best(for: [language])
        #expect(Set([Phrase.backToUndo, .backToCancel, .backToClose].map { catalogue.text($0) }).count == 3)
    }

    /// Each thing has one name: what plays without a network is downloaded, a network is saved.
    @Test(arguments: InterfaceTexts.languages) func whatIsDownloadedIsNotAlsoSaved(_ language: String) {
        let catalogue = StringCatalogue.best(for: [language])
        let known = catalogue.text(.wirelessKnown).lowercased()
        for phrase in [Phrase.saved, .savingLater, .showingSaved, .nothingSaved, .downloads] {
            #expect(
                !catalogue.text(phrase).lowercased().contains(known.prefix(max(2, known.count - 2))),
                "\(phrase): \(catalogue.text(phrase))")
        }
    }

    /// The values of a row agree with what the row is about: a network is feminine in these languages.
    @Test(arguments: ["es", "pt-BR", "ru", "ar", "he"]) func networksAreFeminine(_ language: String) {
        let endings = ["es": "a", "pt-BR": "a", "ru": "а", "ar": "ة", "he": "תה"]
        let catalogue = StringCatalogue.best(for: [language])
        for phrase in [Phrase.wirelessConnected, .wirelessKnown] {
            #expect(catalogue.text(phrase).last.map { endings[language]!.contains($0) } == true, "\(catalogue.text(phrase))")
        }
    }

    /// `docs/glossary` lists the field's terms in each language.
    @Test(arguments: whole) func theGlossaryHasTheTextsOfTheCatalogue(_ language: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/glossary")
        let lines = try String(contentsOf: root.appending(path: "\(language).md"), encoding: .utf8).split(separator: "\n")
        let rows = lines.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        var count = 0
        let catalogue = StringCatalogue.best(for: [language])
        for row in rows where row.count >= 2 {
            guard let phrase = Phrase(rawValue: row[0]), rows.first(where: { $0.first == row[0] }) == row else { continue }
            count += 1
            #expect(catalogue.text(phrase) == row[1], "\(row[0])")
        }
        #expect(count > 25)
    }

    @Test func everyFileIsALanguage() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/InterfaceTexts/Texts")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.sorted() == InterfaceTexts.languages.map { "\($0).txt" }.sorted())
        #expect(InterfaceTexts.file(of: "xx").isEmpty)
    }

    @Test func aFileHasCommentsAndSpacesAndFaultyLines() {
        let file = CatalogueFile(
            Array("# Notes = none\n\n  home =  Start = now \r\nhome Start\n = Start\nsearch =\nguide = ".utf8) + [0xFF, 0x0A]
                + Array("live = LIVE".utf8))
        #expect(file.entries.map(\.key) == ["home", "live"])
        #expect(file.entries.map(\.text) == ["Start = now", "LIVE"])
        #expect(file.unreadableLines == [4, 5, 6, 7])
    }

    @Test(arguments: ["noSuchPhrase", "minutes", "minutes[", "minutes[several]", "home[one]", "language.colour", ""])
    func aKeyThatNoCatalogueHasIsUnknown(_ key: String) {
        #expect(CatalogueKey(key) == nil)
    }

    @Test func missingTextsAreShownInEnglish() {
        let broken = StringCatalogue(
            language: "ru", file: CatalogueFile(Array("home = Главная\nsearch\nunknown = ?\nminutes[one] = %1 минута\n".utf8)))
        #expect(broken.text(.home) == "Главная")
        #expect(broken.text(.search) == "Search")
        #expect(broken.plural(.minutes, 1) == "1 минута")
        #expect(broken.plural(.minutes, 5) == "5 minutes")
        #expect(broken.languageName(of: "de") == "German")
        #expect(broken.letters.first == "a" && !broken.isRightToLeft && !broken.hasManyLetters)
    }

    @Test func lettersAndDirectionBelongToTheLanguage() {
        #expect(StringCatalogue.best(for: ["he"]).isRightToLeft)
        #expect(StringCatalogue.best(for: ["ja"]).hasManyLetters)
        #expect(StringCatalogue.best(for: ["de"]).letters.suffix(13) == ["ä", "ö", "ü"] + Array("0123456789"))
        let german = StringCatalogue.best(for: ["de"])
        #expect(!german.isRightToLeft && !german.hasManyLetters)
    }

    @Test func theKeysOfSearchFillTheirRows() {
        for (language, columns) in [("en", 6), ("de", 7), ("ar", 7), ("ja", 5)] {
            #expect(StringCatalogue.best(for: [language]).letterColumns == columns, "\(language)")
        }
        #expect(StringCatalogue.english.letters.count % 6 == 0)
    }

    @Test func aFullStopOfTheWidthOfACharacterHasItsSpace() {
        #expect("Wrong PIN.".followed(by: "2 tries left.") == "Wrong PIN. 2 tries left.")
        #expect("違います。".followed(by: "あと2回です。") == "違います。あと2回です。")
    }

    @Test func thePseudoLocaleIsTwoFifthsLongerAndKeepsPlaceholders() {
        for phrase in Phrase.allCases where ![.decimalSeparator, .listSeparator].contains(phrase) {
            let (plain, pseudo) = (StringCatalogue.english.text(phrase), StringCatalogue.pseudo.text(phrase))
            #expect(pseudo.count * 10 >= plain.count * 14, "\(phrase)")
        }
        #expect(StringCatalogue.pseudo.text(.adOf, "1", "3", "0:12").contains("1"))
        #expect(StringCatalogue.pseudo.text(.home) == "[Hömé]" || StringCatalogue.pseudo.text(.home).hasPrefix("[Hömé"))
    }

    @Test(
        arguments: [
            ("en", [0, 1, 2, 5], ["other", "one", "other", "other"]),
            ("fr", [0, 1, 2, 1_000_000], ["one", "one", "other", "many"]),
            ("pt-BR", [0, 1, 2], ["one", "one", "other"]), ("pt-PT", [0, 1, 2, 1_000_000], ["other", "one", "other", "many"]),
            (
                "ru", [0, 1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 101, 111],
                [
                    "many", "one", "few", "few", "many", "many", "many", "many", "one", "few", "many", "one", "many",
                ]
            ),
            (
                "ar", [0, 1, 2, 3, 10, 11, 99, 100, 102, 103, 111],
                [
                    "zero", "one", "two", "few", "few", "many", "many", "other", "other", "few", "many",
                ]
            ),
            ("he", [0, 1, 2, 3], ["other", "one", "two", "other"]), ("ja", [0, 1, 2], ["other", "other", "other"]),
        ] as [(String, [Int], [String])]) func numbersHaveTheirForms(_ language: String, _ numbers: [Int], _ forms: [String])
    {
        #expect(numbers.map { PluralCategory($0, language: language).rawValue } == forms)
    }

    @Test func pluralFormsFollowTheNumber() {
        let russian = StringCatalogue.best(for: ["ru-RU"])
        #expect(russian.plural(.minutes, 1) == "1 минута")
        #expect(russian.plural(.minutes, 3) == "3 минуты")
        #expect(russian.plural(.minutes, 15) == "15 минут")
        #expect(StringCatalogue.english.plural(.triesLeft, 1) == "1 try left.")
    }

    @Test(arguments: [
        (["zh-TW"], "zh-Hant"), (["zh-HK"], "zh-Hant"), (["zh"], "zh-Hans"), (["zh-Hans-SG"], "zh-Hans"), (["pt-PT"], "pt-PT"),
        (["pt-AO"], "pt-PT"), (["pt"], "pt-BR"),
        (["xx", "de-CH"], "de"), (["xx"], "en"), ([], "en"), (["iw"], "he"), (["en-XA"], "en-XA"), (["en-GB"], "en"),
        (["en-US"], "en-US"), (["en-PH"], "en-US"), (["en-Latn-US"], "en-US"), (["en-CA"], "en"), (["es-ES"], "es"),
        (["es-MX"], "es-419"), (["es-419"], "es-419"), (["ES-ar"], "es-419"),
    ]) func theBestCatalogueIsFound(_ languages: [String], _ found: String) {
        #expect(StringCatalogue.best(for: languages).language == found)
    }

    @Test func namesOfTheOtherDirectionAreIsolated() {
        let arabic = StringCatalogue.best(for: ["ar"])
        #expect(arabic.text(.nothingFound, "News") == "لا توجد نتائج لـ «\u{2068}News\u{2069}».")
        #expect(StringCatalogue.english.text(.nothingFound, "News") == "Nothing found for “News”.")
        #expect(StringCatalogue.english.text(.nothingFound, "أخبار") == "Nothing found for “\u{2068}أخبار\u{2069}”.")
    }

    @Test func argumentsAreNotExpandedAgain() {
        #expect(StringCatalogue.english.text(.titledInterstitial, "100 %2", "0:10") == "100 %2 · 0:10")
    }

    @Test func everyErrorHasAText() {
        for code in ErrorCode.allCases where Phrase(rawValue: code.rawValue) == nil { Issue.record("\(code) has no sentence") }
        #expect(StringCatalogue.english.text(Phrase(.sourceMissing)) == "This programme isn’t available right now.")
    }

    @Test func languagesAreNamedInTheLanguageOfTheInterface() {
        #expect(StringCatalogue.best(for: ["fr"]).languageName(of: "en-GB") == "Anglais")
        #expect(StringCatalogue.english.languageName(of: "xx") == "xx")
        #expect(StringCatalogue.best(for: ["de"]).size(1_540_000_000) == "1,5\u{A0}GB")
    }
}
