import Glibc
import LinuxSupport
import MediaModel
import MediaSources

/// A single transfer, for commands that do nothing else.
@MainActor
package enum OneShot {
    /// Loads a body; `-` is standard input. Blocks until done.
    ///
    /// - Throws: `CommandFault` with the sentence of the error.
    package static func load(_ address: String, kind: BodyKind, loop: MainLoop, loader: any ByteLoading) throws(CommandFault)
        -> ByteResponse
    {
        if address == "-" {
            return ByteResponse(
                bytes: try standardInput(), url: address, status: 200, contentType: nil, timeToFirstByte: .zero,
                transferDuration: .zero)
        }
        var result: Result<ByteResponse, MediaError>?
        loader.load(ByteRequest(url: address, kind: kind)) { result = $0 }
        loop.run(until: { result != nil })
        switch result! {
        case .success(let response): return response
        case .failure(let error): throw CommandFault(error.sentence)
        }
    }

    /// All of standard input.
    ///
    /// - Throws: `CommandFault` with the reason.
    package nonisolated static func standardInput() throws(CommandFault) -> [UInt8] {
        guard let bytes = WholeFile.read("/dev/stdin", mayBePipe: true) else {
            throw CommandFault("Reading standard input failed: \(String(cString: strerror(errno))).")
        }
        return bytes
    }
}
