import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback
@testable import Transfer

@Suite(
    "Television in datagrams", .serialized, .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct DatagramPlaybackTests {
    /// Twelve seconds of numbered pictures at a constant rate, a key picture each second, with clicks of sound each second.
    private static let channel = NumberedFilm("headend.ts", extra: ["-muxrate", "2000k", "-pat_period", "0.1"]).with {
        $0.frames = 300
        $0.soundSeconds = "12"
    }
    private static let length = Duration.seconds(12)
    private static let url = "udp://@239.1.1.1:5000"

    /// Plays what is sent until a while after its end.
    private func play(_ arrivals: [Headend.Arrival], _ body: (FilmBox, Headend, PlayerItem) throws -> Void) throws {
        var headend: Headend!
        let box = try FilmBox(loader: { clock in
            headend = Headend(clock: clock)
            return headend.loader
        })
        defer { box.close() }
        let item = box.open(Self.url)
        box.player.play()
        headend.send(arrivals)
        try body(box, headend, item)
    }

    /// Plays to the failure that ends each stream which is over, and returns the numbers of the shown pictures.
    ///
    /// - Parameter leastClicks: how many clicks are heard at least by the end of the sending.
    private func numbers(_ arrivals: [Headend.Arrival], leastClicks: Int = 0, _ look: (FilmBox, PlayerItem) -> Void = { _, _ in })
        throws -> [Int]
    {
        var numbers: [Int] = []
        try play(arrivals) { box, headend, item in
            #expect(box.run(within: .seconds(30), until: { headend.isDone }) && box.failures.isEmpty, "\(box.failures)")
            // What was sent last is heard a little later, and discarded with the failure.
            #expect(box.sink.clicks().count >= leastClicks, "\(box.sink.clicks())")
            #expect(box.run(within: .seconds(120), until: { !box.failures.isEmpty }), "nothing ended it")
            #expect(box.failures.first?.code == .sourceTimeout, "\(box.failures)")
            #expect(headend.loader.sources.allSatisfy { !$0.isOpen })
            numbers = box.pictures.compactMap(\.number)
            look(box, item)
            let times = box.pictures.map(\.record.time)
            #expect(times == times.sorted(), "pictures went back")
        }
        return numbers
    }

    @Test(
        "a channel plays, bare and in RTP, with every picture and its sound; its end is told as a silent sender",
        arguments: [false, true])
    func plays(isRTP: Bool) throws {
        let stream = try Self.channel.bytes()
        let arrivals = isRTP ? Headend.rtp(stream, length: Self.length) : Headend.plain(stream, length: Self.length)
        let numbers = try numbers(arrivals, leastClicks: 9) { box, item in
            #expect(item.log?.summary.numberOfMediaRequests == 1 && item.log?.summary.serverAddress == "10.0.0.1")
            #expect(item.log?.errorEvents.count == 1, "\(item.log?.errorEvents ?? [])")
        }
        #expect(Set(0..<300).subtracting(numbers).count <= 8, "\(numbers.count) pictures")
    }

    @Test("a channel that is joined in the middle begins with its next key picture")
    func joined() throws {
        let stream = try Self.channel.bytes()
        let start = stream.count / 3 / 188 * 188 + 188 * 5
        let numbers = try numbers(Headend.plain(Array(stream[start...]), length: .seconds(8)))
        #expect((100...130).contains(numbers.first ?? 0) && (numbers.first ?? 1) % 25 == 0, "\(numbers.first ?? -1)")
        #expect(numbers.count >= 155)
    }

    @Test("with losses of 1 to 30 % it plays on to the end, and the losses are told", arguments: [1, 5, 30])
    func losses(percent: Int) throws {
        let stream = try Self.channel.bytes()
        for isRTP in [true, false] {
            var random = SeededGenerator(seed: UInt64(percent))
            let sent = isRTP ? Headend.rtp(stream, length: Self.length) : Headend.plain(stream, length: Self.length)
            let arrivals = sent.filter { _ in Int.random(in: 0..<100, using: &random) >= percent }
            let numbers = try numbers(arrivals) { box, item in
                let told = item.log?.errorEvents.filter { !$0.isFatal }.compactMap(\.errorComment) ?? []
                #expect(told.contains { $0.contains(isRTP ? "were lost" : "packets of MPEG-TS are missing") }, "\(told)")
            }
            #expect((numbers.last ?? 0) >= 250, "\(percent) %: \(numbers.count) pictures to \(numbers.last ?? -1)")
            #expect(numbers.count >= [1: 150, 5: 60, 30: 5][percent]!, "\(percent) %: \(numbers.count) pictures")
        }
    }

    @Test("packets out of order and doubled ones lose nothing, over the wrap of the numbers")
    func reordered() throws {
        var random = SeededGenerator(seed: 3)
        var arrivals: [Headend.Arrival] = []
        for arrival in Headend.rtp(try Self.channel.bytes(), length: Self.length) {
            var late = arrival
            late.at += .milliseconds(Int.random(in: 0..<60, using: &random))
            arrivals.append(late)
            if Int.random(in: 0..<10, using: &random) == 0 {
                late.at += .milliseconds(20)
                arrivals.append(late)
            }
        }
        let numbers = try numbers(arrivals) { _, item in
            let told = item.log?.errorEvents.compactMap(\.errorComment).joined() ?? ""
            #expect(!told.contains("were lost") && told.contains("came twice"), "\(told)")
        }
        #expect(Set(0..<300).subtracting(numbers).count <= 8, "\(numbers.count) pictures")
    }

    @Test("a second sender to the same address does not disturb the first")
    func twoSenders() throws {
        let other = try Self.channel.with { $0.audio = [] }.bytes()
        var second = Headend.rtp(other, length: Self.length, from: .milliseconds(3), first: 9, source: 8)
        for index in second.indices { second[index].sender = DatagramSender(address: second[index].sender.address, port: 4001) }
        let numbers = try numbers(Headend.rtp(try Self.channel.bytes(), length: Self.length) + second, leastClicks: 9) {
            box, item in
            let told = item.log?.errorEvents.compactMap(\.errorComment).joined() ?? ""
            #expect(told.contains("of another sender"), "\(told)")
        }
        #expect(Set(0..<300).subtracting(numbers).count <= 8, "\(numbers.count) pictures")
    }

    @Test("a minute of silence fails the item with one sentence; opened again it shows what comes then")
    func silence() throws {
        let stream = try Self.channel.bytes()
        let arrivals = Headend.rtp(stream, length: Self.length) + Headend.rtp(stream, length: Self.length, from: .seconds(72))
        try play(arrivals) { box, headend, _ in
            #expect(box.run(within: .seconds(40), until: { !box.failures.isEmpty }))
            #expect(box.failures.first?.sentence.contains("stalled: no MPEG-TS for 5 s") == true, "\(box.failures)")
            // As the box tries again by itself.
            var tries = 0
            while !headend.isDone, tries < 20 {
                tries += 1
                box.forget()
                box.open(Self.url)
                box.player.play()
                box.run(within: .seconds(12), until: { headend.isDone })
                if !box.pictures.isEmpty { box.run(within: .seconds(20), until: { headend.isDone }) }
            }
            let numbers = box.pictures.compactMap(\.number)
            #expect(headend.isDone && numbers.count >= 200 && numbers.last ?? 0 >= 270, "\(numbers.count), \(tries) tries")
        }
    }

    @Test("the clock of the sender may jump by an hour: pictures and sound go on", arguments: [-3600, 3600])
    func clockJump(seconds: Int) throws {
        let first = Self.channel.with { $0.extra += ["-output_ts_offset", "7200"] }
        let second = Self.channel.with { $0.extra += ["-output_ts_offset", "\(7200 + seconds)"] }
        try play(
            Headend.plain(try first.bytes(), length: Self.length)
                + Headend.plain(try second.bytes(), length: Self.length, from: Self.length)
        ) { box, headend, _ in
            #expect(box.run(within: .seconds(120), until: { !box.failures.isEmpty }))
            #expect(headend.isDone && box.failures.first?.code == .sourceTimeout, "\(box.failures)")
            let numbers = box.pictures.compactMap(\.number)
            #expect(numbers.count >= 540 && numbers.last ?? 0 >= 290, "\(numbers.count) pictures, the last \(numbers.last ?? -1)")
        }
    }

    @Test("another table of the programme with other streams in it goes on after it")
    func tableChange() throws {
        let second = Self.channel.with {
            $0.extra += ["-streamid", "0:400", "-streamid", "1:401", "-output_ts_offset", "12", "-mpegts_pmt_start_pid", "300"]
            $0.audio = ["-c:a", "mp2", "-b:a", "128k"]
        }
        try play(
            Headend.plain(try Self.channel.bytes(), length: Self.length)
                + Headend.plain(try second.bytes(), length: Self.length, from: Self.length)
        ) { box, headend, _ in
            #expect(box.run(within: .seconds(120), until: { !box.failures.isEmpty }))
            #expect(headend.isDone && box.failures.first?.code == .sourceTimeout, "\(box.failures)")
            let numbers = box.pictures.compactMap(\.number)
            #expect(numbers.count >= 500 && numbers.last ?? 0 >= 270, "\(numbers.count) pictures, the last \(numbers.last ?? -1)")
        }
    }

    @Test("a place that is asked for is where the next of what is sent stands: nothing is waited for")
    func places() throws {
        try play(Headend.rtp(try Self.channel.bytes(), length: Self.length)) { box, headend, _ in
            box.run(within: .seconds(4), until: { false })
            #expect(box.seek(to: .seconds(50)) == true)
            box.run(within: .seconds(3), until: { false })
            let place = box.player.currentTime
            #expect(place > .seconds(51) && place < .seconds(54), "\(place)")
            #expect(headend.loader.sources.count == 1 && box.failures.isEmpty, "\(box.failures)")
            // As after an error, or when the box starts again.
            box.forget()
            let item = PlayerItem(asset: Asset(url: Self.url, services: box.player.services))
            box.player.replaceCurrentItem(with: item)
            var isSought = false
            box.player.seek(to: .seconds(70), toleranceBefore: .zero, toleranceAfter: .zero) { isSought = $0 }
            box.player.play()
            #expect(box.run(within: .seconds(4), until: { isSought && box.player.currentTime > .seconds(71) }))
            // Sound is there at once, pictures from the next key frame on.
            #expect(box.run(within: .seconds(15), until: { box.pictures.count >= 10 }), "\(box.pictures.count) pictures")
        }
    }

    @Test(
        "a sender whose clock differs is followed: what is received ahead stays, and playback never waits",
        arguments: [-1000, 1000])
    func drift(gain: Int) throws {
        let film = Self.channel.with {
            $0.frames = 6000
            $0.soundSeconds = "240"
        }
        let length = Duration.nanoseconds(240_000_000_000 * 1_000_000 / Int64(1_000_000 + gain))
        try play(Headend.plain(try film.bytes(), length: length)) { box, headend, item in
            box.readsPictures = false
            var leads: [MediaTime] = []
            for _ in 0..<23 {
                box.run(within: .seconds(10), until: { false })
                guard let until = box.player.loadedTimeRanges.last?.end else { continue }
                leads.append(until - box.player.currentTime)
            }
            // Without a correction it would change by 210 ms.
            let (first, last) = (try #require(leads.dropFirst().first), try #require(leads.last))
            #expect((first - last).magnitude < .milliseconds(100), "\(leads.map { $0.nanoseconds / 1_000_000 }) ms")
            #expect(item.log?.summary.numberOfStalls == 0 && box.failures.isEmpty)
            #expect(box.pictures.count >= 5700)
        }
    }
}
