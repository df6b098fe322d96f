/// The grammars of the other texts: feeds, programme guides, settings, key scripts, HTTP headers, and requests of the local page.
enum DocumentGrammars {
    /// Mostly valid feeds: the keys of an object occur once and in this order, because a key that occurs twice refuses the feed, and nearly
    /// every rule has alternatives that pass.
    static let feed = TextGrammar(
        "feed",
        [
            "feed": [
                "{‹version›‹head›, \"channels\": [‹safeChannel›‹moreChannel*›], \"items\": [‹safeItem›‹moreItem*›‹moreItem*›]‹series?›‹rows?›‹policy?›}",
                "{‹version›‹head›, \"items\": [‹safeItem›‹moreItem*›]‹rows?›‹policy?›}",
                "{‹version›‹head›, \"items\": [‹item›‹moreItem*›], ‹unknown›}",
            ],
            "version": [
                "\"feedVersion\": 1", "\"feedVersion\": 1", "\"feedVersion\": \"1.‹digit›\"", "\"feedVersion\": ‹number›",
            ],
            "head": [
                "‹revision?›‹updated?›‹until?›‹languages?›‹provider?›‹refresh?›‹base?›‹start?›", "‹languages›‹refresh?›", "",
            ],
            "revision": [", \"revision\": ‹small›", ", \"revision\": ‹number›"],
            "updated": [", \"lastUpdated\": \"‹date›\""],
            "until": [", \"validUntil\": \"2027-12-01T00:00:00Z\"", ", \"validUntil\": \"‹date›\""],
            "languages": [
                ", \"defaultLanguage\": \"en\"", ", \"defaultLanguage\": \"‹word›\", \"languages\": [\"en\", \"‹word›\"]",
            ],
            "provider": [", \"provider\": {\"name\": ‹text›, \"logo\": \"‹address›\"}"],
            "refresh": [", \"refresh\": {\"interval\": ‹time›, \"jitterPercent\": ‹small›}", ", \"refresh\": ‹value›"],
            "base": [", \"baseUrl\": \"https://cdn.example/v/\"", ", \"baseUrl\": \"‹url›\""],
            "start": [", \"start\": {\"channel\": \"safe\"}", ", \"start\": {\"item\": \"‹name›\"}"],
            "unknown": ["\"x-‹name›\": ‹value›", "\"‹name›\": ‹value›"],

            "number": ["‹small›", "‹small›", "‹small›", "‹json›", "\"‹extreme›\""],
            "early": ["0", "1", "‹digit›.‹digit›", "\"0:‹digit›‹digit›\"", "\"00:00:0‹digit›.‹digit›\""],
            "middle": ["60", "‹place›", "\"1:00\"", "\"‹place›.‹digit›\"", "2‹digit›‹digit›", "\"3:00.‹digit›\""],
            "late": ["900", "9‹digit›‹digit›.‹digit›", "\"15:00\"", "\"0:15:0‹digit›\"", "‹time›"],
            "place": ["6‹digit›", "1‹digit›‹digit›", "7‹digit›", "300"],
            "time": [
                "‹small›", "‹small›", "‹digit›.‹digit›", "\"‹digit›:0‹digit›\"", "\"0:‹digit›‹digit›.‹digit›\"", "‹json›",
                "\"‹decimal›\"", "\"‹int›:‹two›:‹two›.‹digit›\"", "\"22m\"",
            ],
            "value": ["‹number›", "\"‹word›\"", "null", "true", "[]", "{}", "[‹value›, ‹value›]", "{\"‹name›\": ‹value›}"],
            "text": [
                "\"‹word›\"", "\"‹word› ‹word›\"", "{\"en\": \"‹word›\", \"und\": \"‹word›\"}", "{\"en\": \"‹word›\"}",
                "\"‹word›‹word›‹word›\"", "{\"‹word›\": \"‹word›\"}", "‹value›",
            ],
            "address": [
                "‹name›.m3u8", "‹name›/‹name›.ts", "https://h.example/‹name›", "https://h.example/‹name›?a=‹digit›", "‹url›",
            ],
            "yes": ["true", "false", "true", "‹value›"],

            "safeChannel": [
                "{\"id\": \"safe\", \"title\": \"S\", \"streams\": [{\"url\": \"https://h.example/safe.m3u8\"}]}",
                "{\"id\": \"safe\", \"number\": ‹small›, \"title\": ‹text›, \"kind\": \"schedule\", \"entries\": [‹entry›‹moreEntry*›‹moreEntry*›]}",
                "{\"id\": \"safe\", \"title\": \"S\", \"kind\": \"playlist\", \"items\": [\"i0\", \"‹id›\"], \"loop\": true}",
            ],
            "moreChannel": [
                ", {\"id\": \"c‹digit›‹digit›\", \"title\": ‹text›, \"streams\": [‹stream›‹moreStream*›]‹guide?›‹rating?›‹window?›}",
                ", {\"id\": \"c‹digit›‹digit›\", \"number\": 1‹digit›‹digit›, \"title\": ‹text›, \"kind\": \"playlist\", \"items\": [\"‹id›\", \"‹id›\"], \"loop\": ‹yes›}",
                ", {\"id\": \"c‹digit›‹digit›\", \"number\": ‹number›, \"title\": ‹text›, \"kind\": \"schedule\", \"entries\": [‹entry›‹moreEntry*›], \"strictWindow\": ‹yes›}",
            ],
            "guide": [", \"guide\": {\"xmltv\": \"‹address›\", \"id\": \"‹word›\"}"],
            "entry": ["{\"at\": \"2026-11-22T1‹digit›:00:00Z\", \"item\": \"i0\"}", "{\"at\": \"‹date›\", \"item\": \"‹id›\"}"],
            "moreEntry": [", ‹entry›"],

            "id": ["i0", "i1", "i2", "i3", "i4", "i‹digit›‹digit›", "‹name›"],
            "safeItem": [
                "{\"id\": \"i0\", \"title\": \"I\", \"duration\": 1000, \"streams\": [{\"url\": \"https://h.example/i0.m3u8\"}]}",
                "{\"id\": \"i0\", \"title\": \"I\", ‹film›}",
            ],
            "moreItem": [", ‹item›", ", {\"id\": \"i‹digit›‹digit›\", ‹film›}"],
            // Everything valid, and little of it at an end of its range.
            "film": [
                "\"rating\": {\"system\": \"MPA\", \"value\": \"PG-13\"}, \"duration\": 1000, \"streams\": [{\"url\": \"a.m3u8\"}], \"trim\": {\"in\": 0, \"out\": 99‹digit›}, \"markers\": [‹chapters›], \"interstitials\": [‹breaks›], \"proposal\": {\"next\": \"‹id›\", \"at\": 9‹digit›0}",
                "\"duration\": \"16:40\", \"timeline\": \"content\", \"streams\": [{\"url\": \"a.m3u8\"}, {\"url\": \"b.mp4\"}], \"markers\": [‹chapters›], \"interstitials\": [‹breaks›, {\"start\": 700, \"duration\": ‹digit›.5}], \"proposal\": null",
                "\"streams\": [{\"url\": \"a.m3u8\"}], \"markers\": [‹chapters›], \"interstitials\": [‹breaks›]",
            ],
            "chapters": [
                "{\"kind\": \"chapter\", \"start\": 0, \"title\": ‹text›}, {\"kind\": \"intro\", \"start\": ‹digit›, \"end\": 3‹digit›}, {\"kind\": \"chapter\", \"start\": ‹middle›}, {\"kind\": \"credits\", \"start\": 9‹digit›0}"
            ],
            "breaks": [
                "{\"start\": 60‹digit›, \"duration\": ‹digit›0.‹digit›‹digit›‹digit›1, \"kind\": \"ad\", \"skip\": {\"offset\": ‹small›, \"duration\": ‹small›}}"
            ],
            "item": [
                "{\"id\": \"i‹digit›‹digit›\"‹type?›‹title›‹artwork?›‹rating?›‹duration?›‹timeline?›, \"streams\": [‹itemStream›‹moreItemStream*›]‹subtitles?›‹trim?›‹markers?›‹interstitials?›‹proposal?›‹window?›‹flags?›‹other?›}",
                "{\"id\": \"i‹digit›\", \"streams\": [‹stream›]‹duration›‹trim›‹markers›‹interstitials›‹proposal›}",
            ],
            "type": [", \"type\": \"episode\"", ", \"type\": \"movie\"", ", \"type\": \"‹word›\""],
            "title": [", \"title\": ‹text›", ", \"title\": \"‹word›\", \"description\": ‹text›, \"tags\": [\"a\", \"‹word›\"]"],
            "artwork": [
                ", \"artwork\": \"‹address›\"",
                ", \"artwork\": {\"poster\": {\"url\": \"‹address›\", \"width\": ‹number›, \"height\": ‹number›}}",
            ],
            "rating": [
                ", \"rating\": {\"system\": \"MPA\", \"value\": \"PG\"}",
                ", \"rating\": {\"system\": \"age\", \"value\": \"‹int›\"}",
                ", \"rating\": ‹value›",
            ],
            "duration": [
                ", \"duration\": 1000", ", \"duration\": \"16:40\"", ", \"duration\": 1‹digit›‹digit›‹digit›.‹digit›",
                ", \"duration\": ‹time›",
            ],
            "timeline": [", \"timeline\": \"content\"", ", \"timeline\": \"‹word›\""],
            "stream": [
                "{\"url\": \"‹address›\"}",
                "{\"url\": \"‹address›\", \"codecs\": \"avc1.4d401f,‹word›\", \"maxHeight\": ‹number›, \"audio\": [\"en\", {\"language\": \"‹word›\"}]}",
            ],
            "itemStream": ["‹stream›", "‹stream›", "{\"composition\": ‹composition›}", "{\"composition\": ‹value›}"],
            "moreItemStream": [", ‹itemStream›"],
            "moreStream": [", ‹stream›"],
            "composition": [
                "{\"compositionVersion\": 1, \"tracks\": [{\"id\": 1, \"type\": \"video\", \"segments\": [‹segment›‹moreSegment*›]}, {\"id\": 2, \"type\": \"audio\", \"segments\": [‹segment›]}‹moreTrack?›]‹videoComposition?›‹audioMix?›}",
                "{\"compositionVersion\": 1, \"tracks\": [{\"id\": 1, \"type\": \"video\", \"segments\": [‹segment›‹moreSegment*›‹moreSegment*›]}]}",
                "{\"compositionVersion\": ‹number›, \"tracks\": ‹value›}",
            ],
            "moreTrack": [
                ", {\"id\": ‹number›, \"type\": \"‹word›\", \"segments\": ‹value›}",
                ", {\"id\": 3, \"type\": \"audio\", \"segments\": [{\"target\": {\"duration\": ‹instant›}}, ‹segment›]}",
            ],
            "segment": [
                "{\"url\": \"a.mp4\", \"source\": {\"start\": ‹instant›, \"duration\": ‹instant›}}",
                "{\"url\": \"‹address›\", \"track\": ‹number›, \"codec\": \"h264\", \"source\": {\"start\": 0, \"duration\": ‹instant›}, \"target\": {\"duration\": ‹instant›}}",
                "{\"url\": \"a.mp4\", \"source\": {\"start\": ‹instant›, \"duration\": 2}, \"target\": {\"start\": ‹instant›, \"duration\": 1}}",
            ],
            "moreSegment": [", ‹segment›"],
            "instant": [
                "‹digit›", "‹digit›", "‹digit›.‹digit›", "\"1001/30000\"", "\"‹small›/‹small›\"", "\"‹int›/‹int›\"", "‹json›",
                "\"‹extreme›\"", "99999999",
            ],
            "videoComposition": [
                ", \"videoComposition\": {\"renderSize\": {\"width\": ‹number›, \"height\": 180}, \"frameDuration\": ‹instant›, \"instructions\": [{\"range\": {\"start\": 0, \"duration\": ‹instant›}, \"layers\": [{\"track\": 1, \"opacity\": [{\"start\": ‹instant›, \"duration\": ‹instant›, \"from\": ‹number›, \"to\": ‹number›}], \"transform\": [{\"start\": 0, \"to\": {\"x\": ‹number›, \"y\": 0, \"scaleX\": ‹number›, \"scaleY\": 0.5}}], \"crop\": [{\"start\": 0, \"to\": {\"x\": ‹number›, \"y\": 0, \"width\": ‹number›, \"height\": 1}}]}]}]}"
            ],
            "audioMix": [
                ", \"audioMix\": {\"tracks\": [{\"track\": 2, \"volume\": [{\"start\": ‹instant›, \"duration\": ‹instant›, \"from\": 1, \"to\": ‹number›}]}]}",
                ", \"audioMix\": {\"tracks\": [{\"track\": 2, \"duckedBy\": [‹number›], \"duckedTo\": ‹number›}]}",
            ],
            "subtitles": [
                ", \"subtitles\": [{\"language\": \"‹word›\", \"url\": \"‹address›\"}], \"thumbnails\": {\"bif\": \"‹address›\"}"
            ],
            "trim": [
                ", \"trim\": {\"in\": ‹early›, \"out\": ‹late›}", ", \"trim\": {\"in\": ‹early›}",
                ", \"trim\": {\"out\": ‹time›}",
            ],
            "markers": [", \"markers\": [‹chapters›]", ", \"markers\": [‹marker›, ‹marker›]", ", \"markers\": [‹marker›]"],
            "marker": [
                "{\"kind\": \"chapter\", \"start\": ‹early›, \"end\": ‹time›, \"title\": ‹text›}",
                "{\"kind\": \"recap\", \"start\": ‹middle›}", "{\"kind\": \"credits\", \"start\": ‹late›}",
                "{\"kind\": \"postCredits\", \"start\": ‹time›}",
            ],
            "interstitials": [
                ", \"interstitials\": [‹breaks›]", ", \"interstitials\": [‹interstitial›]",
                ", \"interstitials\": [‹interstitial›, ‹interstitial›]",
            ],
            "interstitial": [
                "{\"id\": \"‹name›\", \"start\": ‹middle›, \"duration\": ‹digit›.‹digit›, \"kind\": \"ad\", \"skip\": {\"offset\": ‹time›, \"duration\": ‹time›}}",
                "{\"id\": \"‹name›‹digit›\", \"start\": ‹time›, \"duration\": ‹time›, \"repeat\": \"always\", \"onResume\": ‹yes›}",
                "{\"start\": ‹late›, \"duration\": ‹small›, \"linear\": ‹yes›}",
            ],
            "proposal": [
                ", \"proposal\": {\"next\": \"‹id›\", \"at\": ‹late›, \"automaticAcceptanceInterval\": -‹small›}",
                ", \"proposal\": {\"next\": \"‹id›\", \"automaticAcceptanceInterval\": ‹time›, \"loop\": ‹yes›}",
                ", \"proposal\": null",
                ", \"proposal\": ‹value›",
            ],
            "window": [
                ", \"window\": {\"from\": \"2026-11-01T00:00:00Z\", \"to\": \"2027-01-01T00:00:00Z\"}",
                ", \"window\": {\"from\": \"‹date›\", \"to\": \"‹date›\"}", ", \"window\": {\"to\": \"‹date›\"}",
            ],
            "flags": [
                ", \"strictWindow\": true, \"resume\": ‹yes›, \"postCredits\": true",
                ", \"withdrawn\": ‹yes›, \"offline\": \"‹word›\"",
            ],
            "other": [", \"x-‹name›\": ‹value›", ", \"‹name›\": ‹value›"],

            "series": [
                ", \"series\": [{\"id\": \"s\", \"title\": ‹text›, \"seasons\": [{\"number\": ‹small›, \"episodes\": [\"i0\", \"‹id›\"]}]}]"
            ],
            "rows": [
                ", \"rows\": [{\"title\": ‹text›, \"items\": [\"‹id›\", \"i0\"]}, {\"title\": ‹text›, \"tag\": \"‹word›\"}]"
            ],
            "policy": [
                ", \"policy\": {\"parentalMax\": {\"MPA\": \"PG-13\"}, \"idle\": {\"askAfterHours\": ‹number›}}",
                ", \"policy\": {\"‹name›\": ‹value›}",
            ],
            "word": ["a", "en", "deu", "zh-Hant", "é", "b", "\\u0000", "\\ud83d\\ude00", "‹word›‹word›", "PG-13"],
        ])

