import ChannelFeed
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Screens
import Testing

@testable import Appliance

@Suite("Thumbnails of the current item")
@MainActor
struct ThumbnailTests {
    /// Tells its times when a test asks for it.
    private final class Pictures: ThumbnailProviding {
        private var then: (@MainActor @Sendable ([MediaTime]) -> Void)?
        private(set) var isClosed = false

        func loadTimes(_ then: @escaping @MainActor @Sendable ([MediaTime]) -> Void) { self.then = then }
        func loadThumbnail(
            at time: MediaTime, width: Int, height: Int, _ then: @escaping @MainActor @Sendable (LoadedPicture) -> Void
        ) {}
        func close() { isClosed = true }
        func tell(_ seconds: [Int64]) { then?(seconds.map { .seconds($0) }) }
    }

    /// Thumbnails on a box, and what was asked for and told.
    @MainActor
    private final class Desk {
        let thumbnails: ItemThumbnails
        private let rig: BoxRig
        private let asked: Asked
        private(set) var notices = 0

        final class Asked {
            var makes: [(bif: String?, stream: StreamLocation, duration: MediaTime)] = []
            var pictures: [Pictures] = []
        }

        init() throws {
            rig = try BoxRig()
            let asked = Asked()
            self.asked = asked
            var parts = rig.parts
            parts.makeThumbnails = { bif, stream, duration in
                asked.makes.append((bif, stream, duration))
                asked.pictures.append(Pictures())
                return asked.pictures.last
            }
            thumbnails = ItemThumbnails(parts)
        }

        var makes: [(bif: String?, stream: StreamLocation, duration: MediaTime)] { asked.makes }
        var pictures: [Pictures] { asked.pictures }

        func open(
            _ programme: Programme = Programme(.url("https://test/a.mp4")), type: MediaType = .video,
            duration: MediaDuration = .finite(.seconds(60))
        ) {
            let track = TrackDescription(id: TrackID(0), type: type, codec: "x")
            let source = SourceDescription(kind: "file", tracks: [track], duration: duration, seekableTimeRanges: [])
            thumbnails.open(programme, source) { [weak self] in self?.notices += 1 }
        }

        /// An item with chapters at these seconds.
        func item(chapters: [Int64], advertisements: [TimeRange] = []) -> ItemPresentation {
            var item = ItemPresentation(id: "a") { _ in }
            item.interstitials = advertisements.enumerated().map { Interstitial(id: "ad\($0)", range: $1) }
            item.markers = chapters.map {
                NavigationMarker(kind: .chapter, start: .seconds($0), end: nil, title: nil, image: nil)
            }
            thumbnails.add(to: &item)
            return item
        }

        func close() { rig.close() }
    }

    @Test("they are looked for once for a film of known length, and never for sound or a live stream")
    func kinds() throws {
        let desk = try Desk()
        defer { desk.close() }
        desk.open(type: .audio)
        desk.open(duration: .live)
        #expect(desk.makes.isEmpty)
        let members =
            #""items": [{"id": "a", "type": "movie", "title": "A", "streams": [{"url": "a.mp4"}], "thumbnails": {"bif": "a.bif"}}]"#
        let item = try #require(try feed(members).item("a"))
        desk.open(Programme(.item(item)))
        desk.open(Programme(.item(item)))
        #expect(desk.makes.count == 1)
        #expect(desk.makes.first?.bif == "https://test/a.bif" && desk.makes.first?.stream == .url("https://test/a.mp4"))
        #expect(desk.makes.first?.duration == .seconds(60))
    }

    @Test("each chapter without a picture gets its first thumbnail, and one without thumbnails gets none")
    func chapters() throws {
        let desk = try Desk()
        defer { desk.close() }
        desk.open()
        #expect(desk.item(chapters: [0]).thumbnails == nil, "their times are not known yet")
        desk.pictures[0].tell([5, 10, 20, 50])
        #expect(desk.notices == 1)
        let item = desk.item(chapters: [0, 10, 30, 40, 55])
        #expect(item.thumbnails?.times == [5, 10, 20, 50].map { .seconds($0) })
        let times = item.markers.map { $0.image.flatMap { Appliance.thumbnailTime($0) } }
        #expect(times == [.seconds(5), .seconds(10), nil, .seconds(50), nil])
        #expect(Appliance.thumbnailTime("a.png#10") == nil)
    }

    @Test("a new item has its own thumbnails, and those of the item before never reach it")
    func next() throws {
        let desk = try Desk()
        defer { desk.close() }
        desk.open()
        desk.pictures[0].tell([5])
        let first = desk.item(chapters: []).thumbnails
        desk.thumbnails.close()
        #expect(desk.pictures[0].isClosed && desk.item(chapters: []).thumbnails == nil)
        desk.open()
        #expect(desk.makes.count == 2)
        desk.pictures[0].tell([7])
        #expect(desk.item(chapters: []).thumbnails == nil && desk.notices == 1)
        desk.pictures[1].tell([9])
        let second = desk.item(chapters: []).thumbnails
        #expect(second?.times == [.seconds(9)] && second?.reference != first?.reference)
        desk.thumbnails.close()
        desk.open()
        desk.pictures[2].tell([])
        #expect(desk.item(chapters: []).thumbnails == nil && desk.notices == 2, "a film without pictures")
    }

    @Test("the picture of a chapter that begins with an advertisement is of the chapter")
    func chapterBehindAdvertisement() throws {
        let desk = try Desk()
        defer { desk.close() }
        desk.open()
        desk.pictures[0].tell([0, 10, 20, 30, 40])
        let range = TimeRange(start: .seconds(10), duration: .seconds(15))
        let item = desk.item(chapters: [0, 10, 35], advertisements: [range])
        #expect(item.markers.map { $0.image.flatMap(ItemThumbnails.time) } == [.zero, .seconds(30), .seconds(40)])
        let covered = desk.item(chapters: [0, 10, 24], advertisements: [range])
        #expect(covered.markers.map { $0.image.flatMap(ItemThumbnails.time) } == [.zero, nil, .seconds(30)])
    }
}
