extension SampleWords {
    static let arabic: [String: String] = [
        "The Lighthouse Keeper’s Daughter": "ابنة حارس المنارة",
        "Season 1, Episode 4 · A Storm Comes In": "الموسم 1، الحلقة 4 · عاصفة قادمة",
        "Season 1, Episode 5": "الموسم 1، الحلقة 5",
        "Harbour News": "أخبار الميناء",
        "The evening edition": "نشرة المساء",
        "Drama": "دراما",
        "The Lamp": "المصباح",
        "Low Water": "الجزر",
        "What Tobias Saw on the Night of the Wreck": "ما رآه توبياس ليلة الغرق",
        "The Lifeboat": "قارب النجاة",
        "Morning": "الصباح",
        "The Wreck": "الحطام",
        "Fog Signals": "إشارات الضباب",
        "The Harbour Band": "فرقة الميناء",
        "Harbour One": "الميناء الأولى",
        "Harbour Television": "تلفزيون الميناء",
        "Salt": "ملح",
        "The Long Pier": "الرصيف الطويل",
        "Music": "موسيقى",
        "Ropework": "فن الحبال",
        "Documentary": "وثائقي",
        "North by East": "شمال فشرق",
        "Sea and Shore": "بحر وشاطئ",
        "Tides of the North": "مدّ الشمال",
        "Cinema": "سينما",
        "Children": "أطفال",
        Samples.summaryEnglish: summaryArabic,
    ]

    private static let summaryArabic = """
        تُبقي آدا الضوء مشتعلًا بينما والدها في البحر. وعندما يهبط مقياس الضغط ولا يعود قارب مدير الميناء، عليها أن تختار بين المصباح وقارب النجاة. يعرف \
        العجوز توبياس عن ليلة الغرق أكثر مما حكاه يومًا، والغريب في النُّزل بدأ يطرح الأسئلة الصحيحة. فيلم عن الطقس وعن الذين يسهرون فيه.
        """

    static let japanese: [String: String] = [
        "The Lighthouse Keeper’s Daughter": "灯台守の娘",
        "Season 1, Episode 4 · A Storm Comes In": "シーズン1 第4話・嵐が来る",
        "Season 1, Episode 5": "シーズン1 第5話",
        "Harbour News": "港ニュース",
        "The evening edition": "夕方版",
        "Drama": "ドラマ",
        "The Lamp": "ランプ",
        "Low Water": "干潮",
        "What Tobias Saw on the Night of the Wreck": "難破の夜にトビアスが見たもの",
        "The Lifeboat": "救命艇",
        "Morning": "朝",
        "The Wreck": "難破船",
        "Fog Signals": "霧笛",
        "The Harbour Band": "港バンド",
        "Harbour One": "ハーバーワン",
        "Harbour Television": "港テレビ",
        "Salt": "塩",
        "The Long Pier": "長い桟橋",
        "Music": "音楽",
        "Ropework": "縄の技",
        "Documentary": "ドキュメンタリー",
        "North by East": "北微東",
        "Sea and Shore": "海と岸",
        "Tides of the North": "北の潮",
        "Cinema": "シネマ",
        "Children": "こども",
        Samples.summaryEnglish: summaryJapanese,
    ]

    private static let summaryJapanese = """
        父が海に出ているあいだ、エイダは灯を守り続ける。気圧が下がり、港長の船が戻らないとき、彼女はランプと救命艇のどちらかを選ばなければならない。老トビアスは難破の夜について、これまで語ったよりも多くを知っている。宿の見知らぬ男は、正しい問いを投げかけ始めた。天気と、\
        その中で眠らずにいる人々の映画。
        """
}
