import Configuration
import MediaModel
import Screens
import Testing

@testable import Housekeeping

@Suite("Texts on the box's own screens")
struct SetUpScreensTests {
    @Test("an unprovisioned box explains how to provision it, with its name, its address and a code in ASCII")
    func setUp() {
        let view = SetUpScreens(name: "marquee-52ab10", address: "192.168.1.20", isRadioOff: true).setUp()
        #expect(view.title == "No channels yet")
        #expect(view.paragraphs.first == "Wi-Fi is off until a country is set. Add [network] wifi_country, for example \"FR\".")
        #expect(view.example == ["[feed]", "url = \"https://example.org/feed.json\""])
        #expect(view.facts.map(\.value) == ["marquee-52ab10", "192.168.1.20"])
        #expect(view.code?.contains("192.168.1.20") == true)
        #expect(view.code?.utf8.allSatisfy { $0 < 0x80 } == true)
    }

    @Test("a provisioned kiosk shows neither address nor code; an unprovisioned one shows both")
    func kiosk() {
        let provisioned = SetUpScreens(
            name: "room-1", address: "10.0.0.7", page: "http://10.0.0.7:8080/", isProvisioned: true, isKiosk: true)
        for view in [provisioned.setUp(), provisioned.waiting(.loading), provisioned.safe(waits: .seconds(600))] {
            #expect(view.code == nil)
            #expect(view.facts.map(\.value) == ["room-1"])
        }
        let fresh = SetUpScreens(name: "room-1", address: "10.0.0.7", isKiosk: true)
        #expect(fresh.setUp().code != nil)
    }

    @Test("the reason for missing channels is one sentence with a code and without addresses of the operator")
    func trouble() {
        let screens = SetUpScreens(name: "b", address: "10.0.0.7", isProvisioned: true)
        #expect(screens.waiting(.refused("FEED-060")).paragraphs.first?.hasSuffix("(FEED-060)") == true)
        #expect(screens.waiting(.unreachable(.sourceTimeout)).paragraphs.first?.contains("SRC-TIMEOUT") == true)
        #expect(
            SetUpScreens(name: "b", isProvisioned: true).waiting(.unreachable(.networkDown)).paragraphs.first?.hasPrefix(
                "There is no network.") == true)
    }

    @Test("without a network one key leads to the Wi-Fi page, where there is one, and the screen says so")
    func wireless() {
        for isProvisioned in [false, true] {
            let offline = SetUpScreens(name: "b", isProvisioned: isProvisioned, leadsToWireless: true)
            for view in [offline.setUp(), offline.waiting(.unreachable(.networkDown))] {
                #expect(view.button == "Wi-Fi" && view.paragraphs.first?.contains("press OK to choose a Wi-Fi network") == true)
            }
            #expect(offline.waiting(.loading).button == nil && offline.waiting(.unreachable(.sourceTimeout)).button == nil)
            let online = SetUpScreens(name: "b", address: "10.0.0.7", isProvisioned: isProvisioned, leadsToWireless: true)
            for view in [online.setUp(), online.waiting(.unreachable(.networkDown))] { #expect(view.button == nil) }
            let wired = SetUpScreens(name: "b", isProvisioned: isProvisioned, isRadioOff: true)
            for view in [wired.setUp(), wired.waiting(.unreachable(.networkDown))] {
                #expect(view.button == nil && view.paragraphs.contains { $0.contains("[network] wifi_country") })
            }
        }
    }

    @Test("where the first run is offered OK begins it, and nothing else of the screen is different")
    func firstRun() {
        let screens = SetUpScreens(name: "b", address: "10.0.0.7", isRadioOff: true)
        var view = screens.setUp(offersFirstRun: true)
        #expect(view.button == "Set Up Here")
        view.button = nil
        #expect(view == screens.setUp())
        // The networks are a step of it.
        let offline = SetUpScreens(name: "b", leadsToWireless: true)
        let begun = offline.setUp(offersFirstRun: true)
        #expect(begun.button == "Set Up Here" && !begun.paragraphs.contains { $0.contains("press OK") })
        #expect(offline.waiting(.unreachable(.networkDown)).button == "Wi-Fi")
    }

    @Test("a verdict has the first four lines and the number of further ones; without problems there is no verdict")
    func verdict() {
        let screens = SetUpScreens(name: "b")
        #expect(screens.verdict(problems: [], isWhole: true) == nil)
        let view = screens.verdict(problems: (1...6).map { "line \($0)" }, isWhole: true)
        #expect(view?.lines == ["line 1", "line 2", "line 3", "line 4"])
        #expect(view?.rest == "and 2 more in applied.txt")
        #expect(screens.verdict(problems: ["x"], isWhole: false)?.title.contains("can’t be read") == true)
    }

    @Test("what is wrong with a setting is told in the viewer's language", arguments: StringCatalogue.all.map(\.language))
    func verdictInEveryLanguage(_ language: String) throws {
        let configuration = try Configuration("[feed]\nulr = \"x\"\n[box]\nkiosk = \"maybe\"\n")
        let screens = SetUpScreens(name: "b", strings: StringCatalogue.best(for: [language]))
        let lines = configuration.problems.map(screens.words(for:))
        #expect(lines.count == 2 && lines[0].contains("feed.ulr") && lines[0].contains("2"))
        #expect(lines[0].contains("ignored") == language.hasPrefix("en") && lines[0] != lines[1])
        if language == "de" { #expect(lines[0] == "Zeile 2: feed.ulr ist unbekannt") }
    }

    @Test("the safe screen counts minutes down, and OK tries again")
    func safe() {
        let view = SetUpScreens(name: "b").safe(waits: .seconds(61))
        #expect(view.paragraphs.last == "It starts again in 2 minutes, or when you press OK.")
        #expect(view.button == "Try Again")
    }
}
