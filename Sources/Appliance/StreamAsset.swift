import ChannelFeed
import MediaTime
import Playback

extension Asset {
    /// Makes an asset for a stream of the feed.
    ///
    /// - Parameter stillDuration: how long it lasts if it is a file with a picture; nil or zero: the standard.
    package convenience init(_ location: StreamLocation, stillDuration: MediaTime? = nil, services: PlaybackServices) {
        switch location {
        case .url(let url):
            let stated = stillDuration.flatMap { $0 > .zero ? $0 : nil }
            self.init(url: url, stillDuration: stated ?? Self.standardStillDuration, services: services)
        case .composition(let composition):
            self.init(document: composition.text, baseURL: composition.baseURL, name: composition.name, services: services)
        }
    }
}
