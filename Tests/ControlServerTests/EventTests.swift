import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import StatusModel
import Testing

@testable import ControlServer

/// Server-sent events.
@MainActor
struct EventTests {
    // MARK: The ring

    @Test func aRingGivesWhatAClientHasMissed() {
        var ring = EventRing(capacity: 3)
        #expect(ring.after(0) == [])
        for number in 1...5 { ring.append(.now, "\(number)") }
        #expect(ring.after(5) == [])
        #expect(ring.after(3)?.map(\.data) == ["4", "5"])
        #expect(ring.after(2)?.map(\.number) == [3, 4, 5])
        #expect(ring.after(1) == nil, "2 was dropped")
        #expect(ring.after(6) == nil, "6 was never given")
        #expect(ring.after(.max) == nil)
    }

    // MARK: The desk

    private func desk(_ box: FakeBox, _ limits: ControlLimits = ControlLimits(eventPause: .zero)) -> EventDesk {
        EventDesk(
            status: box, limits: limits, epoch: "e", describe: { NowAnswer(box.nowPlaying, age: .zero) },
            describeFeed: { FeedAnswer(box.feedStatus) })
    }

    private func fault(_ code: String) -> StatusEvent {
        .error(PlaybackFault(code: code, sentence: "s", session: "A-1", isFatal: true))
    }

