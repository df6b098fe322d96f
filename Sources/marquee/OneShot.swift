import BoxModel
import LinuxSupport
import MediaModel
import MediaSources

/// A single transfer, for commands that do nothing else.
@MainActor
enum OneShot {
    /// Loads a body. Blocks until done.
    ///
    /// - Throws: `CommandFailure` with the sentence of the error.
    static func load(_ address: String, kind: BodyKind, loop: MainLoop, loader: any ByteLoading) throws -> ByteResponse {
        var result: Result<ByteResponse, MediaError>?
        loader.load(ByteRequest(url: address, kind: kind)) { result = $0 }
        loop.run(until: { result != nil })
        switch result! {
        case .success(let response): return response
        case .failure(let error): throw CommandFailure(error.sentence)
        }
    }
}
