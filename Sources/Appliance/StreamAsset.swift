import ChannelFeed
import MediaModel
import MediaTime
import Playback

extension Asset {
    /// Makes an asset for a stream of the feed.
    ///
    /// - Parameters:
    ///   - stillDuration: how long it lasts if it is a file with a picture; nil or zero: the standard.
    ///   - stillRefresh: how old that picture may become before it is fetched again; nil: it stays as it is.
    package convenience init(
        _ location: StreamLocation, stillDuration: MediaTime? = nil, stillRefresh: MediaTime? = nil, services: PlaybackServices
    ) {
        switch location {
        case .url(let url):
            self.init(
                url: url, stillDuration: PictureMotion.duration(stated: stillDuration),
                stillRefresh: stillRefresh.map { .nanoseconds($0.nanoseconds) }, services: services)
        case .composition(let composition):
            self.init(document: composition.text, baseURL: composition.baseURL, name: composition.name, services: services)
        }
    }

    /// Makes an asset for a stream of a programme.
    convenience init(_ programme: Programme, stream: Int, stillDuration: MediaTime?, services: PlaybackServices) {
        self.init(
            programme.streams[stream], stillDuration: stillDuration, stillRefresh: programme.refresh, services: services)
        motion = programme.motion
    }
}
