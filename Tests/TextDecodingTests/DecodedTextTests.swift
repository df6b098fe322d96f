import Glibc
import Testing

@testable import TextDecoding

/// The oracle is glibc's iconv in the other direction: each sentence is written in the encodings of its language, and read again.
@Suite struct DecodedTextTests {
    /// A sentence of a language, and the encodings in which it is written.
    struct Sample: Sendable, CustomTestStringConvertible {
        let language: String
        let text: String
        let encodings: [String]
        var testDescription: String { language }

        init(_ language: String, _ encodings: [String], _ text: String) {
            (self.language, self.encodings, self.text) = (language, encodings, text)
        }
    }

    static let samples = [
        Sample(
            "ru", ["CP1251", "KOI8-R", "IBM866", "ISO-8859-5"],
            "Привет, как дела? Я не знаю, что сказать.\nМы встретимся завтра у вокзала."),
        Sample(
            "uk", ["CP1251", "KOI8-U"], "Привіт, як справи? Я не знаю, що сказати.\nМи зустрінемося завтра біля вокзалу, їдьмо."),
        Sample("bg", ["CP1251"], "Здравей, как си? Не знам какво да кажа.\nЩе се видим утре на гарата."),
        Sample("sr", ["CP1251"], "Здраво, како си? Не знам шта да кажем.\nВидимо се сутра на станици, љубави."),
        Sample("el", ["CP1253", "ISO-8859-7"], "Γεια σου, τι κάνεις; Δεν ξέρω τι να πω.\nΘα συναντηθούμε αύριο στον σταθμό."),
        Sample("cs", ["CP1250", "ISO-8859-2"], "Ahoj, jak se máš? Nevím, co říct.\nPříliš žluťoučký kůň úpěl ďábelské ódy."),
        Sample(
            "pl", ["CP1250", "ISO-8859-2"],
            "Cześć, jak się masz? Nie wiem, co powiedzieć.\nSpotkamy się jutro na dworcu, dobrze, że jesteś."),
        Sample(
            "hu", ["CP1250", "ISO-8859-2"],
            "Szia, hogy vagy? Nem tudom, mit mondjak.\nHolnap találkozunk az állomáson. Őszintén, jó."),
        Sample("ro", ["CP1250"], "Bună, ce mai faci? Nu ştiu ce să spun.\nNe vedem mâine la gară, mulţumesc."),
        Sample("hr", ["CP1250"], "Bok, kako si? Ne znam što reći.\nVidimo se sutra na kolodvoru, može, hvala lijepa, želim."),
        Sample(
            "tr", ["CP1254"], "Merhaba, nasılsın? Ne söyleyeceğimi bilmiyorum.\nYarın istasyonda buluşuruz, şimdi gitmeliyim."),
        Sample(
            "de", ["CP1252"],
            "Hallo, wie geht es dir? Ich weiß nicht, was ich sagen soll.\nWir treffen uns morgen früh. „Schöne Grüße“."),
        Sample(
            "fr", ["CP1252"],
            "Salut, comment ça va ? Je ne sais pas quoi dire.\nOn se retrouve demain à la gare, c’est très bien. Où êtes-vous ?"),
        Sample("es", ["CP1252"], "Hola, ¿cómo estás? No sé qué decir.\nNos vemos mañana en la estación."),
        Sample("sv", ["CP1252"], "Hej, hur mår du? Jag vet inte vad jag ska säga.\nVi ses på stationen i morgon, så är det."),
        Sample("he", ["CP1255"], "שלום, מה שלומך? אני לא יודע מה להגיד.\nניפגש מחר בתחנה."),
        Sample("ar", ["CP1256"], "مرحبا، كيف حالك؟ لا أعرف ماذا أقول.\nسنلتقي غدا في المحطة."),
        Sample("th", ["CP874"], "สวัสดี คุณเป็นอย่างไรบ้าง ฉันไม่รู้จะพูดอะไร\nพบกันพรุ่งนี้ที่สถานี"),
        Sample("ja", ["CP932", "EUC-JP", "ISO-2022-JP"], "こんにちは、お元気ですか。何を言えばいいのか分かりません。\n明日、駅で会いましょう。"),
        Sample("zh-Hans", ["GB18030"], "你好，你怎么样？我不知道该说什么。\n我们明天在车站见面。"),
        Sample("zh-Hant", ["CP950"], "你好，你怎麼樣？我不知道該說什麼。\n我們明天在車站見面。"),
        Sample("ko", ["CP949"], "안녕하세요, 어떻게 지내세요? 무슨 말을 해야 할지 모르겠어요.\n내일 역에서 만나요."),
        Sample("lt", ["CP1257"], "Labas, kaip sekasi? Nežinau, ką pasakyti.\nRytoj susitiksime stotyje, ačiū."),
        Sample("vi", ["CP1258"], "Xin chào, tôi không biết."),
    ]

