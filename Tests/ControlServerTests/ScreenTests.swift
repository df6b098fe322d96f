import LinuxSupport
import MediaModel
import Testing

@testable import ControlServer

/// The live screen.
@MainActor
struct ScreenTests {
    private let quick = ControlLimits(longPoll: .milliseconds(60), pictureInterval: .milliseconds(5))

    @Test func aPictureComesAtOnceWithItsSerial() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        running.box.screen = 7
        for path in ["/v1/screen.jpg", "/v1/screen", "/v1/screen?after=6"] {
            let answer = try await running.send("GET", path)
            #expect(answer.status == 200 && answer.body == "JPEG of 7", "\(path)")
            #expect(answer.headers.first(name: "Content-Type") == "image/jpeg")
            #expect(answer.headers.first(name: "X-Marquee-Serial") == "7")
        }
    }

    @Test func theAnswerWaitsUntilTheScreenChanges() async throws {
        let running = try await RunningServer(
            limits: ControlLimits(longPoll: .seconds(300), pictureInterval: .milliseconds(5)))
        defer { running.server.stop() }
        running.box.onRead = { if $0.reads == 4 { $0.screen = 2 } }
        let answer = try await running.send("GET", "/v1/screen?after=1")
        #expect(answer.status == 200 && answer.body == "JPEG of 2")
        #expect(running.box.reads == 4)
    }

    @Test func aStillScreenSendsNoPicture() async throws {
        let running = try await RunningServer(limits: quick)
        defer { running.server.stop() }
        let answer = try await running.send("GET", "/v1/screen?after=1")
        #expect(answer.status == 204 && answer.body.isEmpty)
    }

    @Test func theScreenIsNotReadWithoutWatchers() async throws {
        let running = try await RunningServer(limits: quick)
        defer { running.server.stop() }
        _ = try await running.send("GET", "/v1/screen?after=1")
        let reads = running.box.reads
        await RealTime.pause(.milliseconds(40))
        #expect(running.box.reads == reads)
    }

    @Test func theReadRateIsLimitedForAnyNumberOfWatchers() async throws {
        let running = try await RunningServer(
            limits: ControlLimits(longPoll: .milliseconds(400), pictureInterval: .milliseconds(100)))
        defer { running.server.stop() }
        let started = RealTime.now
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try? await running.send("GET", "/v1/screen?after=1") } }
        }
        let intervals = (RealTime.now - started) / .milliseconds(100)
        #expect(running.box.reads <= Int(intervals) + 1)
    }

    @Test func tooManyWatchersAreRefused() async throws {
        let running = try await RunningServer(
            limits: ControlLimits(watchers: 1, longPoll: .seconds(300), pictureInterval: .milliseconds(5)))
        defer { running.server.stop() }
        async let first = running.send("GET", "/v1/screen?after=1")
        await withCheckedContinuation { watching in
            running.box.onRead = { if $0.reads == 1 { watching.resume() } }
        }
        #expect(try await running.send("GET", "/v1/screen?after=1").status == 503)
        running.box.screen = 2
        #expect(try await first.body == "JPEG of 2")
    }

    @Test func anUnreadableScreenIsReported() async throws {
        let running = try await RunningServer(limits: quick)
        defer { running.server.stop() }
        running.box.screen = nil
        #expect(try await running.send("GET", "/v1/screen.jpg").status == 503)
        #expect(try await running.send("GET", "/v1/screen?after=1").status == 503)
    }

    @Test func aDisplayThatNeverAnswersIsAskedAgain() async throws {
        let running = try await RunningServer(
            limits: ControlLimits(
                longPoll: .seconds(300), pictureInterval: .milliseconds(5), readTimeout: .milliseconds(20)))
        defer { running.server.stop() }
        running.box.isDeaf = true
        running.box.onRead = { $0.isDeaf = $0.reads < 2 }
        #expect(try await running.send("GET", "/v1/screen.jpg").body == "JPEG of 1")
    }

    @Test func anInvalidSerialIsRefused() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        #expect(try await running.send("GET", "/v1/screen?after=x").status == 400)
    }

    @Test func waitingRequestsEndWhenTheServerStops() async throws {
        let running = try await RunningServer()
        async let waiting = running.send("GET", "/v1/screen?after=1")
        await withCheckedContinuation { watching in
            running.box.onRead = { if $0.reads == 1 { watching.resume() } }
        }
        running.server.stop()
        // Whether the answer is sent before the connection is closed does not matter.
        _ = try? await waiting
    }
}
