import MediaTime

/// The servers of a world: the feed, the playlists and the segments, as they are at a given time. A value without state.
struct SimulatedServer: Sendable {
    /// The address of the feed.
    static let feed = "https://feed.test/feed.json"
    /// The stream number of the film in pictures.
    static let film: UInt32 = 1000
    /// The stream number of a film that only the PIN unlocks.
    static let lockedFilm: UInt32 = 1001
    /// The film's advertisement, which must be watched.
    static let advertisement = TimeRange(start: .seconds(60), duration: .seconds(20))
    /// How often the feed asks to be loaded.
    static let refreshInterval = Duration.seconds(900)
    /// The length of a segment of the film, in seconds.
    static let filmSegment = 6

    let world: World
    /// The faults that happen, a part of the world's.
    let faults: [Fault]
    /// When the packagers restarted, the first one first.
    private let resets: [Duration]

    init(world: World, faults: [Fault]) {
        self.world = world
        self.faults = faults
        resets = faults.filter { $0.kind == .sequenceReset }.map(\.start)
    }

    /// The body at an address; nil if there is none.
    func body(of url: String, at time: Duration) -> [UInt8]? {
        if url == Self.feed { return Array(feed(at: time).utf8) }
        let words = url.split(separator: "/").suffix(2).map(String.init)
        guard words.count == 2 else { return nil }
        let (folder, file) = (words[0], words[1])
        if let count = world.filmSegments {
            if folder == "film" { return film(file, count, stream: Self.film) }
            if folder == "locked" { return film(file, count, stream: Self.lockedFilm) }
        }
        guard folder.hasPrefix("live"), let number = Int(folder.dropFirst(4)), world.channels.indices.contains(number) else {
            return nil
        }
        return live(file, number, world.channels[number], at: time)
    }

    // MARK: The feed

