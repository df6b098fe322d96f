import Glibc
import Testing

@testable import ChannelFeed

@Suite("The size of a feed")
struct SizeTests {
    /// How long this thread has computed, in seconds.
    private var computed: Double {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    /// Channels, as the list of a provider has thousands of them, and schedules of them: the rules of each name the last channels.
    private func feed(channels: Int) -> String {
        let live = (0..<channels).map { #"{"id": "c\#($0)", "title": "C", "streams": [{"url": "\#($0).m3u8"}]}"# }
        let schedules = (0..<channels / 20).map { number in
            let rules = (0..<20).map {
                #"{"when": "daily \#(10 + $0 / 6):\#($0 % 6)0-23:00", "priority": \#($0), "channel": "c\#(channels - 1 - $0)"}"#
            }
            return #"{"id": "s\#(number)", "title": "S", "kind": "schedule", "rules": [\#(rules.joined(separator: ", "))]}"#
        }
        return #"{"feedVersion": 1, "channels": [\#((live + schedules).joined(separator: ", "))]}"#
    }

    @Test("a feed of sixteen times as many channels is read in about sixteen times the time")
    func channels() {
        // The least of a few readings: other work on the machine makes one longer, never shorter.
        func seconds(_ channels: Int, of readings: Int) -> Double {
            let text = feed(channels: channels)
            return (0..<readings).map { _ in
                let began = computed
                #expect(read(text).findings.isEmpty)
                return computed - began
            }.min() ?? 0
        }
        let (few, many) = (seconds(300, of: 4), seconds(4800, of: 1))
        #expect(many < 40 * few, "\(few) s, then \(many) s")
    }
}
