import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("The refresh rate follows the film")
struct RefreshChoiceTests {
    private static let television = [
        Ratio(60), Ratio(60_000, 1001), Ratio(50), Ratio(30), Ratio(30_000, 1001), Ratio(25), Ratio(24), Ratio(24_000, 1001),
    ]

    @Test(
        "from the interface's rate it changes to the nearest whole multiple, otherwise to one within a thousandth",
        arguments: [
            (Ratio(24), Ratio(24)), (Ratio(24_000, 1001), Ratio(24_000, 1001)), (Ratio(23_976, 1000), Ratio(24_000, 1001)),
            (Ratio(25), Ratio(50)), (Ratio(50), Ratio(50)), (Ratio(30_000, 1001), Ratio(60_000, 1001)),
            (Ratio(60_000, 1001), Ratio(60_000, 1001)), (Ratio(2398, 100), Ratio(24_000, 1001)),
            (Ratio(12_000, 1001), Ratio(60_000, 1001)),
        ])
    func television(film: Ratio, rate: Ratio) {
        let choice = RefreshChoice(offered: Self.television, current: Ratio(60), preferred: Ratio(60), isChosen: false)
        #expect(choice.rate(for: film) == rate)
    }

    @Test(
        "a rate that fits is kept, and nothing changes for an estimated frame rate",
        arguments: [Ratio(30), Ratio(60), Ratio(20), Ratio(5), nil])
    func stays(film: Ratio?) {
        let choice = RefreshChoice(offered: Self.television, current: Ratio(60), preferred: Ratio(60), isChosen: false)
        #expect(choice.rate(for: film) == nil)
    }

    @Test(
        "after another film the rate is kept if it nearly fits; if none fits, the interface's rate returns",
        arguments: [
            (Ratio(24), nil), (Ratio(24_000, 1001), nil), (Ratio(25), Ratio(50)), (Ratio(60), Ratio(60)), (Ratio(37), Ratio(60)),
        ] as [(Ratio, Ratio?)])
    func behind(film: Ratio, rate: Ratio?) {
        let choice = RefreshChoice(offered: Self.television, current: Ratio(24), preferred: Ratio(60), isChosen: true)
        #expect(choice.rate(for: film) == rate)
    }

    @Test("two and a half blanks for each picture are better than an uneven number, and worse than any multiple")
    func alternating() {
        func rate(_ film: Ratio, _ offered: [Ratio], from current: Ratio) -> Ratio? {
            RefreshChoice(offered: offered, current: current, preferred: current, isChosen: false).rate(for: film)
        }
        let dropped = (film: Ratio(24_000, 1001), screen: Ratio(60_000, 1001))
        #expect(rate(Ratio(24), [Ratio(50), Ratio(60)], from: Ratio(50)) == Ratio(60))
        #expect(rate(dropped.film, [Ratio(60), dropped.screen], from: Ratio(60)) == dropped.screen)
        #expect(rate(dropped.film, [Ratio(60), dropped.screen, Ratio(24)], from: Ratio(60)) == Ratio(24))
        #expect(rate(dropped.film, [Ratio(50), Ratio(60)], from: Ratio(50)) == nil, "a thousandth away it is not even")
        #expect(rate(Ratio(24), [Ratio(60)], from: Ratio(60)) == nil)
        #expect(rate(Ratio(25), [Ratio(60), Ratio(50)], from: Ratio(60)) == Ratio(50))
    }

