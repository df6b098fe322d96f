import ChannelFeed
import Cryptography
import LinuxSupport
import MediaTime

/// The servers of a world: the feed, the playlists and the segments, as they are at a given time. A value without state.
struct SimulatedServer: Sendable {
    /// The address of the feed.
    static let feed = "https://feed.test/feed.json"
    /// The stream number of the film in pictures.
    static let film: UInt32 = 1000
    /// The stream number of a film that only the PIN unlocks.
    static let lockedFilm: UInt32 = 1001
    /// The stream number of the first saved film.
    static let firstSavedFilm: UInt32 = 2000
    /// The stream number of the first programme of the schedule.
    static let firstScheduled: UInt32 = 3000
    /// The id of the channel with a schedule.
    static let schedule = "schedule"
    /// The length in bytes of a segment of a film in its better variant.
    static let largestFilmSegment = filmSegment / Int(SyntheticSegment.pictureInterval) * 65 * SyntheticSegment.packetSize
    /// The film's advertisement, which must be watched.
    static let advertisement = TimeRange(start: .seconds(60), duration: .seconds(20))
    /// How often the feed asks to be loaded.
    static let refreshInterval = Duration.seconds(900)
    /// The length of a segment of the film, in seconds.
    static let filmSegment = 6
    private static let cdn = "https://cdn.test"
    private static let otherCDN = "https://other.cdn.test"

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

    // MARK: Addresses

    /// The address that answers a request, after redirects: the entrance to each stream redirects to an address with a token, and segments to one of
    /// three hosts.
    func address(of url: String, at time: Duration) -> String {
        if world.origin.redirectsSegments, url.hasSuffix(".ts"), let path = url.firstRange(of: ".test/") {
            return "https://node\(time.seconds % 3)\(url[path.lowerBound...])"
        }
        guard world.origin.tokenLife != nil, url.hasSuffix("/master.m3u8"),
            let entrance = [Self.cdn, Self.otherCDN].first(where: { url.hasPrefix($0) })
        else { return url }
        return "https://edge.test/\(time.seconds)\(url.dropFirst(entrance.count))"
    }

    /// Whether the token of an address is valid. An address without one is.
    func accepts(_ url: String, at time: Duration) -> Bool {
        guard let life = world.origin.tokenLife, url.hasPrefix("https://edge.test/") else { return true }
        let words = url.split(separator: "/")
        guard words.count > 2, let issued = Int64(words[2]) else { return false }
        return time - .seconds(issued) < life
    }

    /// How long a request waits for its answer: playlists of low latency for the part that the request names, and the next part for its publication. nil if
    /// the request names a part that is too far away.
    func wait(for url: String, at time: Duration) -> Duration? {
        guard let (folder, file) = Self.place(of: url), let (_, stream) = channel(folder), stream.isLowLatency else {
            return .zero
        }
        if let (variant, part) = Self.part(file) {
            return wait(atMost: part.number == 0 ? stream.segment : Int(Self.partLength), at: time) {
                self.newest(stream, variant, at: $0) >= part
            }
        }
        guard file.hasSuffix(".m3u8"), let wanted = Self.wantedPart(url) else { return .zero }
        let variant = String(file.dropLast(5))
        let reset = Self.firstSegment(of: stream, at: resets.last { $0 <= time })
        let (segment, isTooLarge) = wanted.segment.addingReportingOverflow(reset)
        // RFC 8216bis, section 6.2.5.2: such a request is answered with an error.
        guard !isTooLarge, segment <= newest(stream, variant, at: time).segment + 3 else { return nil }
        return wait(atMost: 3 * stream.segment, at: time) {
            self.newest(stream, variant, at: $0) >= Part(segment: segment, number: wanted.number)
        }
    }

    /// The time until something is so, in whole seconds of the server; at most the limit.
    private func wait(atMost limit: Int, at time: Duration, _ isSo: (Duration) -> Bool) -> Duration {
        if isSo(time) { return .zero }
        for second in 1...limit where isSo(.seconds(time.seconds + Int64(second))) {
            return .seconds(time.seconds + Int64(second)) - time
        }
        return .seconds(limit)
    }