    static let guide = TextGrammar(
        "file",
        [
            "file": [
                "<?xml version=\"1.0\"?><tv>‹channel*›‹programme*›‹programme*›</tv>",
                "<tv>‹channel*›‹programme*›‹programme*›</tv>",
                "<tv>‹programme*›‹rare›‹programme*›</tv>",
                "<!DOCTYPE tv [‹entity*›]><tv>‹channel*›‹programme*›&‹name›;</tv>",
            ],
            "entity": [
                "<!ENTITY ‹name› \"&‹name›;&‹name›;&‹name›;\">", "<!ENTITY ‹name› SYSTEM \"‹url›\">",
                "<!ENTITY ‹name› \"‹name›\">",
            ],
            "channel": ["<channel id=\"‹name›\"><display-name lang=\"‹name›\">‹text›</display-name></channel>"],
            "programme": [
                "<programme channel=\"‹name›\" start=\"‹time›\" stop=\"‹time›\">‹part*›</programme>",
                "<programme channel=\"a\" start=\"2026112212‹two›00 +0000\">‹part*›</programme>",
            ],
            "part": [
                "<title lang=\"‹name›\">‹text›</title>", "<desc>‹text›</desc>", "<category>‹text›</category>",
                "<credits><actor>‹text›</actor></credits>",
            ],
            "time": [
                "2026112212‹two›00 +0000", "20261122", "20261122‹two›‹two›‹two› ‹zone›", "‹int›", "00000101000000 +2359",
                "99991231235959 -2359",
            ],
            "zone": ["+‹two›‹two›", "-‹two›:‹two›", "CEST", "Z", "+0100", "", "+9999", "?"],
            // What is not XML ends the file there.
            "rare": [
                "<programme channel=\"a\" start=\"20261122\"><title>&#‹int›;</title></programme>",
                "<programme channel=\"a\" start=\"20261122 ‹junk›\"><title>‹junk›</title></programme>", "<a>‹text›</b>",
            ],
            "text": [
                "a", "‹name› ‹name›", "é", "&#233;", "&amp;", "<![CDATA[‹name›]]>", "b", "‹name›", "\u{1F600}", "<b>‹name›</b>",
                "‹name›\n‹name›",
            ],
        ])

