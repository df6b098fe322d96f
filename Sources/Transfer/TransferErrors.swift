import CCurl
import MediaModel

/// The errors of one transfer, in words.
struct TransferErrors {
    /// The address, without secrets.
    let name: String

    static func fault(_ code: CURLcode) -> LoadFault {
        switch code {
        case CURLE_OPERATION_TIMEDOUT, CURLE_COULDNT_CONNECT: .unreachable
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .unresolved
        case CURLE_PARTIAL_FILE: .wrongLength
        case CURLE_UNSUPPORTED_PROTOCOL: .redirects
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_CACERT_BADFILE, CURLE_USE_SSL_FAILED, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS:
            .insecure
        default: .broken
        }
    }

    /// - Parameters:
    ///   - code: what libcurl says.
    ///   - received: how many bytes had arrived.
    func error(
        _ code: CURLcode, after received: Int64, connectTimeout: Duration, isDateTrusted: () -> Bool
    ) -> MediaError {
        let fault = Self.fault(code)
        switch fault {
        case .unreachable where code == CURLE_OPERATION_TIMEDOUT:
            return MediaError(
                .sourceTimeout,
                "Connecting to load \(name) got no answer within \(Self.words(connectTimeout)); check the network and the server.",
                fault: fault)
        case .wrongLength: return short(after: received)
        case .unresolved, .unreachable:
            return MediaError(
                .networkDown, "Loading \(name) failed: \(Self.words(code)); check the network and the address.", fault: fault)
        case .insecure where !isDateTrusted():
            return MediaError(
                .clockUntrusted,
                "Loading \(name) failed: \(Self.words(code)), but the date of this box is not set yet; let it reach a time server.",
                fault: fault)
        case .broken where Self.isOfNetwork(code):
            return MediaError(
                .networkDown, "Loading \(name) failed: \(Self.words(code)); check the network and the address.", fault: fault)
        default:
            return MediaError(
                fault == .insecure ? fault.code : .sourceFormat,
                "Loading \(name) failed: \(Self.words(code)); correct the address or the server.", fault: fault)
        }
    }

    private static func isOfNetwork(_ code: CURLcode) -> Bool {
        [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM].contains(code)
    }

    func short(after received: Int64) -> MediaError {
        MediaError(
            .sourceFormat,
            "Loading \(name) ended after \(received) bytes, before the length that its server stated; try again or repair the server.",
            fault: .wrongLength)
    }

    var peer: MediaError {
        MediaError(
            .sourceFormat,
            "Loading \(name) was refused: the name of its server leads to this box; correct the name, or use 127.0.0.1 if that is meant.",
            fault: .refused)
    }

    var head: MediaError {
        MediaError(
            .sourceFormat,
            "Loading \(name) failed: the head of its server's answer is too long; correct the address or the server.",
            fault: .tooLong)
    }

    func redirect(_ what: String) -> TransferFailure {
        TransferFailure(
            error: MediaError(
                .sourceFormat, "Loading \(name) \(what); correct the address or the server.", fault: .redirects))
    }

    /// A status of 400 or more.
    func refusal(_ status: Int) -> MediaError {
        let fault = LoadFault.status(status)
        return switch status {
        case 404, 410:
            MediaError(
                fault.code, "Loading \(name) failed: there is nothing at that address (HTTP \(status)); correct the address.",
                fault: fault)
        case 408, 504:
            MediaError(
                fault.code, "Loading \(name) failed: its server waited too long (HTTP \(status)); try again later.",
                fault: fault)
        case 416: range(status)
        default: .loading(name, failed: fault)
        }
    }

    func range(_ status: Int) -> MediaError {
        MediaError(
            .sourceFormat,
            "Loading a part of \(name) failed: its server does not serve that range (HTTP \(status)); use a server with range requests.",
            fault: .rangeIgnored)
    }

    // MARK: - Too late

    func noFirstByte(within limit: Duration) -> MediaError {
        MediaError(
            .sourceTimeout,
            "Loading \(name) got no first byte within \(Self.words(limit)); check the network and the server.",
            fault: .noFirstByte)
    }

    func overdue(_ limit: Duration, after received: Int64) -> MediaError {
        MediaError(
            .sourceTimeout,
            "Loading \(name) took longer than \(Self.words(limit)), after \(received) bytes; check the network and the server.",
            fault: .overdue)
    }

    func slow(_ rate: Int, after received: Int64) -> MediaError {
        MediaError(
            .sourceTimeout,
            "Loading \(name) is too slow: under \(rate) bytes per second, after \(received); check the network and the server.",
            fault: .stalled)
    }

    func stalled(for limit: Duration, after received: Int64) -> MediaError {
        MediaError(
            .sourceTimeout,
            "Loading \(name) stalled: no byte for \(Self.words(limit)) after \(received); check the network and the server.",
            fault: .stalled)
    }

    private static func words(_ length: Duration) -> String { "\(Double(Int(length / .milliseconds(1))) / 1000) s" }
    private static func words(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }
}