    /// The body at an address; nil if there is none.
    func body(of url: String, at time: Duration) -> [UInt8]? {
        if url == Self.feed { return Array(feed(at: time).utf8) }
        guard let (folder, file) = Self.place(of: url) else { return nil }
        if let count = world.filmSegments {
            if folder == "film" { return film(file, count, stream: Self.film) }
            if folder == "locked" { return film(file, count, stream: Self.lockedFilm) }
        }
        if folder.hasPrefix("saved"), let number = Int(folder.dropFirst(5)), let films = world.saving?.films,
            films.indices.contains(number)
        {
            return film(file, films[number].segments, stream: Self.firstSavedFilm + UInt32(number))
        }
        if folder.hasPrefix("show"), let number = Int(folder.dropFirst(4)), let slots = world.schedule?.slots,
            slots.indices.contains(number)
        {
            return film(file, slots[number].segments, stream: Self.firstScheduled + UInt32(number))
        }
        guard let (number, stream) = channel(folder) else { return nil }
        return live(file, number, stream, at: time)
    }

    /// The last two names of an address, without a query.
    private static func place(of url: String) -> (folder: String, file: String)? {
        let words = url.prefix { $0 != "?" }.split(separator: "/").suffix(2).map(String.init)
        return words.count == 2 ? (words[0], words[1]) : nil
    }

    private func channel(_ folder: String) -> (number: Int, stream: World.LiveStream)? {
        guard folder.hasPrefix("live"), let number = Int(folder.dropFirst(4)), world.channels.indices.contains(number) else {
            return nil
        }
        return (number, world.channels[number])
    }

    /// The id of a saved film by its number.
    static func savedID(_ number: Int) -> String { "saved\(number)" }

    /// The id of a programme of the schedule by its number.
    static func scheduledID(_ number: Int) -> String { "show\(number)" }

    // MARK: The feed

