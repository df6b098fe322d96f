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

    /// The address that answers a request, after redirects: the entrance to each stream redirects to an address with a token.
    func address(of url: String, at time: Duration) -> String {
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
        if folder.hasPrefix("saved"), let number = Int(folder.dropFirst(5)), let films = world.saving?.films,
            films.indices.contains(number)
        {
            return film(file, films[number].segments, stream: Self.firstSavedFilm + UInt32(number))
        }
        guard folder.hasPrefix("live"), let number = Int(folder.dropFirst(4)), world.channels.indices.contains(number) else {
            return nil
        }
        return live(file, number, world.channels[number], at: time)
    }

    /// The id of a saved film by its number.
    static func savedID(_ number: Int) -> String { "saved\(number)" }

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
        let start = world.startsWithFilm ? #"{"item": "film"}"# : #"{"channel": "live0"}"#
        return """
            {"feedVersion": 1, "id": "world", "refresh": {"interval": \(Self.refreshInterval.seconds), "jitterPercent": 10}, "start": \(start),
             "policy": {"parentalMax": {"MPA": "PG-13"}},
             "channels": [\(channels.joined(separator: ", "))], "items": [\(world.filmSegments == nil ? "" : films + saved.joined())]}
            """
    }

    // MARK: Live

    private func live(_ file: String, _ number: Int, _ stream: World.LiveStream, at time: Duration) -> [UInt8]? {
        if file == "master.m3u8" { return multivariant(stream.hasVariants) }
        if file.hasSuffix(".m3u8") { return Array(playlist(stream, String(file.dropLast(5)), at: time).utf8) }
        if file.hasSuffix(".key") { return Int(file.dropLast(4)).map { Self.key($0) } }
        guard let (variant, segment) = Self.segment(file) else { return nil }
        let newest = newest(stream, variant, at: time)
        // A segment is available a little longer than it is listed.
        guard segment <= newest, segment > newest - stream.window - 4 else { return nil }
        let splices = stream.splice.map { segment / $0 } ?? 0
        let bytes = SyntheticSegment.bytes(
            stream: UInt32(number), start: Int64(10 + segment * stream.segment + splices * 7000), seconds: stream.segment,
            padding: Self.padding(variant), hasSound: world.hasSound)
        guard world.origin.isEncrypted else { return bytes }
        return CBCEncryption.encrypt(bytes, key: Self.key(segment / Self.keyLength), initializationVector: Self.vector(segment))
    }

    /// The newest complete segment of a variant. Streams began an hour before the simulation.
    private func newest(_ stream: World.LiveStream, _ variant: String, at time: Duration) -> Int {
        var time = time
        if let frozen = faults.first(where: { $0.kind == .frozenPlaylists && $0.isActive(at: time) }) { time = frozen.start }
        let late = variant == "high" && faults.contains { $0.kind == .laggingVariant && $0.isActive(at: time) } ? 3 : 0
        return (3600 + Int(time.seconds)) / stream.segment - 1 - late
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
        let newest = newest(stream, variant, at: time) + (isEarly ? 2 : 0)
        let reset = resets.last { $0 <= time }.map { (3600 + Int($0.seconds)) / stream.segment } ?? 0
        let first = max(newest - stream.window + 1, min(reset, newest))
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\(stream.segment)\n#EXT-X-MEDIA-SEQUENCE:\(first - reset)\n"
        if let splice = stream.splice, world.origin.countsDiscontinuities {
            // Splices since the restart, up to and including the one before the first segment.
            text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(first / splice - reset / splice)\n"
        }
        for segment in first...newest {
            if let splice = stream.splice, segment > first, segment % splice == 0 { text += "#EXT-X-DISCONTINUITY\n" }
            if stream.hasDates {
                text +=
                    "#EXT-X-PROGRAM-DATE-TIME:\(WorldDate.at(.seconds(segment * stream.segment - 3600) + world.origin.dateError))\n"
            }
            if world.origin.isEncrypted { text += Self.keyTag(segment) }
            text += "#EXTINF:\(stream.segment),\n\(variant)-\(segment).ts\n"
        }
        return text
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

    private static func padding(_ variant: String) -> Int { variant == "high" ? 64 : 8 }
}

/// The true dates of the simulated world.
enum WorldDate {
    /// The date at which every simulation begins, 2026-01-01T00:00:00Z, in milliseconds since the start of 1970.
    private static let start: Int64 = 20_454 * 86_400_000

    /// - Parameter time: from the start of the simulation.
    static func at(_ time: Duration) -> FeedDate { FeedDate(milliseconds: start + time.wholeNanoseconds / 1_000_000) }
}
