@testable import ChannelFeed

/// The rules for what is on the screen of a programme, with the line that a feed gets which violates one.
let screenRules = frameRules + overlayRules

private let frameRules: [RuleCase] = [
    RuleCase(
        "error FEED-003 /items/0/frame/x: the frame ends outside the screen. Write \"x\" and \"width\" that are together at most 100; without values they are 0 and 100.",
        itemFeed(#""frame": {"x": 30, "width": 75, "height": 75}"#)),
    RuleCase(
        "error FEED-003 /items/0/frame/y: the frame ends outside the screen. Write \"y\" and \"height\" that are together at most 100; without values they are 0 and 100.",
        itemFeed(#""frame": {"y": 0.5}"#)),
    RuleCase(
        "error FEED-003 /items/0/frame/width: 9.5 is out of range. Write a number, 10 to 100.",
        itemFeed(#""frame": {"width": 9.5}"#)),
    RuleCase(
        "error FEED-003 /items/0/frame/height: 1e400 is out of range. Write a number, 10 to 100.",
        itemFeed(#""frame": {"height": 1e400}"#)),
    RuleCase(
        ##"error FEED-003 /items/0/frame/colour: "#12345g" is not a colour. Write one such as "#102030"."##,
        itemFeed(##""frame": {"colour": "#12345g"}"##)),
    RuleCase(
        ##"error FEED-003 /items/0/frame/colour: "red" is not a colour. Write one such as "#102030"."##,
        itemFeed(#""frame": {"colour": "red"}"#)),
    RuleCase(
        #"error FEED-003 /items/0/frame/inInterstitials: "no" has the wrong type. Write true or false."#,
        itemFeed(#""frame": {"inInterstitials": "no"}"#)),
    RuleCase(
        "warning FEED-004 /items/0/frame/x: the anchor is in the middle of this direction. Remove it, or choose an anchor at an edge; the box shows the frame in the middle.",
        itemFeed(#""frame": {"anchor": "top", "x": 3, "width": 80, "height": 80}"#)),
]

private let overlayRules: [RuleCase] = [
    RuleCase(
        "error FEED-003 /items/0/overlays/0/image: missing. Write the URL of the picture, or \"text\" for words.",
        itemFeed(#""overlays": [{"anchor": "top"}]"#)),
    RuleCase(
        #"warning FEED-002 /items/0/overlays/0/anchor: unknown word "topright". Did you mean "topRight"? The default is used."#,
        itemFeed(#""overlays": [{"image": "a.png", "anchor": "topright"}]"#)),
    RuleCase(
        "error FEED-003 /items/0/overlays/0/x: 101 is out of range. Write a number, 0 to 100.",
        itemFeed(#""overlays": [{"image": "a.png", "x": 101}]"#)),
    RuleCase(
        "error FEED-003 /items/0/overlays/0/width: 1e400 is out of range. Write a number above 0, at most 100.",
        itemFeed(#""overlays": [{"image": "a.png", "width": 1e400}]"#)),
    RuleCase(
        "error FEED-003 /items/0/overlays/0/height: 0 is out of range. Write a number above 0, at most 100.",
        itemFeed(#""overlays": [{"image": "a.png", "height": 0}]"#)),
    RuleCase(
        "error FEED-003 /items/0/overlays/0/opacity: 0 is out of range. Write a whole number, 1 to 100.",
        itemFeed(#""overlays": [{"image": "a.png", "opacity": 0}]"#)),
    RuleCase(
        "error FEED-003 /items/0/overlays/0/opacity: 1.5 is not a whole number. Write a whole number, 1 to 100.",
        itemFeed(#""overlays": [{"image": "a.png", "opacity": 1.5}]"#)),
    RuleCase(
        #"error FEED-003 /items/0/overlays/0/opacity: "1" has the wrong type. Write a whole number, 1 to 100."#,
        itemFeed(#""overlays": [{"image": "a.png", "opacity": "1"}]"#)),
    RuleCase(
        #"error FEED-003 /items/0/overlays/0/text: 3 has the wrong type. Write clock or date, or {"lines": ["…"]}."#,
        itemFeed(#""overlays": [{"text": 3}]"#)),
    RuleCase(
        "error FEED-003 /items/0/overlays/0/crop/left: 91 is out of range. Write a whole number, 0 to 90.",
        itemFeed(#""overlays": [{"image": "a.png", "crop": {"left": 91}}]"#)),
    RuleCase(
        "error FEED-003 /items/0/overlays: 9 elements. Write 8 or fewer.",
        itemFeed(#""overlays": [\#(Array(repeating: #"{"image": "a.png"}"#, count: 9).joined(separator: ", "))]"#)),
    RuleCase(
        "warning FEED-035 /items/0/overlays/0: the overlay ends at 30, not after its start at 30. Write other times; the box leaves it out.",
        itemFeed(#""overlays": [{"image": "a.png", "start": 30, "end": 30}]"#)),
    RuleCase(
        "warning FEED-035 /items/0/overlays/0: the overlay ends at 5, not after its start at 10. Write other times; the box leaves it out.",
        itemFeed(#""trim": {"in": 10}, "overlays": [{"image": "a.png", "end": 5}]"#)),
    RuleCase(
        "warning FEED-035 /items/0/overlays/0: the overlay starts at 100, the item ends at 100. Write other times; the box leaves it out.",
        itemFeed(#""duration": 100, "overlays": [{"image": "a.png", "start": 100}]"#)),
    RuleCase(
        "warning FEED-035 /items/0/overlays/0: the overlay starts at 40, the item ends at 10. Write other times; the box leaves it out.",
        itemFeed(#""overlays": [{"text": "clock", "start": 40}]"#).replacing("m1.mp4", with: "plan.png")),
    RuleCase(
        "error FEED-001 /items/0/overlays/0/fadeIn: 1e9 is longer than any programme. Write a time in seconds below 100000000.",
        itemFeed(#""overlays": [{"image": "a.png", "fadeIn": 1e9}]"#)),
    RuleCase(
        "warning FEED-053 /items/0/overlays/0/text/lines/0: control characters, which nothing shows. Write the text without them; they are left out.",
        itemFeed(#""overlays": [{"text": {"lines": ["a\u0007b"]}}]"#)),
    RuleCase(
        #"warning FEED-002 /items/0/overlays/0/text: unknown word "weather". Write clock or date, or {"lines": ["…"]}. The overlay is left out."#,
        itemFeed(#""overlays": [{"text": "weather"}]"#)),
    RuleCase(
        #"error FEED-003 /items/0/overlays/0/text/lines: words without a line. Write ["…"]."#,
        itemFeed(#""overlays": [{"text": {"lines": []}}]"#)),
    RuleCase(
        "warning FEED-004 /items/0/overlays/0/text/lines: all its lines are empty. Write words, or remove the overlay.",
        itemFeed(#""overlays": [{"text": {"lines": ["", {"en": ""}]}}]"#)),
    RuleCase(
        #"error FEED-003 /items/0/overlays/0/text/lines: missing. Write ["…"]."#,
        itemFeed(#""overlays": [{"text": {"ticker": true}}]"#)),
    RuleCase(
        "warning FEED-036 /items/0/overlays/0: its fades last 3, the overlay 2. Write shorter fades; the picture never reaches its opacity.",
        itemFeed(#""overlays": [{"image": "a.png", "start": 10, "end": 12, "fadeIn": 2, "fadeOut": 1}]"#)),
    RuleCase(
        "error FEED-060 /items/0/overlays/0/image: plain http to \"other.example\" is not allowed. Write https, or add the host to [feed] allow_http in marquee.toml.",
        itemFeed(#""overlays": [{"image": "http://other.example/a.png"}]"#)),
]
