import ChannelFeed
import Languages
import MediaTime
import WireFormats

/// Compares what a feed says with what was found.
enum ProbeRules {
    /// How far a stated duration may be from the stream's.
    static let durationTolerance = MediaTime.seconds(1)
    /// How far an edge of an interstitial may be from a splice.
    static let spliceTolerance = MediaTime.milliseconds(100)

    static func findings(_ question: ProbeQuestion, _ answer: ProbeAnswer) -> [FeedFinding] {
        let pointer = question.pointer
        switch answer {
        case .missing:
            return [
                FeedFinding(
                    .error, .notFound, pointer, "nothing is at this address", "Put the file there, or correct the address.")
            ]
        case .failed(let sentence):
            return [FeedFinding(.error, .notOpened, pointer, part(sentence), "Repair it, or correct the address.")]
        case .unusable(let sentence):
            guard case .thumbnails = question.expectation else {
                return [FeedFinding(.error, .notOpened, pointer, part(sentence), "Repair it, or correct the address.")]
            }
            return [
                FeedFinding(
                    .warning, .notAsStated, pointer, part(sentence), "Make it again, or remove it; the box shows no thumbnails.")
            ]
        case .unplayable(let reason): return [unplayable(reason, at: pointer)]
        case .digest(let digest):
            guard case .digest(let wanted) = question.expectation, wanted != digest else { return [] }
            return [
                FeedFinding(
                    .error, .wrongDigest, pointer, "the file has the SHA-256 \(digest)",
                    "Write that, or put the file there that is meant; a stored copy with another one is not used.")
            ]
        case .stream(let facts): return streamFindings(question, facts)
        case .present, .thumbnails: return []
        }
    }

    private static func unplayable(_ reason: UnplayableStream, at pointer: JSONPointer) -> FeedFinding {
        switch reason {
        case .protected(let name):
            FeedFinding(
                .error, .notOpened, pointer, "its segments are protected with \(name), for which the box has no keys",
                "Offer it unencrypted, or with AES-128.")
        case .keyMissing(let why):
            FeedFinding(.error, .notOpened, pointer, part(why), "Repair the key server, or correct the address in EXT-X-KEY.")
        case .noVariant(let codecs):
            FeedFinding(
                .error, .codecUnsupported, pointer,
                codecs.isEmpty
                    ? "every variant needs a protected connection to the screen (HDCP-LEVEL)"
                    : "this model plays none of its variants, with \(codecs.joined(separator: ", "))",
                "Add a variant that it plays; see marquee doctor.")
        }
    }

    /// A sentence as the middle of a finding.
    private static func part(_ sentence: String) -> String {
        let line = sentence.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }

    private static func streamFindings(_ question: ProbeQuestion, _ facts: StreamFacts) -> [FeedFinding] {
        switch question.expectation {
        case .channel(let stream):
            return hints(stream, at: question.pointer, facts)
        case .item(let item, let stream, let place, let interstitials):
            return duration(item, at: place, facts) + splices(item, at: interstitials, facts)
                + refresh(item, at: place, facts) + hints(stream, at: question.pointer, facts)
        case .present, .thumbnails, .digest: return []
        }
    }

    private static func duration(_ item: Item, at place: JSONPointer, _ facts: StreamFacts) -> [FeedFinding] {
        guard let stated = item.duration else { return [] }
        let pointer = place.appending("duration")
        if facts.isLive {
            return [
                FeedFinding(
                    .warning, .notAsStated, pointer, "the stream is live and has no end",
                    "Offer it as a channel, or add EXT-X-ENDLIST to its playlists.")
            ]
        }
        guard let real = facts.duration, distance(real, stated) > durationTolerance else { return [] }
        return [
            FeedFinding(
                .warning, .notAsStated, pointer, "the stream lasts \(FeedTime.plain(real)), not \(FeedTime.plain(stated))",
                "Write \(FeedTime.plain(real)); the box believes the stream.")
        ]
    }

