import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing
import URLReferences

@testable import Playback

@Suite("Access and error log")
struct PlaybackLogTests {
    private func transfer(_ bytes: Int64, _ milliseconds: Int64, of type: MediaType? = .video, media: MediaTime? = .seconds(4))
        -> SourceLogEntry
    {
        .transferred(
            MediaTransfer(
                url: "http://cdn/a.ts", serverAddress: "127.0.0.1", mediaType: type, byteCount: bytes,
                transferDuration: .milliseconds(milliseconds),
                mediaDuration: media))
    }

    private func log() -> PlaybackLog {
        var log = PlaybackLog(sessionID: "S")
        log.begin(
            RenditionFacts(url: "http://u:p@cdn/low.m3u8?token=1", indicatedBitrate: 1_000_000), type: "VOD", date: nil,
            offset: .zero)
        return log
    }

    @Test("transfers are counted and their speeds measured")
    func figures() throws {
        var log = log()
        log.take(transfer(500_000, 1000), date: nil, position: .zero)
        log.take(transfer(500_000, 4000), date: nil, position: .zero)
        log.take(transfer(1000, 10, of: nil, media: nil), date: nil, position: .zero)
        log.take(transfer(64_000, 5000, of: .audio), date: nil, position: .zero)
        let event = try #require(log.accessEvents.first)
        #expect(event.numberOfMediaRequests == 4)
        #expect(event.numberOfBytesTransferred == 1_065_000)
        #expect(event.segmentsDownloadedDuration == .seconds(12))
        #expect(event.observedMaxBitrate == 4_000_000)
        #expect(event.observedMinBitrate == 102_400)
        #expect(event.downloadOverdue == 1)
        #expect(event.averageVideoBitrate == 1_000_000)
        #expect(event.averageAudioBitrate == 128_000)
        #expect(event.uri == "http://cdn/low.m3u8?token=REDACTED")
        #expect(event.switchBitrate == nil && event.startupTime == nil && event.mediaRequestsWWAN == nil)
    }

    @Test(
        "a request that lasts as long as its film is counted once, and its bytes as they come, also those before the first picture"
    )
    func longRequest() throws {
        func request(_ whole: Int64, new: Int64, isNew: Bool = false, isOver: Bool = false) -> ResourceRequest {
            ResourceRequest(
                whole: MediaTransfer(
                    url: "http://cdn/film.mp4", serverAddress: "127.0.0.1", mediaType: .video, byteCount: whole,
                    transferDuration: .milliseconds(whole / 1000)),
                newBytes: new, newDuration: .milliseconds(new / 1000), isNew: isNew, isOver: isOver)
        }
        var log = PlaybackLog(sessionID: "S")
        log.take(request(300_000, new: 300_000, isNew: true))
        log.begin(RenditionFacts(url: "http://cdn/film.mp4"), type: "FILE", date: nil, offset: .zero)
        log.take(request(500_000, new: 200_000))
        log.take(request(1_000_000, new: 500_000, isOver: true))
        log.take(request(100_000, new: 100_000, isNew: true, isOver: true))
        let event = try #require(log.accessEvents.first)
        #expect(event.numberOfMediaRequests == 2 && event.numberOfBytesTransferred == 1_100_000)
        #expect(event.serverAddress == "127.0.0.1" && event.transferDuration == .milliseconds(1100))
        #expect(event.observedMaxBitrate == 8_000_000 && event.numberOfServerAddressChanges == nil)
    }

    @Test("audio without a duration has no average; transfers without a type count for the bytes alone")
    func unknownFigures() throws {
        var log = log()
        log.take(transfer(64_000, 500, of: .audio, media: .zero), date: nil, position: .zero)
        log.take(transfer(64_000, 500, media: .zero), date: nil, position: .zero)
        log.take(transfer(1000, 0, of: nil, media: nil), date: nil, position: .zero)
        let event = try #require(log.accessEvents.first)
        #expect(event.averageAudioBitrate == nil && event.averageVideoBitrate == nil)
        #expect(event.observedBitrate == 1_032_000)
        #expect(event.observedMinBitrate == 1_024_000 && event.observedMaxBitrate == 1_024_000)
        #expect(event.observedBitrateStandardDeviation == 0 && event.numberOfMediaRequests == 3)
    }

