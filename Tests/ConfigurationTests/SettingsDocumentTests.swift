import Testing
import WireFormats

@testable import Configuration

@Suite("Documents of settings from afar")
struct SettingsDocumentTests {
    private static let key = "s1:\(String(repeating: "B", count: 42))A="

    private func document(_ settings: String, _ more: String = "") throws(DocumentFault) -> SettingsDocument {
        try SettingsDocument(Array(#"{"settingsVersion":1,"revision":7,"settings":\#(settings)\#(more)}"#.utf8))
    }

    @Test("its values replace those of the card, whose other values and verdicts stay")
    func replaces() throws {
        let card = Provisioning(
            file: "[sound]\nmax_volume = 40\nmin_volume = 5\n[box]\nname = \"room\"\ngruop = \"x\"\n", applied: nil)
        let given = try document(
            #"""
            {"sound":{"max_volume":60},"network":{"wifi_ssid":"hotel","wifi_password":"correct horse"},"box":{"kiosk":true,"hours":["mon-fri 08:00-18:00"]},
             "feed":{"headers":{"Authorization":"Bearer x"},"allow_http":["10.0.0.5"]}}
            """#)
        #expect(given.revision == 7 && given.groups == nil && given.boxes == nil && !given.isCritical)
        #expect(
            given.keys == [
                "box.hours", "box.kiosk", "feed.allow_http", "feed.headers", "network.wifi_password", "network.wifi_ssid",
                "sound.max_volume",
            ])
        let both = card.replacing(by: given)
        #expect(both.configuration.mostVolume == 60 && both.configuration.leastVolume == 5 && both.configuration.isKiosk)
        #expect(both.configuration.boxName == "room" && both.configuration.feedHeaders == ["Authorization: Bearer x"])
        #expect(both.report == card.report, "the report is about the card")
        #expect(card.configuration.mostVolume == 40 && card.replacing(by: nil).configuration.mostVolume == 40)
        #expect(both.configuration.changes(since: card.configuration) == given.keys)
    }

    @Test("every key of marquee.toml may be set from afar, but for these")
    func table() {
        let kept = ConfigurationKey.all.filter { $0.reasonAgainstDocuments != nil }.map(\.name)
        #expect(
            kept == [
                "box.name", "box.group", "box.keep_secrets", "feed.file", "network.ca_file", "remote.keymap", "api.certificate",
                "api.key", "settings.public_keys", "settings.spare_keys", "mqtt.certificate", "mqtt.key",
            ])
    }

    @Test("it says for whom it is")
    func audience() throws {
        let all = try document("{}")
        #expect(all.exclusion(box: "room", group: nil) == nil)
        let canary = try document("{}", #","groups":["canary","default"]"#)
        #expect(canary.exclusion(box: "room", group: "canary") == nil && canary.exclusion(box: "room", group: nil) == nil)
        #expect(canary.exclusion(box: "room", group: "lobby") == "it is for other groups than “lobby”")
        let room = try document("{}", #","boxes":["room-1"]"#)
        #expect(room.exclusion(box: "room-1", group: nil) == nil)
        #expect(room.exclusion(box: "room-2", group: nil) == "it is for other boxes than “room-2”")
    }

    @Test(
        "what is wrong is refused with its place, and nothing of the rest is used",
        arguments: [
            (#"{}"#, "", #"["#, "is not JSON"), ("{}", "", #"[]"#, "is not a JSON object"),
            ("{}", "", #"{"settingsVersion":2}"#, "/settingsVersion"), ("{}", "", #"{"settingsVersion":1}"#, "/revision"),
            ("{}", "", #"{"settingsVersion":1,"revision":0,"settings":{}}"#, "/revision"),
            ("{}", "", #"{"settingsVersion":1,"revision":1}"#, "/settings"),
            (#"{"sound":{"max_volume":60,"max_volume":70}}"#, "", "", "there twice"),
            ("{}", #","extra":1"#, "", "/extra: there is no such member"), ("{}", #","groups":[]"#, "", "/groups"),
            ("{}", #","boxes":["a b"]"#, "", "/boxes/0"), ("{}", #","critical":1"#, "", "/critical"),
            (#"{"sound":{"max_volume":101}}"#, "", "", "/settings/sound/max_volume: write a whole number from 0 to 100"),
            (#"{"sound":{"max_volume":60.5}}"#, "", "", "/settings/sound/max_volume"),
            (#"{"sound":{"max_volum":60}}"#, "", "", "there is no such key; perhaps sound.max_volume is meant"),
            (#"{"sond":{}}"#, "", "", "/settings/sond: there is no such section; perhaps “sound” is meant"),
            (#"{"colours":{}}"#, "", "", "there is no such section; there are api, audio"),
            (#"{"sound.max_volume":60}"#, "", "", "write the key within its section"),
            (
                "{}", "", #"{"settingsVersion":1,"revision":1,"setings":{}}"#,
                "/setings: there is no such member; perhaps “settings” is meant"
            ),
            ("{}", "", #"{"revision":1,"settings":{}}"#, "/settingsVersion: it is missing; write 1, the form"),
            ("{}", "", #"{"settingsVersion":"1","revision":1,"settings":{}}"#, "/settingsVersion: write 1, the form"),
            ("{}", "", #"{"settingsVersion":1,"settings":{}}"#, "/revision: it is missing; write a whole number"),
            ("{}", "", "{\n  \"settingsVersion\": 1,\n}", "is not JSON at line 3 column 1: "),
            ("{}", #","publicKeys":["\#(key)"],"spareKeys":["x\#(key)"]"#, "", "one key is there twice, under two names"),
            ("{}", #","expires":"2026-12-31""#, "", "/expires: write a date with its time and zone"),
            ("{}", #","expires":1798675200"#, "", "/expires"),
            ("{}", #","expire":"2026-12-31T00:00:00Z""#, "", "perhaps “expires”"),
            (#"{"sound":60}"#, "", "", "/settings/sound"), (#"{"box":{"kiosk":null}}"#, "", "", "/settings/box/kiosk"),
            (#"{"box":{"name":"x"}}"#, "", "", "/settings/box/name: the key is not set from afar"),
            (#"{"network":{"ca_file":"a.pem"}}"#, "", "", "file on the card"),
            (#"{"settings":{"public_keys":[]}}"#, "", "", "publicKeys"),
            (#"{"parental":{"pin_sha256":"(stored)"}}"#, "", "", "write the value itself"),
            (#"{"feed":{"headers":{"A":"(stored)"}}}"#, "", "", "write the value itself"),
            (#"{"network":{"wifi_ssid":"hotel"}}"#, "", "", "together"),
            (#"{"network":{"wifi_password":"correct horse"}}"#, "", "", "together"),
            (#"{"box":{"hours":["mon closed"]}}"#, "", "", "/settings/box/hours"),
            ("{}", #","publicKeys":["s1:short"]"#, "", "/publicKeys/0: write keys as NAME:BASE64"),
            ("{}", #","publicKeys":["my \#(key)"]"#, "", "/publicKeys/0: write a name of 1 to 64"),
            ("{}", #","spareKeys":[]"#, "", "/spareKeys"),
            ("{}", #","publicKeys":["\#(key)","\#(key)"]"#, "", "two keys have one name"),
            ("{}", #","publicKeys":[\#(Array(repeating: "\"\(key)\"", count: 9).joined(separator: ","))]"#, "", "/publicKeys"),
        ])
    func wrong(settings: String, more: String, whole: String, words: String) {
        #expect {
            if whole.isEmpty { _ = try document(settings, more) } else { _ = try SettingsDocument(Array(whole.utf8)) }
        } throws: { "\($0)".contains(words) && !"\($0)".contains("\n") }
    }

    @Test("64 KiB are read, and not a byte more")
    func size() throws {
        let text = #"{"settingsVersion":1,"revision":7,"settings":{}}"#
        let full = text + String(repeating: " ", count: SettingsDocument.longest - text.utf8.count)
        #expect(try SettingsDocument(Array(full.utf8)).revision == 7)
        #expect(throws: DocumentFault(pointer: "", reason: "the document has more than 64 KiB")) {
            try SettingsDocument(Array((full + " ").utf8))
        }
        #expect(throws: DocumentFault.self) { try SettingsDocument([UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)) }
    }

    @Test("a stored one of a newer version is used without what is not understood")
    func stored() throws {
        let text =
            #"{"settingsVersion":1,"revision":7,"later":1,"settings":{"sound":{"max_volume":60,"echo":true},"later":{"a":1},"latest":{}},"publicKeys":["x"],"expires":"soon"}"#
        #expect(throws: DocumentFault.self) { try SettingsDocument(Array(text.utf8)) }
        #expect(try SettingsDocument(Array(text.utf8), isStored: true).keys == ["sound.max_volume"])
    }
}
