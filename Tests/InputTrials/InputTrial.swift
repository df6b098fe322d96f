import Captions
import ChannelFeed
import Composition
import Configuration
import FeedConversion
import GeneratedInputs
import HLSPlaylist
import MediaTime
import Metadata
import Playback
import ProgrammeGuide
import Remote
import Shell
import URLReferences

/// Gives generated inputs to the code that reads them, and checks what must hold for every result. A trap ends the process.
package enum InputTrial {
    /// The kinds that can be tried here.
    package static let kinds = InputKind.allCases.filter { ![.eventMessage, .streamDocument, .order, .answer].contains($0) }

    /// Reads the generator's next input.
    ///
    /// - Returns: what does not hold; nil when everything does.
    package static func run(_ generator: inout InputGenerator) -> String? {
        let input = generator.next()
        switch generator.kind {
        case .playlist: return playlist(input)
        case .reload: return reload(input, generator.successor(of: input))
        case .feed: return feed(input)
        case .webVTT, .subRip, .subStation, .ttml: return captions(input)
        case .movie: return movie(input)
        case .matroska, .xiph: return metadata(input)
        case .id3: return tag(input)
        case .bif: return pictures(input)
        case .catalogue: return conversion(input, nil)
        case .mediaRSS: return conversion(input, .mrss)
        case .channelList: return conversion(input, .m3u)
        case .guide: return guide(input)
        case .settings: return settings(input)
        case .keyMap: return keyMap(input)
        case .keyScript: return keyScript(input)
        case .headers: return headers(input)
        case .session: return session(input)
        case .eventMessage, .streamDocument, .order, .answer: return "this kind is tried by the tests of its module"
        }
    }

    /// Whether an input is read as one of its kind: otherwise a trial ends before anything interesting.
    package static func accepts(_ input: [UInt8], as kind: InputKind) -> Bool {
        switch kind {
        case .playlist: parser.parse(input).playlist != nil
        case .reload: parser.parse(input).playlist?.media?.segments.isEmpty == false
        case .feed: FeedReader.read(input, baseURL: "https://cdn.example/feed.json", options: feedOptions).feed != nil
        case .webVTT, .subRip, .subStation, .ttml: (try? CaptionDocument.read(input))?.cues.isEmpty == false
        case .movie:
            (try? MediaMetadata(reading: BytesInMemory(input))).map { !$0.chapters.isEmpty || !$0.items.isEmpty } == true
                || (try? FragmentedText.cues(of: input, initialization: [], offset: .zero))?.isEmpty == false
        case .matroska, .xiph:
            (try? MediaMetadata(reading: BytesInMemory(input))).map { !$0.chapters.isEmpty || !$0.items.isEmpty } == true
        case .bif: BIFIndex(input) != nil
        case .id3: ID3Tag(input)?.items.isEmpty == false
        case .catalogue: converted(input, nil).feed != nil
        case .mediaRSS: converted(input, .mrss).feed != nil
        case .channelList: converted(input, .m3u).feed != nil
        case .guide: (try? XMLTVReader.read(input, within: wholeEra, name: "guide.xml"))?.programmes.isEmpty == false
        case .settings: (try? Configuration(String(decoding: input, as: UTF8.self))) != nil
        case .keyMap: (try? KeyMapFile.read(String(decoding: input, as: UTF8.self), name: "keys.toml"))?.isEmpty == false
        case .keyScript: (try? KeyScript(String(decoding: input, as: UTF8.self)))?.strokes.isEmpty == false
        case .session: Session(String(decoding: input, as: UTF8.self)) != nil
        case .headers, .eventMessage, .streamDocument, .order, .answer: true
        }
    }

    // MARK: Playlists

    private static let parser = PlaylistParser(importedVariables: ["a": "b"], url: "http://h/p?v1=x&b=%41")

    private static func playlist(_ input: [UInt8]) -> String? {
        let parsed = parser.parse(input)
        let report = InspectReport(parsed)
        guard !report.json.isEmpty, !report.text.isEmpty else { return "an empty report" }
        guard let playlist = parsed.playlist else { return parsed.errors.isEmpty ? "refused without a reason" : nil }
        var strict = parser
        strict.leniency = .strict
        if strict.parse(input).playlist != nil, !parsed.errors.isEmpty { return "a strict parse accepts errors" }
        return playlist.media.flatMap(check)
    }

    private static func reload(_ first: [UInt8], _ second: [UInt8]) -> String? {
        guard let old = parser.parse(first).playlist?.media else { return nil }
        let whole = parser.parse(second)
        guard parser.parse(second, reusing: old) == whole else { return "a reload differs from a whole parse" }
        guard let new = whole.playlist?.media, let merged = try? new.merging(into: old) else { return nil }
        return check(merged)
    }

    private static func check(_ playlist: MediaPlaylist) -> String? {
        var time = MediaTime.zero
        for segment in playlist.segments {
            guard segment.startTime == time, segment.duration >= .zero, segment.duration <= .seconds(366 * 86_400) else {
                return "times are not in order"
            }
            guard (segment.byteRange?.end ?? 0) >= 0 else {
                return "numbers beyond the bounds"
            }
            time += segment.duration
        }
        guard time == playlist.totalDuration, playlist.targetDuration > .zero, playlist.targetDuration <= .seconds(366 * 86_400)
        else {
            return "wrong durations"
        }
        guard playlist.segments.dateMarks().count <= playlist.segments.count else { return "more dates than segments" }
        for range in playlist.dateRanges {
            // The distance between any two dates is used for positions.
            if let date = playlist.segments.first?.date {
                _ = SegmentDates(playlist.segments).time(of: date + (range.startDate - date))
            }
            _ = (range.interstitial, range.schedule)
        }
        return nil
    }

    // MARK: Feeds, guides, settings, scripts, headers

    private static let feedOptions = {
        var options = FeedOptions(clock: .trusted(FeedDate(milliseconds: 1_795_168_800_000)))
        options.checkComposition = { text, baseURL in
            CompositionReader.read(text, baseURL: baseURL).findings.map {
                .init(isError: $0.severity == .error, at: $0.pointer, $0.message, $0.remedy)
            }
        }
        return options
    }()

    private static func feed(_ input: [UInt8]) -> String? {
        let verdict = FeedReader.read(input, baseURL: "https://cdn.example/feed.json", options: feedOptions)
        guard (verdict.feed == nil) == (verdict.exitCode == 1) else { return "a wrong exit code" }
        guard verdict.findings.allSatisfy({ !$0.remedy.isEmpty && !$0.description.utf8.contains(UInt8(ascii: "\n")) }) else {
            return "a finding is not one line"
        }
        for item in verdict.feed?.items ?? [] {
            for (one, next) in zip(item.interstitials, item.interstitials.dropFirst()) where one.range.end > next.range.start {
                return "interstitials overlap"
            }
            _ = item.timeline.assetTime(ofContent: .seconds(.max))
            for case .composition(let composition) in item.streams.map(\.location) {
                let verdict = CompositionReader.read(composition.text, baseURL: composition.baseURL)
                guard let document = verdict.document else { return "a composition that passed is refused: \(verdict.findings)" }
                _ = (document.validateForPlaying(), CompositionReport(document).text)
                let end = document.composition.duration
                for time in [.zero, end, .seconds(.max)] as [MediaTime] { _ = document.videoComposition?.picture(at: time) }
            }
        }
        return nil
    }

    private static func converted(_ input: [UInt8], _ kind: SourceKind?) -> ConversionResult {
        var options = ConversionOptions()
        options.kind = kind
        options.baseURL = "https://h.example/"
        return FeedConverter.convert(input, options: options)
    }

    private static func conversion(_ input: [UInt8], _ kind: SourceKind?) -> String? {
        let result = converted(input, kind)
        guard result.findings.allSatisfy({ !$0.remedy.isEmpty && !$0.description.utf8.contains(UInt8(ascii: "\n")) }) else {
            return "a finding is not one line"
        }
        guard let feed = result.feed else {
            return result.findings.contains { $0.severity == .refusal } ? nil : "no feed, and no reason"
        }
        let verdict = FeedReader.read(Array(feed.utf8), baseURL: "")
        guard verdict.exitCode == 0 else { return "a converted feed does not pass the check" }
        return converted(input, kind).feed == feed ? nil : "the same source gives another feed"
    }

    private static let wholeEra = FeedDate(milliseconds: 0)..<FeedDate(milliseconds: 4_000_000_000_000)

    private static func guide(_ input: [UInt8]) -> String? {
        guard let listings = try? XMLTVReader.read(input, within: wholeEra, name: "guide.xml") else { return nil }
        guard listings.remarks.count <= 10 else { return "too many remarks" }
        for programmes in listings.programmes.values {
            guard programmes.allSatisfy({ $0.end > $0.start }) else { return "a programme without a length" }
            for (one, next) in zip(programmes, programmes.dropFirst()) where one.end > next.start { return "programmes overlap" }
        }
        return nil
    }

    private static func settings(_ input: [UInt8]) -> String? {
        do throws(ConfigurationError) {
            let settings = try Configuration(String(decoding: input, as: UTF8.self))
            _ = (settings.report, settings.problems, settings.feedRequestHeaders(serial: "1"))
            return nil
        } catch {
            return error.description.utf8.contains(UInt8(ascii: "\n")) ? "an error of several lines" : nil
        }
    }

    private static func keyMap(_ input: [UInt8]) -> String? {
        do throws(ConfigurationError) {
            let maps = try KeyMapFile.read(String(decoding: input, as: UTF8.self), name: "keys.toml")
            return maps.values.allSatisfy { !$0.isEmpty } ? nil : "a device without keys"
        } catch {
            return error.description.utf8.contains(UInt8(ascii: "\n")) ? "an error of several lines" : nil
        }
    }

    private static func keyScript(_ input: [UInt8]) -> String? {
        guard let script = try? KeyScript(String(decoding: input, as: UTF8.self)) else { return nil }
        return script.strokes.allSatisfy { $0.time >= .zero && $0.length > .zero } ? nil : "a stroke without a length"
    }

    private static func session(_ input: [UInt8]) -> String? {
        guard let session = Session(String(decoding: input, as: UTF8.self)) else { return nil }
        guard session.queue.map({ $0.index >= 0 }) ?? true else { return "a negative place in a queue" }
        return Session(session.text) == session ? nil : "what is written is not what is read"
    }

    private static func headers(_ input: [UInt8]) -> String? {
        let text = String(decoding: input, as: UTF8.self)
        guard !Redaction.inText(text + "Authorization: Bearer 6f1ed002ab5595859014ebf0951522d9").contains("6f1ed002ab") else {
            return "a secret stays"
        }
        for line in text.split(whereSeparator: \.isNewline) {
            let value = line.drop { $0 != " " }.dropFirst()
            let address = URLReference.resolve(reference: String(value), against: "https://h.example/a/b?c#d")
            _ = (Redaction.withoutSecrets(address), URLReference.percentDecoded(value))
        }
        return nil
    }

    // MARK: Captions

    private static func captions(_ input: [UInt8]) -> String? {
        guard let document = try? CaptionDocument.read(input) else { return nil }
        let cues = document.resolved()
        let store = CueStore(countLimit: 64)
        store.insert(cues)
        guard store.all.count <= 64, store.all.allSatisfy({ $0.end > $0.start }) else {
            return "the store keeps what is never shown"
        }
        for cue in cues {
            // A million hours, and a hundred for what has no end.
            guard cue.start >= .zero, cue.start <= .seconds(3_600_000_000), cue.end <= .seconds(3_600_360_000) else {
                return "a time beyond the bounds"
            }
            _ = (cue.plainText, cue.event?.isMoving, store.cues(at: cue.start), cue.shifted(by: .seconds(-1)))
            if let box = cue.box, ![box.x, box.y, box.width, box.height].allSatisfy(\.isFinite) {
                return "a box that is not finite"
            }
        }
        let segment = TimeRange(start: .zero, duration: .seconds(6))
        _ = WebVTTPlacing().cues(of: document, segment: segment) { _, _ in .seconds(-1 << 40) }
        return nil
    }

    // MARK: Boxes, tags, pictures

    private static func movie(_ input: [UInt8]) -> String? {
        guard let metadata = try? MediaMetadata(reading: BytesInMemory(input)) else { return "metadata failed" }
        if let fault = check(metadata) { return fault }
        let cues = (try? FragmentedText.cues(of: input, initialization: [], offset: .seconds(-5))) ?? []
        var samples = TextSampleReader(codec: "mov_text", privateData: [], language: nil)
        _ = (
            cues.map(\.plainText), samples?.cues(input, start: .zero, duration: .seconds(1), beside: ("", "")),
            WebVTTSample.cues(input, start: .zero, end: .seconds(1))
        )
        return nil
    }

    private static func metadata(_ input: [UInt8]) -> String? {
        guard let metadata = try? MediaMetadata(reading: BytesInMemory(input)) else { return "metadata failed" }
        guard metadata.items.count <= 4096, metadata.chapters.count <= 1000 else { return "more than the bounds" }
        return check(metadata)
    }

    private static func tag(_ input: [UInt8]) -> String? {
        guard let tag = ID3Tag(input) else { return nil }
        guard tag.byteCount >= 10, ID3Tag.byteCount(input) == tag.byteCount else { return "a wrong length" }
        guard let metadata = try? MediaMetadata(reading: BytesInMemory(input)) else { return "metadata failed" }
        return check(metadata)
    }

    private static func check(_ metadata: MediaMetadata) -> String? {
        let groups = metadata.chapterGroups(bestMatching: ["de", "en"], duration: .seconds(10)) { "\($0)" }
        guard groups.count == metadata.chapters.count else { return "chapters are lost" }
        _ = (metadata.availableChapterLanguages, metadata.availableFormats, metadata.commonItems)
        return nil
    }

    private static func pictures(_ input: [UInt8]) -> String? {
        guard let index = BIFIndex(input) else { return nil }
        for (one, next) in zip(index.entries, index.entries.dropFirst()) where one.time >= next.time {
            return "pictures are not in order"
        }
        _ = (index.entry(at: .seconds(.max)), index.entry(at: .seconds(-1)))
        return nil
    }
}