    @Test("the summary adds counts and durations, keeps the outermost rates, and leaves out averages of single periods")
    func summary() throws {
        var log = log()
        log.started(after: .seconds(2))
        log.setMetered(true)
        log.take(transfer(500_000, 1000), date: nil, position: .zero)
        log.take(transfer(64_000, 5000, of: .audio), date: nil, position: .zero)
        log.stalled()
        log.watched(.seconds(10))
        log.dropped(3)
        log.begin(
            RenditionFacts(url: "http://cdn/high.m3u8", indicatedBitrate: 4_000_000), type: "VOD", date: nil, offset: .seconds(10)
        )
        log.setMetered(false)
        log.take(transfer(2_000_000, 2000), date: nil, position: .zero)
        log.stalled()
        log.watched(.seconds(5))
        log.dropped(2)
        let summary = log.summary
        #expect(summary.numberOfMediaRequests == 3 && summary.mediaRequestsWWAN == 2)
        #expect(summary.numberOfBytesTransferred == 2_564_000 && summary.transferDuration == .seconds(8))
        #expect(summary.observedBitrate == 2_564_000)
        #expect(summary.segmentsDownloadedDuration == .seconds(12) && summary.downloadOverdue == 1)
        #expect(summary.numberOfStalls == 2 && summary.numberOfDroppedVideoFrames == 5)
        #expect(summary.durationWatched == .seconds(15) && summary.startupTime == .seconds(2))
        #expect(summary.observedMinBitrate == 102_400 && summary.observedMaxBitrate == 8_000_000)
        #expect(summary.indicatedBitrate == 4_000_000)
        #expect(summary.averageVideoBitrate == nil && summary.averageAudioBitrate == nil)
        #expect(summary.observedBitrateStandardDeviation == nil)
    }

    @Test("a switch closes the event, and a closed event never changes")
    func closing() throws {
        var log = log()
        log.take(transfer(500_000, 1000), date: nil, position: .zero)
        log.take(.delivering(RenditionFacts(url: "http://cdn/high.m3u8")), date: 7, position: .seconds(9))
        let closed = try #require(log.closedAccessEvents.first)
        log.take(transfer(500_000, 1000), date: nil, position: .zero)
        log.stalled()
        log.watched(.seconds(3))
        #expect(log.closedAccessEvents == [closed])
        let open = try #require(log.accessEvents.last)
        #expect(open.playbackStartOffset == .seconds(9))
        #expect(open.switchBitrate == 4_000_000)
        #expect(open.numberOfStalls == 1 && open.durationWatched == .seconds(3))
        // The same variant again is not a switch.
        log.take(.delivering(RenditionFacts(url: "http://cdn/high.m3u8")), date: 8, position: .seconds(12))
        #expect(log.accessEvents.count == 2)
        #expect(log.summary.numberOfBytesTransferred == 1_000_000)
    }

    @Test("recovered errors are logged too, with the status and without secrets")
    func errors() throws {
        var log = log()
        log.take(
            .failed(
                url: "http://cdn/x.ts?sig=9",
                MediaError(.sourceMissing, "Loading http://cdn/x.ts?sig=9 failed: there is nothing.", fault: .status(404))),
            date: 5, position: .zero)
        let event = try #require(log.errorEvents.first)
        #expect(event.errorStatusCode == 404 && event.errorDomain == "SRC-404" && !event.isFatal)
        #expect(event.uri == "http://cdn/x.ts?sig=REDACTED")
        #expect(event.errorComment == "Loading http://cdn/x.ts?sig=REDACTED failed: there is nothing.")
    }

    @Test("the logs are bounded")
    func bounds() {
        var log = log()
        for index in 0..<700 {
            log.begin(RenditionFacts(url: "\(index)"), type: "LIVE", date: nil, offset: .zero)
            log.note(MediaError(.networkDown, "No."), url: nil, date: nil, isFatal: false)
        }
        #expect(log.closedAccessEvents.count == PlaybackLog.mostEvents)
        #expect(log.errorEvents.count == PlaybackLog.mostEvents)
    }

    @Test(
        "secrets are removed from addresses",
        arguments: [
            (
                "https://u:p@h.example/a/b.m3u8?k=v&t=%20&flag#f",
                "https://h.example/a/b.m3u8?k=REDACTED&t=REDACTED&REDACTED#REDACTED"
            ),
            ("http://h/a@b", "http://h/a@b"), ("/var/film.mp4", "/var/film.mp4"), ("http://h", "http://h"),
            ("http://u@h?", "http://h?"),
        ])
    func redaction(_ url: String, _ expected: String) {
        #expect(Redaction.withoutSecrets(url) == expected)
    }

