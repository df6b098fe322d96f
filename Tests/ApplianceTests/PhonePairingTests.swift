import Cryptography
import Screens
import StatusModel
import Testing

@testable import Appliance
@testable import Shell

/// The pairing of phones as a value: each event and what follows from it.
struct PhonePairingTests {
    private func digest(_ token: String) -> String { SHA256.hexadecimal(of: token) }

    @Test func aSecretIsShownWhileTheTextPageIsAndWorthOnePhone() {
        var pairing = PhonePairing(digests: [])
        func handle(_ event: PhonePairing.Event) -> [PhonePairing.Effect] { pairing.handle(event) }
        #expect(handle(.offered(secret: "", token: "t", fresh: "s")) == [], "without a page there is no secret")
        #expect(handle(.opened(fresh: "s1")) == [.show(secret: "s1"), .arm])
        #expect(handle(.opened(fresh: "s2")) == [], "the code that is shown stays")
        #expect(
            handle(.offered(secret: "s1", token: "t1", fresh: "s3"))
                == [.keep(digests: [digest("t1")]), .paired, .show(secret: "s3"), .arm])
        #expect(handle(.offered(secret: "s1", token: "t2", fresh: "s4")) == [], "it was used")
        #expect(handle(.closed) == [.show(secret: nil), .disarm])
        #expect(handle(.offered(secret: "s3", token: "t3", fresh: "s5")) == [], "the page is closed")
        #expect(handle(.closed) == [] && handle(.expired(fresh: "s6")) == [])
        #expect(pairing.digests == [digest("t1")])
    }

    @Test func aSecretIsReplacedWhenItsTimeIsOver() {
        var pairing = PhonePairing(digests: [])
        func handle(_ event: PhonePairing.Event) -> [PhonePairing.Effect] { pairing.handle(event) }
        _ = handle(.opened(fresh: "s1"))
        #expect(handle(.expired(fresh: "s2")) == [.show(secret: "s2"), .arm])
        #expect(handle(.offered(secret: "s1", token: "t", fresh: "s3")) == [], "it is worth nothing more")
        #expect(handle(.offered(secret: "s2", token: "t", fresh: "s3")).contains(.paired))
    }

    @Test(arguments: ["", "s", "s10", "S1", "s1 ", "s1\0", String(repeating: "s1", count: 500_000)])
    func aGuessPairsNothingAndChangesNothing(guess: String) {
        var pairing = PhonePairing(digests: [])
        func handle(_ event: PhonePairing.Event) -> [PhonePairing.Effect] { pairing.handle(event) }
        _ = handle(.opened(fresh: "s1"))
        #expect(handle(.offered(secret: guess, token: "t", fresh: "s2")) == [])
        #expect(handle(.offered(secret: "s1", token: "t", fresh: "s2")).contains(.paired))
    }

    @Test func theNinthPhoneTakesThePlaceOfTheFirst() {
        var pairing = PhonePairing(digests: [])
        func handle(_ event: PhonePairing.Event) -> [PhonePairing.Effect] { pairing.handle(event) }
        _ = handle(.opened(fresh: "s0"))
        for number in 1...9 {
            _ = handle(.offered(secret: "s\(number - 1)", token: "t\(number)", fresh: "s\(number)"))
        }
        #expect(pairing.digests == (2...9).map { digest("t\($0)") })
        #expect(PhonePairing(digests: pairing.digests + ["x"]).digests.count == PhonePairing.mostPhones)
    }

    @Test func allPhonesAreForgottenAtOnceAndTheCodeStays() {
        var pairing = PhonePairing(digests: ["a", "b"])
        func handle(_ event: PhonePairing.Event) -> [PhonePairing.Effect] { pairing.handle(event) }
        _ = handle(.opened(fresh: "s1"))
        #expect(handle(.forgotten) == [.keep(digests: [])])
        #expect(handle(.forgotten) == [] && pairing.isOpen)
    }
}

/// What phones are told of a text, and which of theirs counts.
struct PhoneTextTests {
    private func question(_ text: String?, title: String = "Search", count: Int = 0) -> TextQuestion {
        TextQuestion(title: title, text: text, count: count, longest: 40)
    }

    @Test func eachChangeHasAGreaterSerialAndEachPageANewField() {
        var text = PhoneText()
        func follow(_ question: TextQuestion?) -> Bool { text.follow(question) }
        #expect(!follow(nil) && text.asked == nil)
        #expect(follow(question("")))
        #expect(text.asked == AskedText(field: 1, serial: 1, title: "Search", text: "", longest: 40))
        #expect(!follow(question("")))
        #expect(follow(question("s")) && text.asked?.serial == 2 && text.asked?.text == "s")
        #expect(follow(nil) && text.asked == nil)
        #expect(follow(question("s")) && text.asked?.field == 2 && text.asked?.serial == 1)
        #expect(follow(question(nil, title: "Password")) && text.asked?.field == 3 && text.asked?.text == nil)
        #expect(follow(question(nil, title: "Password", count: 1)) && text.asked?.serial == 2)
    }

    @Test func aLateTextOrOneForAnotherPageDoesNotCount() {
        var text = PhoneText()
        func follow(_ question: TextQuestion?) -> Bool { text.follow(question) }
        func took(serial: UInt64) -> Bool { text.took(serial: serial) }
        #expect(text.refusal(field: 0, serial: 1) == .notAsked)
        _ = follow(question(""))
        #expect(text.refusal(field: 1, serial: 1) == .late && text.refusal(field: 1, serial: 0) == .late)
        #expect(text.refusal(field: 1, serial: 4) == nil, "letters before it are still under way")
        #expect(took(serial: 4) && !took(serial: 4))
        #expect(text.refusal(field: 1, serial: 3) == .late && text.refusal(field: 1, serial: 4) == .late)
        #expect(text.refusal(field: 2, serial: 5) == .notAsked)
        #expect(text.refusal(field: 1, serial: .max) == .ahead, "nobody may keep the others from typing")
        _ = follow(nil)
        #expect(text.refusal(field: 1, serial: 5) == .notAsked)
    }
}
