import LinuxSupport
import MediaTime
import StatusModel
import Synchronization
import TestSupport
import Testing

@testable import MPRIS

/// The player on a bus of its own.
@Suite(.enabled(if: PrivateBus.isPresent, "this machine has no dbus-daemon"))
@MainActor
struct MediaPlayerServiceTests {
    private nonisolated static let player = "org.mpris.MediaPlayer2.Player"
    private let bus: PrivateBus
    private let loop: MainLoop
    private let box = FakePlayer()

    init() throws {
        bus = try PrivateBus()
        loop = try MainLoop(time: .real)
    }

    private func makeService(address: String? = nil, notes: Notes = Notes()) throws -> MediaPlayerService {
        try MediaPlayerService(address: address ?? bus.address, loop: loop, door: box, status: box) { notes.lines.append($0) }
    }

    @MainActor
    private final class Notes { var lines: [String] = [] }

    /// Runs the loop while a client does its part; returns what that returns.
    private func whileClient<Result: Sendable>(
        of bus: PrivateBus? = nil, _ body: @escaping @Sendable (BusClient) -> Result
    ) -> Result? {
        let shared = Shared<Result>()
        let clock = loop.clock
        var isDone = false
        let finish: @MainActor @Sendable () -> Void = { isDone = true }
        (bus ?? self.bus).client({ client in shared.set(body(client)) }) { clock.schedule(after: .zero, finish) }
        loop.run(until: { isDone })
        return shared.get()
    }

    private final class Shared<Result: Sendable>: Sendable {
        private let result = Mutex<Result?>(nil)
        func set(_ value: Result) { result.withLock { $0 = value } }
        func get() -> Result? { result.withLock { $0 } }
    }

    @Test func methodsReachTheBoxAndFailuresTheCaller() throws {
        defer { bus.end() }
        let service = try makeService()
        defer { service.close() }
        loop.run(until: { service.isOwner })
        let answers = whileClient { client in
            [
                client.call(Self.player, "PlayPause"), client.call(Self.player, "Next"),
                client.call(Self.player, "Seek", "(int64 -10000000,)"), client.call(Self.player, "Seek", "('text',)"),
                client.call(Self.player, "OpenUri", "('file:///etc/passwd',)"),
            ]
        }
        #expect(answers?.prefix(3) == ["()", "()", "()"])
        #expect(answers?[3].contains("InvalidArgs") == true && answers?[4].contains("only what its feed has") == true)
        #expect(box.commands == [.togglePlayPause, .key(.next), .skip(.seconds(-10))] && box.origins == ["mpris"])
        // What asks for a state that is there already has no effect, and is no error (MPRIS 2.2, Player: Play, Pause).
        box.answer = .failed(.noChange)
        #expect(whileClient { [$0.call(Self.player, "Play"), $0.call(Self.player, "Pause")] } == ["()", "()"])
        box.answer = .failed(.linear)
        #expect(whileClient { $0.call(Self.player, "Pause") }?.contains("failed(linear)") == true)
    }

    @Test func propertiesAreThoseOfWhatPlays() throws {
        defer { bus.end() }
        box.nowPlaying = NowPlaying(state: .paused, hostTime: loop.clock.now)
        box.nowPlaying.id = "film"
        box.nowPlaying.elapsed = .seconds(90)
        let service = try makeService()
        defer { service.close() }
        loop.run(until: { service.isOwner })
        let found = whileClient { client in
            [
                client.property(Self.player, "PlaybackStatus"), client.property(Self.player, "Position"),
                client.property("org.mpris.MediaPlayer2", "Identity"), client.property("org.mpris.MediaPlayer2", "CanQuit"),
                client.property(Self.player, "None"),
            ]
        }
        #expect(found?.prefix(4) == ["(<'Paused'>,)", "(<int64 90000000>,)", "(<'Marquee'>,)", "(<false>,)"])
        #expect(found?.last?.contains("InvalidArgs") == true)
        let all = whileClient { $0.call("org.freedesktop.DBus.Properties", "GetAll", "('\(Self.player)',)") }
        #expect(all?.contains("'mpris:trackid': <objectpath '/marquee/item/66696c6d'>") == true)
        #expect(all?.contains("'Volume'") == true && all?.contains("'Position'") == true)
    }