    static let settings = TextGrammar(
        "file",
        [
            // TOML refuses a file in which a name occurs twice, so the valid ones have their sections and keys in one order.
            "file": [
                "‹box?›‹feed?›‹network?›‹display?›‹audio?›‹parental?›‹report?›‹download?›",
                "‹box›‹feed›‹network›‹display›‹audio›‹parental›‹report›‹download›", "‹feed›‹section?›", "‹section*›‹section*›",
            ],
            "box": [
                "[box]‹line›name = ‹string›‹line›group = ‹string›‹line›language = ‹string›‹line›timezone = ‹string›‹line›kiosk = ‹truth›‹line›",
                "[box]‹line›name = \"‹name›‹int›\"‹line›language = \"de\"‹line›timezone = \"Europe/Berlin\"‹line›‹other?›",
            ],
            "feed": [
                "[feed]‹line›url = \"‹url›\"‹line›public_keys = [‹string›, \"k1:‹word›‹int›\"]‹line›allow_http = [‹string›]‹line›headers = {‹name› = ‹string›, x = ‹plain›}‹line›",
                "[feed]‹line›file = ‹string›‹line›allow_usb = ‹truth›‹line›allow_discovery = ‹plain›‹line›",
                "[feed]‹line›url = \"https://h.example/feed.json\"‹line›[feed.headers]‹line›Authorization = ‹string›‹line›",
            ],
            "network": [
                "[network]‹line›address = \"‹int›.0.0.‹int›/‹int› via 10.0.0.‹int›\"‹line›dns = [\"10.0.0.‹int›\", \"‹word›\"]‹line›ntp = [‹string›]‹line›proxy = \"‹url›\"‹line›",
                "[network]‹line›wifi_ssid = ‹string›‹line›wifi_password = ‹string›‹line›wifi_country = ‹string›‹line›metered = ‹string›‹line›",
            ],
            "display": [
                "[display]‹line›mode = \"‹int›x‹int›@‹decimal›\"‹line›refresh_matching = ‹truth›‹line›hdr = \"auto\"‹line›overscan = ‹plain›‹line›rotation = 90‹line›",
                "[display]‹line›mode = \"1920x1080@‹int›\"‹line›overscan = ‹digit›‹line›",
                "[playback]‹line›hardware_decoding = ‹string›‹line›",
            ],
            "audio": [
                "[audio]‹line›output = ‹string›‹line›delay_ms = ‹plain›‹line›", "[audio]‹line›delay_ms = -‹digit›‹digit›‹line›",
            ],
            "parental": ["[parental]‹line›limit = \"PG-‹int›\"‹line›pin_sha256 = \"‹int›\"‹line›"],
            "report": ["[report]‹line›url = \"‹url›\"‹line›interval = ‹plain›‹line›"],
            "download": [
                "[download]‹line›window = \"‹two›:‹two›-‹two›:‹two›\"‹line›max_kbit = ‹plain›‹line›keep_free_mib = ‹plain›‹line›"
            ],
            "string": ["\"‹word›\"", "\"‹name›.example\"", "\"\"", "'‹name›'", "\"‹int›\"", "\"‹word› ‹word›\"", "‹plain›"],
            "truth": ["true", "false", "‹plain›"],
            "plain": [
                "0", "‹digit›", "-1", "9223372036854775807", "1.5", "nan", "true", "\"‹int›\"", "[1, \"a\"]", "2026-11-22",
            ],
            "other": ["‹name› = ‹plain›‹line›", "\"‹word›\" = ‹plain›‹line›"],
            "line": ["\n", "\n", "\n", "\n\n", "\r\n", " # ‹name›\n"],
            "section": ["[‹sectionName›]‹line›‹pair*›", "[[‹sectionName›]]‹line›‹pair*›"],
            "sectionName": [
                "box", "feed", "network", "display", "audio", "remote", "api", "parental", "report", "download", "‹name›",
            ],
            "pair": ["‹key› = ‹value›‹line›"],
            "key": [
                "name", "group", "language", "timezone", "kiosk", "url", "file", "public_keys", "headers", "address", "dns",
                "ntp", "proxy", "mode", "overscan", "rotation", "delay_ms", "limit", "interval", "window", "max_kbit",
                "keep_free_mib",
                "allow_http", "pin_sha256", "‹name›.‹name›", "\"‹word›\"",
            ],
            "value": [
                "‹int›", "‹decimal›", "true", "\"‹word›\"", "\"‹url›\"", "\"‹int›x‹int›@‹decimal›\"",
                "\"‹two›:‹two›-‹two›:‹two›\"", "\"10.0.0.‹int›/‹int› via 10.0.0.1\"",
                "[‹value›, ‹value›]", "{a = ‹value›}", "‹date›", "'''‹word›'''", "\"PG-‹int›\"",
            ],
            "word": ["a", "en", "é", "\\u0000", "\\U0010FFFF", "{serial}", "‹word›‹word›"],
        ])

