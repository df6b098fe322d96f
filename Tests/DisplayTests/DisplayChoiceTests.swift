import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Display

@Suite("The --display option and modes")
struct DisplayChoiceTests {
    @Test("the four forms are parsed, with and without their argument")
    func forms() {
        #expect(DisplayChoice("auto") == .auto)
        #expect(DisplayChoice("kms") == .kms(card: nil))
        #expect(DisplayChoice("kms:card1") == .kms(card: "card1"))
        #expect(DisplayChoice("headless") == .headless(DisplayMode(width: 1920, height: 1080, refresh: Ratio(60))))
        #expect(DisplayChoice("headless:1280x720@50") == .headless(DisplayMode(width: 1280, height: 720, refresh: Ratio(50))))
        #expect(DisplayChoice("headless:1280x720") == .headless(DisplayMode(width: 1280, height: 720, refresh: Ratio(60))))
        #expect(
            DisplayChoice("headless:1920x1080@59.94")
                == .headless(DisplayMode(width: 1920, height: 1080, refresh: Ratio(60000, 1001))))
        #expect(
            DisplayChoice("headless:1920x1080@23.976")
                == .headless(DisplayMode(width: 1920, height: 1080, refresh: Ratio(24000, 1001))))
        #expect(
            DisplayChoice("headless:1920x1080@60000/1001")
                == .headless(DisplayMode(width: 1920, height: 1080, refresh: Ratio(60000, 1001))))
        #expect(DisplayChoice("window") == .window(nil))
        #expect(DisplayChoice("window:1600x900") == .window(DisplayChoice.WindowSize(width: 1600, height: 900)))
        #expect(DisplayChoice("headless:640x360@12.5") == .headless(DisplayMode(width: 640, height: 360, refresh: Ratio(25, 2))))
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "AUTO", "auto:1", "kms:", "headless:", "headless:1x1@60", "headless:1280x720@0", "headless:1280@60",
            "headless:axb@60",
            "headless:1280x720@-5", "headless:1280x720@60/0", "headless:1280x720@60.", "headless:99999x10@60",
            "headless:1280x720@1000", "window:", "window:1280", "window:1280x720@60", "window:1x1",
        ])
    func refused(text: String) { #expect(DisplayChoice(text) == nil) }

    @Test("printed text parses to the same value")
    func roundTrip() throws {
        for text in [
            "auto", "kms", "kms:card0", "window", "window:1280x720", "headless:1280x720@50", "headless:1920x1080@60000/1001",
        ] {
            #expect(try #require(DisplayChoice(text)).description == text)
        }
    }

    @Test("blanks of 59.94 Hz do not drift over a day, and each is found again from its instant")
    func grid() {
        let grid = RefreshGrid(Ratio(60000, 1001))
        #expect(grid.instant(60000 * 3600 * 24 / 1000) == HostTime(nanoseconds: 1001 * 3600 * 24 * 1_000_000))
        for index in [0, 1, 2, 59, 60, 1000, 123_456_789] as [UInt64] {
            let instant = grid.instant(index)
            #expect(grid.first(atOrAfter: instant) == index)
            #expect(grid.last(atOrBefore: instant) == index)
            #expect(grid.first(atOrAfter: instant + .nanoseconds(1)) == index + 1)
            #expect(grid.last(atOrBefore: instant + .nanoseconds(1)) == index)
            if index > 0 { #expect(grid.last(atOrBefore: instant - .nanoseconds(1)) == index - 1) }
        }
    }
}
