import ChannelFeed
import MediaCodec
import MediaModel
import MediaTime
import Playback

/// Decodes pictures into pixels.
enum Artworks {
    /// Decodes a picture, scaled down to cover at least this many pixels.
    static func decode(_ bytes: [UInt8], width: Int, height: Int) -> Result<PixelBuffer, MediaError> {
        do throws(MediaError) {
            return .success(try ImageDecoder.decode(bytes, maximumWidth: width, maximumHeight: height))
        } catch {
            return .failure(error)
        }
    }

    /// What is wrong with a picture: it is decoded as small as it may be.
    static func fault(_ bytes: [UInt8]) -> MediaError? {
        switch decode(bytes, width: 16, height: 16) {
        case .success: nil
        case .failure(let error): error
        }
    }
}

extension Artworks {
    /// Makes the source of an item's thumbnails: its BIF file, otherwise the key pictures of its stream.
    @MainActor
    static func thumbnails(
        bif: String?, stream: StreamLocation, duration: MediaTime, services: PlaybackServices
    ) -> any ThumbnailProviding {
        if let bif {
            return BIFThumbnails(url: bif, loader: services.loader, clock: services.clock) { bytes, width, height in
                try? decode(bytes, width: width, height: height).get()
            }
        }
        return AssetImageGenerator(Asset(stream, services: services), duration: duration, services: services) {
            frame, width, height in
            try? FrameScaler.picture(frame, fittingWidth: width, height: height)
        }
    }
}