    static let keyMap = TextGrammar(
        "file",
        [
            // A name that occurs twice refuses the file.
            "file": [
                "‹pair*›", "‹pair›‹device?›", "‹device›", "‹pair›‹device›[\"‹word›\"]‹line›‹pair*›", "‹pair*›‹rare›‹device?›",
            ],
            "pair": [
                "KEY_‹name›‹digit›‹digit› = \"‹key›\"‹line›", "0x‹digit›‹digit›‹digit› = \"‹key›\"‹line›",
                "‹int› = \"‹key›\"‹line›",
            ],
            "device": ["[\"IR ‹name›\"]‹line›‹pair›", "['‹name›']‹line›‹pair*›", "[‹name›]‹line›KEY_F1 = \"none\"‹line›"],
            "rare": [
                "KEY_A = ‹int›‹line›", "‹name›.‹name›.‹name› = \"menu\"‹line›", "[[‹name›]]‹line›‹pair*›",
                "\"‹word›\" = [‹pair›]",
                "KEY_B = {‹name› = \"ok\"}‹line›", "‹junk› = \"ok\"‹line›", "KEY_C = 2026-11-22T‹line›",
            ],
            "key": ["ok", "menu", "none", "up", "subtitle", "‹word›", "‹int›"],
            "word": ["a", "é", "\\u0000", "\\U0010FFFF", "‹word›‹word›"],
            "line": ["\n", "\n", "\n", "\n\n", "\r\n", " # ‹name›\n"],
        ])

