import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime

@testable import Downloads

/// A presentation on a server, as literal playlists.
enum Film {
    static let address = "https://cdn.example/film/main.m3u8?token=1"

    static let main = """
        #EXTM3U
        #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="chapters.json"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",AUTOSELECT=YES,URI="de.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Français",LANGUAGE="fr",AUTOSELECT=YES,URI="fr.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="s-en.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Forced",LANGUAGE="en",FORCED=YES,AUTOSELECT=YES,URI="s-forced.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2",AUDIO="a",SUBTITLES="s"
        low.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,CODECS="avc1.64001f,mp4a.40.2",AUDIO="a",SUBTITLES="s"
        mid.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=5000000,RESOLUTION=1920x1080,CODECS="avc1.640028,mp4a.40.2",AUDIO="a",SUBTITLES="s"
        high.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100000,RESOLUTION=960x540,CODECS="avc1.64001f",URI="keys.m3u8"

        """

    /// A media playlist of segments of four seconds.
    static func media(_ name: String, segments: Int = 3, head: String = "", tail: String = "#EXT-X-ENDLIST\n", query: String = "")
        -> String
    {
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(head)"
            + (0..<segments).map { "#EXTINF:4,\n\(name)-\($0).ts\(query)\n" }.joined() + tail
    }

    static let selection = VariantSelection(width: 1280, height: 720) { _ in true }

    static func configuration(_ languages: [String] = ["en", "de"], atLeast bitRate: Int64? = nil)
        -> AssetDownloadConfiguration
    {
        AssetDownloadConfiguration(variants: selection, languages: languages, minimumBitRate: bitRate)
    }

    static let asset = DownloadableAsset(
        id: "film", streams: [.init(url: address)], companions: [.init(.artwork, url: "https://cdn.example/poster.jpg#top")])
}

/// Answers requests for playlists as the server of `Film` does.
struct PlaylistServer {
    var texts: [String: String]

    init(query: String = "") {
        texts = ["main.m3u8": Film.main, "chapters.json": "[]"]
        for name in ["low", "mid", "high", "en", "de", "fr", "s-en", "s-forced", "keys"] {
            texts[name + ".m3u8"] = Film.media(name, query: query)
        }
    }

    func text(_ url: String) -> String? { url.split(separator: "?")[0].split(separator: "/").last.flatMap { texts[String($0)] } }

    /// Gathers all playlists of an address.
    func gather(_ gathering: inout PlaylistGathering) throws {
        while let request = gathering.missing.first {
            let text = text(request.url) ?? ""
            try gathering.take(request.role, Array(text.utf8), url: request.url)
        }
    }

    func plan(
        _ configuration: AssetDownloadConfiguration = Film.configuration(), options: [RenditionID]? = nil,
        previous: DownloadPlan? = nil, address: String = Film.address
    ) throws -> DownloadPlan {
        var gathering = PlaylistGathering(address: address, options: options, configuration: configuration)
        try gather(&gathering)
        guard let presentation = gathering.presentation else { throw Missing() }
        return try DownloadPlan(
            presentation, of: Film.asset, address: address, previous: previous, limits: configuration.limits,
            plainHTTPHosts: configuration.plainHTTPHosts)
    }
}

struct Missing: Error {}
