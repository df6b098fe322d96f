import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Time observers", .serialized)
@MainActor
struct ObserverTests {
    @Test("a periodic observer is called at the start, at each multiple of its interval, when playback stops, and at a jump")
    func periodic() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        var told: [MediaTime] = []
        let observer = rig.player.addPeriodicTimeObserver(forInterval: .milliseconds(500)) { told.append($0) }
        rig.run(until: { !rig.frames.isEmpty })
        #expect(told == [.zero])
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= seconds(2, 300) })
        rig.player.pause()
        // The landing, the start, four periods, the stop.
        #expect(told.count == 7)
        #expect(Array(told.prefix(2)) == [.zero, .zero])
        for (number, time) in told[2..<6].enumerated() {
            let late = time - .milliseconds(500) * (number + 1)
            #expect(late >= .zero && late <= .milliseconds(60), "tick \(number) at \(time)")
        }
        let count = told.count
        _ = rig.seek(to: seconds(7))
        #expect(Array(told[count...]) == [seconds(7)])
        withExtendedLifetime(observer) {}
    }

    @Test("a removed observer is no longer called")
    func dropped() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        var count = 0
        var observer: AnyObject? = rig.player.addPeriodicTimeObserver(forInterval: .milliseconds(100)) { _ in count += 1 }
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= seconds(1) })
        #expect(count >= 10 && observer != nil)
        observer = nil
        let last = count
        rig.run(for: .seconds(1))
        #expect(count == last)
    }

    @Test(
        "a boundary fires each time that playback passes it, never when it is jumped over, and before the end is reported"
    )
    func boundary() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia(frameCount: 100, soundDuration: .seconds(4)))
        var log: [String] = []
        let observers = [seconds(1), seconds(3), seconds(4)].map { time in
            rig.player.addBoundaryTimeObserver(forTimes: [time]) { log.append("\(time)") }
        }
        rig.onEvent = { if case .didPlayToEnd = $0 { log.append("end") } }
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= seconds(2) })
        #expect(log == ["1.000"])
        _ = rig.seek(to: seconds(3, 500))
        #expect(log == ["1.000"])
        _ = rig.seek(to: seconds(0, 500))
        rig.run(until: { rig.isAtEnd })
        #expect(log == ["1.000", "1.000", "3.000", "4.000", "end"])
        withExtendedLifetime(observers) {}
    }

    @Test("a boundary at the target of a seek fires when playback continues from it")
    func landing() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        var count = 0
        let observer = rig.player.addBoundaryTimeObserver(forTimes: [seconds(5)]) { count += 1 }
        _ = rig.seek(to: seconds(5))
        rig.run(for: .seconds(1))
        #expect(count == 0)
        rig.player.play()
        rig.run(for: .seconds(1))
        #expect(count == 1)
        withExtendedLifetime(observer) {}
    }
}