    static let keyScript = TextGrammar(
        "file",
        [
            // One line that cannot be read refuses the script.
            "file": ["‹entry*›‹entry*›", "‹entry*›‹entry*›", "‹entry*›‹rare›‹entry*›"],
            "entry": [
                "‹time› ‹key›‹line›", "‹time› ‹key› press‹line›", "‹time›\t‹key›  hold ‹length›‹line›",
                "‹time› look ‹name› ‹word›‹line›", "# ‹word›‹line›", "‹time› ‹key› # ‹word›‹line›",
            ],
            "rare": [
                "‹decimal› ‹key›‹line›", "‹decimal› ‹key› hold ‹decimal›‹line›", "‹decimal› look ‹name› ‹word›‹line›",
                "‹junk›‹line›",
                "‹time› ‹word›‹line›",
            ],
            "time": [
                "‹small›", "‹small›.‹digit›", "‹digit›.‹digit›‹digit›‹digit›", "29.97", "86400", "999999999", "0.000000001",
            ],
            "length": ["0.5", "‹digit›.‹digit›1", "86400", "999999999"],
            "key": ["ok", "up", "down", "left", "right", "back", "home", "play", "pause", "playpause", "ch+", "info", "‹digit›"],
            "line": ["\n", "\n", "\n", "\r\n", "\n\n"],
        ])