    /// A text in an encoding of iconv, as its program writes it.
    static func written(_ text: String, in encoding: String) throws -> [UInt8] {
        let handle = try #require(iconv_open(encoding, "UTF-8"))
        try #require(handle != iconv_t(bitPattern: -1))
        defer { iconv_close(handle) }
        var source = Array(text.utf8).map { CChar(bitPattern: $0) }
        var room = [CChar](repeating: 0, count: source.count * 4 + 16)
        let made = try source.withUnsafeMutableBufferPointer { from in
            try room.withUnsafeMutableBufferPointer { to in
                var (input, inputLeft, output, outputLeft) = (from.baseAddress, from.count, to.baseAddress, to.count)
                try #require(iconv(handle, &input, &inputLeft, &output, &outputLeft) != -1, "\(text) in \(encoding)")
                iconv(handle, nil, nil, &output, &outputLeft)
                return to.count - outputLeft
            }
        }
        return room.prefix(made).map { UInt8(bitPattern: $0) }
    }

    private static func captions(_ text: String) -> String {
        "1\r\n00:00:01,000 --> 00:00:03,000\r\n\(text)\r\n\r\n2\r\n00:00:04,000 --> 00:00:06,000\r\n\(text)\r\n"
    }

    @Test(arguments: samples) func encodingsOfTheStatedLanguage(_ sample: Sample) throws {
        for encoding in sample.encodings {
            for text in [sample.text, Self.captions(sample.text)] {
                let decoded = DecodedText(try Self.written(text, in: encoding), language: sample.language)
                #expect(decoded.text == text, "\(encoding), read as \(decoded.encoding)")
            }
        }
    }

    /// Words in which two encodings of a language differ by single letters.
    @Test(
        arguments: [
            ("cs", "ISO-8859-2", "Dobrý den, jak se máte? Dnes je pěkné počasí, půjdeme ščřž."),
            ("sl", "ISO-8859-2", "Živjo, kako si? Jutri se vidimo na postaji, če hočeš."),
            ("hr", "ISO-8859-2", "Što želiš? Vidimo se sutra, može."),
            ("sk", "ISO-8859-2", "Čo robíš? Uvidíme sa zajtra, že áno. Šťastie, ľúbim ťa."),
            ("pl", "ISO-8859-2", "Dzisiaj jest ładna pogoda, idziemy do parku, źdźbło, są śliwki."),
            ("fr", "ISO-8859-15", "Où êtes-vous ? Un cœur déjà, voilà une œuvre."),
            ("et", "ISO-8859-15", "Täna on ilus ilm, läheme parki šokolaad õäöü."),
            ("fr", "CP1252", "Il fait 20 °C, déjà ½ litre de lait à 3 £."),
            ("cs", "CP1250", "Dobrý den, jak se máte? Dnes je pěkné počasí, půjdeme ščřž."),
        ])
    func lettersOfTheLanguage(_ language: String, _ encoding: String, _ text: String) throws {
        let decoded = DecodedText(try Self.written(Self.captions(text), in: encoding), language: language)
        #expect(decoded.text == Self.captions(text), "read as \(decoded.encoding)")
    }

    /// Texts of DOS and of the classic Macintosh: in each language of which the encoding has the letters.
    @Test(
        arguments: [
            ("fr", "Salut, comment ça va ? Déjà l'été.\nOù êtes-vous ? Oui, à l'hôtel, très bien, mon frère."),
            ("es", "Hola, ¿cómo estás? No sé qué decir.\nNos vemos mañana en la estación."),
            ("de", "Hallo, wie geht es dir? Ich weiß nicht.\nMorgen früh, schöne Grüße, natürlich."),
            ("it", "Perché è così? La città è più bella, però non so.\nAndrò là."),
            ("pt", "Olá, como estás? Não sei o que dizer.\nAmanhã na estação, coração."),
            ("sv", "Hej, hur mår du? Jag vet inte vad jag ska säga.\nVi ses på stationen, så är det."),
            ("da", "Hej, hvordan går det? Jeg ved ikke, hvad jeg skal sige.\nVi ses på stationen, så er det. Ærø, øl."),
            ("fi", "Hyvää päivää, mitä kuuluu? En tiedä.\nNähdään huomenna asemalla, kiitos hyvää."),
        ],
        ["IBM437", "IBM850", "MACINTOSH", "CP1252", "ISO-8859-15"])
    func olderEncodingsOfTheWest(_ sample: (language: String, text: String), _ encoding: String) throws {
        // Code page 437 has neither ã nor ø.
        if encoding == "IBM437", ["pt", "da"].contains(sample.language) { return }
        for text in [sample.text, Self.captions(sample.text)] {
            let decoded = DecodedText(try Self.written(text, in: encoding), language: sample.language)
            #expect(decoded.text == text, "\(encoding), read as \(decoded.encoding)")
        }
    }

