import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// The schedule of programmes and its pages, without a machine.
@Suite struct ScheduleTests {
    private let start = HostTime(nanoseconds: 5_000_000_000)

    private func schedule(at seconds: Int = 72900, day: Int64? = nil) -> Schedule {
        var schedule = Schedule()
        schedule.take(Items.guide)
        schedule.setClock(secondsSinceMidnight: seconds, day: day, at: start)
        return schedule
    }

    private func context(
        at seconds: Int = 72900, playing: String? = "c1", content: HomeContent = Items.channels
    ) -> BrowsingContext {
        var home = HomeModel()
        home.take(content)
        return BrowsingContext(home: home, playing: playing, schedule: schedule(at: seconds), now: start, strings: .english)
    }

    @Test("the clock continues from its setting by whole seconds")
    func clock() {
        let schedule = schedule()
        #expect(schedule.timeOfDay(at: start + .milliseconds(999)) == 72900)
        #expect(schedule.timeOfDay(at: start + .milliseconds(1000)) == 72901)
        #expect(Schedule().timeOfDay(at: start) == nil)
    }

    @Test("the next minute is at most sixty seconds away, also before midnight of the previous day")
    func nextMinute() {
        #expect(schedule(at: 72900).nextMinute(after: start) == start + .seconds(60))
        #expect(schedule(at: 72901).nextMinute(after: start) == start + .seconds(59))
        #expect(schedule(at: -1).nextMinute(after: start) == start + .seconds(1))
        #expect(Schedule().nextMinute(after: start) == nil)
    }

    @Test("the day is the next one from midnight on, and is not known without the day of the clock")
    func day() {
        // 20,419 days after 1970-01-01 is 2025-11-27.
        let evening = schedule(at: 86399, day: 20419)
        #expect(evening.date(at: start, in: .english) == CalendarDate(year: 2025, month: 11, day: 27))
        #expect(evening.date(at: start + .seconds(1), in: .english) == CalendarDate(year: 2025, month: 11, day: 28))
        #expect(evening.date(at: start + .seconds(86401), in: .english) == CalendarDate(year: 2025, month: 11, day: 29))
        #expect(schedule().date(at: start, in: .english) == nil)
    }

    @Test("a guide without a clock, or a clock without a guide, cannot be shown")
    func readable() {
        #expect(schedule().isReadable)
        var clock = Schedule()
        clock.setClock(secondsSinceMidnight: 0, day: nil, at: start)
        #expect(!clock.isReadable && clock.isEmpty)
        var guide = Schedule()
        guide.take(Items.guide)
        #expect(!guide.isReadable && !guide.isEmpty)
        #expect(guide.programme(on: "c1", at: start) == nil)
    }

