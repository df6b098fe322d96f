import LinuxSupport
import MediaModel
import Testing

@testable import PlayerInterface

/// Titles as the world writes them, found as viewers type them.
@Suite struct TitleSearchTests {
    private static let titles = [
        "Cafe\u{301} Noir", "Straße", "İstanbul", "Ｇｉｎｔａｍａ", "Łódź", "ﬁancé", "مُحَمَّد", "\u{200B}Hidden", "Ёлки", "Œuvre", "日本沈没",
        "The “Quote”",
        "Ocean’s Eleven", "Don't Look Up", "Spider-Man", "WALL·E", "L'Avventura", "M*A*S*H", "S.W.A.T.", "Face/Off", "Hawaiʻi",
        "Сім'я", "שָׁלוֹם",
        "ｶﾞﾝﾀﾞﾑ", "Star Wars", "AC/DC", "Vingt‑et‑un", "Đặng", "Ύμνος", "한국", "ภาษาไทย", "हिन्दी", "قطرة", "my.film.2020.mkv",
        "col·lecció",
        "Чайка", "Чаика", "½ Prince", "\u{FEFF}Þór", "Naïve\u{AD}té",
    ]

    @Test(
        arguments: [
            ("café", "Cafe\u{301} Noir"), ("CAFE", "Cafe\u{301} Noir"), ("strasse", "Straße"), ("istanbul", "İstanbul"),
            ("gintama", "Ｇｉｎｔａｍａ"),
            ("lodz", "Łódź"), ("fiance", "ﬁancé"), ("محمد", "مُحَمَّد"), ("hidden", "\u{200B}Hidden"), ("елки", "Ёлки"),
            ("oeuvre", "Œuvre"),
            ("沈没", "日本沈没"), ("quote", "The “Quote”"), ("oceans", "Ocean’s Eleven"), ("ocean eleven", "Ocean’s Eleven"),
            ("dont look", "Don't Look Up"),
            ("don't", "Don't Look Up"), ("spiderman", "Spider-Man"), ("spider man", "Spider-Man"), ("spider-man", "Spider-Man"),
            ("man", "Spider-Man"),
            ("walle", "WALL·E"), ("wall e", "WALL·E"), ("avventura", "L'Avventura"), ("lavventura", "L'Avventura"),
            ("l’avventura", "L'Avventura"),
            ("mash", "M*A*S*H"), ("swat", "S.W.A.T."), ("faceoff", "Face/Off"), ("off", "Face/Off"), ("hawaii", "Hawaiʻi"),
            ("сімя", "Сім'я"),
            ("שלומ", "שָׁלוֹם"), ("かんたむ", "ｶﾞﾝﾀﾞﾑ"), ("ガンダム", "ｶﾞﾝﾀﾞﾑ"), ("starwars", "Star Wars"), ("star-wars", "Star Wars"),
            ("acdc", "AC/DC"),
            ("vingt et", "Vingt‑et‑un"), ("dang", "Đặng"), ("υμνοσ", "Ύμνος"), ("국", "한국"), ("ไทย", "ภาษาไทย"), ("हिन्", "हिन्दी"),
            ("قطره", "قطرة"),
            ("2020", "my.film.2020.mkv"), ("colleccio", "col·lecció"), ("чайка", "Чайка"), ("чаика", "Чаика"),
            ("thor", "\u{FEFF}Þór"),
            ("naivete", "Naïve\u{AD}té"),
        ] as [(String, String)]) func isFound(_ query: String, _ title: String)
    {
        let entries = Self.titles.map { HomeContent.Entry(id: $0, title: $0) }
        #expect(LetterSearch.find(query, in: entries).map(\.title) == [title])
    }

    @Test(arguments: ["pider", "ars", "eleven oceanz", "-", "’", " ", "tarw", "twars"]) func isNotFound(_ query: String) {
        let entries = Self.titles.map { HomeContent.Entry(id: $0, title: $0) }
        #expect(LetterSearch.find(query, in: entries) == [])
    }

    @Test func wordsWithoutTheirSpacesAreLookedForOnlyWhereNothingElseIsFound() {
        let entries = ["The Man", "Themis"].map { HomeContent.Entry(id: $0, title: $0) }
        #expect(LetterSearch.find("them", in: entries).map(\.title) == ["Themis"])
        #expect(LetterSearch.find("thema", in: entries).map(\.title) == ["The Man"])
    }
}
