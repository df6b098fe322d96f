import MarqueePlayback
import TestSupport

/// Sees whether a player still exists.
@MainActor
private final class Held {
    private(set) weak var player: Player?
    init(_ player: Player?) { self.player = player }
}

/// What a client does wrong, each with what it must get.
@MainActor
struct Mistakes {
    let film: String

    static let all: [(name: String, run: @MainActor (Mistakes) -> () throws -> Void)] = [
        ("lettingGo", lettingGo),
        ("closing", closing),
        ("twice", twice),
        ("early", early),
        ("rates-refused", rates),
        ("cancelling", cancelling),
        ("silence", silence),
        ("slowness", slowness),
        ("observations", observations),
        ("throwing", throwing),
        ("waiting", waiting),
        ("refusals", refusals),
        ("nested", nested),
    ]

    /// Runs a client on a screen in memory in simulated time.
    private func run(_ client: @escaping @MainActor (PlaybackEngines) async throws -> Void) throws {
        try PlaybackEngines.standard(screen: .headless(width: 64, height: 36), sound: .none, time: .simulated).run(client)
    }

    private func item(_ engines: PlaybackEngines) -> PlayerItem { PlayerItem(asset: Asset(url: film, engines: engines)) }

    /// A player whose item stands at its beginning.
    private func ready(_ engines: PlaybackEngines) async throws -> Player {
        let player = try Player(engines: engines)
        player.replaceCurrentItem(with: item(engines))
        check(await player.seek(to: .zero))
        return player
    }

    /// A player that is let go in mid-seek is held until the seek has ended, and then it is gone.
    func lettingGo() throws {
        try run { engines in
            var player: Player? = try await ready(engines)
            let held = Held(player)
            let events = player!.events()
            let seek = Task { [player] in await player?.seek(to: .seconds(3)) }
            player = nil
            await Task.yield()
            check(held.player != nil)
            check(await seek.value == true)
            // The sequence ends with the player.
            for await _ in events {}
            check(held.player == nil)
        }
    }

    /// A player that is closed in mid-seek answers false, its sequences end, and nothing has an effect any more.
    func closing() throws {
        try run { engines in
            let player = try await ready(engines)
            let times = player.times(every: .seconds(1))
            let seek = Task { await player.seek(to: .seconds(3)) }
            await Task.yield()
            player.close()
            player.close()
            check(await seek.value == false)
            for await _ in times {}
            for await _ in player.boundaries(at: [.seconds(1)]) {}
            for await _ in player.events() {}
            check(await player.seek(to: .seconds(1)) == false)
            check(await player.step(byCount: 1) == false)
            check(!player.insert(item(engines)) && !player.replaceCurrentItem(with: nil))
            await checkThrows(PlaybackError.self) { try player.playImmediately(atRate: 1) }
            player.play()
            check(player.currentItem == nil && player.items.isEmpty && player.state.itemStatus == nil)
        }
    }

    /// An item is in one queue, once; when it was removed it can be inserted again.
    func twice() throws {
        try run { engines in
            let player = try await ready(engines)
            let other = try Player(engines: engines)
            let current = player.currentItem!
            let next = item(engines)
            check(player.insert(next) && !player.canInsert(next) && !player.insert(next) && !player.insert(current))
            check(!other.insert(next) && !other.replaceCurrentItem(with: current))
            check(player.items.map(ObjectIdentifier.init) == [current, next].map(ObjectIdentifier.init))
            player.remove(next)
            other.remove(current)
            check(player.items.count == 1 && player.currentItem === current)
            check(other.insert(next) && other.currentItem === next && !player.canInsert(next))
            check(!player.insert(item(engines), after: next))
            other.close()
            check(player.insert(next, after: current))
            // Also an item whose asset is there already.
            check(!player.insert(PlayerItem(asset: next.asset)))
        }
    }

    /// A seek without an item is false, and one before the item is ready is where it begins.
    func early() throws {
        try run { engines in
            let player = try Player(engines: engines)
            check(await player.seek(to: .seconds(1)) == false)
            check(await player.step(byCount: 1) == false)
            let late = item(engines)
            player.replaceCurrentItem(with: late)
            check(late.status == .unknown && late.duration == nil && late.mediaSelectionGroup(for: .audible) == nil)
            check(await player.seek(to: .milliseconds(1490)))
            check(late.status == .readyToPlay && player.currentTime == .milliseconds(1480))
            // Beyond both ends: the last and the first picture.
            check(await player.seek(to: .seconds(100)))
            check(player.currentTime > .milliseconds(3900))
            check(await player.seek(to: .seconds(-100)))
            check(player.currentTime == .zero)
        }
    }

