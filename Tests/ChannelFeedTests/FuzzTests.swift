import Glibc
import LinuxSupport
import Testing

@testable import ChannelFeed

/// Bounded and seeded: the same feeds in every run. Any result is accepted; a trap fails the run.
@Suite("Mutated feeds")
struct FuzzTests {
    private static let words: [[UInt8]] = [
        "{", "}", "[", "]", ",", ":", "\"", "null", "true", "-1", "0", "1e9", "99999999.999999999", "\"99999999:00\"",
        "99999999999999999999", "\"\"",
        "\"-5\"", "[]", "{}", "\"timeline\": \"content\",", "\"e101\"", "\"m1\"", "\\u0000", "\\ud800", "9223372036854775807",
        "é",
    ].map { Array($0.utf8) }

    /// The number of mutations of each kind: a sample, or `MARQUEE_MUTATIONS` (a long run uses 500000).
    private let mutations = getenv("MARQUEE_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 400

    private func check(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        let options = FeedOptions(clock: .trusted(FeedDate(milliseconds: 1_795_168_800_000)))
        let verdict = FeedReader.read(bytes, baseURL: "https://cdn.example/feed.json", options: options)
        #expect((verdict.feed == nil) == (verdict.exitCode == 1), sourceLocation: sourceLocation)
        #expect((verdict.feed == nil) == verdict.findings.contains { $0.severity == .refusal }, sourceLocation: sourceLocation)
        for finding in verdict.findings {
            #expect(
                !finding.description.utf8.contains(UInt8(ascii: "\n")) && !finding.remedy.isEmpty, sourceLocation: sourceLocation)
        }
        guard let feed = verdict.feed else { return }
        for item in feed.items {
            // An accepted feed is consistent: all its references exist, everything on its timeline is in order.
            if let next = feed.proposal(of: item)?.next {
                #expect(feed.reference(next.id) == next, sourceLocation: sourceLocation)
            }
            #expect(item.timeline.interstitials.count <= item.interstitials.count, sourceLocation: sourceLocation)
            for (first, second) in zip(item.interstitials, item.interstitials.dropFirst()) {
                #expect(first.range.end <= second.range.start, sourceLocation: sourceLocation)
            }
            for (first, second) in zip(item.markers, item.markers.dropFirst()) {
                #expect(first.start <= second.start, sourceLocation: sourceLocation)
            }
            #expect(!item.streams.isEmpty, sourceLocation: sourceLocation)
        }
        for channel in feed.channels {
            for id in channel.items + channel.schedule.items {
                #expect(feed.item(id) != nil, sourceLocation: sourceLocation)
            }
        }
    }

    @Test("changed, removed, duplicated and inserted bytes never crash the reader")
    func bytes() {
        var random = SeededGenerator(seed: 2026)
        let original = Array(fullExample.utf8)
        for _ in 0..<mutations {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
                case 2:
                    bytes.insert(
                        contentsOf: bytes[place..<min(bytes.count, place + Int.random(in: 1...80, using: &random))], at: place)
                case 3: bytes.insert(contentsOf: Self.words.randomElement(using: &random)!, at: place)
                default: bytes = Array(bytes.prefix(place)) + [0x7D]
                }
                if bytes.isEmpty { break }
            }
            check(bytes)
        }
    }

    @Test("values replaced by other values never crash the reader")
    func values() {
        var random = SeededGenerator(seed: 412)
        let original = Array(fullExample.utf8)
        // The start of a value: after a colon. Replacing up to the next comma or bracket keeps most of the texts valid JSON.
        let places = original.indices.filter {
            original[$0] == UInt8(ascii: ":") && $0 + 1 < original.count && original[$0 + 1] == UInt8(ascii: " ")
        }
        let ends: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")]
        for _ in 0..<mutations {
            var bytes = original
            for place in (0..<Int.random(in: 1...3, using: &random)).map({ _ in places.randomElement(using: &random)! }).sorted(
                by: >)
            {
                let end = bytes[(place + 2)...].firstIndex { ends.contains($0) } ?? bytes.count
                bytes.replaceSubrange((place + 2)..<end, with: Self.words.randomElement(using: &random)!)
            }
            check(bytes)
        }
    }

    @Test("a large feed with an error in every item gets a finding for each")
    func manyMistakes() {
        let items = (0..<500).map {
            "{\"id\": \"item\($0)\", \"streams\": [{\"url\": \"a\"}], \"proposal\": {\"next\": \"itm\($0 + 1)\"}}"
        }
        let verdict = read(
            "{\"feedVersion\": 1, \"channels\": [{\"id\": \"a\", \"title\": \"A\", \"streams\": [{\"url\": \"a\"}]}], \"items\": [\(items.joined(separator: ","))]}"
        )
        #expect(verdict.findings.count == 500 && verdict.exitCode == 3)
        #expect(verdict.findings.first?.remedy == "Did you mean \"item1\"?")
    }
}