    /// Splits a line of the format at spaces, but not inside quotation marks.
    private func fields(_ line: Substring) -> [String] {
        var (result, current, isQuoted) = ([String](), "", false)
        for character in line {
            if character == "\"" { isQuoted.toggle() }
            if character == " ", !isQuoted {
                result.append(current)
                current = ""
            } else {
                current.append(character)
            }
        }
        return result + [current]
    }

    @Test("the W3C format has its directives and as many values as fields; an unknown value is a dash")
    func extendedFormat() throws {
        var log = PlaybackLog(sessionID: "a \"b\"\nc")
        log.begin(
            RenditionFacts(url: "/films/Über den Wolken.mp4"), type: "FILE", date: 1_795_251_600_500_000_000,
            offset: .milliseconds(1500))
        log.watched(.milliseconds(90_250))
        log.note(MediaError(.decoderUnsupported, "Too \"odd\"."), url: nil, date: nil, isFatal: true)
        for text in [
            ExtendedLogFormat.text(access: log.accessEvents, date: 0), ExtendedLogFormat.text(errors: log.errorEvents, date: nil),
        ] {
            let lines = text.split(separator: "\n")
            #expect(lines.first == "#Version: 1.0")
            let names = try #require(lines.first { $0.hasPrefix("#Fields: ") }).dropFirst(9).split(separator: " ")
            let values = fields(try #require(lines.last))
            #expect(names.count == values.count)
            #expect(!values.contains(""))
        }
        let text = ExtendedLogFormat.text(access: log.accessEvents, date: 0)
        #expect(text.contains("#Date: 1970-01-01 00:00:00"))
        #expect(
            text.contains(
                "2026-11-21 09:00:00 \"a \"\"b\"\" c\" /films/%C3%9Cber%20den%20Wolken.mp4 - - FILE 1.500 - 90.250 0 0 - -"))
        #expect(
            ExtendedLogFormat.text(errors: log.errorEvents, date: nil)
                .hasSuffix("\n- - \"a \"\"b\"\" c\" - - - DEC-UNSUPPORTED 1 \"Too \"\"odd\"\".\"\n"))
    }

    @MainActor
    @Test("a playback is logged: start, watched time, a seek as a new period, the end")
    func playback() throws {
        let rig = try PlayerRig()
        defer { rig.player.close() }
        let item = rig.open(FakeMedia(frameCount: 500, soundDuration: .seconds(20)))
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= .seconds(5) })
        #expect(rig.seek(to: .seconds(15)) == true)
        rig.run(until: { rig.isAtEnd })
        let log = try #require(item.log)
        #expect(log.sessionID == "simulated-1")
        #expect(log.closedAccessEvents.count == 2)
        let (first, second) = (log.closedAccessEvents[0], log.closedAccessEvents[1])
        #expect(first.playbackType == "FILE" && first.startupTime != nil && first.playbackStartOffset == .zero)
        #expect(abs((first.durationWatched ?? .zero).inSeconds - 5) < 0.2)
        #expect(second.playbackStartOffset == .seconds(15) && second.startupTime == nil)
        #expect(abs((second.durationWatched ?? .zero).inSeconds - 5) < 0.2)
        #expect(first.numberOfDroppedVideoFrames == 0 && second.numberOfDroppedVideoFrames == 0)
        let told = rig.events.filter { if case .newAccessLogEntry = $0.event { true } else { false } }
        #expect(told.count == 2)
        rig.player.replaceCurrentItem(with: nil)
        guard
            case .sessionEnded(let ended)? = rig.events.last(where: { if case .sessionEnded = $0.event { true } else { false } })?
                .event
        else {
            Issue.record("the session's end was not told")
            return
        }
        #expect(ended.accessEvents.count == 2)
    }

    @MainActor
    @Test("metric events have the session and the place: a seek, and at the end a summary that agrees with the log")
    func metricEvents() throws {
        let rig = try PlayerRig()
        defer { rig.player.close() }
        let item = rig.open(FakeMedia(frameCount: 500, soundDuration: .seconds(20)))
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= .seconds(5) })
        #expect(rig.seek(to: .seconds(15)) == true)
        rig.run(until: { rig.isAtEnd })
        let log = try #require(item.log)
        rig.player.replaceCurrentItem(with: nil)
        let metrics = rig.events.compactMap { if case .metric(let event) = $0.event { event } else { nil } }
        #expect(metrics.map(\.kind.name) == ["seek", "summary"], "the start is no seek")
        #expect(metrics.allSatisfy { $0.sessionID == "simulated-1" })
        #expect(metrics.first?.mediaTime == .seconds(15))
        guard case .summary(let summary)? = metrics.last?.kind else {
            Issue.record("there is no summary")
            return
        }
        #expect(summary.playbackDuration == log.summary.durationWatched && summary.startupTime == log.summary.startupTime)
        #expect(summary.counts.seeks == 1 && summary.stallCount == 0 && summary.errorCode == nil)
    }

    @MainActor
    @Test("the events of a stream become metric events without secrets; what is no resource of it, and failures, do not")
    func metricEventsOfAStream() throws {
        let services = try PlayerRig()
        defer { services.player.close() }
        let item = PlayerItem(asset: Asset(url: "http://cdn/film.m3u8", services: services.player.services))
        var told: [MetricEvent] = []
        let log = SessionLog(of: item, services: services.player.services, position: { .seconds(7) }) {
            if case .metric(let event) = $0 { told.append(event) }
        }
        func load(_ body: BodyKind, _ type: MediaType? = nil) {
            log.take(
                .transferred(
                    MediaTransfer(
                        url: "http://u:p@cdn/a?token=1", body: body, serverAddress: "10.0.0.1", mediaType: type, byteCount: 9,
                        timeToFirstByte: .milliseconds(1), transferDuration: .milliseconds(2),
                        mediaDuration: type.map { _ in .seconds(4) })))
        }
        let low = RenditionFacts(url: "http://cdn/low?sig=1", indicatedBitrate: 1), high = RenditionFacts(url: "http://cdn/high")
        load(.playlist)
        log.take(.delivering(low))
        load(.media)
        load(.key)
        load(.media, .video)
        load(.document)
        log.take(.delivering(low))
        log.take(.delivering(high))
        log.take(.failed(url: "http://cdn/b", MediaError(.sourceMissing, "Gone.")))
        log.close()
        log.close()
        let request = MetricEvent.Request(
            url: "http://cdn/a?token=REDACTED", serverAddress: "10.0.0.1", byteCount: 9, timeToFirstByte: .milliseconds(1),
            transferDuration: .milliseconds(2))
        let clean = RenditionFacts(url: "http://cdn/low?sig=REDACTED", indicatedBitrate: 1)
        #expect(
            told.dropLast().map(\.kind) == [
                .playlistRequest(request), .variantSwitch(from: nil, to: clean),
                .mediaSegmentRequest(request, mediaType: nil, duration: nil), .contentKeyRequest(request),
                .mediaSegmentRequest(request, mediaType: .video, duration: .seconds(4)), .variantSwitch(from: clean, to: high),
            ])
        #expect(told.allSatisfy { $0.mediaTime == .seconds(7) })
        guard case .summary(let summary)? = told.last?.kind else {
            Issue.record("there is no summary")
            return
        }
        #expect(summary.counts.mediaSegmentRequests == 2 && summary.counts.variantSwitches == 1)
        #expect(summary.counts.playlistRequests == 1 && summary.counts.contentKeyRequests == 1)
        #expect(summary.recoverableErrorCount == 1 && summary.errorCode == nil)
    }

    @MainActor
    @Test("watched time is host time, whatever the rate, and does not pass during a pause")
    func watched() throws {
        let rig = try PlayerRig()
        defer { rig.player.close() }
        let item = rig.open(FakeMedia(frameCount: 500, soundDuration: .seconds(20)))
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= .seconds(4) })
        #expect(rig.player.setRate(Ratio(2)))
        rig.run(until: { rig.player.currentTime >= .seconds(12) })
        rig.player.pause()
        rig.run(for: .seconds(3))
        rig.player.play()
        rig.run(until: { rig.isAtEnd })
        let event = try #require(item.log?.summary)
        #expect(abs((event.durationWatched ?? .zero).inSeconds - 16) < 0.3)
        #expect(event.numberOfStalls == 0)
    }

    @MainActor
    @Test("an item that cannot be played is in the error log")
    func failure() throws {
        let rig = try PlayerRig()
        defer { rig.player.close() }
        let item = PlayerItem(asset: Asset(url: "absent", services: rig.player.services))
        rig.player.replaceCurrentItem(with: item)
        rig.run(until: { item.log?.errorEvents.isEmpty == false })
        #expect(item.log?.errorEvents.first?.isFatal == true)
    }
}
