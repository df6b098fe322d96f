import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Shell

@Suite("A command goes to a time of day of a live stream")
struct TimeOfDayTests {
    /// A channel whose asset time zero is at eight in the evening, and which keeps 20:10 to 20:40.
    private func channel() -> Viewer {
        var item = Items.live()
        item.clockOrigin = .seconds(72_000)
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.channels))
        viewer.open(item)
        viewer.run(.milliseconds(200))
        viewer.seekable = [TimeRange(start: .seconds(600), end: .seconds(2400))]
        viewer.place(.seconds(2390))
        viewer.run(.milliseconds(200))
        return viewer
    }

    private static func time(_ hours: Int, _ minutes: Int, _ seconds: Int = 0) -> Int { hours * 3600 + minutes * 60 + seconds }

    @Test(
        arguments: [
            (time(20, 15), 900), (time(20, 10), 600), (time(20, 20, 30), 1230), (time(20, 9, 59), nil), (time(20, 41), nil),
            (time(8, 15), nil), (0, nil),
        ] as [(Int, Int64?)])
    func place(time: Int, seconds: Int64?) {
        var viewer = channel()
        viewer.effects = []
        #expect(viewer.command(.goToTimeOfDay(time)) == (seconds == nil ? .failed(.outOfRange) : .success))
        #expect(viewer.exactSeeks == (seconds.map { [.seconds($0)] } ?? []))
    }

    @Test func withoutDatesOrAWindowThereAreNone() {
        var viewer = Viewer()
        #expect(viewer.command(.goToTimeOfDay(0)) == .failed(.noItem))
        viewer.open(Items.live())
        viewer.run(.milliseconds(200))
        viewer.place(.seconds(10))
        #expect(viewer.command(.goToTimeOfDay(0)) == .failed(.notSupported))
    }

    @Test("the last such time is meant, also behind midnight, over days and when clocks change")
    func search() {
        let noon = MediaTime.seconds(43_200)
        let plain = TimeOfDaySearch(origin: noon, changes: ClockChanges())
        // From noon three days ago to one in the afternoon today.
        let (first, last) = (MediaTime.seconds(-3 * 86_400), MediaTime.seconds(3600))
        #expect(plain.newest(at: 43_200, from: first, to: last) == .zero)
        #expect(plain.newest(at: 50_000, from: first, to: last) == .seconds(50_000 - 43_200 - 86_400))
        #expect(plain.newest(at: 86_399, from: first, to: last) == .seconds(-43_201))
        #expect(plain.newest(at: 50_000, from: .zero, to: last) == nil)
        // Until three in the night of today clocks were an hour earlier.
        let spring = TimeOfDaySearch(origin: noon, changes: ClockChanges(in: -86_400...86_400) { $0 < 7200 ? -3600 : 0 })
        #expect(spring.newest(at: 43_200, from: first, to: last) == .zero)
        #expect(
            spring.newest(at: 82_800, from: first, to: last) == .seconds(-43_200),
            "at eleven by the old clocks it was midnight by the new")
        // Nothing is too far away to be answered.
        for far in [MediaTime.seconds(1 << 50), .seconds(-(1 << 50))] {
            #expect(plain.newest(at: 0, from: far, to: far) == nil)
        }
    }
}
