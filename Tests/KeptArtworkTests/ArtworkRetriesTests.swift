import LinuxSupport
import Testing

@testable import KeptArtwork

@Suite("When pictures are asked for again")
struct ArtworkRetriesTests {
    private static func after(_ seconds: Int) -> HostTime { HostTime.zero + .seconds(seconds) }
    private static func picture(_ number: Int) -> String { "https://cdn.example/\(number).jpg" }

    @Test("a server that does not answer is asked for one picture at a time, ever more rarely")
    func oneOfAServer() {
        var retries = ArtworkRetries()
        let news = (0..<30).filter { retries.serverFailed(Self.picture($0), at: .zero) }
        #expect(news == [0])
        var times: [Int] = []
        var asked: [String] = []
        while let next = retries.next, next <= Self.after(600) {
            let due = retries.takeDue(at: next)
            #expect(due.count == 1)
            asked += due
            times.append(Int(((next - .zero) / .seconds(1)).rounded()))
            let isNews = retries.serverFailed(due[0], at: next)
            #expect(!isNews)
        }
        #expect(times == [5, 15, 35, 75, 155, 275, 395, 515])
        #expect(Set(asked).count == asked.count)
    }

    @Test("with its first answer, what waited for it follows; others wait on")
    func answer() {
        var retries = ArtworkRetries()
        for number in 0..<3 { _ = retries.serverFailed(Self.picture(number), at: .zero) }
        _ = retries.serverFailed("https://other.example/a.jpg", at: .zero)
        #expect(retries.isWaiting(Self.picture(2), at: Self.after(4)))
        #expect(!retries.isWaiting(Self.picture(3), at: Self.after(4)))
        let following = retries.serverAnswered(Self.picture(1))
        #expect(following == [Self.picture(0), Self.picture(2)])
        #expect(!retries.isWaiting(Self.picture(2), at: Self.after(4)))
        let due = retries.takeDue(at: Self.after(5))
        #expect(due == ["https://other.example/a.jpg"])
    }

    @Test("a picture that is refused waits by itself, up to an hour")
    func refusals() {
        var retries = ArtworkRetries()
        let isNews = retries.wasRefused(Self.picture(0), at: .zero)
        #expect(isNews)
        var times: [Int] = []
        while let next = retries.next, next <= Self.after(4 * 3600) {
            let due = retries.takeDue(at: next)
            #expect(due == [Self.picture(0)])
            times.append(Int(((next - .zero) / .seconds(1)).rounded()))
        }
        #expect(times == [60, 180, 420, 900, 1860, 3780, 7380, 10_980])
        retries.succeeded(Self.picture(0))
        #expect(retries.next == nil)
    }

    @Test("when the network returns all is due, and nothing waits any more")
    func network() {
        var retries = ArtworkRetries()
        _ = retries.serverFailed(Self.picture(0), at: .zero)
        _ = retries.wasRefused(Self.picture(1), at: .zero)
        let all = retries.takeAll()
        #expect(Set(all) == [Self.picture(0), Self.picture(1)] && retries.next == nil)
    }

    @Test("what waits is bounded, whatever a feed names")
    func bounds() {
        var retries = ArtworkRetries()
        for number in 0..<5000 {
            _ = retries.serverFailed(Self.picture(number), at: .zero)
            _ = retries.serverFailed("https://host\(number).example/a.jpg", at: .zero)
            _ = retries.wasRefused("https://cdn.example/refused/\(number).jpg", at: .zero)
        }
        let all = retries.takeAll()
        #expect(all.count <= 3 * ArtworkRetries.mostAddresses)
    }
}
