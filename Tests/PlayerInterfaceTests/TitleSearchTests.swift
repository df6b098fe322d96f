import LinuxSupport
import MediaModel
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

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

    /// The page of Search in a language, with titles.
    private func opened(_ languages: [String], _ titles: [String], guide: GuideContent? = nil) -> Viewer {
        var viewer = Viewer()
        viewer.changePolicy { $0.languages = languages }
        viewer.send(.settingsRestored(ViewerSettings()))
        viewer.send(.homeChanged(HomeContent(rows: Items.channels.rows, searchable: titles.map { .init(id: $0, title: $0) })))
        if let guide {
            viewer.send(.wallClock(secondsSinceMidnight: 72900))
            viewer.send(.guideChanged(guide))
        }
        viewer.press(.up)
        viewer.press(.ok)
        return viewer
    }

    /// Presses the key with a label, moving there by arrows.
    private func type(_ label: String, _ viewer: inout Viewer) -> Bool {
        guard let search = viewer.state.search, let row = search.keys.firstIndex(where: { $0.contains { $0.title == label } }),
            let column = search.keys[row].firstIndex(where: { $0.title == label })
        else { return false }
        for _ in 0..<60 {
            guard case .key(let atRow, let atColumn)? = viewer.state.search?.focus else { return false }
            if atRow == row, atColumn == column { return viewer.press(.ok) == .success }
            if atRow != row {
                viewer.press(atRow < row ? .down : .up)
            } else {
                let isMirrored = viewer.machine.strings.isRightToLeft
                viewer.press((atColumn < column) != isMirrored ? .right : .left)
            }
        }
        return false
    }

    @Test(arguments: ["en", "ja", "ar", "he", "ru", "ko", "zh-Hans", "de"]) func whatTitlesNeedCanBeTypedInEveryLanguage(
        _ language: String
    ) {
        for (title, typed) in [
            ("Alien", ["A", "L", "I"]), ("Ёлки", ["Е", "Л"]), ("Ωmega", ["Ω"]), ("سينما", ["س", "ي"]), ("שלום", ["ש", "ל"]),
            ("ガンダム", ["か", "ん"]),
            ("東京", ["東", "京"]), ("한국", ["한", "국"]), ("ภาษา", ["ภ", "า"]), ("संसार", ["स"]), ("Ղարաբաղ", ["Ղ"]),
            ("საქართველო", ["ს"]),
        ] {
            var viewer = opened([language], ["Nothing", "Zulu", "Ничего", "עוד", "其他", title])
            for letter in typed { #expect(type(letter, &viewer), "\(letter) in \(language)") }
            #expect(viewer.state.search?.results.map(\.title) == [title], "\(typed) in \(language)")
        }
    }

    @Test func aListInOneScriptHasNoFurtherKeys() {
        let viewer = opened(["en"], ["Alien", "Éclair", "Łódź", "7½"])
        #expect(
            viewer.state.search?.keys.joined().map(\.title).joined() == "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789SpaceDeleteClear")
    }

    // MARK: Programmes of the guide

    private static let guide = GuideContent(channels: [
        .init(
            id: "c1", number: 1, title: "News",
            programmes: [
                .init(title: "Ocean’s Eleven", start: 70000, end: 72000), .init(title: "Evening News", start: 72000, end: 73800),
                .init(title: "Ocean’s Eleven", summary: "A heist.", start: 73800, end: 75600),
                .init(title: "Ocean’s Eleven", start: 95000, end: 99000),
            ]),
        .init(id: "c7", number: 7, title: "Tonight", programmes: [.init(title: "Ocean Deep", start: 70200, end: 79200)]),
    ])

    @Test func programmesOfTheGuideAreFoundAfterTheTitlesOfTheLibrary() {
        var viewer = opened(["en"], ["Ocean Blue", "Sea"], guide: Self.guide)
        for letter in ["O", "C", "E"] { #expect(type(letter, &viewer)) }
        let results = viewer.state.search?.results ?? []
        #expect(
            results.map(\.title) == ["Ocean Blue", "Ocean Deep", "Ocean’s Eleven"],
            "each once, the earliest first, none that is over")
        #expect(results.map(\.subtitle) == [nil, "7 Tonight, Today, 19:30–22:00", "1 News, Today, 20:30–21:00"])
    }

    @Test func aProgrammeThatIsOnIsTunedToAndALaterOneHasItsPage() {
        var viewer = opened(["en"], ["Sea"], guide: Self.guide)
        for letter in ["O", "C", "E"] { #expect(type(letter, &viewer)) }
        for _ in 0..<8 { viewer.press(.right) }
        #expect(viewer.state.search?.focus == .result(0))
        viewer.press(.down)
        viewer.press(.ok)
        #expect(viewer.state.programme?.title == "Ocean’s Eleven" && viewer.state.programme?.summary == "A heist.")
        viewer.press(.back)
        #expect(viewer.state.search?.query == "oce")
        viewer.press(.up)
        viewer.press(.ok)
        #expect(viewer.effects.contains(.open(id: "c7")))
    }

    @Test func withoutAClockNoProgrammeIsFound() {
        let titles = ProgrammeTitles(Self.guide)
        #expect(LetterSearch("ocean").find(in: titles, at: 72900).map(\.programme.start) == [70200, 73800])
        #expect(LetterSearch("oceanseleven").find(in: titles, at: 80000).map(\.programme.start) == [95000])
        #expect(LetterSearch("ocean").find(in: titles, at: 99000) == [] && LetterSearch("").find(in: titles, at: 0) == [])
    }
}
