import LinuxSupport
import MediaModel
import MediaSources

/// A small document of the operator with the text of its signature, neither of them checked.
struct SignedDocument: Sendable, Equatable {
    var bytes: [UInt8]
    var signature: [UInt8]
}

/// Loads a small document and the signature beside it. Main loop only.
@MainActor
final class SignedDocumentLoad {
    /// Why there is none, as the middle of a sentence.
    struct Trouble: Error {
        var words: String
    }

    private let loader: any ByteLoading
    private let address: String
    private let headers: [String]
    /// The document in words, such as "the notice".
    private let what: String
    private var task: (any ByteTask)?
    private var isClosed = false

    init(_ address: String, headers: [String], what: String, loader: any ByteLoading) {
        (self.address, self.headers, self.what, self.loader) = (address, headers, what, loader)
    }

    /// Whether it is being loaded.
    var isLoading: Bool { task != nil }

    /// - Parameter completion: called once, unless it is closed before.
    func start(_ completion: @escaping @MainActor (Result<SignedDocument, Trouble>) -> Void) {
        guard !isClosed, task == nil else { return }
        task = loader.load(ByteRequest(url: address, kind: .document, headers: headers)) { [weak self] result in
            guard let self, !isClosed else { return }
            task = nil
            switch result {
            case .failure(let error): completion(.failure(Trouble(words: error.description)))
            case .success(let response): loadSignature(of: response.bytes, completion)
            }
        }
    }

    private func loadSignature(
        of bytes: [UInt8], _ completion: @escaping @MainActor (Result<SignedDocument, Trouble>) -> Void
    ) {
        let place = FeedTrust.signatureAddress(of: address)
        task = loader.load(ByteRequest(url: place, kind: .document, headers: headers)) { [weak self] result in
            guard let self, !isClosed else { return }
            task = nil
            completion(
                result.map { SignedDocument(bytes: bytes, signature: $0.bytes) }.mapError { [what] in
                    Trouble(words: "\(what)'s signature: \($0.description)")
                })
        }
    }

    func close() {
        isClosed = true
        task?.cancel()
        task = nil
    }
}
