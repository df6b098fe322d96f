import Foundation
import HLSPlaylist
import MediaTime
import Testing

/// Playlists of other projects, next to this one in `shared/corpus/hls`. The tests are skipped without it.
@Suite(.enabled(if: Corpus.isThere, "the corpus is not beside the project"))
struct CorpusTests {
    @Test(arguments: Corpus.playlists)
    func parsesOrIsRefusedWithAReason(path: String) throws {
        let parsed = PlaylistParser().parse(try Corpus.bytes(path))
        guard parsed.playlist == nil else { return }
        let error = try #require(parsed.errors.last)
        #expect(!error.message.isEmpty)
    }

    @Test(arguments: Corpus.playlists)
    func reportsAsJSONThatCanBeReadBack(path: String) throws {
        let report = InspectReport(PlaylistParser().parse(try Corpus.bytes(path)))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        #expect(object["errors"] is [Any])
        #expect(report.isRefused == (object["kind"] == nil))
        #expect(!report.text.isEmpty)
    }

    // MARK: - The tables of videojs/m3u8-parser

    /// Cases in which that parser's tables contradict RFC 8216bis; this parser follows the RFC.
    static let videojsRefused: Set<String> = ["empty", "headerOnly", "manifestNoExtM3u", "start"]
    static let videojsDiffers: [String: Set<String>] = [
        // It changes a duration of zero to 0.01 s; here a playlist of such durations has the target duration.
        "zeroDuration": ["segment 0 duration"],
        // It gives no duration to a segment before the target duration; here it gets the target duration.
        "multipleTargetDurations": ["segment 0 duration"],
        // It keeps a sign; numbers of RFC 8216, 4.2, have none, and count up to 2^64-1.
        "negativeMediaSequence": ["mediaSequence"],
    ]

    static let videojsNames = Corpus.playlists.filter { $0.contains("/videojs-m3u8-parser/") }.map {
        URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent
    }

    @Test(arguments: videojsNames)
    func agreesWithTheTableOfVideojs(name: String) throws {
        let wanted = try Corpus.object("expected/videojs-m3u8-parser/\(name).json")
        let report = InspectReport(PlaylistParser().parse(try Corpus.bytes("playlists/videojs-m3u8-parser/\(name).m3u8")))
        #expect(report.isRefused == Self.videojsRefused.contains(name))
        guard !report.isRefused else { return }
        let found = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        var comparison = Comparison()
        if found["kind"] as? String == "media" {
            comparison.videojsMedia(wanted, found)
        } else {
            comparison.videojsMultivariant(wanted, found)
        }
        #expect(comparison.differences == Self.videojsDiffers[name] ?? [])
    }

    // MARK: - Comparison with globocom/m3u8

    /// Cases in which that package differs, with the reason for not following it.
    static let globocomDiffers: [String: Set<String>] = [
        // It substitutes no variables; the playlists use them as in RFC 8216bis 4.3.
        "playlists/carlanton-m3u8-parser/multivariant/multivariant-variables.m3u8": ["variant 0 uri"],
        "playlists/hlsjs-inline/m3u8-parser-L02788.m3u8": [
            "rendition 0 groupId", "rendition 0 language", "rendition 0 uri", "variant 0 uri", "variant 0 audio",
            "variant 1 codecs",
            "variant 1 uri", "variant 0 codecs",
        ],
        "playlists/videojs-m3u8-parser/negativeMediaSequence.m3u8": ["media sequence"],
        // It keeps negative durations and target durations, which make no timeline.
        "playlists/carlanton-m3u8-parser/open-m3u8/negativeDurationMediaPlaylist.m3u8": [
            "segment 0 duration", "segment 1 duration", "segment 2 duration", "target duration",
        ],
        "playlists/videojs-m3u8-parser/manifestExtTTargetdurationNegative.m3u8": ["target duration"],
        // It keeps invalid playlist types and an empty resolution.
        "playlists/videojs-m3u8-parser/extXPlaylistTypeInvalidPlaylist.m3u8": ["playlist type"],
        "playlists/videojs-m3u8-parser/invalidPlaylistType.m3u8": ["playlist type"],
        "playlists/hlsjs-inline/level-controller-L00275.m3u8": ["variant 5 resolution"],
        // It counts the parts after the last segment as a segment without URI.
        "playlists/hlsjs-inline/level-helper-L02299.m3u8": [
            "segments", "segment count", "segment 3 parts", "segment 3 uri", "segment 3 date", "segment 4 uri", "segment 4 date",
        ],
        // It treats playlists that contain only renditions or session data as media playlists.
        "playlists/hlsjs-inline/m3u8-parser-L01163.m3u8": ["kind"],
        "playlists/sethdeckard-m3u8/session_data.m3u8": ["kind"],
        // It drops segments without EXTINF; the table of videojs, which is followed, has them.
        "playlists/sethdeckard-m3u8/date_range_scte35.m3u8": [
            "segments", "segment 0 uri", "segment 0 duration", "segment 1 uri", "segment 1 duration", "segment 2 uri",
            "segment 2 duration",
        ],
        "playlists/videojs-m3u8-parser/liveMissingSegmentDuration.m3u8": ["segments"],
        "playlists/videojs-m3u8-parser/missingExtinf.m3u8": ["segments"],
        "playlists/videojs-m3u8-parser/missingSegmentDuration.m3u8": ["segments"],
        "playlists/videojs-m3u8-parser/multipleTargetDurations.m3u8": ["segments", "segment 0 uri", "segment 0 duration"],
        // It keeps `587500@` as written, and changes a duration of zero to 0.01 s.
        "playlists/videojs-m3u8-parser/llhls-byte-range.m3u8": ["segment 0 range"],
        "playlists/videojs-m3u8-parser/zeroDuration.m3u8": ["segment 0 duration"],
    ]