    @Test(arguments: ["CP737", "IBM869"]) func greekOfDOS(_ encoding: String) throws {
        let text = Self.captions("Γεια σου, τι κάνεις; Δεν ξέρω τι να πω.\nΘα συναντηθούμε αύριο στον σταθμό.")
        let decoded = DecodedText(try Self.written(text, in: encoding), language: "el")
        #expect(decoded.text == text, "read as \(decoded.encoding)")
    }

    /// Foreign names and quotation marks in texts of Windows are no sign of an older encoding.
    @Test(
        arguments: [
            ("fr", "Šimon Žižek a dit : « Ça va ? » — Oui… L’œuvre d’Ångström, señor."),
            ("de", "„Žižek“ und ‚Škoda‘ – Señor Ångström fährt nach Málaga…"), ("es", "Škoda, Žižek, Ångström: «años» — ‹así›."),
            ("sv", "Žižek åt på café, Françoise också; ’tjugo’ † 1950."), ("it", "„Škoda“: è così… l’università d’Århus, señor."),
        ])
    func foreignNames(_ language: String, _ text: String) throws {
        let decoded = DecodedText(try Self.written(text, in: "CP1252"), language: language)
        #expect(decoded.text == text, "read as \(decoded.encoding)")
    }

    /// Captions are labelled with the language of the film, or of the interface.
    @Test(
        arguments: samples.filter { ["ru", "el", "he", "ar", "ja", "ko", "zh-Hans", "th"].contains($0.language) },
        ["en", "de", "pl", "tr"])
    func aWrongLatinLanguage(_ sample: Sample, _ language: String) throws {
        let text = Self.captions(sample.text + "\n" + sample.text)
        let decoded = DecodedText(try Self.written(text, in: sample.encodings[0]), language: language)
        #expect(decoded.text == text, "read as \(decoded.encoding)")
    }

    @Test(arguments: samples.filter { $0.language != "vi" }) func encodingsWithoutALanguage(_ sample: Sample) throws {
        for encoding in sample.encodings {
            let text = Self.captions(sample.text)
            let decoded = DecodedText(try Self.written(text, in: encoding))
            #expect(decoded.text == text, "\(encoding), read as \(decoded.encoding)")
        }
    }

    @Test(arguments: samples) func declaredEncodings(_ sample: Sample) throws {
        for encoding in sample.encodings {
            // One word is not enough for a detector, and the language is wrong.
            let text = String(sample.text.prefix { $0 != " " && $0 != "\n" })
            let label = encoding.hasPrefix("CP12") ? "windows-\(encoding.dropFirst(2))" : encoding.lowercased()
            let decoded = DecodedText(try Self.written(text, in: encoding), declared: label, language: "is")
            #expect(decoded.text == text, "\(encoding), read as \(decoded.encoding)")
        }
    }

    @Test(arguments: ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"]) func byteOrderMarks(_ encoding: String) throws {
        let text = "Größe, 新闻\n"
        let decoded = DecodedText(try Self.written("\u{FEFF}" + text, in: encoding), declared: "windows-1251", language: "ru")
        #expect(decoded.text == text)
        #expect(decoded.encoding == encoding)
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE"]) func utf16WithoutMark(_ encoding: String) throws {
        let text = Self.captions("Größe, 新闻")
        #expect(DecodedText(try Self.written(text, in: encoding)).text == text)
    }

    @Test(arguments: samples.filter { $0.language != "vi" }) func piecesOfAStatedLanguage(_ sample: Sample) throws {
        for encoding in sample.encodings {
            var pieces = TextPieces(language: sample.language)
            for line in sample.text.split(separator: "\n").map(String.init) {
                #expect(pieces.text(try Self.written(line, in: encoding)) == line, "\(encoding)")
            }
        }
    }

