import Testing
import WireFormats

@testable import ChannelFeed

/// One rule: a feed that violates only it, and the expected line.
struct RuleCase: Sendable, CustomTestStringConvertible {
    let line: String
    let feed: String
    var options = FeedOptions()

    var testDescription: String { line }

    init(_ line: String, _ feed: String, options: FeedOptions = FeedOptions()) {
        self.line = line
        self.feed = feed
        self.options = options
    }
}

private let episode = #"{"id": "e1", "streams": [{"url": "e1.m3u8"}]}"#
private let withCompositionFault = {
    var options = FeedOptions()
    options.checkComposition = { _, _ in [.init(isError: true, at: JSONPointer(["tracks"]), "no track", "Write one.")] }
    return options
}()
private let now = FeedOptions(clock: .trusted(FeedDate("2026-11-20T12:00:00Z")!))

let itemRules: [RuleCase] = [
    RuleCase(
        #"error FEED-001 /items/0/duration: "22m" is not a time. Write 1320, "22:00" or "1320.000"."#,
        itemFeed(#""duration": "22m""#)),
    RuleCase(
        #"error FEED-001 /items/0/duration: 1.32e3 is not a time. Write 1320, "22:00" or "1320.000"."#,
        itemFeed(#""duration": 1.32e3"#)),
    RuleCase(
        #"error FEED-001 /items/0/duration: 0.0333666666 is not a time. Write 0.033366666, "0:00.033366666" or "0.033366666"."#,
        itemFeed(#""duration": 0.0333666666"#)),
    RuleCase(#"error FEED-001 /items/0/duration: -5 is not a time. Write 5, "0:05" or "5.000"."#, itemFeed(#""duration": -5"#)),
    RuleCase(
        #"error FEED-001 /items/0/duration: "10:75" is not a time. Write 1320, "22:00" or "1320.000"."#,
        itemFeed(#""duration": "10:75""#)),
    RuleCase(
        #"warning FEED-002 /items/0/durration: unknown key "durration". Did you mean "duration"? It is ignored."#,
        itemFeed(#""durration": 5"#)),
    RuleCase(
        #"warning FEED-002 /items/0/qqqqqqqq: unknown key "qqqqqqqq". It is ignored; name it x-… to keep it for your own use."#,
        itemFeed(#""qqqqqqqq": 5"#)),
    RuleCase(
        #"warning FEED-002 /items/0/offline: unknown word "oportunistic". Did you mean "opportunistic"? The default is used."#,
        itemFeed(#""offline": "oportunistic""#)),
    RuleCase(
        #"warning FEED-002 /items/0/subtitles/0/charset: unknown encoding "klingon-1". Write a name such as "windows-1251". The encoding is found out."#,
        itemFeed(#""subtitles": [{"language": "ru", "url": "a.srt", "charset": "klingon-1"}]"#)),
    RuleCase(
        #"error FEED-003 /items/0/offline/priority: missing. Write "required" or "opportunistic"."#,
        itemFeed(#""offline": {"minKbit": 3000}"#)),
    RuleCase(
        #"error FEED-003 /items/0/offline/minKbit: 0 is out of range. Write a whole number, 1 to 1000000."#,
        itemFeed(#""offline": {"priority": "required", "minKbit": 0}"#)),
    RuleCase(
        #"warning FEED-002 /items/0/offline/minkbit: unknown key "minkbit". Did you mean "minKbit"? It is ignored."#,
        itemFeed(#""offline": {"priority": "required", "minkbit": 5}"#)),
    RuleCase(
        #"error FEED-003 /items/0/tags: 3 has the wrong type. Write a list in square brackets."#, itemFeed(#""tags": 3"#)),
    RuleCase(
        #"error FEED-003 /items/0/withdrawn: "yes" has the wrong type. Write true or false."#, itemFeed(#""withdrawn": "yes""#)),
    RuleCase(
        #"error FEED-003 /items/0/markers/0/start: missing. Write the time at which it starts, e.g. 12."#,
        itemFeed(#""markers": [{"kind": "credits"}]"#)),
    RuleCase(
        #"error FEED-020 /items/0/interstitials/0: a1 lasts from 90 to 120, the item ends at 100. Keep it inside [0, 100]; times count spliced interstitials."#,
        itemFeed(#""duration": 100, "interstitials": [{"id": "a1", "start": 90, "duration": 30}]"#)),
    RuleCase(
        "error FEED-021 /items/0/interstitials/1: a2 starts 630 before a1 ends 660. Start it at 660 or later.",
        itemFeed(#""interstitials": [{"id": "a1", "start": 600, "duration": 60}, {"id": "a2", "start": 630, "duration": 60}]"#)),
    RuleCase(
        "warning FEED-022 /items/0/interstitials/1: a2 starts 100, after one that starts 600. List them by their start; the box sorts them.",
        itemFeed(#""interstitials": [{"id": "a1", "start": 600, "duration": 60}, {"id": "a2", "start": 100, "duration": 60}]"#)),
    RuleCase(
        "warning FEED-023 /items/0/interstitials/0/skip/offset: Skip is offered at 30 of an interstitial that lasts 30. Write an offset under 30; Skip is never offered.",
        itemFeed(#""interstitials": [{"start": 600, "duration": 30, "skip": {"offset": 30}}]"#)),
    RuleCase(
        "error FEED-026 /items/0/interstitials/0: a1 lasts from 90 to 120, across the trim at 100. Move the trim to 90 or 120.",
        itemFeed(#""trim": {"out": 100}, "interstitials": [{"id": "a1", "start": 90, "duration": 30}]"#)),
    RuleCase(
        "error FEED-030 /items/0/markers/0: the credits marker starts at 100, the item ends at 100. Write a start under 100.",
        itemFeed(#""duration": 100, "markers": [{"kind": "credits", "start": 100}]"#)),
    RuleCase(
        "error FEED-031 /items/0/markers/1: the chapter marker starts at 20, the one before it at 30. List the markers of one kind by their start, each later than the one before.",
        itemFeed(#""markers": [{"kind": "chapter", "start": 30}, {"kind": "chapter", "start": 20}]"#)),
    RuleCase(
        #"error FEED-031 /items/0/markers/0/end: the marker ends at 30, not after its start at 30. Write a later "end" or leave it out."#,
        itemFeed(#""markers": [{"kind": "intro", "start": 30, "end": 30}]"#)),
    RuleCase(
        "warning FEED-032 /items/0/markers/0: the chapter marker starts at 20, inside an interstitial that ends at 40. Write 40; the box moves it there.",
        itemFeed(#""markers": [{"kind": "chapter", "start": 20}], "interstitials": [{"start": 10, "duration": 30}]"#)),
    RuleCase(
        "warning FEED-033 /items/0/markers/0: the chapter marker at 5 is outside the trim. Remove it; the box drops it.",
        itemFeed(#""trim": {"in": 10}, "markers": [{"kind": "chapter", "start": 5, "end": 9}]"#)),
    RuleCase(
        "warning FEED-034 /items/0/proposal/at: the proposal is shown at 20, inside an interstitial that ends at 40. Write 40; the box moves it there.",
        itemFeed(#""proposal": {"next": "m2", "at": 20}, "interstitials": [{"start": 10, "duration": 30}]"#)),
    RuleCase(
        "error FEED-003 /items/0/zoom/to: 0.5 is out of range. Write a number, 1 to 8.",
        itemFeed(#""zoom": {"to": 0.5}"#).replacing("m1.mp4", with: "m1.png")),
    RuleCase(
        #"warning FEED-004 /items/0/zoom: "m1.mp4" is not the name of a picture. Remove it, or write a stream that is one picture."#,
        itemFeed(#""zoom": {"to": 1.2}"#)),
    RuleCase(
        #"warning FEED-004 /items/0/pan: of a picture that is seen whole no part is chosen. Write "zoom", such as {"from": 1.2, "to": 1.2}."#,
        itemFeed(#""pan": {"to": {"x": 80}}"#).replacing("m1.mp4", with: "m1.png")),
    RuleCase(
        "warning FEED-036 /items/0/fadeOut: its fades last 12, the item 10. Write shorter fades; the picture is never whole.",
        itemFeed(#""duration": 10, "fadeIn": 6, "fadeOut": 6"#).replacing("m1.mp4", with: "m1.png")),
    RuleCase(
        "warning FEED-036 /items/0/fadeIn: its fades last 11, the item 10. Write shorter fades; the picture is never whole.",
        itemFeed(#""fadeIn": 11"#).replacing("m1.mp4", with: "m1.png")),
    RuleCase(
        #"warning FEED-037 /items/0/refresh: it would be fetched again every 5 s. Write at least 10; the box does it every 10 s."#,
        #"{"feedVersion": 1, "items": [{"id": "m1", "streams": [{"url": "menu.png"}], "refresh": 5}, {"id": "m2", "streams": [{"url": "b.mp4"}]}]}"#
    ),
    RuleCase(
        #"warning FEED-004 /items/0/refresh: "m1.mp4" is not the name of a picture. Remove it, or write a stream that is one picture and is not stored."#,
        itemFeed(#""refresh": "5:00""#)),
    RuleCase(
        #"warning FEED-004 /items/0/refresh: what is stored on the box is not fetched again. Remove it, or write a stream that is one picture and is not stored."#,
        itemFeed(#""refresh": "5:00", "offline": "required""#)),
    RuleCase(
        #"error FEED-001 /items/0/refresh: "5m" is not a time. Write 300, "5:00" or "300.000"."#, itemFeed(#""refresh": "5m""#)),
    RuleCase(
        #"error FEED-040 /items/0/proposal/next: no item or channel "m3". Did you mean "m2"?"#,
        itemFeed(#""proposal": {"next": "m3"}"#)),
    RuleCase(
        #"error FEED-040 /items/0/proposal/next: the item proposes itself. Name another, or write "proposal": null."#,
        itemFeed(#""proposal": {"next": "m1"}"#)),
    RuleCase(
        #"error FEED-040 /items/0/proposal: the proposal has no target: no "next", and no next episode. Add "next" with the id of what follows, or write "proposal": null."#,
        itemFeed(#""proposal": {"automaticAcceptanceInterval": 5}"#)),
    RuleCase(
        "warning FEED-041 /items/0/proposal/at: the proposal is shown at 120, the item ends at 100. Write 100 or less; the box shows it at the end.",
        itemFeed(#""duration": 100, "proposal": {"next": "m2", "at": 120}"#)),
    RuleCase(
        "warning FEED-041 /items/0/proposal/at: the proposal is shown at 12, the item ends at 10. Write 10 or less; the box shows it at the end.",
        itemFeed(#""proposal": {"next": "m2", "at": 12}"#).replacing("m1.mp4", with: "plan.png")),
    RuleCase(
        "warning FEED-042 /items/0/proposal/automaticAcceptanceInterval: the countdown lasts 2 s: shown at 98, accepted at 100. Leave 5 s or more. The box shows the proposal at 95.",
        itemFeed(#""duration": 100, "proposal": {"next": "m2", "at": 98, "automaticAcceptanceInterval": 0}"#)),
    RuleCase(
        "warning FEED-042 /items/0/proposal/automaticAcceptanceInterval: the countdown lasts 2 s: shown at 98, accepted at 100. Leave 5 s or more. The box accepts at 103 instead of 100.",
        itemFeed(
            #""duration": 100, "markers": [{"kind": "chapter", "start": 96}], "proposal": {"next": "m2", "at": 98, "automaticAcceptanceInterval": 0}"#
        )),
    RuleCase(
        #"error FEED-050 /items/0/genre/en_GB: "en_GB" is not a BCP 47 language tag. Did you mean "en-GB"?"#,
        itemFeed(#""genre": {"en_GB": "Drama"}"#)),
    RuleCase(
        #"error FEED-050 /items/0/genre/english: "english" is not a BCP 47 language tag. Write one such as "en", "ar" or "zh-Hant"."#,
        itemFeed(#""genre": {"english": "Drama"}"#)),
    RuleCase(
        #"error FEED-051 /items/0/genre: no text for "en" nor "und". Add {"en": "…"}."#,
        itemFeed(#""genre": {"fr": "Drame"}"#, top: #""defaultLanguage": "en""#)),
    RuleCase(
        "warning FEED-052 /items/0/genre: 121 characters. Write 120 or fewer; it is clipped.",
        itemFeed("\"genre\": \"\(String(repeating: "g", count: 121))\"")),
    RuleCase(
        "warning FEED-052 /items/0/description/en: 501 characters. Write 500 or fewer; it is clipped.",
        itemFeed("\"description\": {\"en\": \"\(String(repeating: "é", count: 501))\"}")),
    RuleCase(
        "warning FEED-053 /items/0/genre: control characters, which nothing shows. Write the text without them; they are left out.",
        itemFeed(#""genre": "Dr\u001b[1mama\u0085""#)),
    RuleCase(
        #"error FEED-060 /items/0/thumbnails/bif: plain http to "cdn.example" is not allowed. Write https, or add the host to [feed] allow_http in marquee.toml."#,
        itemFeed(#""thumbnails": {"bif": "http://cdn.example/a.bif"}"#)),
    RuleCase(
        #"error FEED-061 /items/0/thumbnails/bif: "ftp://cdn.example/a.bif" has the scheme "ftp". Write an https URL."#,
        itemFeed(#""thumbnails": {"bif": "ftp://cdn.example/a.bif"}"#)),
    RuleCase(
        #"error FEED-061 /items/0/thumbnails/bif: "file:///etc/passwd" has the scheme "file". Write an https URL."#,
        itemFeed(#""thumbnails": {"bif": "file:///etc/passwd"}"#)),
    RuleCase(
        "error FEED-061 /items/0/thumbnails/bif: the URL holds a user name or password. Remove the part before the @; secrets belong in [feed] headers of marquee.toml.",
        itemFeed(#""thumbnails": {"bif": "https://me:secret@cdn.example/a.bif"}"#)),
    RuleCase(
        #"error FEED-062 /items/0/streams/0/codecs: this model does not decode "av01.0.05M.08". Serve a stream in a codec that it decodes; see marquee doctor."#,
        #"{"feedVersion": 1, "items": [{"id": "m1", "streams": [{"url": "a.m3u8", "codecs": "av01.0.05M.08, mp4a.40.2"}]}, {"id": "m2", "streams": [{"url": "b"}]}]}"#,
        options: FeedOptions(canDecode: { !$0.hasPrefix("av01") })),
    RuleCase(
        "error FEED-068 /items/0/streams/0/composition/tracks: no track. Write one.",
        #"{"feedVersion": 1, "items": [{"id": "m1", "streams": [{"composition": {"tracks": []}}]}, {"id": "m2", "streams": [{"url": "b"}]}]}"#,
        options: withCompositionFault),
    RuleCase(
        "warning FEED-063 /items/0/artwork/still: a picture of 640x360. Serve one of at least 800x450 (or upright 450x800) and at most 4096 on a side; this one will look blurred.",
        itemFeed(#""artwork": {"still": {"url": "s.jpg", "width": 640, "height": 360}}"#)),
    RuleCase(
        #"warning FEED-070 /items/0/rating/system: unknown rating system "MPAA". Did you mean "MPA"? It is locked wherever a parental limit is set."#,
        itemFeed(#""rating": {"system": "MPAA", "value": "PG"}"#)),
    RuleCase(
        #"error FEED-071 /items/0/rating/value: MPA has no rating "PG13". Write "G", "PG", "PG-13", "R" or "NC-17"."#,
        itemFeed(#""rating": {"system": "MPA", "value": "PG13"}"#)),
    RuleCase(
        #"error FEED-080 /items/0/window/to: the window ends 2026-11-01T00:00:00Z before it begins 2026-12-01T00:00:00Z. Write a later "to" or leave it out."#,
        itemFeed(#""window": {"from": "2026-12-01T00:00:00Z", "to": "2026-11-01T00:00:00Z"}"#)),
    RuleCase(
        #"warning FEED-081 /items/0/window/to: expired at 2026-11-20T12:00:00Z. It is hidden; write a later "to" or remove it from the feed."#,
        itemFeed(#""window": {"to": "2026-11-20T12:00:00Z"}"#), options: now),
    RuleCase(
        "warning FEED-082 /items/0: the clock of this box is not verified yet. Windows, validUntil, schedules and opening hours wait until a time server or a verified server's date agrees.",
        itemFeed(#""window": {"to": "2026-11-20T12:00:00Z"}"#), options: FeedOptions(clock: .untrusted)),
    RuleCase(
        "warning FEED-083 /items/0/window: a window of 60 s is shorter than the refresh interval of 900 s. A box may not see it between two refreshes: publish it earlier, or refresh more often.",
        itemFeed(#""window": {"from": "2026-12-01T00:00:00Z", "to": "2026-12-01T00:01:00Z"}"#)),
]

/// Marks one item more than a box stores; the last one is required.
let tooManyStored: String = {
    let items = (0..<2_000).map { #"{"id": "o\#($0)", "offline": "opportunistic", "streams": [{"url": "a.mp4"}]}"# }
    let required = #"{"id": "r", "offline": "required", "streams": [{"url": "a.mp4"}]}"#
    return #"{"feedVersion": 1, "items": [\#((items + [required]).joined(separator: ","))]}"#
}()

private func scheduleFeed(_ rules: String, _ more: String = "") -> String {
    #"{"feedVersion": 1, "channels": [{"id": "c", "title": "C", "kind": "schedule", "rules": [\#(rules)]\#(more)}], "items": [\#(episode)]}"#
}

let feedRules: [RuleCase] = [
    RuleCase(
        #"error FEED-084 /channels/0/rules/0/when: "08:00-08:00" ends when it begins. Write 00:00-24:00 for the whole day."#,
        scheduleFeed(#"{"when": "mon 08:00-08:00", "items": ["e1"]}, {"when": "tue 08:00-09:00", "items": ["e1"]}"#)),
    RuleCase(
        #"error FEED-084 /channels/0/rules/0/except/0: "2026-12-31..2026-12-24" ends before it begins. Write the earlier date first."#,
        scheduleFeed(#"{"when": "mon 08:00-09:00", "except": ["2026-12-31..2026-12-24"], "items": ["e1"]}"#)),
    RuleCase(
        #"error FEED-011 /channels/0/rules/0/items/1: no item "e2". Did you mean "e1"?"#,
        scheduleFeed(#"{"when": "mon 08:00-09:00", "items": ["e1", "e2"]}"#)),
    RuleCase(
        #"error FEED-003 /channels/0/rules/0/items: missing. Write a list of item ids, or "channel" with the id of a channel."#,
        scheduleFeed(#"{"when": "mon 08:00-09:00"}"#)),
    RuleCase(
        #"error FEED-011 /channels/0/rules/0/channel: "c" is a schedule itself. Name a live or playlist channel, or write its items here."#,
        scheduleFeed(#"{"when": "mon 08:00-09:00", "channel": "c"}"#, #", "filler": ["e1"]"#)),
    RuleCase(
        #"warning FEED-085 /channels/0/rules/1/when: at some time /channels/0/rules/0 holds, too. There the first one counts; give one of them a higher "priority"."#,
        scheduleFeed(
            #"{"when": "mon-fri 08:00-09:00", "items": ["e1"]}, {"when": ["sun 10:00-11:00", "fri 08:30-10:00"], "title": "B", "items": ["e1"]}"#
        )),
    RuleCase(
        "warning FEED-086 /channels/0/rules/0/when: all its dates have passed. Remove the rule, or write later dates.",
        scheduleFeed(#"{"when": "2026-11-18 08:00-09:00", "items": ["e1"]}, {"when": "mon 08:00-09:00", "items": ["e1"]}"#),
        options: now),
    RuleCase(
        "warning FEED-004 /channels/0/entries: the channel has rules. Write rules for dates in place of entries; the box ignores these.",
        scheduleFeed(
            #"{"when": "mon 08:00-09:00", "items": ["e1"]}"#, #", "entries": [{"at": "2026-11-20T20:00:00Z", "item": "e1"}]"#)),
    RuleCase(
        "warning FEED-004 /channels/0/filler: a live channel has no schedule. Remove it, or write \"kind\": \"schedule\".",
        #"{"feedVersion": 1, "channels": [{"id": "c", "title": "C", "streams": [{"url": "a"}], "filler": ["e1"]}], "items": [\#(episode)]}"#
    ),
    RuleCase(
        #"error FEED-084 /policy/hours: hours that are never open. Write when the screen is on, or leave the hours out: then it always is."#,
        #"{"feedVersion": 1, "items": [\#(episode)], "policy": {"hours": ["daily closed"]}}"#),
    RuleCase(
        #"error FEED-084 /policy/hours/1: "noon" is not days and times. Write days and times such as "mon-fri 08:00-18:00", or "2026-12-25 closed"."#,
        #"{"feedVersion": 1, "items": [\#(episode)], "policy": {"hours": ["mon 08:00-18:00", "noon"]}}"#),
    RuleCase(
        #"error FEED-084 /items/0/window/when: "08:00" is not two times of day. Write days and times such as "mon-fri 08:00-18:00"."#,
        #"{"feedVersion": 1, "items": [{"id": "e1", "streams": [{"url": "e1.m3u8"}], "window": {"when": "mon 08:00"}}]}"#),
    RuleCase(
        #"warning FEED-069 /items/1999/offline: 2001 items are marked to be stored; a box stores 2000, the required ones first. Mark fewer items; this one and those after it are not stored."#,
        tooManyStored),
    RuleCase(
        #"warning FEED-004 /channels/0/resume: a live channel does not resume. Remove it; playlist channels continue with the item at which they were left."#,
        #"{"feedVersion": 1, "channels": [{"id": "a", "title": "A", "resume": true, "streams": [{"url": "a"}]}], "items": []}"#
    ),
    RuleCase(
        #"error FEED-003 /channels/0/kind: unknown kind "livee". Did you mean "live"?"#,
        #"{"feedVersion": 1, "channels": [{"id": "a", "title": "A", "kind": "livee", "streams": [{"url": "a"}]}], "items": [\#(episode)]}"#
    ),
    RuleCase(
        #"error FEED-010 /items/1/id: the id "e1" belongs to /items/0. Use a different id; the first keeps this one."#,
        #"{"feedVersion": 1, "items": [\#(episode), \#(episode)]}"#),
    RuleCase(
        #"error FEED-011 /channels/1/items/2: no item "e109". Did you mean "e101"?"#,
        #"""
        {"feedVersion": 1, "channels": [{"id": "n", "title": "N", "streams": [{"url": "n"}]},
         {"id": "p", "title": "P", "kind": "playlist", "items": ["film", "e101", "e109"]}],
         "items": [{"id": "film", "streams": [{"url": "a"}]}, {"id": "e101", "streams": [{"url": "a"}]}]}
        """#),
    RuleCase(
        #"error FEED-011 /start/channel: no channel "nevs". Did you mean "news"?"#,
        #"{"feedVersion": 1, "start": {"channel": "nevs"}, "channels": [{"id": "news", "title": "N", "streams": [{"url": "n"}]}]}"#
    ),
    RuleCase(
        "error FEED-012 /channels/1/number: the number 1 belongs to /channels/0. Write another number; without one a channel has its position in the list.",
        #"{"feedVersion": 1, "channels": [{"id": "a", "title": "A", "streams": [{"url": "a"}]}, {"id": "b", "number": 1, "title": "B", "streams": [{"url": "b"}]}]}"#
    ),
    RuleCase(
        #"warning FEED-043 /items/0/proposal/next: the proposals form a loop: a -> b -> a. End it with "proposal": null, or write "loop": true in one of them if it is meant."#,
        #"""
        {"feedVersion": 1, "items": [{"id": "a", "streams": [{"url": "a"}], "proposal": {"next": "b"}},
         {"id": "b", "streams": [{"url": "b"}], "proposal": {"next": "a"}}]}
        """#),
    RuleCase(
        #"warning FEED-044 /items/0/proposal/next: "b" follows and needs the PIN under policy.parentalMax. Give it a rating within the limit, or propose something else; it is never accepted automatically."#,
        #"""
        {"feedVersion": 1, "policy": {"parentalMax": {"MPA": "PG"}}, "items": [
         {"id": "a", "streams": [{"url": "a"}], "rating": {"system": "age", "value": "6"}, "proposal": {"next": "b"}},
         {"id": "b", "streams": [{"url": "b"}], "rating": {"system": "MPA", "value": "R"}}]}
        """#),
    RuleCase(
        "warning FEED-081 /validUntil: the feed was valid until 2026-11-20T12:00:00Z. Publish a newer one. Until then, items with a strict window are hidden and the rest can be played.",
        itemFeed("", top: #""validUntil": "2026-11-20T12:00:00Z""#), options: now),
]

let refusals: [RuleCase] = [
    RuleCase(
        #"refusal FEED-091 /revision: revision 410 < 412. Write 412 or more: a box accepts no feed that is older than the last one."#,
        itemFeed("", top: #""revision": 410"#), options: FeedOptions(appliedRevision: 412)),
    RuleCase(
        #"refusal FEED-091 /revision: no revision, and keys are pinned. Write "revision": 1."#, itemFeed(""),
        options: FeedOptions(appliedRevision: 0)),
    RuleCase(
        #"refusal FEED-092 /groups: the feed is not for the group "lobby" of this box. Offer the feed of its group at this address, or add the group."#,
        itemFeed("", top: #""groups": ["rooms", "bar"]"#), options: .of(group: "lobby")),
    RuleCase(
        #"refusal FEED-100 line 1 column 1: the feed has 24 bytes. Keep it at 20 or fewer; split it into pages with "next"."#,
        #"{"feedVersion":1,"a":12}"#, options: FeedOptions(maximumBytes: 20)),
    RuleCase(
        #"refusal FEED-102 line 2 column 3: not JSON: found "}", expected a key in quotation marks. Repair the text at this place."#,
        "{\"feedVersion\": 1,\n  }"),
    RuleCase(
        #"refusal FEED-102 line 1 column 1: the feed is [], not an object. Write {"feedVersion": 1, "channels": […]}."#, "[]"),
    RuleCase(
        #"refusal FEED-103 /items/0/id: the key "id" appears twice in one object. Remove one of them: programs disagree about which one counts."#,
        #"{"feedVersion": 1, "items": [{"id": "a", "id": "b", "streams": [{"url": "a"}]}]}"#),
    RuleCase(
        "refusal FEED-104 line 1 column 58: arrays and objects are nested more than 32 deep. No part of a feed needs that: remove the deeper levels.",
        #"{"feedVersion": 1, "x-a": "# + String(repeating: "[", count: 32) + String(repeating: "]", count: 32) + "}"),
    RuleCase(
        #"refusal FEED-105 /feedVersion: this box reads version 1, not 2. Write "feedVersion": 1, or update the box."#,
        #"{"feedVersion": 2}"#),
    RuleCase(#"refusal FEED-105 line 1 column 1: "feedVersion" is missing. Write "feedVersion": 1."#, "{}"),
    RuleCase(
        "refusal FEED-106 line 1 column 1: nothing in the feed can be played. Write at least one channel or item with a stream, and repair the errors above.",
        #"{"feedVersion": 1}"#),
]

@Suite("The rules of a feed")
struct RuleTests {
    @Test("a feed that violates one rule gets exactly its line", arguments: itemRules + screenRules + feedRules)
    func rule(_ rule: RuleCase) {
        let verdict = read(rule.feed, options: rule.options)
        #expect(verdict.findings.map(\.description) == [rule.line])
        #expect(verdict.exitCode == (rule.line.hasPrefix("error") ? 3 : 0))
        #expect(verdict.feed != nil)
    }

    @Test("an error in an item drops only that item", arguments: itemRules + screenRules)
    func dropped(_ rule: RuleCase) {
        let items = read(rule.feed, options: rule.options).feed?.items.map(\.id)
        #expect(items == (rule.line.hasPrefix("error") ? ["m2"] : ["m1", "m2"]))
    }

    @Test("a refused feed gives the reason in one line and nothing else", arguments: refusals)
    func refusal(_ rule: RuleCase) {
        let verdict = read(rule.feed, options: rule.options)
        #expect(verdict.findings.map(\.description) == [rule.line])
        #expect(verdict.exitCode == 1)
        #expect(verdict.feed == nil)
    }

    @Test("bytes that are not UTF-8 are refused with their location")
    func notUTF8() {
        let verdict = FeedReader.read(Array(#"{"feedVersion": "#.utf8) + [0xFF, 0x7D], baseURL: "https://cdn.example/f.json")
        #expect(
            verdict.findings.map(\.description) == [
                "refusal FEED-101 line 1 column 17: byte 16 is not UTF-8. Save the feed as UTF-8."
            ])
        #expect(verdict.exitCode == 1)
    }

    @Test("every rule that needs neither network nor signature is in these tables")
    func complete() {
        let needsMore: Set<FeedCode> = [
            .interstitialNotAtSplice, .notFound, .notOpened, .notAsStated, .wrongDigest, .badSignature, .notUTF8, .badPage,
        ]
        let lines = (itemRules + screenRules + feedRules + refusals).map(\.line)
        for code in FeedCode.allCases where !needsMore.contains(code) {
            #expect(lines.contains { $0.contains(code.rawValue) }, "no test breaks \(code.rawValue)")
        }
    }

    @Test("every problem is reported, in the order of the text")
    func all() {
        let verdict = read(
            #"""
            {"feedVersion": 1, "colour": "red",
             "items": [{"id": "a b", "streams": [{"url": "ftp://x/y"}], "duration": "1h"},
                       {"id": "ok", "streams": [{"url": "ok.m3u8"}], "titel": "T"}],
             "policy": {"snapBack": "frist"}}
            """#)
        #expect(
            verdict.findings.map { "\($0.code.rawValue) \($0.pointer) \($0.location?.line ?? 0)" } == [
                "FEED-002 /colour 1", "FEED-003 /items/0/id 2", "FEED-061 /items/0/streams/0/url 2",
                "FEED-001 /items/0/duration 2",
                "FEED-002 /items/1/titel 3", "FEED-002 /policy/snapBack 4",
            ])
        #expect(verdict.exitCode == 3 && verdict.feed?.items.map(\.id) == ["ok"])
    }

    @Test("keys that start with x- are ignored everywhere")
    func privateKeys() {
        #expect(read(itemFeed(#""x-mine": {"a": [1]}"#, top: #""x-feed": null"#)).findings.isEmpty)
    }

    @Test("a report is stable, as lines and as JSON, and strict counts warnings")
    func rendering() {
        let verdict = read(itemFeed(#""duration": "22m", "titel": "a\nb""#))
        #expect(
            verdict.text() == """
                error FEED-001 /items/0/duration: "22m" is not a time. Write 1320, "22:00" or "1320.000".
                warning FEED-002 /items/0/titel: unknown key "titel". It is ignored; name it x-… to keep it for your own use.
                Partly good: 0 channels, 1 item can be used; 1 error, 1 warning.

                """)
        #expect(
            verdict.json() == #"""
                {"verdict": "dropped", "exitCode": 3, "channels": 0, "items": 1, "findings": [
                 {"severity": "error", "code": "FEED-001", "pointer": "/items/0/duration", "line": 2, "column": 77, "value": "\"22m\"", "message": "\"22m\" is not a time", "remedy": "Write 1320, \"22:00\" or \"1320.000\"."},
                 {"severity": "warning", "code": "FEED-002", "pointer": "/items/0/titel", "line": 2, "column": 84, "value": "\"a\\nb\"", "message": "unknown key \"titel\"", "remedy": "It is ignored; name it x-… to keep it for your own use."}
                ]}

                """#)
        let warned = read(itemFeed(#""x": 1"#))
        #expect(warned.exitCode == 0 && warned.exitCode(strict: true) == 3)
    }

    @Test("an item has at most a thousand markers and a thousand interstitials", arguments: [1000, 1001])
    func places(count: Int) {
        let markers = (0..<count).map { #"{"kind": "chapter", "start": \#($0 * 10)}"# }.joined(separator: ", ")
        let breaks = (0..<count).map { #"{"start": \#($0 * 10 + 3), "duration": 5}"# }.joined(separator: ", ")
        let verdict = read(itemFeed("\"markers\": [\(markers)], \"interstitials\": [\(breaks)]"))
        #expect(verdict.feed?.items.map(\.id) == (count == 1000 ? ["m1", "m2"] : ["m2"]))
        #expect(verdict.findings.map(\.code) == (count == 1000 ? [] : [.wrongType, .wrongType]))
    }
}
