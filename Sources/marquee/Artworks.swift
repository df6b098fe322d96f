import MediaCodec
import MediaModel
import MediaTime
import Playback

/// Turns the bytes of a picture into pixels.
enum Artworks {
    /// Decodes a JPEG, PNG or WebP, scaled down to cover so many pixels.
    static func decode(_ bytes: [UInt8], width: Int, height: Int) -> Result<PixelBuffer, MediaError> {
        do throws(MediaError) {
            return .success(try ImageDecoder.decode(bytes, maximumWidth: width, maximumHeight: height))
        } catch {
            return .failure(error)
        }
    }
}

extension Artworks {
    /// Makes who brings small pictures of an item: from its BIF file, else from the key pictures of its stream.
    @MainActor
    static func thumbnails(
        bif: String?, url: String, duration: MediaTime, services: PlaybackServices
    ) -> any ThumbnailProviding {
        if let bif {
            return BIFThumbnails(url: bif, loader: services.loader, clock: services.clock) { bytes, width, height in
                try? decode(bytes, width: width, height: height).get()
            }
        }
        return AssetImageGenerator(url: url, duration: duration, services: services) { frame, width, height in
            try? FrameScaler.picture(frame, fittingWidth: width, height: height)
        }
    }
}