    /// Rates: what is refused changes nothing, and says why.
    func rates() throws {
        try run { engines in
            let player = try Player(engines: engines)
            await checkThrows(PlaybackError.self) { try player.playImmediately(atRate: 2) }
            let late = item(engines)
            player.replaceCurrentItem(with: late)
            do throws(PlaybackError) {
                try player.playImmediately(atRate: 2)
                check(false, "it plays before it is ready")
            } catch {
                check(error.code == .rateNotSupported && error.sentence.contains("not ready"), "\(error)")
            }
            check(await player.seek(to: .zero))
            await checkThrows(PlaybackError.self) { try player.playImmediately(atRate: PlaybackRate(1, 100)) }
            check(player.rate == 0)
            try player.playImmediately(atRate: 2)
            check(player.rate == 2)
        }
    }

    /// Loading that is cancelled says so, others who wait for the same are not disturbed, and it can begin again.
    func cancelling() throws {
        try run { engines in
            let asset = Asset(url: film, engines: engines)
            let tasks = (0..<2).map { _ in Task { try await asset.load(.duration) } }
            await Task.yield()
            tasks[0].cancel()
            await checkThrows(PlaybackError.self) { _ = try await tasks[0].value }
            check(try await tasks[1].value.time == .seconds(4))

            let second = Asset(url: film, engines: engines)
            let loading = Task { try await second.load(.metadata) }
            await Task.yield()
            second.cancelLoading()
            do {
                _ = try await loading.value
                check(false, "it was loaded")
            } catch let error as PlaybackError {
                check(error.code == .cancelled, "\(error)")
            }
            guard case .cancelled = second.status(of: .metadata) else { check(false, "not cancelled"); return }
            check(try await second.load(.metadata).isEmpty == false)

            let third = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await second.load(.duration)
            }
            await checkThrows(PlaybackError.self) { _ = try await third.value }
            guard case .notYetLoaded = second.status(of: .duration) else { check(false, "it began"); return }
        }
    }

    /// A server that never answers is let go when nobody waits for it any more, also in simulated time.
    func silence() throws {
        let server = try LoopbackServer { _ in .silent }
        defer { server.stop() }
        try run { engines in
            let asset = Asset(url: server.url("/film.mp4"), engines: engines)
            let loading = Task { try await asset.load(.tracks) }
            while server.requests.isEmpty { await Task.yield() }
            loading.cancel()
            await checkThrows(PlaybackError.self) { _ = try await loading.value }
            guard case .cancelled = asset.status(of: .tracks) else { check(false, "it is still loading"); return }
        }
    }

    /// A reader that takes a second for each loses no boundary, and gets the newest time only.
    func slowness() throws {
        try run { engines in
            let player = try await ready(engines)
            let times = (1...7).map { MediaTime.milliseconds($0 * 500) }
            let boundaries = player.boundaries(at: times)
            let ticks = player.times(every: .milliseconds(100))
            let events = player.events()
            player.play()
            var passed: [MediaTime] = []
            for await time in boundaries {
                passed.append(time)
                try await engines.wait(for: .seconds(1))
                if passed.count == times.count { break }
            }
            check(passed == times)
            for await case .didPlayToEnd in events { break }
            player.close()
            var late: [MediaTime] = []
            for await time in ticks { late.append(time) }
            check(late.count == 1 && late[0] > .milliseconds(3900), "\(late)")
        }
    }

    /// An observation that was cancelled or let go gets nothing more.
    func observations() throws {
        try run { engines in
            let player = try await ready(engines)
            var calls = 0
            let cancelled = player.addBoundaryTimeObserver(at: [.seconds(1)]) { _ in calls += 1 }
            cancelled.cancel()
            _ = player.addPeriodicTimeObserver(every: .seconds(1)) { _ in calls += 1 }
            let events = player.events()
            player.play()
            for await case .didPlayToEnd in events { break }
            check(calls == 0)
        }
    }

    /// A client that throws ends the main loop with its error, and the engines can be run again.
    func throwing() throws {
        struct Mistake: Error {}
        let engines = try PlaybackEngines.standard(screen: .headless(width: 0, height: -1), sound: .none, time: .simulated)
        do {
            try engines.run { _ in throw Mistake() }
            check(false, "it has not thrown")
        } catch is Mistake {}
        check(try engines.run { engines in try await ready(engines).currentTime } == .zero)
    }

    /// Waiting passes simulated time, and ends at once when it is cancelled.
    func waiting() throws {
        try run { engines in
            try await engines.wait(for: .seconds(3600))
            let waiter = Task { try await engines.wait(for: .seconds(1_000_000_000)) }
            waiter.cancel()
            await checkThrows(CancellationError.self) { try await waiter.value }
        }
    }

    /// A sound card in simulated time, and a graphics card that is not there, are refused in one sentence.
    func refusals() throws {
        let orders: [() throws -> PlaybackEngines] = [
            { try .standard(screen: .headless(width: 64, height: 36), sound: .device("default"), time: .simulated) },
            { try .standard(screen: .card("card63"), sound: .none) },
        ]
        for order in orders {
            do {
                _ = try order()
                check(false, "it was not refused")
            } catch let error as PlaybackError {
                check(error.code == .internal && error.sentence.hasSuffix("."), "\(error)")
            }
        }
    }

    /// A main loop inside of a main loop ends the program.
    func nested() throws { try run { engines in try engines.run { _ in } } }
}
