import Drawing
import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// The scenes to measure, generated at the maximum size of a feed.
enum BenchScenes {
    static let summary = """
        Ada keeps the light burning while her father is at sea. When the glass falls and the harbour master's boat does not come back, she \
        rows out alone, and finds on the sandbank what nobody in the village has ever spoken of. A film about patience, weather and the \
        things that are only said in the dark.
        """

    /// The information panel at its fullest: artwork, every line, four lines of description, two actions.
    static func infoPanel(focus: PanelView.Focus = .tabs) -> PresentationState {
        var info = InfoView(
            artwork: "cover", title: "The Lighthouse Keeper’s Daughter", subtitle: "Season 1, Episode 4 · A Storm Comes In",
            facts: ["Drama", "PG", "44 min", "HD", "5.1", "CC"], summary: summary, isSummaryFocused: focus == .content(0))
        info.actions = [
            ButtonView(title: "From Beginning", isFocused: focus == .content(1)),
            ButtonView(title: "Next Episode", isFocused: focus == .content(2)),
        ]
        let tabs: [PanelView.TabTitle] = [
            .init(tab: .info, title: "Info"), .init(tab: .chapters, title: "Chapters"),
            .init(tab: .subtitles, title: "Subtitles"), .init(tab: .audio, title: "Audio"),
            .init(tab: .picture, title: "Picture"),
        ]
        return PresentationState(screen: .player, video: .full) {
            $0.panel = PanelView(tabs: tabs, selected: 0, focus: focus, content: .info(info))
        }
    }

    /// Home with this many items, fifty in a row.
    static func home(items: Int) -> HomeContent {
        let perRow = 50
        return HomeContent(
            title: "Harbour Television",
            rows: (0..<(items + perRow - 1) / perRow).map { row in
                HomeContent.Row(
                    id: "row\(row)", title: "Collection \(row + 1)",
                    entries: (0..<min(perRow, items - row * perRow)).map { column in
                        let number = row * perRow + column
                        return HomeContent.Entry(
                            id: "item\(number)", title: "The Story of Number \(number)",
                            subtitle: "Season \(row + 1), Episode \(column + 1)",
                            artwork: "poster\(number)", watchedPercent: number % 7 == 0 ? 40 : nil)
                    })
            })
    }

    /// An episode with chapters and two interstitials.
    static let item = ItemPresentation(id: "item0") {
        $0.title = "The Lighthouse Keeper’s Daughter"
        $0.subtitle = "Season 1, Episode 4 · A Storm Comes In"
        $0.summary = summary
        $0.genre = "Drama"
        $0.rating = "PG"
        $0.badges = ["HD", "CC"]
        $0.artwork = "cover"
        $0.duration = .seconds(2640)
        $0.interstitials = [
            Interstitial(id: "ad1", range: TimeRange(start: .seconds(600), duration: .seconds(30))),
            Interstitial(id: "ad2", range: TimeRange(start: .seconds(1500), duration: .seconds(30))),
        ]
        $0.markers = (0..<8).map {
            NavigationMarker(kind: .chapter, start: .seconds(Int64($0) * 300), title: "Chapter \($0 + 1)", image: "chapter\($0)")
        }
    }
}

/// Pictures of one colour, available at once: the bench measures drawing, not the network and not the decoding of pictures, which other threads do. They are
/// filled by words: byte by byte this was half of what the main thread computed for a key that scrolls.
@MainActor
final class BenchArtwork: ImageLoading {
    private let allocator = MemoryAllocator()

    func load(_ reference: String, width: Int, height: Int, then: @escaping @MainActor @Sendable (LoadedPicture) -> Void) {
        let pixels = try? allocator.makeBuffer(format: .argb8888, width: width, height: height)
        let level = reference.utf8.reduce(40) { ($0 * 31 + Int($1)) % 160 }
        pixels?.withMutableBytes { bytes in
            bytes.bindMemory(to: UInt32.self).update(repeating: 0xff00_0000 | UInt32(level) * 0x01_0101)
        }
        then(pixels.map { .picture($0) } ?? .missing)
    }
}
