import MediaModel
import Testing

@testable import PlayerInterface

@Suite struct CatalogueTests {
    @Test(arguments: StringCatalogue.all.map(\.language)) func everyPhraseIsThereWithItsPlaceholders(_ language: String) throws {
        let catalogue = try #require(StringCatalogue.all.first { $0.language == language })
        #expect(catalogue.faults == [])
        #expect(!catalogue.ownName.isEmpty && catalogue.ownName != language)
    }

    @Test(arguments: [
        Catalogues.english, Catalogues.spanish, Catalogues.french, Catalogues.german, Catalogues.brazilianPortuguese,
        Catalogues.russian, Catalogues.simplifiedChinese, Catalogues.traditionalChinese, Catalogues.japanese, Catalogues.korean,
        Catalogues.arabic, Catalogues.hebrew,
    ]) func noLineIsUnknownOrTwice(_ source: String) {
        var seen: Set<String> = []
        for (key, value) in StringCatalogue.lines(of: source) {
            #expect(seen.insert(key).inserted, "\(key) stands twice")
            #expect(value.first != " " && value.last != " ", "\(key) has spaces around it")
            let isKnown =
                Phrase(rawValue: key) != nil || key.hasPrefix("own.") || key.hasPrefix("lang.")
                || PluralPhrase.allCases.contains { key.hasPrefix($0.rawValue + "[") }
            #expect(isKnown, "\(key) is no phrase")
        }
        #expect(seen.count == source.split(separator: "\n").count, "each line is one")
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
            ("en", [0, 1, 2, 5], ["other", "one", "other", "other"]), ("fr", [0, 1, 2], ["one", "one", "other"]),
            ("pt-BR", [0, 1, 2], ["one", "one", "other"]),
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

    @Test func wordsFollowTheNumber() {
        let russian = StringCatalogue.best(for: ["ru-RU"])
        #expect(russian.plural(.minutes, 1) == "1 минута")
        #expect(russian.plural(.minutes, 3) == "3 минуты")
        #expect(russian.plural(.minutes, 15) == "15 минут")
        #expect(StringCatalogue.english.plural(.triesLeft, 1) == "1 try left.")
    }

    @Test(arguments: [
        (["zh-TW"], "zh-Hant"), (["zh-HK"], "zh-Hant"), (["zh"], "zh-Hans"), (["zh-Hans-SG"], "zh-Hans"), (["pt-PT"], "pt-BR"),
        (["xx", "de-CH"], "de"), (["xx"], "en"), ([], "en"), (["iw"], "he"), (["en-XA"], "en-XA"),
    ]) func theBestCatalogueIsFound(_ languages: [String], _ found: String) {
        #expect(StringCatalogue.best(for: languages).language == found)
    }

    @Test func namesAreIsolatedWhereTheyMayRunTheOtherWay() {
        let arabic = StringCatalogue.best(for: ["ar"])
        #expect(arabic.text(.nothingFound, "News") == "لا نتائج لـ «\u{2068}News\u{2069}».")
        #expect(StringCatalogue.english.text(.nothingFound, "News") == "Nothing found for “News”.")
        #expect(StringCatalogue.english.text(.nothingFound, "أخبار") == "Nothing found for “\u{2068}أخبار\u{2069}”.")
    }

    @Test func whatIsFilledInIsNotFilledAgain() {
        #expect(StringCatalogue.english.text(.titledInterstitial, "100 %2", "0:10") == "100 %2 · 0:10")
    }

    @Test func everyErrorHasItsWords() {
        for code in ErrorCode.allCases where Phrase(rawValue: code.rawValue) == nil { Issue.record("\(code) has no words") }
        #expect(StringCatalogue.english.text(Phrase(.sourceMissing)) == "This programme isn't available right now.")
    }

    @Test func languagesAreNamedInTheLanguageOfTheInterface() {
        #expect(StringCatalogue.best(for: ["fr"]).languageName(of: "en-GB") == "Anglais")
        #expect(StringCatalogue.english.languageName(of: "xx") == "xx")
        #expect(StringCatalogue.best(for: ["de"]).size(1_540_000_000) == "1,5 GB")
    }
}