    private func feed(at time: Duration) -> String {
        if faults.contains(where: { $0.kind == .brokenFeed && $0.isActive(at: time) }) {
            return #"{"feedVersion": 1, "channels": ["#
        }
        let isWithdrawn = faults.contains { $0.kind == .withdrawnFilm && $0.isActive(at: time) }
        let channels = world.channels.indices.map { number in
            #"""
            {"id": "live\#(number)", "title": "Channel \#(number)", "rating": {"system": "MPA", "value": "G"},
              "streams": [{"url": "https://cdn.test/live\#(number)/master.m3u8"}]}
            """#
        }
        let films = #"""
            {"id": "film", "title": "Film", "withdrawn": \#(isWithdrawn), "rating": {"system": "MPA", "value": "G"},
              "streams": [{"url": "https://cdn.test/film/master.m3u8"}],
              "interstitials": [{"id": "ad", "start": \#(Self.advertisement.start), "duration": \#(Self.advertisement.duration), "kind": "ad"}]},
             {"id": "locked", "title": "Locked film", "rating": {"system": "MPA", "value": "R"},
              "streams": [{"url": "https://cdn.test/locked/master.m3u8"}]}
            """#
        let start = world.startsWithFilm ? #"{"item": "film"}"# : #"{"channel": "live0"}"#
        return """
            {"feedVersion": 1, "id": "world", "refresh": {"interval": \(Self.refreshInterval.seconds), "jitterPercent": 10}, "start": \(start),
             "policy": {"parentalMax": {"MPA": "PG-13"}},
             "channels": [\(channels.joined(separator: ", "))], "items": [\(world.filmSegments == nil ? "" : films)]}
            """
    }

    // MARK: Live

    private func live(_ file: String, _ number: Int, _ stream: World.LiveStream, at time: Duration) -> [UInt8]? {
        if file == "master.m3u8" { return Self.multivariant(stream.hasVariants) }
        let newest = newest(stream, at: time)
        if file.hasSuffix(".m3u8") { return Array(playlist(stream, String(file.dropLast(5)), at: time).utf8) }
        // A segment is available a little longer than it is listed.
        guard let (variant, segment) = Self.segment(file), segment <= newest, segment > newest - stream.window - 4 else {
            return nil
        }
        let splices = stream.splice.map { segment / $0 } ?? 0
        return SyntheticSegment.bytes(
            stream: UInt32(number), start: Int64(10 + segment * stream.segment + splices * 7000), seconds: stream.segment,
            padding: Self.padding(variant))
    }

    /// The newest complete segment. Streams began an hour before the simulation.
    private func newest(_ stream: World.LiveStream, at time: Duration) -> Int {
        var time = time
        if let frozen = faults.first(where: { $0.kind == .frozenPlaylists && $0.isActive(at: time) }) { time = frozen.start }
        return (3600 + Int(time.seconds)) / stream.segment - 1
    }

    private func playlist(_ stream: World.LiveStream, _ variant: String, at time: Duration) -> String {
        let newest = newest(stream, at: time)
        let reset = resets.last { $0 <= time }.map { (3600 + Int($0.seconds)) / stream.segment } ?? 0
        let first = max(newest - stream.window + 1, min(reset, newest))
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\(stream.segment)\n#EXT-X-MEDIA-SEQUENCE:\(first - reset)\n"
        if let splice = stream.splice {
            // Splices since the restart, up to and including the one before the first segment.
            text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(first / splice - reset / splice)\n"
        }
        for segment in first...newest {
            if let splice = stream.splice, segment > first, segment % splice == 0 { text += "#EXT-X-DISCONTINUITY\n" }
            if stream.hasDates {
                text += "#EXT-X-PROGRAM-DATE-TIME:\(WorldDate.text(seconds: segment * stream.segment - 3600))\n"
            }
            text += "#EXTINF:\(stream.segment),\n\(variant)-\(segment).ts\n"
        }
        return text
    }

    // MARK: The film

    private func film(_ file: String, _ count: Int, stream: UInt32) -> [UInt8]? {
        if file == "master.m3u8" { return Self.multivariant(true) }
        if file.hasSuffix(".m3u8") {
            let name = file.dropLast(5)
            let lines = (0..<count).map { "#EXTINF:\(Self.filmSegment),\n\(name)-\($0).ts\n" }.joined()
            return Array(
                "#EXTM3U\n#EXT-X-TARGETDURATION:\(Self.filmSegment)\n#EXT-X-PLAYLIST-TYPE:VOD\n\(lines)#EXT-X-ENDLIST\n".utf8)
        }
        guard let (variant, segment) = Self.segment(file), (0..<count).contains(segment) else { return nil }
        return SyntheticSegment.bytes(
            stream: stream, start: Int64(10 + segment * Self.filmSegment), seconds: Self.filmSegment,
            padding: Self.padding(variant))
    }

    /// The codecs tell the player that there is no sound; otherwise it waits for some, at each tick.
    private static func multivariant(_ hasVariants: Bool) -> [UInt8] {
        var text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=8000,CODECS=\"avc1.42c00c\",RESOLUTION=320x180\nlow.m3u8\n"
        if hasVariants {
            text += "#EXT-X-STREAM-INF:BANDWIDTH=32000,CODECS=\"avc1.42c00c\",RESOLUTION=640x360\nhigh.m3u8\n"
        }
        return Array(text.utf8)
    }

    /// Variant and number from the name of a segment.
    private static func segment(_ file: String) -> (variant: String, number: Int)? {
        let words = file.split(separator: "-")
        guard words.count == 2, words[1].hasSuffix(".ts"), let number = Int(words[1].dropLast(3)) else { return nil }
        return (String(words[0]), number)
    }

    private static func padding(_ variant: String) -> Int { variant == "high" ? 64 : 8 }
}

/// The dates of the simulated world.
enum WorldDate {
    /// The day on which every simulation begins, at midnight UTC, in days since the start of 1970.
    private static let firstDay = 20_454

    /// An RFC 3339 date.
    ///
    /// - Parameter seconds: since the start of the simulation.
    static func text(seconds: Int) -> String {
        let total = firstDay * 86_400 + seconds
        let (year, month, day) = civil(total / 86_400)
        let rest = total % 86_400
        return "\(year)-\(two(month))-\(two(day))T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The Gregorian date of a day since the start of 1970 (H. Hinnant, "chrono-compatible low-level date algorithms").
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let index = (5 * dayOfYear + 2) / 153
        let month = index < 10 ? index + 3 : index - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * index + 2) / 5 + 1)
    }
}