    /// The stored session of a player that has ended.
    static let session = TextGrammar(
        "file",
        [
            "file": [
                "id ‹id›‹line›boot ‹id›‹line›paused ‹yes›‹line›‹queue?›‹place?›end session‹line›",
                "id ‹id›‹line›boot ‹id›‹line›‹entry*›end session",
                "‹entry*›‹junk›‹entry*›end session\n",
            ],
            "entry": [
                "‹queue›", "‹place›", "id ‹id›‹line›", "boot ‹id›‹line›", "paused ‹junk›‹line›", "‹name› ‹junk›‹line›",
                "debt ‹id›‹line›",
            ],
            "queue": ["queue ‹int› ‹id›‹line›"],
            "place": ["place ‹int›/‹int›‹line›", "place ‹extreme›/90000‹line›debt ‹id›‹line›", "place ‹int›‹line›"],
            "id": ["‹name›", "‹name›-‹int›", "‹word›", "‹name› ‹name›"],
            "line": ["\n", "\n", "\n", "\n", "\n", "\n\n", "\r\n"],
        ])

    /// Header lines of HTTP answers.
    static let headers = TextGrammar(
        "head",
        [
            "head": ["‹header*›‹header*›"],
            "header": [
                "Location: ‹url›‹line›", "Content-Range: bytes ‹int›-‹int›/‹int›‹line›", "Content-Length: ‹int›‹line›",
                "Age: ‹int›‹line›", "Retry-After: ‹int›‹line›",
                "Set-Cookie: ‹name›=‹word›; Max-Age=‹int›‹line›", "Content-Type: ‹word›/‹word›; charset=‹word›‹line›",
                "Date: Sun, 22 Nov ‹int› ‹two›:‹two›:‹two› GMT‹line›",
                "Authorization: Bearer ‹word›‹int›‹line›", "Content-Encoding: ‹word›‹line›", "X-Token: ‹junk›‹line›",
            ],
        ])

