import BoxModel
import LinuxSupport
import MediaModel
import MediaSources
import StatusModel
import URLReferences

/// Makes a support bundle, and posts it to an address that an operator names. One at a time. Main loop only.
@MainActor
final class BundleSender {
    private let loader: any ByteLoading
    private let log: LogBook
    /// Sent with it, so that its receiver knows the box.
    private let headers: [String]
    /// Hosts to which plain http is allowed.
    private let plainHTTPHosts: Set<String>
    private let make: @MainActor (@escaping @MainActor ([UInt8]?) -> Void) -> Void
    private var isBusy = false
    private var isClosed = false
    private var task: (any ByteTask)?

    init(
        loader: any ByteLoading, log: LogBook, headers: [String], plainHTTPHosts: Set<String>,
        make: @escaping @MainActor (@escaping @MainActor ([UInt8]?) -> Void) -> Void
    ) {
        (self.loader, self.log, self.headers, self.plainHTTPHosts, self.make) = (loader, log, headers, plainHTTPHosts, make)
    }

    /// - Returns: `notSupported` for an address that may not be used, `notReady` while another one is made or sent.
    func send(to address: String) -> CommandResult {
        guard FeedFile.isLetIn(address, plainHTTPHosts: plainHTTPHosts) else {
            log.note(
                "support bundle: nothing is sent, because the address is plain http and its host is not in [feed] allow_http")
            return .failed(.notSupported)
        }
        guard !isBusy, !isClosed else { return .failed(.notReady) }
        isBusy = true
        make { [weak self] in self?.post($0, to: address) }
        return .success
    }

    func close() {
        isClosed = true
        task?.cancel()
    }

    private func post(_ bundle: [UInt8]?, to address: String) {
        guard !isClosed else { return }
        guard let bundle else {
            isBusy = false
            return log.note("support bundle: it could not be made", .warning)
        }
        let request = ByteRequest(
            url: address, kind: .document, headers: headers + ["Content-Type: application/zstd"], totalTimeout: .seconds(300),
            body: bundle)
        task = loader.load(request) { [weak self] in self?.take($0, bundle.count, address) }
    }

    private func take(_ result: Result<ByteResponse, MediaError>, _ size: Int, _ address: String) {
        (task, isBusy) = (nil, false)
        guard !isClosed else { return }
        switch result {
        case .success: log.note("support bundle: \(size) bytes were sent to \(Redaction.withoutSecrets(address))")
        case .failure(let error): log.note("support bundle: it was not sent: \(error.description)", .warning)
        }
    }
}