    @Test func changesAreTold() throws {
        defer { bus.end() }
        box.nowPlaying = NowPlaying(state: .playing, hostTime: loop.clock.now)
        box.nowPlaying.id = "film"
        box.nowPlaying.elapsed = .seconds(90)
        let service = try makeService()
        defer { service.close() }
        loop.run(until: { service.isOwner })
        let (box, clock) = (self.box, loop.clock)
        let seen = whileClient { client in
            client.signals(until: "Seeked") {
                clock.schedule(after: .zero) {
                    // Nothing has changed: nothing is told.
                    box.statusEvents.send(.nowPlaying)
                    box.nowPlaying.state = .paused
                    box.statusEvents.send(.nowPlaying)
                    box.nowPlaying.elapsed = .seconds(300)
                    box.statusEvents.send(.nowPlaying)
                }
            }
        }
        #expect(
            seen == [
                "PropertiesChanged ('\(Self.player)', {'PlaybackStatus': <'Paused'>}, [])",
                "Seeked (300000000,)",
            ])
    }

    @Test func aSecondPlayerOfTheSessionIsToldSo() throws {
        defer { bus.end() }
        let (first, notes) = (try makeService(), Notes())
        defer { first.close() }
        loop.run(until: { first.isOwner })
        let second = try makeService(notes: notes)
        defer { second.close() }
        loop.run(until: { !notes.lines.isEmpty })
        #expect(notes.lines == ["session bus: another player has the name org.mpris.MediaPlayer2.marquee"] && !second.isOwner)
    }

    @Test func afterARestartOfTheBusItIsThereAgain() throws {
        bus.end()
        let address = "unix:abstract=marquee-test-\(UInt64.random(in: 0...UInt64.max))"
        let first = try PrivateBus(at: address)
        let notes = Notes()
        let service = try makeService(address: address, notes: notes)
        defer { service.close() }
        loop.run(until: { service.isOwner })
        first.end()
        loop.run(until: { !service.isOwner })
        let second = try PrivateBus(at: address)
        defer { second.end() }
        loop.run(until: { service.isOwner })
        #expect(notes.lines.first == "session bus: the connection was lost" && notes.lines.last == "session bus: connected")
        box.statusEvents.send(.nowPlaying)
        let answer = whileClient(of: second) { $0.call(Self.player, "PlayPause") }
        #expect(answer == "()" && box.commands == [.togglePlayPause])
    }

    @Test func afterItHasLeftAnotherPlayerMayCome() throws {
        defer { bus.end() }
        let first = try makeService()
        loop.run(until: { first.isOwner })
        first.close()
        var second: MediaPlayerService?
        // The bus learns that the first has gone when it reads the end of the connection.
        while second?.isOwner != true {
            let notes = Notes()
            let next = try makeService(notes: notes)
            loop.run(until: { next.isOwner || !notes.lines.isEmpty })
            if next.isOwner { second = next } else { next.close() }
        }
        second?.close()
    }

    @Test(arguments: ["unix:path=/nonexistent/bus", "nonsense", ""])
    func withoutABusThereIsASentenceAndNothingElse(address: String) throws {
        defer { bus.end() }
        let notes = Notes()
        let service = try makeService(address: address, notes: notes)
        defer { service.close() }
        loop.run(until: { !notes.lines.isEmpty })
        #expect(notes.lines.count == 1 && notes.lines[0].hasPrefix("session bus: "))
    }

    @Test func aServiceThatIsClosedBeforeTheBusAnswersStaysSilent() throws {
        defer { bus.end() }
        let notes = Notes()
        let service = try makeService(notes: notes)
        service.close()
        #expect(whileClient { $0.call(Self.player, "Play") }?.contains("not provided") == true)
        #expect(notes.lines.isEmpty && box.commands.isEmpty)
    }
}
