import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// The memory of decoded frames, counted where frames are allocated, whichever component holds them.
@Suite("Memory for decoded frames is bounded", .serialized)
@MainActor
struct FrameBoundTests {
    /// The size of a 1920x1080 picture in memory.
    private static let frame = 1920 * 1080 * 3 / 2
    private static let most = 96 << 20

    private func memory(_ display: any DisplayOutput) throws -> MemoryAllocator {
        try #require(display.videoAllocator as? MemoryAllocator)
    }

    private func makeRig(frames: Int, group: Int) throws -> (rig: PlayerRig, memory: MemoryAllocator) {
        let rig = try PlayerRig()
        var film = FakeMedia(frameCount: frames, syncInterval: group, soundDuration: .milliseconds(Int64(40 * frames)))
        film.pictureSize = (1920, 1080)
        rig.open(film)
        rig.run(until: { !rig.frames.isEmpty })
        rig.run(for: .seconds(1))
        return (rig, try memory(rig.display))
    }

    @Test(
        "during playback only the queue, the frame that waits for it and the displayed frames exist; no memory is newly allocated"
    )
    func play() throws {
        let (rig, memory) = try makeRig(frames: 250, group: 25)
        defer { rig.close() }
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= seconds(2) })
        memory.forgetMost()
        let allocations = memory.usage.allocations
        var cached = 0
        rig.onEvent = { if case .frame = $0 { cached = max(cached, rig.player.pipeline.pictures.cache.byteCount) } }
        rig.run(until: { rig.player.currentTime >= seconds(9) })
        let ahead = TrackKind<VideoFrame>.framesAhead(width: 1920, height: 1080)
        #expect(ahead == 3)
        // On the screen, and submitted for the next blank.
        let shown = 2
        #expect(memory.usage.mostPictures <= ahead + 1 + shown + FrameCache.playingBytes / Self.frame)
        // At most a few, from coincidences of threads that had not occurred before. Without a pool there would be one per frame.
        #expect(memory.usage.allocations - allocations <= 4)
        #expect(cached > 0 && cached <= FrameCache.playingBytes)
        #expect(rig.player.state.stallCount == 0)
    }

    @Test("frames kept for seeks while paused are limited to 96 MB, however many seeks there are, and playback releases them")
    func lookingAround() throws {
        let (rig, memory) = try makeRig(frames: 500, group: 25)
        defer { rig.close() }
        #expect(rig.player.pipeline.pictures.cacheLimit == Self.most)
        memory.forgetMost()
        for number in stride(from: 30, to: 480, by: 15) {
            #expect(rig.seek(to: FakeMedia().time(of: number)) == true)
            rig.run(for: .milliseconds(500))
            #expect(rig.player.pipeline.pictures.cache.byteCount <= Self.most)
        }
        // The limit is used; frames that wait to be shown are in addition.
        #expect(rig.player.pipeline.pictures.cache.byteCount > Self.most - 2 * Self.frame)
        #expect(memory.usage.mostBytes <= Self.most + 6 * (Self.frame + 4096))
        rig.player.play()
        rig.run(for: .seconds(1))
        #expect(rig.player.pipeline.pictures.cache.byteCount <= FrameCache.playingBytes)
        #expect(memory.usage.pictures <= 8)
        rig.player.replaceCurrentItem(with: nil)
        rig.run(for: .seconds(1))
        // The last displayed frame.
        #expect(memory.usage.pictures <= 2)
    }

    @Test(
        "backward playback holds at most 96 MB, with room for reference frames; longer groups are decoded repeatedly, still longer ones lose frames, which is reported",
        arguments: [(8, ReversePlayback.whole), (25, .repeated), (250, .thinned)])
    func reverse(group: Int, outcome: ReversePlayback) throws {
        let (rig, memory) = try makeRig(frames: 250, group: group)
        defer { rig.close() }
        #expect(rig.seek(to: seconds(9, 960)) == true)
        #expect(rig.item?.canPlayReverse == true)
        rig.player.setRate(Ratio(-1))
        rig.run(for: .milliseconds(100))
        memory.forgetMost()
        rig.forget()
        #expect(rig.run(until: { rig.player.state.rate == .zero }))
        #expect(memory.usage.mostBytes <= Self.most - TrackKind<VideoFrame>.heldByDecoder * Self.frame)
        #expect(rig.item?.reversePlayback == outcome)
        #expect(rig.item?.canPlayReverse == true && rig.item?.canPlaySlowReverse == true)
        let times = rig.frames.map(\.time)
        for (one, next) in zip(times, times.dropFirst()) { #expect(next < one) }
        #expect(rig.frames.last?.time == .zero)
        if outcome != .thinned { #expect(times.count >= 240, "\(times.count)") }
    }

    @Test("a batch of large pictures is small; for pictures of unknown size it has the default number")
    func batches() {
        typealias Kind = TrackKind<VideoFrame>
        for (width, height) in [(640, 360), (1280, 720), (1920, 1080)] {
            let batch = Kind.batchBytes(of: Self.most, width: width, height: height)
            #expect(2 * batch + (Kind.heldByDecoder + 3) * width * height * 3 / 2 <= Self.most)
        }
        #expect(Kind.batchBytes(of: Self.most, width: 3840, height: 2160) == Self.most / 4)
        #expect(Kind.batchBytes(of: Self.most, width: nil, height: nil) == Self.most * 5 / 12)
    }

    @Test(
        "a real decoder uses the codec's delay and reference frames and one frame per thread, in addition to queue and screen",
        .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)), arguments: [1, 3])
    func decoder(threads: Int) throws {
        let film = NumberedFilm(
            "bounds.mp4",
            video: ["-c:v", "libx264", "-preset", "fast", "-qp", "30", "-bf", "2", "-refs", "3", "-g", "25"])
        let box = try FilmBox(videoThreads: threads)
        defer { box.close() }
        box.readsPictures = false
        box.open(try film.path())
        box.run(until: { !box.pictures.isEmpty })
        box.player.play()
        // Frames of earlier tests are not counted.
        box.player.pipeline.pictures.cache.byteLimit = 0
        let memory = try memory(box.display)
        box.run(until: { box.player.currentTime >= seconds(1) })
        memory.forgetMost()
        box.run(until: { box.endCount > 0 })
        #expect(box.pictures.count == 75)
        let (references, delay) = (4, 2)
        let (ahead, shown) = (6, 2)
        #expect(references + delay + threads <= TrackKind<VideoFrame>.heldByDecoder)
        #expect(memory.usage.mostPictures <= references + delay + threads + ahead + 1 + shown, "\(memory.usage)")
        #expect(memory.usage.mostPictures > ahead)
    }

    @Test(
        "backward playback of a real film shows every picture of a group longer than a batch, within the limits of batch, queue and decoder",
        .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
    func realReverse() throws {
        let film = NumberedFilm(
            "long-group.mp4", video: ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-bf", "2", "-g", "250"])
        let box = try FilmBox(videoThreads: 2)
        defer { box.close() }
        box.open(try film.path())
        box.run(until: { !box.pictures.isEmpty })
        #expect(box.seek(to: .milliseconds(2960)) == true)
        let memory = try memory(box.display)
        let size = try #require(box.player.pipeline.pictures.cache.frame(at: .milliseconds(2960))).byteCount
        box.player.pipeline.pictures.passLimit = 20 * size
        box.forget()
        #expect(box.player.setRate(Ratio(-1)))
        box.run(within: .milliseconds(200), until: { false })
        memory.forgetMost()
        #expect(box.run(until: { box.player.state.rate == .zero }))
        #expect(box.pictures.compactMap(\.number).filter { $0 < 74 } == (0..<74).reversed())
        #expect(memory.usage.mostBytes <= (2 * 20 + 2 + TrackKind<VideoFrame>.heldByDecoder) * size, "\(memory.usage), \(size)")
    }
}
