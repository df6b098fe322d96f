import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import NetworkConditions
import TestSupport
import Testing

@testable import Playback

/// A picture that is fetched again while it stands: whole playbacks on the simulated clock, from a scripted server.
@Suite("Pictures that are fetched again", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct StillRefreshTests {
    private static let url = "https://cdn.example/chart.png"
    private static let path = "/chart.png"

    /// A picture with a number in it.
    private static func picture(_ number: Int, suffix: String = "png") throws -> [UInt8] {
        let raw = try TemporaryFile(NumberGrid.picture(number, width: 128, height: 72))
        defer { withExtendedLifetime(raw) {} }
        let input = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "128x72", "-i", raw.path]
        return try FFmpegProgram.make(input + ["-frames:v", "1"], suffix: suffix)
    }

    /// A box that shows the picture, and what it tells.
    @MainActor
    private final class Wall {
        let script = OriginScript()
        let box: FilmBox
        private(set) var errors: [String] = []
        private(set) var seeks = 0

        init(isQueue: Bool = false) throws {
            let script = script
            box = try FilmBox(isQueue: isQueue) { SimulatedOrigin(clock: $0, script: script) }
            box.onEvent = { [weak self] event in
                switch event {
                case .newErrorLogEntry(let entry): self?.errors.append(entry.errorComment ?? "")
                case .seekCompleted: self?.seeks += 1
                default: break
                }
            }
        }

        func item(lasting length: Int64 = 600, every seconds: Int64 = 60) -> PlayerItem {
            PlayerItem(
                asset: Asset(
                    url: StillRefreshTests.url, stillDuration: .seconds(length), stillRefresh: .seconds(seconds),
                    services: box.player.services))
        }

        /// Shows it, and waits for its first picture.
        func show(_ number: Int, every seconds: Int64 = 60) throws {
            script.put(try StillRefreshTests.picture(number), at: StillRefreshTests.path)
            box.player.replaceCurrentItem(with: item(every: seconds))
            box.player.play()
            #expect(box.run(until: { !box.pictures.isEmpty || !box.failures.isEmpty }) && box.number() == number)
        }

        func wait(_ length: Duration) {
            let end = box.loop.clock.now + length
            box.run(within: length + .seconds(1), until: { box.loop.clock.now >= end })
        }

        /// The headers with which the picture was asked for, but for those that every request has.
        var conditions: [String] {
            script.requests.map { $0.headers.first { $0.hasPrefix("If-") } ?? "" }
        }
    }

    @Test(
        "another picture replaces the one on the screen; neither the clock nor the screen stops, and only what changed is decoded"
    )
    func change() throws {
        let wall = try Wall()
        defer { wall.box.close() }
        try wall.show(1)
        let start = wall.box.player.currentTime
        let flips = wall.box.player.scheduler.flipCount
        let seeks = wall.seeks
        wall.wait(.seconds(90))
        // The server has said that nothing has changed, and nothing was drawn.
        #expect(wall.conditions == ["", #"If-None-Match: "1""#] && wall.box.number() == 1)
        #expect(wall.box.player.scheduler.flipCount == flips)
        wall.script.put(try Self.picture(2), at: Self.path)
        wall.wait(.seconds(60))
        #expect(wall.box.number() == 2 && wall.box.player.scheduler.flipCount == flips + 1)
        #expect(wall.seeks == seeks && wall.errors.isEmpty && wall.box.failures.isEmpty)
        // It plays all the time.
        #expect((wall.box.player.currentTime - start - .seconds(150)).magnitude < .milliseconds(100))
        // A seek shows the new one.
        #expect(wall.box.seek(to: .seconds(30)) == true && wall.box.number() == 2)
    }

    /// What is no good picture.
    nonisolated private static let faults: [OriginFault] = [
        .status(500), .refusal, .silence, .stall(after: 40),
        .body(Array("<!DOCTYPE html><html><body>Log in</body></html>".utf8)),
        .body(Array("\u{89}PNG\r\n\u{1a}\n".unicodeScalars.map { UInt8($0.value) })),
        .body([UInt8](repeating: 7, count: 9 << 20)),
    ]

    @Test(
        "what is no good picture changes nothing, and is told once; a good one is shown when there is one again",
        arguments: faults)
    func faults(fault: OriginFault) throws {
        let wall = try Wall()
        defer { wall.box.close() }
        try wall.show(1)
        wall.script.put(try Self.picture(2), at: Self.path)
        wall.script.fail(Self.path, with: fault)
        wall.wait(.seconds(400))
        #expect(wall.box.number() == 1 && wall.box.failures.isEmpty && wall.box.endCount == 0)
        #expect(wall.errors.count == 1, "\(wall.errors)")
        #expect(wall.errors.first?.contains("the last one stays") == true && wall.script.requests.count <= 8)
        wall.script.heal()
        wall.wait(.seconds(130))
        #expect(wall.box.number() == 2 && wall.errors.count == 1)
    }

    @Test("a picture of 20,000 pixels changes nothing")
    func huge() throws {
        let wall = try Wall()
        defer { wall.box.close() }
        try wall.show(1)
        let dots = ["-f", "rawvideo", "-pix_fmt", "monob", "-s", "20000x5000", "-i", "/dev/zero", "-frames:v", "1"]
        wall.script.put(try FFmpegProgram.make(dots, suffix: "png"), at: Self.path)
        wall.wait(.seconds(130))
        #expect(wall.box.number() == 1 && wall.box.failures.isEmpty)
        #expect(wall.errors.count == 1 && wall.errors[0].contains("the last one stays"), "\(wall.errors)")
    }

    @Test("a picture changes in a pause too, and the pause goes on")
    func pause() throws {
        let wall = try Wall()
        defer { wall.box.close() }
        try wall.show(1)
        wall.box.player.pause()
        wall.wait(.seconds(5))
        let position = wall.box.player.currentTime
        wall.script.put(try Self.picture(2), at: Self.path)
        wall.wait(.seconds(70))
        #expect(wall.box.number() == 2 && wall.box.player.currentTime == position)
    }

    @Test("shown again, the last good picture comes at once and without its server, and is fetched again when it is old enough")
    func again() throws {
        let wall = try Wall(isQueue: true)
        defer { wall.box.close() }
        wall.script.put(try Self.picture(1), at: Self.path)
        for _ in 0..<3 { wall.box.player.insert(wall.item(lasting: 40), after: nil) }
        wall.box.player.play()
        #expect(wall.box.run(until: { wall.box.pictures.count == 1 }))
        wall.script.fail(Self.path, with: .refusal)
        #expect(wall.box.run(within: .seconds(150), until: { wall.box.endCount == 3 || !wall.box.failures.isEmpty }))
        #expect(wall.box.failures.isEmpty && wall.box.pictures.map(\.number) == [1, 1, 1])
        // Asked for at the start, and again after a minute and two: refused connections do not reach the server.
        #expect(wall.script.requests.count == 1 && wall.errors.count == 2, "\(wall.errors)")
    }

    @Test("what is no picture is played as without an interval, and fails in the same words")
    func somethingElse() throws {
        let wall = try Wall()
        defer { wall.box.close() }
        let film = NumberedFilm("refreshed-film.mp4", audio: [])
        wall.script.put(try film.bytes(), at: Self.path)
        wall.box.player.replaceCurrentItem(with: wall.item(every: 10))
        wall.box.player.play()
        #expect(wall.box.run(until: { wall.box.endCount > 0 || !wall.box.failures.isEmpty }) && wall.box.failures.isEmpty)
        #expect(wall.box.pictures.map(\.number) == Array(0..<75))
        wall.script.put("<html>", at: Self.path)
        wall.box.player.replaceCurrentItem(with: wall.item())
        #expect(wall.box.run(until: { !wall.box.failures.isEmpty }) && wall.box.failures.map(\.code) == [.sourceFormat])
    }
}