    /// Whole HTTP answers. Redirects stay on the server that gives them.
    static let answers = TextGrammar(
        "answer",
        [
            "answer": [
                "HTTP/1.1 ‹status› x\r\n‹field*›‹field*›\r\n‹body*›",
                "HTTP/1.1 206 x\r\nContent-Range: bytes ‹int›-‹int›/‹int›\r\n‹field*›\r\n‹body*›",
                "HTTP/1.1 206 x\r\nContent-Range: bytes 10-19/100\r\nContent-Length: 10\r\n\r\n0123456789‹body*›",
                "HTTP/‹decimal› ‹int›\r\n\r\n", "‹junk›",
                "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n‹chunk*›0\r\n\r\n",
            ],
            "status": ["200", "206", "204", "301", "304", "404", "416", "503", "‹int›"],
            "field": [
                "Content-Length: ‹int›\r\n", "Content-Range: bytes ‹int›-‹int›/‹int›\r\n", "Age: ‹int›\r\n",
                "Retry-After: ‹int›\r\n", "Content-Type: ‹word›/‹word›\r\n",
                "Date: Sun, 22 Nov ‹int› ‹two›:‹two›:‹two› GMT\r\n", "Last-Modified: ‹date›\r\n", "Content-Encoding: gzip\r\n",
                "Location: /‹name›\r\n", "Set-Cookie: ‹name›=‹word›; Max-Age=‹int›\r\n",
                "‹junk›: ‹junk›\r\n",
            ],
            "chunk": ["5\r\nabcde\r\n", "‹int›\r\n‹body›\r\n"],
            "body": ["0123456789", "‹word›", "‹junk›"],
        ])