    @Test("a screen with one rate keeps it, and the clocks of modes are not exact")
    func others() {
        let one = RefreshChoice(offered: [Ratio(60)], current: Ratio(60), preferred: Ratio(60), isChosen: false)
        for film in [Ratio(24), Ratio(25), Ratio(30)] { #expect(one.rate(for: film) == nil) }
        // 1024x768 at 75 Hz is 78.75 MHz over 1312 x 800; 1080p at 59.94 is 148.352 MHz over 2200 x 1125.
        let seventyFive = Ratio(78_750_000, 1312 * 800)
        let monitor = RefreshChoice(offered: [Ratio(60), seventyFive], current: Ratio(60), preferred: Ratio(60), isChosen: false)
        #expect(monitor.rate(for: Ratio(25)) == seventyFive)
        let dropped = Ratio(148_352_000, 2200 * 1125)
        let exact = RefreshChoice(offered: [Ratio(60), dropped], current: Ratio(60), preferred: Ratio(60), isChosen: false)
        #expect(exact.rate(for: Ratio(30_000, 1001)) == dropped)
    }
}

@Suite("A screen that follows films")
@MainActor
struct RefreshMatchTests {
    private static let rates = [Ratio(50), Ratio(24)]
    private let film = FakeMedia(frameCount: 72, frameRate: Ratio(24), soundDuration: .seconds(3))

    private func modes(_ rig: PlayerRig) -> [Ratio?] {
        rig.events.compactMap { if case .display(let mode) = $0.event { .some(mode?.refresh) } else { nil } }
    }

    @Test(
        "it changes before the first picture, stays during seeks and a second film, and returns when nothing plays")
    func film24() throws {
        let rig = try PlayerRig(following: Self.rates)
        defer { rig.close() }
        rig.open(film)
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(modes(rig) == [Ratio(24)])
        let change = try #require(rig.events.firstIndex { if case .display = $0.event { true } else { false } })
        let first = try #require(rig.events.firstIndex { if case .frame = $0.event { true } else { false } })
        #expect(change < first)
        // Each picture is shown for one blank. With pulldown to 60 Hz it would be two or three.
        let stays = zip(rig.frames.dropFirst(), rig.frames.dropFirst(2)).map { ($1.flip - $0.flip).wholeNanoseconds }
        #expect(stays.allSatisfy { abs($0 - 41_666_667) < 10 }, "\(stays)")
        #expect(rig.seek(to: .seconds(1)) == true)
        rig.open(film, at: "another")
        rig.player.play()
        #expect(rig.run(until: { rig.isPlaying }))
        #expect(modes(rig) == [Ratio(24)])
        rig.player.replaceCurrentItem(with: nil)
        rig.player.endScreenMatching()
        rig.run(for: .milliseconds(100))
        #expect(modes(rig) == [Ratio(24), Ratio(60)])
    }

    @Test("leaving one film and opening another at once sets the rate of the new one")
    func quick() throws {
        let rig = try PlayerRig(following: Self.rates)
        defer { rig.close() }
        rig.open(film)
        rig.player.play()
        #expect(rig.run(until: { rig.isPlaying }))
        rig.player.replaceCurrentItem(with: nil)
        rig.player.endScreenMatching()
        rig.open(FakeMedia(frameCount: 75), at: "another")
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.display.mode.refresh == Ratio(50))
        rig.player.endScreenMatching()
        #expect(rig.display.mode.refresh == Ratio(60))
    }

    @Test("without the setting nothing changes")
    func off() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(film)
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(modes(rig).isEmpty)
    }

    @Test("films of the same rate join without a blank between them; for another rate the screen changes between them")
    func queue() throws {
        for (second, wanted) in [(Ratio(24), [Ratio(24)]), (Ratio(25), [Ratio(24), Ratio(50)])] as [(Ratio, [Ratio?])] {
            let rig = try PlayerRig(following: Self.rates, isQueue: true)
            defer { rig.close() }
            let queue = rig.player
            rig.loader.put(film, at: "first")
            rig.loader.put(
                FakeMedia(frameCount: 50, frameRate: second, soundDuration: second.period * 50),
                at: "second")
            for name in ["first", "second"] {
                queue.insert(PlayerItem(asset: Asset(url: name, services: queue.services)), after: nil)
            }
            queue.play()
            #expect(rig.run(until: { rig.endCount == 2 }))
            #expect(modes(rig) == wanted)
            #expect(rig.frames.count == 122)
        }
    }
}
