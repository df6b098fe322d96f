import BoxModel
import LinuxSupport
import Screens
import StatusModel
import TestSupport
import Testing

@testable import Appliance

/// Phones and the television: the code on the page, and the text on both.
@Suite(.serialized)
@MainActor
struct PhoneTests {
    private static let page = "https://10.0.0.7:8080/phone"

    private func rig(_ viewer: ViewerParts = ViewerParts(), page: String? = Self.page) throws -> BoxRig {
        let rig = try BoxRig(viewer: viewer)
        rig.box.phones.page = { _ in page }
        try rig.apply(
            items: #"[{"id": "a", "type": "movie", "title": "Seal", "duration": 10, "streams": [{"url": "a.mp4"}]}]"#)
        return rig
    }

    private func search(_ rig: BoxRig) -> SearchView? { if case .search(let view)? = rig.box.shown.page { view } else { nil } }

    private func openSearch(_ rig: BoxRig) { for key in [RemoteKey.up, .ok] { rig.press(key) } }

    /// The secret of the code that is shown.
    private func secret(_ rig: BoxRig) throws -> String {
        let address = try #require(search(rig)?.phone?.address)
        #expect(address.hasPrefix(Self.page + "#") && !address.contains("?"), "a query would be in logs")
        return String(address.suffix(32))
    }

    @Test func theCodeOfThePagePairsAPhoneOnce() throws {
        let rig = try rig()
        defer { rig.close() }
        let phones = rig.box.phones
        openSearch(rig)
        #expect(search(rig)?.phone?.caption == "Type with a phone")
        let secret = try secret(rig)
        #expect(phones.pair((secret.hasPrefix("0") ? "1" : "0") + secret.dropFirst()) == nil)
        let token = try #require(phones.pair(secret))
        #expect(phones.paired.admits(token) && !phones.paired.admits(secret) && !phones.paired.admits(""))
        #expect(phones.pair(secret) == nil, "it was used")
        let next = try self.secret(rig)
        #expect(next != secret, "the next phone has a code of its own")
        rig.press(.back)
        #expect(search(rig) == nil && phones.pair(next) == nil, "the page is closed")
        #expect(!rig.parts.log.tail(100).contains { $0.contains(token) || $0.contains(secret) || $0.contains(next) })
    }

    @Test func anUnusedCodeIsReplacedAfterThreeMinutes() throws {
        let rig = try rig()
        defer { rig.close() }
        openSearch(rig)
        let old = try secret(rig)
        rig.run(for: .seconds(179))
        #expect(try secret(rig) == old)
        rig.run(for: .seconds(2))
        let new = try secret(rig)
        #expect(new != old && rig.box.phones.pair(old) == nil && rig.box.phones.pair(new) != nil)
    }

    @Test func whereNoPhoneReachesTheBoxThereIsNoCode() throws {
        let rig = try rig(page: nil)
        defer { rig.close() }
        openSearch(rig)
        #expect(search(rig) != nil && search(rig)?.phone == nil)
    }

    @Test func whatAPhoneTypesIsOnTheTelevisionAndTheOtherWayRound() throws {
        let rig = try rig()
        defer { rig.close() }
        let phones = rig.box.phones
        #expect(phones.asked == nil && phones.type("s", field: 1, serial: 2, isPrivate: true) == .notAsked)
        openSearch(rig)
        let asked = try #require(phones.asked)
        #expect(asked.text == "" && asked.title == "Search programmes and channels" && asked.longest == 40)
        var told = 0
        let listening = phones.changes.listen { told += 1 }
        defer { listening.cancel() }
        #expect(phones.type("s", field: asked.field, serial: asked.serial + 1, isPrivate: true) == nil)
        #expect(search(rig)?.query == "s" && search(rig)?.results.map(\.title) == ["Seal"] && told == 1)
        #expect(search(rig)?.focus == .result(0), "OK opens what was found")
        // The third letter overtakes the second.
        #expect(phones.type("sea", field: asked.field, serial: asked.serial + 3, isPrivate: true) == nil)
        #expect(phones.type("se", field: asked.field, serial: asked.serial + 2, isPrivate: true) == .late)
        #expect(search(rig)?.query == "sea" && phones.asked?.text == "sea" && phones.asked?.serial == asked.serial + 3)
        rig.press(.digit7)
        #expect(search(rig)?.query == "sea7" && phones.asked?.text == "sea7" && phones.asked?.serial == asked.serial + 4)
        #expect(
            phones.type("seal", field: asked.field, serial: asked.serial + 4, isPrivate: true) == .late,
            "the television was first")
        // Two phones at once: the second has not seen what the first has sent.
        #expect(phones.type("se", field: asked.field, serial: asked.serial + 5, isPrivate: true) == nil)
        #expect(phones.type("so", field: asked.field, serial: asked.serial + 5, isPrivate: true) == .late)
        #expect(search(rig)?.query == "se")
        #expect(
            phones.type("", field: asked.field, serial: asked.serial + 6, isPrivate: false) == nil && search(rig)?.query == "")
        rig.press(.back)
        openSearch(rig)
        #expect(phones.asked?.field == asked.field + 1)
        #expect(
            phones.type("x", field: asked.field, serial: 99, isPrivate: true) == .notAsked,
            "a late letter for a page that was closed")
        #expect(search(rig)?.query == "")
    }

    @Test(arguments: [
        "a\nb", "\u{0}", "\u{7F}", "a\u{202E}b", "\u{2028}", "\u{E000}", "\u{FFFF}", "\u{3164}", "a\u{AD}b",
        String(repeating: "a", count: 41),
        String(repeating: "a", count: 1 << 20), "e" + String(repeating: "\u{301}", count: 60),
    ])
    func whatCannotBeTypedIsRefused(text: String) throws {
        let rig = try rig()
        defer { rig.close() }
        openSearch(rig)
        let asked = try #require(rig.box.phones.asked)
        #expect(rig.box.phones.type(text, field: asked.field, serial: asked.serial + 1, isPrivate: true) == .invalid)
        #expect(search(rig)?.query == "" && rig.box.phones.asked == asked)
    }

    @Test(arguments: [
        ("e\u{301}", "\u{E9}"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("海辺", "海辺"),
        ("\u{61C}بحر", "\u{61C}بحر"), ("\u{2764}\u{FE0F}", "\u{2764}\u{FE0F}"),
        (String(repeating: "a", count: 40), String(repeating: "a", count: 40)),
    ])
    func everyScriptIsTakenInItsComposedForm(text: String, query: String) throws {
        let rig = try rig()
        defer { rig.close() }
        openSearch(rig)
        let asked = try #require(rig.box.phones.asked)
        #expect(rig.box.phones.type(text, field: asked.field, serial: asked.serial + 1, isPrivate: true) == nil)
        #expect(search(rig).map { Array($0.query.unicodeScalars) } == Array(query.unicodeScalars))
    }

    @Test func pairedPhonesOutliveARestartAndAreForgottenInSettingsAndAtCheckOut() throws {
        let viewer = ViewerParts()
        func pair() throws -> String {
            let rig = try rig(viewer)
            defer { rig.close() }
            openSearch(rig)
            return try #require(rig.box.phones.pair(secret(rig)))
        }
        let token = try pair()
        #expect(viewer.choices.choice("phones")?.contains(token) == false, "the box has the digest alone")
        let again = try rig(viewer)
        defer { again.close() }
        #expect(again.box.phones.paired.admits(token))
        again.box.carryOut(.forgetPhones)
        #expect(!again.box.phones.paired.admits(token) && viewer.choices.choice("phones") == nil)
        let other = try pair()
        let third = try rig(viewer)
        defer { third.close() }
        #expect(third.box.phones.paired.admits(other))
        #expect(third.box.perform(.checkOut, from: "web") == .success)
        #expect(!third.box.phones.paired.admits(other))
    }

    // MARK: A password

    /// A network that is protected.
    @MainActor
    private final class FakeWireless: WirelessDoor {
        let status = WirelessStatus(
            radio: .on, networks: [WirelessNetwork(id: "/home", name: "Home", security: .passphrase, strength: -6000)])
        let changes = EventSource<Void>()
        private(set) var requests: [WirelessRequest] = []

        func perform(_ request: WirelessRequest) { requests.append(request) }
    }

    private func passphrase(_ rig: BoxRig) -> PassphraseView? {
        if case .passphrase(let view)? = rig.box.shown.page { view } else { nil }
    }

    @Test func aPasswordIsTakenInPrivateAloneAndNeverTold() throws {
        let wireless = FakeWireless()
        var viewer = ViewerParts()
        viewer.wireless = wireless
        let rig = try rig(viewer)
        defer { rig.close() }
        rig.box.wireless.open()
        rig.press(.ok)
        #expect(passphrase(rig)?.phone?.address.hasPrefix(Self.page + "#") == true)
        let phones = rig.box.phones
        let asked = try #require(phones.asked)
        #expect(asked.text == nil && asked.longest == 63 && asked.title.contains("Home"))
        #expect(phones.type("correct horse", field: asked.field, serial: 2, isPrivate: false) == .inClear)
        #expect(passphrase(rig)?.field.words.count == 0)
        for wrong in ["caf\u{E9} au lait", "tab\tbed in", String(repeating: "a", count: 64)] {
            #expect(phones.type(wrong, field: asked.field, serial: 2, isPrivate: true) == .invalid)
        }
        #expect(phones.type("correct horse", field: asked.field, serial: 2, isPrivate: true) == nil)
        #expect(passphrase(rig)?.field.words.count == 13 && phones.asked?.text == nil && phones.asked?.serial == 2)
        #expect(!rig.parts.log.tail(100).contains { $0.contains("horse") })
        #expect(rig.press(.ok) == .success, "the focus is on Connect")
        #expect(wireless.requests.last == .join("/home", passphrase: Passphrase("correct horse")))
        #expect(phones.asked == nil && phones.type("correct", field: asked.field, serial: 3, isPrivate: true) == .notAsked)
    }

    @Test func whereThePageHasNoTLSAPasswordHasNoCode() throws {
        let wireless = FakeWireless()
        var viewer = ViewerParts()
        viewer.wireless = wireless
        let rig = try rig(viewer)
        defer { rig.close() }
        rig.box.phones.page = { $0 ? nil : Self.page }
        rig.box.wireless.open()
        rig.press(.ok)
        #expect(passphrase(rig) != nil && passphrase(rig)?.phone == nil)
        rig.press(.back)
        rig.press(.home)
        openSearch(rig)
        #expect(search(rig)?.phone != nil)
    }

    @Test func anEmergencyMessageClosesThePairing() throws {
        let rig = try rig()
        defer { rig.close() }
        openSearch(rig)
        let (secret, asked) = (try secret(rig), try #require(rig.box.phones.asked))
        #expect(rig.box.perform(.showEmergency("Leave"), from: "web") == .success)
        #expect(rig.box.phones.pair(secret) == nil)
        #expect(rig.box.phones.type("s", field: asked.field, serial: asked.serial + 1, isPrivate: true) == .notAsked)
    }
}
