import MediaModel
import MediaSources
import URLReferences
import Unpacking

/// Texts that are gzip without a Content-Encoding: `index.m3u8.gz` from a server that does not know its type, or a file of a storage that does not keep headers.
enum UnlabelledGzip {
    /// No text begins with it.
    static let firstByte: UInt8 = 0x1F

    /// Whether what is asked for is unpacked if it is gzip. Guides are unpacked by their reader, which knows other forms too, and are stored as they came. A
    /// part of a file is that part, whatever it is.
    static func mayBe(_ request: ByteRequest) -> Bool { request.isText && request.kind != .guide && request.range == nil }

    /// An answer with the bytes of its text.
    static func unpacked(_ result: Result<ByteResponse, MediaError>, for request: ByteRequest) -> Result<ByteResponse, MediaError>
    {
        guard mayBe(request), case .success(var response) = result, response.bytes.first == firstByte else { return result }
        let (name, kind) = (Location.name(request.url), request.kind)
        do throws(UnpackedFile.TooLong) {
            let file = try UnpackedFile(response.bytes, most: kind.longest)
            if let fault = file.fault {
                return .failure(MediaError(.sourceFormat, "Loading \(name) failed: \(fault); check the file or its server."))
            }
            response.bytes = file.bytes
            return .success(response)
        } catch {
            return .failure(
                MediaError(
                    .sourceFormat,
                    "Loading \(name) failed: it is longer than \(kind.longestWords) when it is unpacked; check that it is what the address says.",
                    fault: .tooLong))
        }
    }
}