    @Test("a programme is on from its start until before its end, with progress from 0 to 100 percent")
    func programmes() {
        #expect(schedule(at: 71999).programme(on: "c1", at: start) == nil)
        #expect(schedule(at: 72000).programme(on: "c1", at: start)?.title == "Evening News")
        #expect(schedule(at: 73799).programme(on: "c1", at: start)?.title == "Evening News")
        #expect(schedule(at: 73800).programme(on: "c1", at: start)?.title == "Weather")
        #expect(schedule(at: 73799).next(on: "c1", at: start)?.title == "Weather")
        #expect(schedule(at: 73800).next(on: "c1", at: start) == nil)
        let news = Items.guide.channels[0].programmes[0]
        #expect(
            [71000, 72000, 72900, 73800, 80000].map { schedule(at: $0).progress(of: news, at: start) } == [0, 0, 50, 100, 100])
    }

    @Test("the channel list has each number once, in order")
    func lineup() {
        let content = HomeContent(
            rows: [
                .init(id: "r", title: "", entries: [.init(id: "b", title: "B", number: 9), .init(id: "film", title: "Film")])
            ],
            searchable: [.init(id: "again", title: "Again", number: 9), .init(id: "a", title: "A", number: 3)])
        #expect(context(content: content).lineup.map(\.id) == ["a", "b"])
    }

    @Test("the guide opens on the current channel, at the half hour, and does not scroll back before now")
    func guidePage() throws {
        let context = context(at: 73000, playing: "c7")
        var page = try #require(GuidePage(context))
        var view = page.view(context)
        #expect(view.rows[2].cells.first?.isFocused == true)
        #expect(
            view.ticks.first?.title == "20:00"
                && view.nowX == 1000 * Metrics.Guide.axisWidth / (Metrics.Guide.minutesPerScreen * 60))
        #expect(page.act(.left, in: context) == .answered(.failed(.noChange)))
        #expect(page.act(.down, in: context) == .answered(.failed(.noChange)))
        #expect(page.act(.up, in: context) == .answered(.success))
        #expect(page.act(.up, in: context) == .answered(.success))
        #expect(page.act(.right, in: context) == .answered(.success))
        view = page.view(context)
        #expect(view.detailTitle == "Weather" && view.detailFacts.last == "20:30–21:00" && view.detail == "Rain.")
        let news = Items.guide.channels[0]
        #expect(page.act(.ok, in: context) == .wants(.openListing(news.programmes[1], on: news)))
        #expect(page.act(.left, in: context) == .answered(.success))
        #expect(page.act(.ok, in: context) == .wants(.tune(Items.channels.rows[0].entries[0])))
        #expect(page.act(.back, in: context) == .closed)
    }

    @Test("focus in the guide stays on an existing channel")
    func guideShrinks() throws {
        var context = context(playing: "c7")
        let page = try #require(GuidePage(context))
        context.schedule.take(GuideContent(channels: [Items.guide.channels[0]]))
        #expect(page.view(context).rows.count == 1)
        #expect(page.view(context).rows[0].cells.first?.isFocused == true)
    }

    @Test("the channel list scrolls with its focus, and leaves Play and Pause to the player")
    func channelListPage() throws {
        let entries = (0..<30).map { (number: Int) in HomeContent.Entry(id: "n\(number)", title: "\(number)", number: number) }
        let context = context(playing: "n3", content: HomeContent(rows: [.init(id: "r", title: "", entries: entries)]))
        var page = try #require(ChannelListPage(context))
        #expect(page.view(context).hasMoreAbove == (4 > Metrics.Menu.channelRows / 2))
        #expect(page.view(context).rows.first { $0.isFocused }?.number == 4, "the next one")
        #expect(page.act(.up, in: context) == .answered(.success))
        #expect(page.act(.ok, in: context) == .closed, "it plays")
        for _ in 0..<20 { #expect(page.act(.down, in: context) == .answered(.success)) }
        let view = page.view(context)
        #expect(view.rows.count == Metrics.Menu.channelRows)
        #expect(view.rows.last?.isFocused == true && view.rows.last?.number == 23)
        #expect(view.hasMoreAbove && view.hasMoreBelow)
        #expect(page.act(.ok, in: context) == .wants(.tune(entries[23])))
        #expect(page.act(.pause, in: context) == .wants(.pause))
        let last = try #require(ChannelListPage(self.context(playing: "n29", content: context.content)))
        #expect(last.view(context).rows.first { $0.isFocused }?.number == 28, "after the last one nothing comes")
        let empty = self.context(content: HomeContent())
        #expect(ChannelListPage(empty) == nil)
        #expect(page.view(empty).rows.isEmpty)
        #expect(page.act(.ok, in: empty) == .answered(.failed(.notSupported)))
    }

    @Test("a query has at most forty characters, no leading and no double spaces")
    func searchPage() {
        let context = context()
        var page = SearchPage()
        func space(_ page: inout SearchPage) -> KeyOutcome {
            for _ in 0..<20 { _ = page.act(.down, in: context) }
            for _ in 0..<3 { _ = page.act(.left, in: context) }
            return page.act(.ok, in: context)
        }
        #expect(space(&page) == .answered(.failed(.noChange)))
        page.type("1", in: context)
        #expect(space(&page) == .answered(.success))
        #expect(space(&page) == .answered(.failed(.noChange)))
        #expect(page.view(context).query == "1 ")
        for _ in 0..<50 { page.type("9", in: context) }
        #expect(page.view(context).query.count == 40)
        #expect(page.view(context).message == "Nothing found for “\(page.view(context).query)”.")
        #expect(page.act(.back, in: context) == .closed)
    }
}
