/// The grammars of caption files.
enum CaptionGrammars {
    static let webVTT = TextGrammar(
        "file",
        [
            "file": ["WEBVTT‹blank›‹word?›‹line›‹header*›‹line›‹block*›‹block*›"],
            "header": [
                "X-TIMESTAMP-MAP=LOCAL:‹clock›,MPEGTS:‹int›‹line›", "X-TIMESTAMP-MAP=MPEGTS:‹int›,LOCAL:‹clock›‹line›",
                "Region: id=‹name› width=‹decimal›%‹line›",
            ],
            "clock": [
                "00:0‹digit›.000", "0‹digit›:‹two›:‹two›.‹digit›‹digit›‹digit›", "‹int›:‹two›:‹two›.‹int›",
                "‹two›:‹two›.‹digit›‹digit›‹digit›",
            ],
            "block": [
                "‹clock› --> ‹clock›‹setting*›‹line›‹text*›‹line›‹line›",
                "‹name›‹line›‹clock› --> ‹clock›‹line›‹text*›‹line›‹line›",
                "NOTE ‹word›‹line›‹line›", "STYLE‹line›::cue(‹selector?›) { ‹rule*› }‹line›‹line›",
                "REGION‹line›id:‹name› width:‹decimal›% lines:‹int› regionanchor:‹decimal›%,‹decimal›% viewportanchor:‹decimal›%,‹decimal›% scroll:up‹line›‹line›",
            ],
            "setting": [
                " line:‹decimal›", " line:‹decimal›%,center", " position:‹decimal›%,line-left", " size:‹decimal›%",
                " align:start", " vertical:rl", " region:‹name›",
            ],
            "selector": ["b", ".‹name›", "#‹name›", "v[voice=\"‹word›\"]", "::cue", ":past"],
            "rule": [
                "color: ‹colour›;", "background: ‹colour›;", "font-size: ‹decimal›%;", "opacity: ‹decimal›;",
                "text-shadow: ‹decimal›px ‹decimal›px ‹colour›;", "‹junk›",
            ],
            "colour": [
                "red", "#‹digit›‹digit›‹digit›", "rgba(‹int›,‹int›,‹int›,‹decimal›)", "hsl(‹decimal›,‹decimal›%,‹decimal›%)",
                "#‹int›",
            ],
            "text": [
                "‹word›", "<b>‹text*›</b>", "<v.‹name› ‹word›>‹text*›", "<c.‹name›.‹name›>‹text*›</c>",
                "<ruby>‹text*›<rt>‹word›</rt></ruby>", "<‹clock›>", "&‹word›;", "&#‹int›;", "&#x‹int›;", "‹line›", "‹junk›",
            ],
        ])

    static let subRip = TextGrammar(
        "file",
        [
            "file": ["‹cue*›‹cue*›", "\u{FEFF}‹cue*›"],
            "cue": [
                "‹int›‹line›‹clock› --> ‹clock›‹line›‹text*›‹line›‹line›",
                "1‹line›00:00:0‹digit›,000 --> 00:00:‹two›,000‹line›‹text*›‹line›‹line›",
            ],
            "clock": ["00:‹two›:‹two›,‹digit›‹digit›‹digit›", "‹int›:‹int›:‹int›,‹int›", "00:00:0‹digit›.5"],
            "text": [
                "‹word›", "<i>‹text*›</i>", "<font color=\"#‹digit›‹digit›‹int›\">‹text*›</font>", "{\\an‹int›}",
                "{\\pos(‹decimal›,‹decimal›)}", "&#‹int›;", "‹line›", "‹junk›",
            ],
        ])

