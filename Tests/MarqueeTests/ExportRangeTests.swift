import MediaTime
import Testing

@testable import marquee

@Suite("Ranges of exports on the command line")
struct ExportRangeTests {
    @Test("a start with a length or an end; nothing else")
    func forms() {
        #expect(ExportRange(argument: "12.5+30")?.range == TimeRange(start: MediaTime(25, 2), duration: .seconds(30)))
        #expect(ExportRange(argument: "0-0.04")?.range == TimeRange(start: .zero, duration: MediaTime(1, 25)))
        #expect(ExportRange(argument: "5-5")?.range.isEmpty == true)
        for bad in ["", "5", "-5+3", "5-3", "5+-3", "+", "1+2+3", "a+b", "1e3+2", "99999999999+1", "1:00+5", "nan+1"] {
            #expect(ExportRange(argument: bad) == nil, "\(bad)")
        }
    }
}
