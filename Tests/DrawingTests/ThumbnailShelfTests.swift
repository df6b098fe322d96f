import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Testing

@testable import Drawing

/// The picture in the bubble while the position moves faster than pictures are loaded.
@Suite("Thumbnails in the bubble")
@MainActor
struct ThumbnailShelfTests {
    private func request(_ seconds: Int64, track: String = "thumbnails:1", width: Int = 320) -> ImageRequest {
        ImageRequest(reference: "\(track)#\(seconds * 1000)", width: width, height: 180)
    }

    private func pixels() throws -> PixelBuffer { try MemoryAllocator().makeBuffer(format: .argb8888, width: 1, height: 1) }

    private func shelf(_ requests: [ImageRequest]) throws -> ImageShelf {
        var shelf = ImageShelf(byteLimit: 1 << 20)
        for request in requests { shelf.insert(request, try pixels(), at: .zero) }
        return shelf
    }

    @Test("the picture of the place itself, else the nearest one, of the same film and size")
    func nearest() throws {
        let others = [request(95, track: "thumbnails:2"), request(101, width: 160)]
        let shelf = try shelf([request(60), request(90), request(120)] + others)
        func shown(_ seconds: Int64, within: Int64 = 20) -> String? {
            let picture = shelf.thumbnail(request(seconds), within: .seconds(within))
            return picture.pixels == nil ? nil : picture.reference
        }
        #expect(shown(90) == "thumbnails:1#90000")
        #expect(shown(100) == "thumbnails:1#90000")
        #expect(shown(110) == "thumbnails:1#120000")
        #expect(shown(140) == "thumbnails:1#120000" && shown(141) == nil, "20 s are near enough, 21 are not")
        #expect(shown(100, within: 9) == nil)
    }

    @Test("a picture that was found missing has a neighbour, and artwork that is no thumbnail has none")
    func missing() throws {
        var shelf = try shelf([request(90)])
        shelf.insert(request(100), nil, at: .zero)
        #expect(shelf.thumbnail(request(100), within: .seconds(10)).reference == "thumbnails:1#90000")
        let cover = ImageRequest(reference: "cover.jpg", width: 320, height: 180)
        #expect(shelf.thumbnail(cover, within: .seconds(10)) == LayerPicture(reference: "cover.jpg", pixels: nil))
    }

    @Test("never one that is farther away than the distance, and never one while a nearer one is there", arguments: 0..<8)
    func drawn(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) + 1)
        let places = (0..<40).map { _ in Int64.random(in: 0..<7200, using: &random) }
        let shelf = try shelf(places.map { request($0) })
        for _ in 0..<200 {
            let (place, reach) = (Int64.random(in: 0..<7200, using: &random), Int64.random(in: 1..<200, using: &random))
            let picture = shelf.thumbnail(request(place), within: .seconds(reach))
            let nearest = places.map { abs($0 - place) }.min()!
            let found = picture.pixels.flatMap { _ in ThumbnailTrack.place(of: picture.reference) }
            #expect((found != nil) == (nearest <= reach))
            if let found { #expect((found.time - .seconds(place)).magnitude == .seconds(nearest)) }
        }
    }

    @Test("a request that newer ones have pushed out is made again when its place is shown again")
    func dropped() throws {
        let artist = Artist()
        let easel = try Easel(width: 1920, height: 1080, artist: artist)
        defer { easel.stop() }
        artist.isDropping = true
        easel.show(Samples.thumbnail)
        let first = artist.requests
        #expect(first.count { $0.contains("#") } == 1)
        artist.isDropping = false
        easel.show(Samples.thumbnail)
        #expect(artist.requests.count == first.count * 2)
        let bubble = try #require(easel.show(Samples.thumbnail).first { $0.id == "bar.bubble" })
        #expect(bubble.destination.height > Metrics.Bar.thumbnailHeight, "it has its picture")
    }

    @Test("while a key is held the bubble has a picture of a place near by at each step once some have come")
    func whileHeld() throws {
        let artist = Artist()
        let easel = try Easel(width: 1920, height: 1080, artist: artist)
        defer { easel.stop() }
        var state = Samples.thumbnail
        let track = try #require(state.bar?.scrub?.thumbnail.flatMap { ThumbnailTrack.place(of: $0) })
        let reach = max(Timing.thumbnailReach, try #require(state.bar?.totalTime) / Timing.thumbnailReachPart)
        state.bar?.scrub?.thumbnail = "\(track.track)#100000"
        easel.show(state)
        artist.isDropping = true
        for seconds: Int64 in [110, 120, 130, 100 + reach.wholeSeconds, 101 + reach.wholeSeconds] {
            state.bar?.scrub?.thumbnail = "\(track.track)#\(seconds * 1000)"
            let bubble = try #require(easel.show(state).first { $0.id == "bar.bubble" })
            let hasPicture = bubble.destination.height > Metrics.Bar.thumbnailHeight
            #expect(hasPicture == (.seconds(seconds - 100) <= reach), "\(seconds): \(bubble.destination)")
        }
    }
}
