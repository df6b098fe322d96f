/// The grammars of the other texts: feeds, programme guides, settings, key scripts, HTTP headers, and requests of the local page.
enum DocumentGrammars {
    static let feed = TextGrammar(
        "feed",
        [
            "feed": [
                "{\"feedVersion\": 1, ‹head*›\"items\": [‹item›‹moreItem*›]}",
                "{\"feedVersion\": ‹number›, ‹head*›\"items\": [‹item›‹moreItem*›], \"channels\": [‹channel›]}",
            ],
            "head": [
                "\"revision\": ‹number›, ", "\"lastUpdated\": \"‹date›\", ", "\"validUntil\": \"‹date›\", ",
                "\"defaultLanguage\": \"‹word›\", ", "\"refresh\": {\"interval\": ‹time›}, ", "\"baseUrl\": \"‹url›\", ",
                "\"policy\": {\"‹name›\": ‹value›}, ", "\"‹name›\": ‹value›, ",
            ],
            "number": ["‹small›", "‹json›", "\"‹extreme›\""],
            "time": [
                "‹small›", "‹decimal›", "\"‹int›:‹two›\"", "\"‹int›:‹two›:‹two›.‹digit›\"", "\"‹decimal›\"", "\"22m\"",
                "\"1.32e‹int›\"",
            ],
            "value": ["‹number›", "\"‹word›\"", "null", "true", "[]", "{}", "[‹value›, ‹value›]", "{\"‹name›\": ‹value›}"],
            "text": ["\"‹word›\"", "{\"en\": \"‹word›\", \"‹word›\": \"‹word›\"}", "‹value›"],
            "moreItem": [", ‹item›"],
            "item": ["{\"id\": \"‹name›\", \"title\": ‹text›, \"streams\": [‹stream›]‹field*›}"],
            "stream": [
                "{\"url\": \"‹url›\"}",
                "{\"url\": \"‹url›\", \"codecs\": \"‹word›\", \"maxHeight\": ‹number›, \"sha256\": \"‹word›\"}",
            ],
            "field": [
                ", \"duration\": ‹time›", ", \"timeline\": \"content\"", ", \"trim\": {\"start\": ‹time›, \"end\": ‹time›}",
                ", \"markers\": [‹marker›, ‹marker›]",
                ", \"interstitials\": [‹interstitial›, ‹interstitial›]",
                ", \"proposal\": {\"next\": \"‹name›\", \"at\": ‹time›, \"automaticAcceptanceInterval\": ‹time›}",
                ", \"window\": {\"from\": \"‹date›\", \"to\": \"‹date›\"}",
                ", \"rating\": {\"system\": \"‹word›\", \"value\": \"‹int›\"}", ", \"postCredits\": ‹time›",
                ", \"artwork\": {\"poster\": {\"url\": \"‹url›\", \"width\": ‹number›, \"height\": ‹number›}}",
                ", \"resume\": ‹value›", ", \"‹name›\": ‹value›",
                ", \"subtitles\": [{\"language\": \"‹word›\", \"url\": \"‹url›\"}]", ", \"thumbnails\": {\"bif\": \"‹url›\"}",
            ],
            "marker": [
                "{\"kind\": \"chapter\", \"start\": ‹time›, \"end\": ‹time›, \"title\": ‹text›}",
                "{\"kind\": \"intro\", \"start\": ‹time›}",
            ],
            "interstitial": [
                "{\"id\": \"‹name›\", \"start\": ‹time›, \"duration\": ‹time›, \"kind\": \"ad\", \"skip\": {\"offset\": ‹time›, \"duration\": ‹time›}, \"onResume\": \"‹word›\"}"
            ],
            "channel": [
                "{\"id\": \"‹name›\", \"number\": ‹number›, \"title\": ‹text›, \"items\": [\"‹name›\"], \"loop\": true}",
                "{\"id\": \"‹name›\", \"title\": ‹text›, \"entries\": [{\"item\": \"‹name›\", \"at\": \"‹date›\"}]}",
            ],
            "word": ["a", "en", "deu", "zh-Hant", "é", "\\u0000", "\\ud800", "\\ud83d\\ude00", "‹word›‹word›", "PG-13"],
        ])

    static let guide = TextGrammar(
        "file",
        [
            "file": [
                "<?xml version=\"1.0\"?><tv>‹channel*›‹programme*›‹programme*›</tv>",
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
                "<‹name›>‹text›</‹name›>",
            ],
            "time": [
                "2026112212‹two›00 +0000", "20261122", "20261122‹two›‹two›‹two› ‹zone›", "‹int›", "00000101000000 +2359",
                "99991231235959 -2359",
            ],
            "zone": ["+‹two›‹two›", "-‹two›:‹two›", "CEST", "Z", "‹junk›"],
            "text": ["a", "‹name› ‹name›", "é", "&#‹int›;", "&amp;", "<![CDATA[‹name›]]>"],
        ])

    static let settings = TextGrammar(
        "file",
        [
            "file": ["‹section*›‹section*›"],
            "section": ["[‹sectionName›]‹line›‹pair*›", "[[‹sectionName›]]‹line›‹pair*›"],
            "sectionName": [
                "box", "feed", "network", "display", "audio", "remote", "api", "parental", "report", "download", "‹name›",
            ],
            "pair": ["‹key› = ‹value›‹line›"],
            "key": [
                "name", "group", "language", "timezone", "kiosk", "url", "file", "public_keys", "headers", "address", "dns",
                "ntp", "proxy", "mode", "overscan", "delay_ms", "limit", "interval", "window", "max_kbit", "keep_free_mib",
                "allow_http", "pin_sha256", "‹name›.‹name›", "\"‹word›\"",
            ],
            "value": [
                "‹int›", "‹decimal›", "true", "\"‹word›\"", "\"‹url›\"", "\"‹int›x‹int›@‹decimal›\"",
                "\"‹two›:‹two›-‹two›:‹two›\"", "\"10.0.0.‹int›/‹int› via 10.0.0.1\"",
                "[‹value›, ‹value›]", "{a = ‹value›}", "‹date›", "'''‹word›'''", "\"PG-‹int›\"",
            ],
            "word": ["a", "en", "é", "\\u0000", "\\U0010FFFF", "{serial}", "‹word›‹word›"],
        ])

    static let keyScript = TextGrammar(
        "file",
        [
            "file": ["‹entry*›‹entry*›"],
            "entry": [
                "‹decimal› ‹key›‹line›", "‹decimal› ‹key› press‹line›", "‹decimal› ‹key› hold ‹decimal›‹line›",
                "‹decimal› look ‹name› ‹word›‹line›", "# ‹word›‹line›", "‹junk›‹line›",
            ],
            "key": ["select", "up", "down", "left", "right", "back", "home", "playPause", "‹digit›", "‹word›"],
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
            "command": ["play", "pause", "stop", "changePlaybackPosition", "skip", "open", "key", "‹word›"],
            "key": ["select", "up", "playPause", "‹word›"],
            "field": [
                ", \"position\": ‹number›", ", \"interval\": ‹number›", ", \"id\": ‹value›", ", \"phase\": ‹value›",
                ", \"shouldResume\": ‹value›", ", \"key\": \"‹key›\"",
            ],
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
