import MediaCodec
import MediaModel

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