    static let subStation = TextGrammar(
        "file",
        [
            "file": [
                "[Script Info]‹line›‹info*›[V4+ Styles]‹line›Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Alignment, MarginL, MarginR, MarginV‹line›‹style*›[Events]‹line›‹format?›‹event*›‹event*›",
                "[V4 Styles]‹line›‹style*›[Events]‹line›‹event*›",
            ],
            "info": [
                "PlayResX: ‹decimal›‹line›", "PlayResY: ‹decimal›‹line›", "ScriptType: v4.00+‹line›", "‹word›: ‹junk›‹line›",
            ],
            "style": [
                "Style: ‹name›,Arial,‹decimal›,&H‹int›,‹int›,‹int›,‹decimal›,‹decimal›,‹decimal›‹line›", "Style: ‹junk›‹line›",
            ],
            "format": [
                "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text‹line›", "Format: ‹line›",
                "Format: Text, Start‹line›",
            ],
            "event": [
                "Dialogue: ‹int›,‹clock›,‹clock›,‹name›,,‹decimal›,‹decimal›,‹decimal›,,‹text*›‹line›",
                "Dialogue: 0,0:00:01.00,0:00:0‹digit›.50,a,,0,0,0,,‹text*›‹line›",
            ],
            "clock": ["0:00:0‹digit›.00", "‹int›:‹two›:‹decimal›", "999:59:59.999999999"],
            "text": ["‹word›", "{‹tag*›}", "\\N", "\\h", "‹junk›"],
            "tag": [
                "\\an‹int›", "\\a‹int›", "\\pos(‹decimal›,‹decimal›)", "\\move(‹decimal›,‹decimal›,‹decimal›,‹decimal›)",
                "\\fs‹decimal›", "\\c&H‹int›&", "\\1a&H‹int›&", "\\alpha‹int›", "\\p‹int›", "\\b‹int›", "\\r‹name›",
                "\\t(‹decimal›,\\fs‹decimal›)",
            ],
        ])

    static let ttml = TextGrammar(
        "file",
        [
            "file": [
                "<?xml version=\"1.0\"?><tt xmlns=\"http://www.w3.org/ns/ttml\"‹parameter*›>‹head?›<body‹timing*›>‹div*›</body></tt>",
                "<tt‹parameter*›><body>‹div*›</body></tt>",
            ],
            "parameter": [
                " ttp:frameRate=\"‹decimal›\"", " ttp:tickRate=\"‹decimal›\"", " ttp:subFrameRate=\"‹decimal›\"",
                " ttp:frameRateMultiplier=\"‹decimal› ‹decimal›\"", " ttp:cellResolution=\"‹decimal› ‹decimal›\"",
                " tts:extent=\"‹decimal›px ‹decimal›px\"", " xml:space=\"preserve\"",
            ],
            "head": ["<head><styling>‹style*›</styling><layout>‹region*›</layout></head>"],
            "style": ["<style xml:id=\"‹name›\" style=\"‹name›\"‹attribute*›/>"],
            "region": [
                "<region xml:id=\"‹name›\" tts:origin=\"‹length› ‹length›\" tts:extent=\"‹length› ‹length›\"‹attribute*›/>"
            ],
            "length": ["‹decimal›%", "‹decimal›px", "‹decimal›c", "‹decimal›rw", "‹decimal›"],
            "attribute": [
                " tts:color=\"#‹int›\"", " tts:fontSize=\"‹decimal›%\"", " tts:fontSize=\"‹decimal›em\"",
                " tts:opacity=\"‹decimal›\"", " tts:backgroundColor=\"rgba(‹int›,‹int›,‹int›,‹int›)\"",
                " tts:textOutline=\"‹decimal›px\"", " style=\"‹name›\"", " region=\"‹name›\"", " tts:displayAlign=\"after\"",
            ],
            "time": [
                "‹decimal›s", "‹decimal›ms", "‹decimal›h", "‹decimal›m", "‹decimal›f", "‹decimal›t", "‹two›:‹two›:‹two›",
                "‹int›:‹two›:‹decimal›", "00:00:0‹digit›:‹decimal›.‹decimal›",
            ],
            "timing": [" begin=\"‹time›\"", " end=\"‹time›\"", " dur=\"‹time›\"", " timeContainer=\"seq\""],
            "div": ["<div‹timing*›‹attribute*›>‹p*›</div>", "<div>‹div*›</div>", "‹p›"],
            "p": ["<p‹timing*›‹attribute*›>‹inline*›</p>", "<p begin=\"1s\" dur=\"‹time›\">‹inline*›</p>"],
            "inline": ["‹text›", "<span‹timing*›‹attribute*›>‹inline*›</span>", "<br/>", "<metadata>‹text›</metadata>"],
            "text": ["a", "‹name› ‹name›", "é", "&#‹int›;", "&lt;", "&‹name›;", "<![CDATA[‹name›]]>", "<!--‹name›-->"],
        ])
}
