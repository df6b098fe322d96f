import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

@Suite("Pictures of containers with decode times only get presentation times")
struct PresentationOrderTests {
    /// Feeds samples in decoding order, each given as its place in presentation order, into a decoder that holds back `delay` pictures.
    ///
    /// - Parameter lost: the places of samples that become no picture.
    /// - Returns: the place of each picture and the time that it got.
    private func decode(_ places: [Int], delay: Int, lost: Set<Int> = []) -> [(place: Int, time: Int64)] {
        var order = PresentationOrder()
        var held: [(place: Int, own: MediaTime)] = []
        var pictures: [(place: Int, time: Int64)] = []
        func give() {
            let first = held.min { $0.place < $1.place }!
            held.removeAll { $0.place == first.place }
            if let time = order.give(first.own, delay: delay) { pictures.append((first.place, time.wholeSteps(of: .seconds(1)))) }
        }
        for (index, place) in places.enumerated() {
            order.take(.seconds(Int64(index)))
            if !lost.contains(place) { held.append((place, .seconds(Int64(index)))) }
            if held.count > delay { give() }
        }
        while !held.isEmpty { give() }
        return pictures
    }

    @Test(
        "each picture gets its place in presentation order",
        arguments: [
            ([0, 1, 2, 3, 4, 5], 0), ([0, 3, 1, 2, 6, 4, 5, 7], 1), ([0, 4, 2, 1, 3, 8, 6, 5, 7], 2),
        ])
    func whole(places: [Int], delay: Int) {
        let pictures = decode(places, delay: delay)
        #expect(pictures.map(\.place) == places.sorted())
        #expect(pictures.allSatisfy { Int64($0.place) == $0.time })
    }

    @Test("times always increase, and are right again soon after a sample that became no picture", arguments: 0..<24)
    func lost(place: Int) {
        let places = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 12, 10, 11, 15, 13, 14, 18, 16, 17, 21, 19, 20, 24, 22, 23]
        let pictures = decode(places, delay: 1, lost: [place])
        #expect(zip(pictures, pictures.dropFirst()).allSatisfy { $0.time < $1.time })
        let wrong = pictures.filter { $0.place > place + 4 && Int64($0.place) != $0.time }
        #expect(wrong.isEmpty)
    }

    @Test("samples that never become pictures take bounded memory, and a step back begins anew")
    func bounds() {
        var order = PresentationOrder()
        for index in 0..<100_000 { order.take(.seconds(Int64(index))) }
        #expect(order.give(.seconds(99_999), delay: 2) == .seconds(99_997))
        order.take(.seconds(5))
        #expect(order.give(.seconds(5), delay: 2) == .seconds(5))
        #expect(order.give(.seconds(5), delay: 2) == nil)
    }

    @Test(
        "an AVI film with B-frames gives evenly spaced pictures, also after a seek", .enabled(if: FFmpegProgram.isPresent),
        arguments: [["-c:v", "mpeg4", "-bf", "2", "-g", "25"], ["-c:v", "libx264", "-bf", "4", "-g", "25"]])
    func film(video: [String]) throws {
        let bytes = try FFmpegProgram.clip(seconds: 3, video: video, audio: ["-c:a", "libmp3lame"], suffix: "avi")
        let demuxer = try Media.demuxer(bytes)
        let track = try Media.track(.video, of: demuxer)
        demuxer.select([track.id])
        let frames = try Media.frames(try Media.samples(demuxer))
        #expect(frames.map(\.time) == (0..<75).map { MediaTime(Int64($0), 25) })
        try demuxer.seek(to: .seconds(2))
        let rest = try Media.frames(try Media.samples(demuxer)).map(\.time)
        let first = try #require(rest.first)
        #expect(first <= .seconds(2) && first >= .seconds(1))
        // Pictures that need one before the key picture are missing behind it.
        let whole = rest.dropFirst()
        let second = try #require(whole.first)
        #expect(second > first && second - first <= MediaTime(3, 25))
        #expect(Array(whole) == (0..<whole.count).map { second + MediaTime(Int64($0), 25) })
        #expect(whole.last == MediaTime(74, 25))
    }
}