    @Test func titlesOfStations() throws {
        func titles(_ encoding: String, _ texts: [String]) throws {
            var pieces = TextPieces()
            for text in texts { #expect(pieces.text(try Self.written(text, in: encoding)) == text, "\(encoding)") }
        }
        // One letter in a name of Western Europe is too little for a detector.
        try titles("CP1252", ["Beyoncé - Déjà Vu", "Motörhead - Ace of Spades", "Sigur Rós - Sæglópur", "Zoé"])
        try titles("CP1251", ["Кино - Группа крови", "Queen - Innuendo", "Земфира - Искала"])
        try titles("CP932", ["宇多田ヒカル - 初恋", "スピッツ - ロビンソン", "アイドル"])
        try titles("GB18030", ["周杰伦 - 七里香，窗外的麻雀在电线杆上多嘴"])
        try titles("CP1253", ["Χάρις Αλεξίου - Δι' ευχών, ό,τι κι αν γίνει"])
        try titles("UTF-8", ["Beyoncé - Déjà Vu", "スピッツ"])
    }

    @Test func piecesAreLookedAtTogether() throws {
        // Few letters above ASCII are Western until there are more of them.
        var pieces = TextPieces()
        let lines = (0..<40).map { "\($0) Příliš žluťoučký kůň úpěl ďábelské ódy" }
        let read = try lines.map { pieces.text(try Self.written($0, in: "CP1250")) }
        #expect(read.suffix(38) == lines.suffix(38))
        // What is UTF-8 stays so.
        #expect(pieces.text(Array("Größe".utf8)) == "Größe")
    }

    @Test func utf8IsNotOverruled() {
        let text = "Größe"
        #expect(DecodedText(Array(text.utf8), declared: "iso-8859-1", language: "ru").text == text)
        #expect(DecodedText(Array("plain".utf8), declared: "gb2312").text == "plain")
        #expect(DecodedText([]).text == "")
    }

    @Test func aLieAboutUTF8IsSeenThrough() throws {
        let bytes = Array("<tv><title>".utf8) + (try Self.written("Größe", in: "CP1252")) + Array("</title></tv>".utf8)
        for form in ["UTF-8", "UTF-16", "utf-32", "UCS-2"] {
            #expect(DecodedText(bytes, declared: form).text == "<tv><title>Größe</title></tv>")
        }
    }

    @Test func unknownNamesAreIgnored() throws {
        let bytes = try Self.written("Привет, как дела?", in: "CP1251")
        for name in ["", "x-unknown", "UTF-8//TRANSLIT", "../../etc", String(repeating: "A", count: 500), "кои8"] {
            #expect(DecodedText(bytes, declared: name).text == "Привет, как дела?")
        }
    }

    @Test func damageCostsOneCharacter() {
        var bytes = Array("Größe, Öl, Übung, süß, schön\nnoch: ä\n".utf8)
        bytes[2] = 0xC3
        bytes[3] = 0x28
        let decoded = DecodedText(bytes)
        #expect(decoded.encoding == "UTF-8")
        #expect(decoded.text == "Gr\u{FFFD}(ße, Öl, Übung, süß, schön\nnoch: ä\n")
    }

    @Test func mergedGuidesAreReadLineByLine() throws {
        let bytes =
            Array("Größe in UTF-8\n".utf8) + (try Self.written("Größe in Latin-1, schön\n", in: "CP1252"))
            + Array("Žluťoučký\n".utf8)
        #expect(DecodedText(bytes).text == "Größe in UTF-8\nGröße in Latin-1, schön\nŽluťoučký\n")
    }

    @Test func aTextThatIsCutInsideACharacterIsUTF8() {
        let bytes = Array("新闻新闻新闻".utf8.dropLast())
        #expect(DecodedText(bytes, language: "zh").text == "新闻新闻新\u{FFFD}")
        let japanese = DecodedText([0x82, 0xB1, 0x82, 0xF1, 0x82, 0xC9, 0x82], declared: "shift_jis")
        #expect(japanese.text == "こんに\u{FFFD}")
    }

    /// Every text can be decoded, in one pass.
    @Test func anyBytesGiveText() {
        var state: UInt64 = 7
        for length in [1, 2, 3, 64, 40_000] {
            let bytes = (0..<length).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(state >> 56)
            }
            for language in [nil, "ja", "ru"] {
                #expect(!DecodedText(bytes, declared: "utf-16", language: language).text.isEmpty)
            }
        }
    }
}