    /// Only a picture is fetched again.
    private static func refresh(_ item: Item, at place: JSONPointer, _ facts: StreamFacts) -> [FeedFinding] {
        guard item.refresh != nil, !facts.isPicture else { return [] }
        return [
            FeedFinding(
                .warning, .notAsStated, place.appending("refresh"), "the stream is no picture, and is not fetched again",
                "Remove it, or write a stream that is one picture.")
        ]
    }

    /// Both edges of an interstitial are splices of the stream, or its ends.
    private static func splices(_ item: Item, at pointers: [JSONPointer], _ facts: StreamFacts) -> [FeedFinding] {
        guard let splices = facts.splices else { return [] }
        let edges = splices + [.zero] + (facts.duration.map { [$0] } ?? [])
        return zip(item.interstitials, pointers).flatMap { interstitial, pointer in
            [("starts", interstitial.range.start), ("ends", interstitial.range.end)].compactMap { word, edge -> FeedFinding? in
                let nearest = edges.min { (distance($0, edge), $0) < (distance($1, edge), $1) } ?? .zero
                guard distance(nearest, edge) > spliceTolerance else { return nil }
                let found = splices.isEmpty ? "the stream has no splice" : "the nearest splice is at \(nearest)"
                return FeedFinding(
                    .error, .interstitialNotAtSplice, pointer, "\(interstitial.id) \(word) \(edge), \(found)",
                    "Write the time of the splice, or put an EXT-X-DISCONTINUITY there.")
            }
        }
    }

    // MARK: Hints

    private static func hints(_ stream: Stream, at pointer: JSONPointer, _ facts: StreamFacts) -> [FeedFinding] {
        let place = JSONPointer(Array(pointer.tokens.dropLast()), in: pointer.document)
        var findings: [FeedFinding] = []
        func warn(_ key: String, _ message: String, _ remedy: String) {
            findings.append(FeedFinding(.warning, .notAsStated, place.appending(key), message, remedy))
        }
        if let height = stream.maxHeight, let real = facts.height, real != height {
            warn("maxHeight", "the largest picture has \(real) lines, not \(height)", "Write \(real).")
        }
        if let sounds = facts.sounds {
            for hint in stream.audio {
                let isDescription = hint.kind == "description"
                let isThere = sounds.contains { sound in
                    guard let language = sound.language, sound.isDescription || !isDescription else { return false }
                    return LanguageTag.match(language, for: hint.language) != nil
                }
                if !isThere {
                    warn(
                        "audio",
                        "there is no sound in \"\(hint.language)\"\(isDescription ? " that describes the pictures" : "")",
                        "Add the track, or remove the hint.")
                }
            }
        }
        let families = Set(facts.codecs.compactMap(family))
        if !families.isEmpty {
            for codec in stream.codecs {
                guard let family = family(codec), !families.contains(family) else { continue }
                warn("codecs", "the stream has no \(codec)", "Write the codecs that it has.")
            }
        }
        return findings
    }

    /// FFmpeg's name of a codec of RFC 6381, or of itself; nil when it is none of those that are compared.
    private static func family(_ codec: String) -> String? {
        let known = [
            "avc1": "h264", "avc3": "h264", "hvc1": "hevc", "hev1": "hevc", "dvh1": "hevc", "dvhe": "hevc", "vp09": "vp9",
            "av01": "av1",
            "ac-3": "ac3", "ec-3": "eac3", "opus": "opus", "flac": "flac", "fLaC": "flac", "mp3": "mp3", "mp2": "mp2",
        ]
        let head = String(codec.prefix { $0 != "." })
        if head == "mp4a" {
            // Object types 0x6B and 0x69 are MPEG audio.
            let rest = codec.dropFirst(5).lowercased()
            return rest.hasPrefix("6b") || rest.hasPrefix("69") || rest == "40.34" ? "mp3" : "aac"
        }
        return known[head]
            ?? (["h264", "hevc", "vp9", "av1", "aac", "ac3", "eac3", "opus", "flac", "mp3", "mp2"].contains(codec) ? codec : nil)
    }

    private static func distance(_ one: MediaTime, _ other: MediaTime) -> MediaTime { one > other ? one - other : other - one }
}