    @Test(arguments: Corpus.globocom.keys.sorted())
    func agreesWithGlobocom(path: String) throws {
        let wanted = try #require(Corpus.globocom[path])
        let report = InspectReport(PlaylistParser().parse(try Corpus.bytes(path)))
        guard !report.isRefused else { return }
        let found = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        var comparison = Comparison()
        comparison.globocom(wanted, found)
        #expect(comparison.differences == Self.globocomDiffers[path] ?? [])
    }
}

/// Collects the differences between a report and an expected table.
struct Comparison {
    var differences: Set<String> = []

    mutating func equal(_ name: String, _ wanted: Any?, _ found: Any?) {
        let wanted = wanted is NSNull ? nil : wanted
        let found = found is NSNull ? nil : found
        switch (wanted, found) {
        case (nil, nil): return
        case (let wanted as NSNumber, let found as NSNumber):
            if abs(wanted.doubleValue - found.doubleValue) < 1e-6 { return }
        case (let wanted as String, let found as String):
            // Blanks around a title or a name carry no meaning.
            if wanted.trimmingCharacters(in: .whitespaces) == found.trimmingCharacters(in: .whitespaces) { return }
        case (let wanted as String, let found as NSNumber):
            if Double(wanted) == found.doubleValue { return }
        default: break
        }
        differences.insert(name)
        print("difference: \(name): wanted \(wanted ?? "nothing"), found \(found ?? "nothing")")
    }

    mutating func dates(_ name: String, _ wanted: Any?, _ found: Any?) {
        let wanted = (wanted as? String).flatMap { WallClockTime(iso8601: $0)?.description }
        equal(name, wanted, found)
    }

    mutating func videojsMedia(_ wanted: [String: Any], _ found: [String: Any]) {
        for (key, ours) in [
            ("targetDuration", "targetDuration"), ("mediaSequence", "mediaSequence"), ("playlistType", "playlistType"),
            ("discontinuitySequence", "discontinuitySequence"), ("version", "version"),
        ] {
            equal(key, wanted[key], found[ours])
        }
        equal("endList", wanted["endList"] ?? false, found["endList"])
        equal("independentSegments", wanted["independentSegments"] ?? false, found["independentSegments"])
        equal("iFramesOnly", wanted["iFramesOnly"] ?? false, found["iFramesOnly"])
        let wantedSegments = wanted["segments"] as? [[String: Any]] ?? []
        let segments = found["segments"] as? [[String: Any]] ?? []
        equal("segment count", wantedSegments.count, segments.count)
        for (index, (want, have)) in zip(wantedSegments, segments).enumerated() {
            equal("segment \(index) uri", want["uri"], have["uri"])
            equal("segment \(index) duration", want["duration"], have["duration"])
            equal("segment \(index) discontinuity", want["discontinuity"] ?? false, have["discontinuity"])
            equal("segment \(index) timeline", want["timeline"], have["discontinuitySequence"])
            byteRange("segment \(index)", want["byterange"], have["byteRange"])
            dates("segment \(index) date", want["dateTimeString"], have["programDateTime"])
            let (wantKey, haveKey) = (want["key"] as? [String: Any], have["key"] as? [String: Any])
            equal("segment \(index) key method", wantKey?["method"], haveKey?["method"])
            equal("segment \(index) key uri", wantKey?["uri"], haveKey?["uri"])
            let (wantMap, haveMap) = (want["map"] as? [String: Any], have["map"] as? [String: Any])
            equal("segment \(index) map uri", wantMap?["uri"], haveMap?["uri"])
            byteRange("segment \(index) map", wantMap?["byterange"], haveMap?["byteRange"])
            parts("segment \(index)", want["parts"], have["parts"])
        }
        let preload = wanted["preloadSegment"] as? [String: Any]
        parts("trailing", preload?["parts"], found["parts"])
        let wantedHints = preload?["preloadHints"] as? [[String: Any]] ?? []
        let hints = found["preloadHints"] as? [[String: Any]] ?? []
        equal("hint count", wantedHints.count, hints.count)
        for (want, have) in zip(wantedHints, hints) {
            equal("hint type", want["type"], have["type"])
            equal("hint uri", want["uri"], have["uri"])
        }
        let skip = wanted["skip"] as? [String: Any]
        equal("skipped", skip?["skippedSegments"] ?? 0, found["skippedSegments"])
        let (start, ours) = (wanted["start"] as? [String: Any], found["start"] as? [String: Any])
        equal("start", start?["timeOffset"], ours?["timeOffset"])
        if let control = wanted["serverControl"] as? [String: Any] {
            let ours = found["serverControl"] as? [String: Any]
            equal("canSkipUntil", control["canSkipUntil"], ours?["canSkipUntil"])
            equal("holdBack", control["holdBack"], ours?["holdBack"])
            equal("partHoldBack", control["partHoldBack"], ours?["partHoldBack"])
        }
    }