    @Test func aNewClientIsToldTheStateAndThenWhatChanges() async throws {
        let box = FakeBox()
        let desk = desk(box)
        let client = try #require(desk.subscribe(after: nil))
        #expect(client.opening.hasPrefix("retry: 3000\n\nid: e-0\nevent: now\ndata: {"))
        #expect(client.opening.contains("event: feed\n") && !client.opening.contains("event: reset"))
        box.statusEvents.send(fault("SRC-404"))
        let batch = try #require(await desk.next(client.id, after: client.cursor))
        #expect(
            batch.text(of: Set(EventKind.allCases)) == """
                id: e-1
                event: error
                data: {"code":"SRC-404","fatal":true,"sentence":"s","session":"A-1"}


                """)
        async let next = desk.next(client.id, after: batch.cursor)
        box.nowPlaying.state = .playing
        box.statusEvents.send(.nowPlaying)
        #expect(await next?.text(of: [.now]).hasPrefix("id: e-2\nevent: now\n") == true)
    }

    @Test func interstitialsAndProposalsAreToldStepByStep() async throws {
        let box = FakeBox()
        let desk = desk(box)
        let client = try #require(desk.subscribe(after: nil))
        func send(_ event: ViewingEvent) {
            box.statusEvents.send(.viewing(ViewingReport(event: event, item: "e1", session: "A-1", date: 0)))
        }
        let ad = Interstitial(id: "a1", range: TimeRange(start: .zero, duration: .seconds(9)))
        send(.interstitial(ad, .began))
        send(.interstitial(ad, .reached(percent: 25)))
        send(.interstitial(ad, .ended(.completed)))
        send(.proposal(next: "e2", .offered))
        send(.proposal(next: "e2", .accepted(automatic: true)))
        let text = try #require(await desk.next(client.id, after: client.cursor)).text(of: Set(EventKind.allCases))
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("id: ") }
        let common = #""date":"1970-01-01T00:00:00.000Z""#
        #expect(
            lines == [
                "event: interstitial",
                "data: {\(common),\"interstitial\":\"a1\",\"item\":\"e1\",\"kind\":\"ad\",\"session\":\"A-1\",\"step\":\"begin\"}",
                "event: interstitial",
                "data: {\(common),\"interstitial\":\"a1\",\"item\":\"e1\",\"kind\":\"ad\",\"percent\":25,\"session\":\"A-1\",\"step\":\"quartile\"}",
                "event: interstitial",
                "data: {\(common),\"interstitial\":\"a1\",\"item\":\"e1\",\"kind\":\"ad\",\"outcome\":\"completed\",\"session\":\"A-1\",\"step\":\"end\"}",
                "event: proposal",
                "data: {\(common),\"item\":\"e1\",\"next\":\"e2\",\"session\":\"A-1\",\"step\":\"offered\"}",
                "event: proposal",
                "data: {\"automatic\":true,\(common),\"item\":\"e1\",\"next\":\"e2\",\"session\":\"A-1\",\"step\":\"accepted\"}",
            ])
    }

    @Test func dateRangesAndTimedMetadataAreToldWithTheirContent() async throws {
        let box = FakeBox()
        let desk = desk(box)
        let client = try #require(desk.subscribe(after: nil))
        func send(_ cue: StreamCue) {
            box.statusEvents.send(.viewing(ViewingReport(event: .cue(cue), item: "e1", session: "A-1", date: 0)))
        }
        var range = StreamCue.DateRange(id: "break-7", start: .milliseconds(33_400), startDate: 1_000_000_000)
        range.attributes = [.init(name: "SCTE35-OUT", value: "0xFC30"), .init(name: "X-SPONSOR", value: "Tide")]
        range.plannedDuration = .seconds(30)
        send(.began(range))
        (range.classID, range.endDate, range.duration, range.omitted) = ("com.example", 2_500_000_000, .milliseconds(1500), 1)
        send(.ended(range))
        var tag = StreamCue.Metadata(scheme: "org.id3", start: .seconds(4))
        tag.frames = [
            .init(key: "TXXX", info: "ad", content: .text("spot")),
            .init(key: "APIC", info: nil, content: .data(byteCount: 9, type: "image/png")),
            .init(key: "", info: nil, content: .splice("0xFC")),
        ]
        send(.metadata(tag))
        let text = try #require(await desk.next(client.id, after: client.cursor)).text(of: [.dateRange, .timedMetadata])
        let common = #""date":"1970-01-01T00:00:00.000Z""#
        let attributes = #""attributes":{"SCTE35-OUT":"0xFC30","X-SPONSOR":"Tide"}"#
        let ids = #""item":"e1""#
        let begin = #"""
            data: {\#(attributes),\#(common),"dateRange":"break-7",\#(ids),"plannedDuration":30,"session":"A-1","start":33.4,\#
            "startDate":"1970-01-01T00:00:01.000Z","step":"begin"}
            """#
        let end = #"""
            data: {\#(attributes),"class":"com.example",\#(common),"dateRange":"break-7","duration":1.5,\#
            "endDate":"1970-01-01T00:00:02.500Z",\#(ids),"omitted":1,"plannedDuration":30,"session":"A-1","start":33.4,\#
            "startDate":"1970-01-01T00:00:01.000Z","step":"end"}
            """#
        let metadata = #"""
            data: {\#(common),"frames":[{"info":"ad","key":"TXXX","text":"spot"},\#
            {"bytes":9,"key":"APIC","type":"image/png"},{"key":"","scte35":"0xFC"}],\#(ids),\#
            "scheme":"org.id3","session":"A-1","start":4}
            """#
        let lines = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("id: ") }
        #expect(lines == ["event: dateRange", begin, "event: dateRange", end, "event: timedMetadata", metadata])
    }

    @Test func metricEventsAreSentAsTheyAreMeasured() async throws {
        let box = FakeBox()
        let desk = desk(box)
        let client = try #require(desk.subscribe(after: nil))
        func send(_ kind: MetricEvent.Kind) {
            box.statusEvents.send(.metric(MetricEvent(sessionID: "A-1", date: 0, mediaTime: .milliseconds(33_400), kind: kind)))
        }
        let request = MetricEvent.Request(
            url: "http://cdn/a.ts", serverAddress: nil, byteCount: 9, timeToFirstByte: .milliseconds(20),
            transferDuration: .milliseconds(250))
        send(.mediaSegmentRequest(request, mediaType: .video, duration: .seconds(4)))
        send(.stall)
        let text = try #require(await desk.next(client.id, after: client.cursor)).text(of: Set(EventKind.allCases))
        #expect(
            text == """
                id: e-1
                event: metric
                data: {"bytes":9,"date":"1970-01-01T00:00:00.000Z","duration":4,"kind":"mediaSegmentRequest","map":false,\
                "mediaTime":33.4,"mediaType":"video","session":"A-1","timeToFirstByte":0.02,"transferDuration":0.25,\
                "url":"http://cdn/a.ts"}

                id: e-2
                event: metric
                data: {"date":"1970-01-01T00:00:00.000Z","kind":"stall","mediaTime":33.4,"session":"A-1"}


                """)
        #expect(
            try #require(desk.subscribe(after: "e-1")).opening.hasSuffix(
                "\"kind\":\"stall\",\"mediaTime\":33.4,\"session\":\"A-1\"}\n\n"))
    }

    @Test func aClientThatComesBackReceivesWhatItMissed() throws {
        let box = FakeBox()
        let desk = desk(box)
        let first = try #require(desk.subscribe(after: nil))
        desk.leave(first.id)
        box.statusEvents.send(fault("SRC-404"))
        box.statusEvents.send(fault("NET-DOWN"))
        let again = try #require(desk.subscribe(after: "e-1"))
        #expect(again.opening.contains("id: e-2\n") && again.opening.contains("NET-DOWN"))
        #expect(!again.opening.contains("SRC-404") && !again.opening.contains("event: now"))
        #expect(again.cursor == 2)
    }

    @Test(arguments: ["e-9", "other-1", "e-", "e--1", "", "e-99999999999999999999", String(repeating: "e", count: 8000)])
    func anIDThatMeansNothingBeginsAgain(id: String) throws {
        let desk = desk(FakeBox())
        let client = try #require(desk.subscribe(after: id))
        #expect(client.opening.contains("event: reset\ndata: {}\n\n"))
        #expect(client.opening.contains("event: now\n"))
    }

    @Test func aClientThatFallsBehindTheRingIsDropped() async throws {
        let box = FakeBox()
        let desk = desk(box, ControlLimits(events: 2, eventPause: .zero))
        let client = try #require(desk.subscribe(after: nil))
        for _ in 0..<3 { box.statusEvents.send(fault("SRC-404")) }
        #expect(await desk.next(client.id, after: client.cursor) == nil)
        #expect(await desk.next(client.id, after: 1) != nil)
    }

    @Test func aQuietConnectionHasAHeartbeat() async throws {
        let desk = desk(FakeBox(), ControlLimits(heartbeat: .milliseconds(5)))
        let client = try #require(desk.subscribe(after: nil))
        let batch = try #require(await desk.next(client.id, after: client.cursor))
        #expect(batch.text(of: Set(EventKind.allCases)) == ": still here\n\n" && batch.cursor == client.cursor)
    }

    @Test func clientsAreLimitedAndLeave() throws {
        let desk = desk(FakeBox(), ControlLimits(eventStreams: 2))
        let first = try #require(desk.subscribe(after: nil))
        #expect(desk.subscribe(after: nil) != nil)
        #expect(desk.subscribe(after: nil) == nil)
        desk.leave(first.id)
        #expect(desk.subscribe(after: nil) != nil)
    }

    @Test func theEndOfTheServerEndsTheWait() async throws {
        let desk = desk(FakeBox())
        let client = try #require(desk.subscribe(after: nil))
        async let next = desk.next(client.id, after: client.cursor)
        desk.close()
        #expect(await next == nil)
        #expect(desk.subscribe(after: nil) == nil)
    }

    // MARK: News

    @Test func onlyWhatAClientCannotExtrapolateIsNews() {
        var old = NowPlaying(state: .playing, hostTime: .zero)
        (old.rate, old.assetTime, old.elapsed) = (Ratio(3, 2), .seconds(10), .seconds(10))
        var new = old
        (new.hostTime, new.assetTime, new.elapsed) = (.zero + .seconds(4), .seconds(16), .seconds(16))
        #expect(!new.isNews(after: old))
        new.assetTime = .seconds(20)
        #expect(new.isNews(after: old), "a seek")
        new.assetTime = .seconds(16)
        new.state = .paused
        #expect(new.isNews(after: old))
        new = old
        new.assetTime = nil
        #expect(new.isNews(after: old))
    }

    // MARK: On the wire

    @Test func eventsArriveOnTheWireUntilTheServerStops() async throws {
        let running = try await RunningServer(limits: ControlLimits(eventPause: .zero))
        let socket = try ClientSocket(to: PortReservation.loopback(running.server.port))
        try socket.write("GET /v1/events HTTP/1.1\r\nHost: \(running.host)\r\n\r\n")
        let head = String(decoding: await socket.read { $0.contains(sequence: "event: feed") }, as: UTF8.self)
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"))
        running.box.statusEvents.send(fault("SRC-404"))
        #expect(await socket.read { $0.contains(sequence: "SRC-404") }.contains(sequence: "event: error"))
        running.server.stop()
        // It returns when the connection has ended.
        _ = await socket.read()
    }

    @Test func aClientThatTakesNothingIsDropped() async throws {
        let running = try await RunningServer(
            limits: ControlLimits(sendTime: .milliseconds(50), sweepInterval: .milliseconds(10), events: 8, eventPause: .zero))
        defer { running.server.stop() }
        let socket = try ClientSocket(to: PortReservation.loopback(running.server.port))
        try socket.write("GET /v1/events HTTP/1.1\r\nHost: \(running.host)\r\n\r\n")
        _ = await socket.read { $0.contains(sequence: "event: feed") }
        // More than the buffers of both sockets hold: a long sentence in each event, until the server ends the connection.
        let sentence = String(repeating: "x", count: 1 << 20)
        while running.server.events.clientCount > 0 {
            running.box.statusEvents.send(
                .error(PlaybackFault(code: "SRC-404", sentence: sentence, session: nil, isFatal: false)))
            await RealTime.pause(.milliseconds(5))
        }
    }
}

extension [UInt8] {
    /// Whether these bytes contain a text.
    fileprivate func contains(sequence text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