    /// Bodies of requests of the local page.
    static let orders = TextGrammar(
        "body",
        [
            "body": [
                "{\"command\": \"‹command›\"‹field*›}", "{\"key\": \"‹key›\"‹field*›}", "{\"state\": \"began\"‹field*›}",
                "{\"state\": \"ended\"‹field*›}", "‹value›",
            ],
            "command": [
                "play", "pause", "stop", "restart", "wake", "standby", "goLive", "refreshFeed", "reboot",
                "changePlaybackPosition",
                "skip", "open", "key", "setVolume", "setMuted", "selectOutput", "showMessage", "showEmergency", "setWelcome",
                "goToTimeOfDay",
                "checkOut", "‹word›",
            ],
            "key": ["select", "up", "playPause", "‹word›"],
            "field": [
                ", \"position\": ‹number›", ", \"interval\": ‹number›", ", \"id\": ‹value›", ", \"phase\": ‹value›",
                ", \"shouldResume\": ‹value›", ", \"key\": \"‹key›\"", ", \"percent\": ‹number›", ", \"on\": ‹value›",
                ", \"text\": ‹value›", ", \"seconds\": ‹number›", ", \"rate\": ‹number›",
                ", \"name\": ‹value›", ", \"time\": \"‹time›\"", ", \"time\": ‹value›",
            ],
            "time": ["‹two›:‹two›", "‹two›:‹two›:‹two›", "‹two›", "20:15", "20:15:30", "20:15‹word›"],
            "number": ["‹decimal›", "-‹decimal›", "‹value›"],
            "value": ["‹decimal›", "\"‹word›\"", "null", "true", "[‹value›]", "{\"‹name›\": ‹value›}"],
            "word": ["a", "é", "\\u0000", "\\ud800", "‹word›‹word›"],
        ])

    /// The JSON documents of streams: lists of interstitial assets, and steering manifests.
    static let streamDocuments = TextGrammar(
        "document",
        [
            "document": [
                "{\"ASSETS\": [‹asset›, ‹asset›]‹skip?›}",
                "{\"VERSION\": 1, \"TTL\": ‹number›, \"RELOAD-URI\": \"‹url›\", \"PATHWAY-PRIORITY\": [\"‹name›\", \"‹name›\"]‹clones?›}",
            ],
            "asset": ["{\"URI\": \"‹url›\", \"DURATION\": ‹number›}", "{\"URI\": \"‹url›\"}", "‹number›"],
            "skip": [", \"SKIP-CONTROL\": {\"OFFSET\": ‹number›, \"DURATION\": ‹number›, \"LABEL-ID\": \"‹name›\"}"],
            "clones": [
                ", \"PATHWAY-CLONES\": [{\"BASE-ID\": \"‹name›\", \"ID\": \"‹name›\", \"URI-REPLACEMENT\": {\"HOST\": \"‹word›\", \"PARAMS\": {\"‹name›\": \"‹word›\"}}}]"
            ],
            "number": ["‹small›", "‹json›", "\"‹decimal›\"", "null"],
            "word": ["a", "é", "\\u0000", "‹word›‹word›"],
        ])
}
