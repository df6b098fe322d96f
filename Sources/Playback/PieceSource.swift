import Composition
import MediaModel
import MediaSources
import WireFormats

/// Opens the sources of compositions; the one place that decides what can be one.
package enum PieceSource {
    /// Why a source was not opened.
    enum Failure: Error {
        /// It is something else than a file of media.
        case unusable(SourceFault)
        /// The error of the stream or of the container.
        case failed(MediaError)
    }

    /// Opens the container of a stream. Waits for bytes.
    static func open(_ stream: any ByteStream, _ codecs: any CodecFactory) throws(Failure) -> any Demuxing {
        let head = try media { () throws(MediaError) in try stream.read(count: 64) }
        if PlaylistHead.isBeginning(head) { throw .unusable(.playlist) }
        if isDocument(head) { throw .unusable(.document) }
        guard stream.length != nil else { throw .unusable(.unseekable) }
        return try media { () throws(MediaError) in
            try stream.seek(to: 0)
            return try codecs.openDemuxer(stream, hint: nil)
        }
    }

    private static func media<Result>(_ body: () throws(MediaError) -> Result) throws(Failure) -> Result {
        do throws(MediaError) {
            return try body()
        } catch {
            throw .failed(error)
        }
    }

    /// Opens a source for a check. Waits for bytes.
    package static func result(of url: String, loader: any ByteLoading, codecs: any CodecFactory) -> SourceResult {
        let stream = loader.stream(url)
        defer { stream.cancel() }
        do throws(Failure) {
            return .found(SourceFacts(try open(stream, codecs).description))
        } catch {
            switch error {
            case .unusable(let fault): return .unusable(fault)
            case .failed(let error): return .failed(error.sentence)
            }
        }
    }

    /// Whether bytes begin like JSON, as a composition does.
    private static func isDocument(_ head: [UInt8]) -> Bool {
        head.first { !Array(" \t\r\n".utf8).contains($0) } == UInt8(ascii: "{")
    }
}
