import Screens
import Testing

@testable import Drawing

/// Where pages have their words in the appearances that leave little room.
@Suite("Words of pages", .serialized)
@MainActor
struct PagePlaceTests {
    private func texts(_ name: String, _ layers: Set<String>, _ appearance: Appearance) throws -> [DrawnText] {
        let easel = try Easel(appearance: appearance)
        defer { easel.stop() }
        easel.show(try #require(Samples.screens(appearance).first { $0.0 == name }?.1))
        return easel.renderer.drawnTexts.filter { layers.contains($0.key) }.flatMap(\.value)
    }

    @Test("the name of a series is whole, also in larger type", arguments: [false, true])
    func series(isLarge: Bool) throws {
        let texts = try texts("series-page", ["page.head"], Appearance(hasLargerText: isLarge))
        #expect(texts.contains { $0.text.hasPrefix("The Lighthouse") && !$0.isEllipsized })
    }

    @Test("in larger type the page of a programme with all its buttons has its name in one line, two lines of summary and More")
    func programme() throws {
        let texts = try texts("programme", ["page.words"], Appearance(hasLargerText: true))
        let title = try #require(texts.first { $0.text.hasPrefix("The Lighthouse") })
        #expect(title.height < title.size * 1.5 && !title.isEllipsized)
        let summary = try #require(texts.first { $0.text.hasPrefix("Ada") })
        let more = texts.contains { $0.text == "More" } ? 1.0 : 0
        #expect(summary.height / (summary.size * 1.2) + more > 2.6)
    }

    @Test("what a page without rows says stands where its rows would be", arguments: [false, true])
    func note(isRightToLeft: Bool) throws {
        let texts = try texts("wireless-no-country", ["page.note"], Appearance(isRightToLeft: isRightToLeft))
        let note = try #require(texts.first)
        let edge = isRightToLeft ? Rect.safeArea.maxX - note.x - note.width : note.x - Rect.safeArea.x
        #expect(texts.count == 1 && !note.isEllipsized && edge > -2 && edge < 24)
    }

    @Test("a message stands beside the list of channels", arguments: [false, true])
    func message(isRightToLeft: Bool) throws {
        let appearance = Appearance(isRightToLeft: isRightToLeft)
        let easel = try Easel(width: 1920, height: 1080, appearance: appearance)
        defer { easel.stop() }
        var state = try #require(Samples.screens(appearance).first { $0.0 == "channels" }?.1)
        state.toast = "This channel can’t be paused, whatever is pressed on the remote"
        let layers = easel.show(state)
        let toast = try #require(layers.first { $0.id == "toast" }).destination
        let list = try #require(layers.first { $0.id == "channels" }).destination
        #expect(isRightToLeft ? toast.x + toast.width < list.x : toast.x > list.x + list.width)
    }
}