    mutating func byteRange(_ name: String, _ wanted: Any?, _ found: Any?) {
        let (want, have) = (wanted as? [String: Any], found as? [String: Any])
        equal("\(name) length", want?["length"], have?["length"])
        equal("\(name) offset", want?["offset"], have?["offset"])
    }

    mutating func parts(_ name: String, _ wanted: Any?, _ found: Any?) {
        let (want, have) = (wanted as? [[String: Any]] ?? [], found as? [[String: Any]] ?? [])
        equal("\(name) part count", want.count, have.count)
        for (want, have) in zip(want, have) {
            equal("\(name) part uri", want["uri"], have["uri"])
            equal("\(name) part duration", want["duration"], have["duration"])
            equal("\(name) part independent", want["independent"] ?? false, have["independent"])
            equal("\(name) part gap", want["gap"] ?? false, have["gap"])
        }
    }

    mutating func videojsMultivariant(_ wanted: [String: Any], _ found: [String: Any]) {
        for (list, ours) in [("playlists", "variants"), ("iFramePlaylists", "iFrameVariants")] {
            let (wants, haves) = (wanted[list] as? [[String: Any]] ?? [], found[ours] as? [[String: Any]] ?? [])
            equal("\(ours) count", wants.count, haves.count)
            for (index, (want, have)) in zip(wants, haves).enumerated() {
                let attributes = want["attributes"] as? [String: Any] ?? [:]
                equal("\(ours) \(index) uri", want["uri"], have["uri"])
                for (key, name) in [
                    ("BANDWIDTH", "bandwidth"), ("AVERAGE-BANDWIDTH", "averageBandwidth"), ("CODECS", "codecs"),
                    ("FRAME-RATE", "frameRate"), ("AUDIO", "audio"), ("VIDEO", "video"), ("SUBTITLES", "subtitles"),
                    ("CLOSED-CAPTIONS", "closedCaptions"), ("VIDEO-RANGE", "videoRange"), ("HDCP-LEVEL", "hdcpLevel"),
                ] {
                    equal("\(ours) \(index) \(name)", attributes[key], have[name])
                }
                let (size, mine) = (attributes["RESOLUTION"] as? [String: Any], have["resolution"] as? [String: Any])
                equal("\(ours) \(index) width", size?["width"], mine?["width"])
                equal("\(ours) \(index) height", size?["height"], mine?["height"])
            }
        }
        let groups = wanted["mediaGroups"] as? [String: [String: [String: [String: Any]]]] ?? [:]
        let renditions = found["renditions"] as? [[String: Any]] ?? []
        equal("rendition count", groups.values.flatMap(\.values).map(\.count).reduce(0, +), renditions.count)
        for rendition in renditions {
            guard let type = rendition["type"] as? String, let group = rendition["groupId"] as? String,
                let name = rendition["name"] as? String, let want = groups[type]?[group]?[name]
            else {
                differences.insert("rendition \(rendition["name"] ?? "")")
                continue
            }
            for key in ["uri", "language", "characteristics", "instreamId", "default", "autoselect"] {
                equal("rendition \(name) \(key)", want[key], rendition[key])
            }
        }
    }

