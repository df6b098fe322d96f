import ChannelFeed
import Playback

extension Asset {
    /// Makes an asset for a stream of the feed.
    package convenience init(_ location: StreamLocation, services: PlaybackServices) {
        switch location {
        case .url(let url): self.init(url: url, services: services)
        case .composition(let composition):
            self.init(document: composition.text, baseURL: composition.baseURL, name: composition.name, services: services)
        }
    }
}