    private func feed(at time: Duration) -> String {
        if faults.contains(where: { $0.kind == .brokenFeed && $0.isActive(at: time) }) {
            return #"{"feedVersion": 1, "channels": ["#
        }
        let isWithdrawn = faults.contains { $0.kind == .withdrawnFilm && $0.isActive(at: time) }
        let window =
            world.window.map {
                #", "window": {"from": "\#(WorldDate.at($0.lowerBound))", "to": "\#(WorldDate.at($0.upperBound))"}"#
            } ?? ""
        let isChanged = faults.contains { $0.kind == .changedFeed && $0.isActive(at: time) }
        let origin = isChanged ? Self.otherCDN : Self.cdn
        var channels = world.channels.indices.map { number in
            #"""
            {"id": "live\#(number)", "title": "Channel \#(number)", "rating": {"system": "MPA", "value": "G"}\#(number == 0 ? window : ""),
              "streams": [{"url": "\#(origin)/live\#(number)/master.m3u8"}]}
            """#
        }
        if let schedule = world.schedule {
            let entries = Self.entries(of: schedule, at: time).map {
                #"{"at": "\#(WorldDate.at($0.start))", "item": "\#(Self.scheduledID($0.show))"}"#
            }
            channels.append(
                #"""
                {"id": "\#(Self.schedule)", "title": "Schedule", "kind": "schedule", "rating": {"system": "MPA", "value": "G"},
                  "entries": [\#(entries.joined(separator: ", "))]}
                """#)
        }
        if isChanged { channels.reverse() }
        let films = #"""
            {"id": "film", "title": "Film", "withdrawn": \#(isWithdrawn), "rating": {"system": "MPA", "value": "G"},
              "streams": [{"url": "\#(origin)/film/master.m3u8"}],
              "interstitials": [{"id": "ad", "start": \#(Self.advertisement.start), "duration": \#(Self.advertisement.duration), "kind": "ad"}]},
             {"id": "locked", "title": "Locked film", "rating": {"system": "MPA", "value": "R"},
              "streams": [{"url": "\#(origin)/locked/master.m3u8"}]}
            """#
        let saved = (world.saving?.films ?? []).indices.map { number in
            let mark = world.saving?.films[number].isRequired == true ? "required" : "opportunistic"
            return #"""
                , {"id": "\#(Self.savedID(number))", "title": "Saved film \#(number)", "proposal": null, "offline": "\#(mark)",
                  "rating": {"system": "MPA", "value": "G"}, "streams": [{"url": "\#(origin)/saved\#(number)/master.m3u8"}]}
                """#
        }
        let shows = (world.schedule?.slots ?? []).indices.map { number in
            #"""
            {"id": "\#(Self.scheduledID(number))", "title": "Show \#(number)", "proposal": null, "rating": {"system": "MPA", "value": "G"},
              "streams": [{"url": "\#(origin)/show\#(number)/master.m3u8"}]}
            """#
        }
        let items = (world.filmSegments == nil ? [] : [films + saved.joined()]) + shows
        let start =
            world.startsWithFilm
            ? #"{"item": "film"}"#
            : #"{"channel": "\#(world.isKiosk && world.schedule != nil ? Self.schedule : "live0")"}"#
        return """
            {"feedVersion": 1, "id": "world", "refresh": {"interval": \(Self.refreshInterval.seconds), "jitterPercent": 10}, "start": \(start),
             "policy": {"parentalMax": {"MPA": "PG-13"}},
             "channels": [\(channels.joined(separator: ", "))], "items": [\(items.joined(separator: ", "))]}
            """
    }

    /// The entries of a schedule that the feed lists: from two hours ago to a day ahead, in whole hours.
    private static func entries(of schedule: World.Schedule, at time: Duration) -> [(start: Duration, show: Int)] {
        let hour = time.seconds / 3600 * 3600
        // The schedule began a day before the simulation.
        var start: Int64 = -86_400
        let round = Int64(schedule.slots.reduce(0) { $0 + $1.length })
        start += (hour - 7200 - start) / round * round
        var entries: [(start: Duration, show: Int)] = []
        while start < hour + 86_400 {
            for (show, slot) in schedule.slots.enumerated() {
                entries.append((.seconds(start), show))
                start += Int64(slot.length)
            }
        }
        return entries
    }

    // MARK: Live

    private func live(_ file: String, _ number: Int, _ stream: World.LiveStream, at time: Duration) -> [UInt8]? {
        if file == "master.m3u8" { return multivariant(stream.hasVariants) }
        if file.hasSuffix(".m3u8") { return Array(playlist(stream, String(file.dropLast(5)), at: time).utf8) }
        if file.hasSuffix(".key") { return Int(file.dropLast(4)).map { Self.key($0) } }
        let newest: Part
        let segment: Int
        let variant: String
        var packets: Range<Int>?
        if let (name, part) = Self.part(file) {
            newest = self.newest(stream, name, at: time)
            guard stream.isLowLatency, part <= newest, part.number < stream.segment / Int(Self.partLength) else { return nil }
            (variant, segment) = (name, part.segment)
            let count = (Self.padding(variant) + 1) * Int(Self.partLength / SyntheticSegment.pictureInterval)
            packets = part.number * count..<(part.number + 1) * count
        } else {
            guard let (name, number) = Self.segment(file) else { return nil }
            newest = self.newest(stream, name, at: time)
            (variant, segment) = (name, number)
            guard segment < newest.segment else { return nil }
        }
        // A segment is available a little longer than it is listed.
        guard segment >= newest.segment - stream.window - 4 else { return nil }
        let splices = stream.splice.map { segment / $0 } ?? 0
        let bytes = SyntheticSegment.bytes(
            stream: UInt32(number), start: Int64(10 + segment * stream.segment + splices * 7000), seconds: stream.segment,
            padding: Self.padding(variant), hasSound: world.hasSound)
        if let packets {
            return Array(
                bytes[packets.lowerBound * SyntheticSegment.packetSize..<packets.upperBound * SyntheticSegment.packetSize])
        }
        guard world.origin.isEncrypted else { return bytes }
        return CBCEncryption.encrypt(bytes, key: Self.key(segment / Self.keyLength), initializationVector: Self.vector(segment))
    }

    /// A part of a live segment.
    private struct Part: Comparable {
        var segment: Int
        /// From 0.
        var number: Int

        static func < (left: Part, right: Part) -> Bool { (left.segment, left.number) < (right.segment, right.number) }
    }

    /// The length of a part in seconds.
    private static let partLength: Int64 = 2

    /// The newest part of a variant: the last one of the newest complete segment has the number -1 of the next. Streams began an hour before the simulation.
    private func newest(_ stream: World.LiveStream, _ variant: String, at time: Duration) -> Part {
        var time = time
        if let frozen = faults.first(where: { $0.kind == .frozenPlaylists && $0.isActive(at: time) }) { time = frozen.start }
        let late = variant == "high" && faults.contains { $0.kind == .laggingVariant && $0.isActive(at: time) } ? 3 : 0
        let seconds = 3600 + Int(time.seconds)
        return Part(segment: seconds / stream.segment - late, number: seconds % stream.segment / Int(Self.partLength) - 1)
    }

    /// The first segment of a packager that restarted at a time.
    private static func firstSegment(of stream: World.LiveStream, at reset: Duration?) -> Int {
        reset.map { (3600 + Int($0.seconds)) / stream.segment } ?? 0
    }

    /// So many segments have the same key.
    private static let keyLength = 50

    private static func key(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 16) }

    private static func vector(_ segment: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt64(segment).bigEndian) { [UInt8](repeating: 0, count: 8) + $0 }
    }

    private static func keyTag(_ segment: Int) -> String {
        let vector = vector(segment).map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
        return "#EXT-X-KEY:METHOD=AES-128,URI=\"\(segment / keyLength).key\",IV=0x\(vector)\n"
    }

    private func playlist(_ stream: World.LiveStream, _ variant: String, at time: Duration) -> String {
        let isEarly = faults.contains { $0.kind == .earlyListing && $0.isActive(at: time) }
        let published = newest(stream, variant, at: time)
        let newest = published.segment - 1 + (isEarly ? 2 : 0)
        let reset = Self.firstSegment(of: stream, at: resets.last { $0 <= time })
        let first = max(newest - stream.window + 1, min(reset, newest))
        var text =
            "#EXTM3U\n#EXT-X-VERSION:\(stream.isLowLatency ? 6 : 3)\n#EXT-X-TARGETDURATION:\(stream.segment)\n"
            + "#EXT-X-MEDIA-SEQUENCE:\(first - reset)\n"
        if stream.isLowLatency {
            text +=
                "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=\(3 * Self.partLength)\n#EXT-X-PART-INF:PART-TARGET=\(Self.partLength)\n"
        }
        if let splice = stream.splice, world.origin.countsDiscontinuities {
            // Splices since the restart, up to and including the one before the first segment.
            text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(first / splice - reset / splice)\n"
        }
        for segment in first...newest {
            text += head(of: segment, stream, isFirst: segment == first)
            if stream.isLowLatency, segment > newest - 2 {
                text += Self.parts(..<(stream.segment / Int(Self.partLength)), of: segment, variant)
            }
            text += "#EXTINF:\(stream.segment),\n\(variant)-\(segment).ts\n"
        }
        if stream.isLowLatency, !isEarly { text += tail(published, stream, variant) }
        return text
    }

    /// The tags before the parts of a segment.
    private func head(of segment: Int, _ stream: World.LiveStream, isFirst: Bool) -> String {
        var text = ""
        if let splice = stream.splice, !isFirst, segment % splice == 0 { text += "#EXT-X-DISCONTINUITY\n" }
        if stream.hasDates {
            text +=
                "#EXT-X-PROGRAM-DATE-TIME:\(WorldDate.at(.seconds(segment * stream.segment - 3600) + world.origin.dateError))\n"
        }
        if world.origin.isEncrypted { text += Self.keyTag(segment) }
        return text
    }

    /// The parts of the segment that is not complete, the next one, and what the other variant has.
    private func tail(_ newest: Part, _ stream: World.LiveStream, _ variant: String) -> String {
        var text = ""
        if newest.number >= 0 {
            text +=
                head(of: newest.segment, stream, isFirst: false) + Self.parts(..<(newest.number + 1), of: newest.segment, variant)
        }
        text += "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(variant)-\(newest.segment).\(newest.number + 1).ts\"\n"
        return text
    }

    private static func parts(_ numbers: PartialRangeUpTo<Int>, of segment: Int, _ variant: String) -> String {
        (0..<numbers.upperBound).map {
            "#EXT-X-PART:DURATION=\(partLength),URI=\"\(variant)-\(segment).\($0).ts\"\($0 == 0 ? ",INDEPENDENT=YES" : "")\n"
        }.joined()
    }

    // MARK: The film

    private func film(_ file: String, _ count: Int, stream: UInt32) -> [UInt8]? {
        if file == "master.m3u8" { return multivariant(true) }
        if file.hasSuffix(".m3u8") {
            let name = file.dropLast(5)
            let lines = (0..<count).map { "#EXTINF:\(Self.filmSegment),\n\(name)-\($0).ts\n" }.joined()
            return Array(
                "#EXTM3U\n#EXT-X-TARGETDURATION:\(Self.filmSegment)\n#EXT-X-PLAYLIST-TYPE:VOD\n\(lines)#EXT-X-ENDLIST\n".utf8)
        }
        guard let (variant, segment) = Self.segment(file), (0..<count).contains(segment) else { return nil }
        return SyntheticSegment.bytes(
            stream: stream, start: Int64(10 + segment * Self.filmSegment), seconds: Self.filmSegment,
            padding: Self.padding(variant), hasSound: world.hasSound)
    }

    /// Without sound the codecs tell the player so; otherwise it waits for some, at each tick.
    private func multivariant(_ hasVariants: Bool) -> [UInt8] {
        let codecs = world.hasSound ? "avc1.42c00c,mp4a.40.2" : "avc1.42c00c"
        var text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=8000,CODECS=\"\(codecs)\",RESOLUTION=320x180\nlow.m3u8\n"
        if hasVariants {
            text += "#EXT-X-STREAM-INF:BANDWIDTH=32000,CODECS=\"\(codecs)\",RESOLUTION=640x360\nhigh.m3u8\n"
        }
        return Array(text.utf8)
    }

    /// Variant and number from the name of a segment.
    private static func segment(_ file: String) -> (variant: String, number: Int)? {
        let words = file.split(separator: "-")
        guard words.count == 2, words[1].hasSuffix(".ts"), let number = Int(words[1].dropLast(3)) else { return nil }
        return (String(words[0]), number)
    }

    /// Variant and part from the name of a part.
    private static func part(_ file: String) -> (variant: String, part: Part)? {
        let words = file.split(separator: "-")
        guard words.count == 2, words[1].hasSuffix(".ts") else { return nil }
        let numbers = words[1].dropLast(3).split(separator: ".").map { Int($0) }
        guard numbers.count == 2, let segment = numbers[0], let number = numbers[1], number >= 0 else { return nil }
        return (String(words[0]), Part(segment: segment, number: number))
    }

    /// The part that a request for a playlist waits for; without a part the end of a segment.
    private static func wantedPart(_ url: String) -> Part? {
        guard let query = url.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        var values: [Substring: Int] = [:]
        for word in query.split(separator: "&") {
            let pair = word.split(separator: "=", maxSplits: 1)
            if pair.count == 2, let value = Int(pair[1]), value >= 0 { values[pair[0]] = value }
        }
        guard let segment = values["_HLS_msn"] else { return nil }
        return values["_HLS_part"].map { Part(segment: segment, number: $0) } ?? Part(segment: segment + 1, number: -1)
    }

    private static func padding(_ variant: String) -> Int { variant == "high" ? 64 : 8 }
}

/// The true dates of the simulated world.
enum WorldDate {
    /// The date at which every simulation begins, 2026-01-01T00:00:00Z, in milliseconds since the start of 1970.
    private static let start: Int64 = 20_454 * 86_400_000

    /// - Parameter time: from the start of the simulation.
    static func at(_ time: Duration) -> FeedDate { FeedDate(milliseconds: start + time.wholeNanoseconds / 1_000_000) }
}