    mutating func globocom(_ wanted: [String: Any], _ found: [String: Any]) {
        if wanted["is_variant"] as? Bool == true {
            globocomMultivariant(wanted, found)
            return
        }
        guard found["kind"] as? String == "media" else {
            differences.insert("kind")
            return
        }
        equal("media sequence", wanted["media_sequence"] ?? 0, found["mediaSequence"])
        equal("target duration", wanted["targetduration"], found["targetDuration"])
        equal("version", wanted["version"], found["version"])
        equal("end list", wanted["is_endlist"], found["endList"])
        equal("playlist type", (wanted["playlist_type"] as? String)?.uppercased(), found["playlistType"])
        equal("discontinuity sequence", wanted["discontinuity_sequence"] ?? 0, found["discontinuitySequence"])
        let wants = (wanted["segments"] as? [[String: Any]] ?? []).filter { $0["uri"] != nil }
        var haves = found["segments"] as? [[String: Any]] ?? []
        if let count = wanted["segments_count"] as? Int {
            equal("segment count", count, haves.count)
            haves = Array(haves.prefix(3) + haves.suffix(3))
        }
        equal("segments", wants.count, haves.count)
        for (index, (want, have)) in zip(wants, haves).enumerated() {
            equal("segment \(index) uri", want["uri"], have["uri"])
            equal("segment \(index) duration", want["duration"], have["duration"])
            equal("segment \(index) title", want["title"] ?? "", have["title"])
            equal("segment \(index) gap", want["gap_tag"] ?? false, have["gap"])
            dates("segment \(index) date", want["program_date_time"], have["programDateTime"])
            equal(
                "segment \(index) map", (want["init_section"] as? [String: Any])?["uri"], (have["map"] as? [String: Any])?["uri"])
            if let range = want["byterange"] as? String, range.contains("@") {
                let ours = have["byteRange"] as? [String: Any]
                equal("segment \(index) range", range, "\(ours?["length"] ?? "")@\(ours?["offset"] ?? "")")
            }
            equal("segment \(index) parts", (want["parts"] as? [Any] ?? []).count, (have["parts"] as? [Any] ?? []).count)
            let key = want["key"] as? [String: Any]
            let method = key?["method"] as? String
            equal("segment \(index) key", method == "NONE" ? nil : method, (have["key"] as? [String: Any])?["method"])
        }
    }

    private mutating func globocomMultivariant(_ wanted: [String: Any], _ found: [String: Any]) {
        let (wants, haves) = (wanted["playlists"] as? [[String: Any]] ?? [], found["variants"] as? [[String: Any]] ?? [])
        equal("variants", wants.count, haves.count)
        for (index, (want, have)) in zip(wants, haves).enumerated() {
            let info = want["stream_info"] as? [String: Any] ?? [:]
            equal("variant \(index) uri", want["uri"], have["uri"])
            for (key, name) in [
                ("bandwidth", "bandwidth"), ("average_bandwidth", "averageBandwidth"), ("codecs", "codecs"),
                ("frame_rate", "frameRate"), ("audio", "audio"), ("video", "video"), ("subtitles", "subtitles"),
                ("video_range", "videoRange"), ("hdcp_level", "hdcpLevel"), ("pathway_id", "pathwayId"),
                ("stable_variant_id", "stableVariantId"), ("score", "score"),
            ] {
                equal("variant \(index) \(name)", (info[key] as? String)?.trimmingQuotes ?? info[key], have[name])
            }
            let size = (have["resolution"] as? [String: Any]).map { "\($0["width"] ?? "")x\($0["height"] ?? "")" }
            equal("variant \(index) resolution", info["resolution"], size)
        }
        let (media, renditions) = (wanted["media"] as? [[String: Any]] ?? [], found["renditions"] as? [[String: Any]] ?? [])
        equal("renditions", media.count, renditions.count)
        for (index, (want, have)) in zip(media, renditions).enumerated() {
            for (key, name) in [
                ("type", "type"), ("uri", "uri"), ("group_id", "groupId"), ("name", "name"), ("language", "language"),
                ("channels", "channels"), ("instream_id", "instreamId"), ("assoc_language", "assocLanguage"),
            ] {
                equal("rendition \(index) \(name)", want[key], have[name])
            }
            for name in ["default", "autoselect", "forced"] {
                equal("rendition \(index) \(name)", want[name] as? String == "YES", have[name])
            }
        }
    }
}

extension String {
    fileprivate var trimmingQuotes: String { trimmingCharacters(in: CharacterSet(charactersIn: "\"")) }
}
