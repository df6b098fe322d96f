import CCurl
import Glibc
import MediaModel
import URLReferences

/// One request of libcurl. Confined to the transfer thread.
final class HTTPTransfer {
    let id: TransferEngine.ID
    let sink: any TransferSink
    let handle: UnsafeMutableRawPointer
    /// The address for errors.
    let name: String
    /// Whether bytes are refused until `resume`, although the sink would take them.
    var isHeld = false
    /// Whether bytes were refused; libcurl keeps them until `resume`.
    private(set) var isPaused = false
    /// Whether the sink has taken bytes since its last `rest`.
    private var isSinkAtWork = false
    private let request: ByteRequest
    private let redirectRule: RedirectRule
    private let isDateTrusted: @Sendable () -> Bool
    private var headers: UnsafeMutablePointer<curl_slist>?
    /// The address of the current request, after redirects.
    private var url: String
    private var redirects = 0
    private var hasBegun = false
    private var hasEnough = false
    /// Whether the name of the server led to this machine.
    private var isPeerRefused = false
    private var received: Int64 = 0
    private var discarded = 0
    /// Bytes of the heads of the current request's answers, with interim ones (RFC 9110, 15.2) and trailers.
    private var headLength = 0
    private let started = NetworkTime.now()
    private var lastProgress = NetworkTime.now()
    private var pace: TransferPace

    static let mostRedirects = 5
    /// A name or server that does not answer at all is detected sooner than a slow first byte.
    private static let connectTimeout: Duration = .seconds(6)
    private var connectTimeout: Duration { min(Self.connectTimeout, request.firstByteTimeout) }
    private static let longestErrorPage = 64 << 10
    /// The heads of real servers have a few KiB, with signed cookies some tens. libcurl bounds each line by itself, at 100 KiB.
    private static let longestHead = 256 << 10

    init(
        _ request: ByteRequest, id: TransferEngine.ID, sink: any TransferSink, identity: TransferIdentity,
        share: UnsafeMutableRawPointer
    ) {
        guard let handle = curl_easy_init() else { fatalError("no memory left for libcurl") }
        self.request = request
        self.id = id
        self.sink = sink
        self.handle = handle
        name = Location.name(request.url)
        redirectRule = identity.redirects
        isDateTrusted = identity.isDateTrusted
        url = request.url
        pace = TransferPace(slowestRate: request.slowestRate, start: started)
        setHeaders(request.headers)
        setOptions(identity)
        marquee_curl_set_pointer(handle, CURLOPT_SHARE, share)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
    }

    private func setOptions(_ identity: TransferIdentity) {
        setAddress(request.url)
        marquee_curl_set_text(handle, CURLOPT_USERAGENT, identity.userAgent)
        if let authorities = identity.certificateAuthorities { marquee_curl_set_text(handle, CURLOPT_CAINFO, authorities) }
        // No default protocols: no address may lead to files, mail or sockets. Redirects are followed here (`follow`) and not by
        // libcurl, which would send our header lines to every host.
        marquee_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        marquee_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
        marquee_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        marquee_curl_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Cookies without a file: signed addresses and sessions need them.
        marquee_curl_set_text(handle, CURLOPT_COOKIEFILE, "")
        marquee_curl_set_number(handle, CURLOPT_BUFFERSIZE, 128 << 10)
        marquee_curl_set_number(handle, CURLOPT_TCP_KEEPALIVE, 1)
        marquee_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(connectTimeout / .milliseconds(1))))
        if let body = request.body { send(body) }
        if let range = request.range {
            marquee_curl_set_text(
                handle, CURLOPT_RANGE, "\(range.lowerBound)-" + (range.upperBound == .max ? "" : "\(range.upperBound - 1)"))
        } else if Self.isText(request.url) {
            marquee_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "")
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        marquee_curl_set_writer(handle, writeBody)
        marquee_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        marquee_curl_set_header_reader(handle, readHeadLine)
        marquee_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        if !identity.usesProxy {
            marquee_curl_set_opener(handle, openConnection)
            marquee_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
        }
    }

    private func setAddress(_ url: String) {
        self.url = url
        headLength = 0
        marquee_curl_set_text(handle, CURLOPT_URL, url)
        // Waiting for a connection to share is useful only with TLS; without it, sharing is never possible.
        marquee_curl_set_number(handle, CURLOPT_PIPEWAIT, url.lowercased().hasPrefix("https:") ? 1 : 0)
    }

    private func setHeaders(_ lines: [String]) {
        let old = headers
        headers = nil
        for line in lines { headers = curl_slist_append(headers, line) }
        marquee_curl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
        curl_slist_free_all(old)
    }

    /// Playlists, feeds and captions compress well; media does not, and its lengths and ranges refer to the uncompressed bytes.
    private static func isText(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".m3u8", ".m3u", ".json", ".vtt", ".txt", ".xml", ".ttml"].contains { path.hasSuffix($0) }
    }

    /// Opens the socket to an address of the server.
    ///
    /// - Returns: the descriptor, which libcurl closes; nil if the address is refused or there is no descriptor left.
    fileprivate func openSocket(_ address: inout curl_sockaddr) -> curl_socket_t? {
        guard withUnsafePointer(to: &address.addr, { PeerRule.allows($0, for: url) }) else {
            isPeerRefused = true
            return nil
        }
        let descriptor = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
        return descriptor < 0 ? nil : descriptor
    }

    // MARK: - Response

    private var status: Int { marquee_curl_get_number(handle, CURLINFO_RESPONSE_CODE) }

    /// A line of a head or of trailers has arrived.
    ///
    /// - Returns: how many bytes were consumed, in libcurl's convention.
    fileprivate func takeHeadLine(_ count: Int) -> Int {
        headLength += count
        return headLength > Self.longestHead ? marquee_curl_write_error : count
    }

    /// - Returns: how many bytes were consumed, in libcurl's convention.
    fileprivate func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastProgress = NetworkTime.now()
        // The body of an error or a redirect is read, so that the connection can be reused, and discarded.
        if status >= 400 || isRedirect {
            discarded += bytes.count
            return discarded < Self.longestErrorPage ? bytes.count : marquee_curl_write_error
        }
        if isRangeIgnored { return marquee_curl_write_error }
        begin()
        guard !isHeld else {
            isPaused = true
            return marquee_curl_write_pause
        }
        pace.take(bytes.count)
        // A server that sends more than the range is right up to its end.
        let wanted = min(Int64(bytes.count), rangeLength - received)
        switch sink.receive(UnsafeRawBufferPointer(rebasing: bytes[..<Int(wanted)])) {
        case .taken:
            isSinkAtWork = true
            received += wanted
            guard wanted == bytes.count else {
                hasEnough = true
                return marquee_curl_write_error
            }
            return bytes.count
        case .notNow:
            isPaused = true
            return marquee_curl_write_pause
        case .enough:
            hasEnough = true
            return marquee_curl_write_error
        }
    }

    /// Whether the server ignores the range: it sends the whole resource, or another part of it.
    private var isRangeIgnored: Bool {
        guard let range = request.range, range != 0..<Int64.max else { return false }
        guard status == 206 else { return true }
        return contentRange.flatMap(Self.firstByte).map { $0 != range.lowerBound } ?? false
    }

    /// How many bytes of the body are wanted.
    private var rangeLength: Int64 {
        guard status == 206, let range = request.range else { return .max }
        return range.upperBound - range.lowerBound
    }

    private var contentRange: String? {
        status == 206 ? marquee_curl_header(handle, "content-range").map { String(cString: $0) } : nil
    }

    private func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        pace.restart(at: NetworkTime.now())
        let url = marquee_curl_get_text(handle, CURLINFO_EFFECTIVE_URL).map { String(cString: $0) } ?? request.url
        let type = marquee_curl_get_text(handle, CURLINFO_CONTENT_TYPE).map { String(cString: $0) }
        let length = marquee_curl_get_large(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        let isPacked = marquee_curl_header(handle, "content-encoding") != nil
        let age = marquee_curl_header(handle, "age").flatMap { Int(String(cString: $0)) }.flatMap { $0 >= 0 ? $0 : nil }
        sink.begin(
            ResponseHead(
                status: status, url: url, contentType: type, totalLength: contentRange.flatMap(Self.totalLength),
                validator: isPacked ? nil : validator, entityTag: entityTag,
                expectedLength: length >= 0 && !isPacked ? Int64(length) : nil, age: age.map { .seconds($0) },
                sinceChange: sinceChange,
                serverAddress: marquee_curl_get_text(handle, CURLINFO_PRIMARY_IP).map { String(cString: $0) }))
    }

    /// A weak ETag may not be used in If-Range (RFC 9110, 13.1.5).
    private var validator: String? {
        if let entityTag, entityTag.hasPrefix("\"") { return entityTag }
        return marquee_curl_header(handle, "last-modified").map { String(cString: $0) }
    }

    private var entityTag: String? { marquee_curl_header(handle, "etag").map { String(cString: $0) } }

    /// Seconds since the last modification, by the server's own clock.
    private var sinceChange: Int? {
        guard let changed = date("last-modified"), let now = date("date") else { return nil }
        return now - changed
    }

    private func date(_ header: String) -> Int? {
        guard let text = marquee_curl_header(handle, header) else { return nil }
        let seconds = curl_getdate(text, nil)
        return seconds < 0 ? nil : seconds
    }

    /// The number after the slash of `bytes 0-99/1234`.
    private static func totalLength(_ range: String) -> Int64? { range.split(separator: "/").last.flatMap { Int64($0) } }

    /// The first number of `bytes 0-99/1234`.
    private static func firstByte(_ range: String) -> Int64? {
        guard range.lowercased().hasPrefix("bytes ") else { return nil }
        return Int64(range.dropFirst(6).prefix { $0 != "-" })
    }

    /// Tells the sink that there are no more bytes now.
    func rest() {
        guard isSinkAtWork else { return }
        isSinkAtWork = false
        sink.rest()
    }

    func resume() {
        isHeld = false
        guard isPaused else { return }
        isPaused = false
        lastProgress = NetworkTime.now()
        pace.restart(at: lastProgress)
        curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    // MARK: - Redirects

    /// What follows after a response.
    enum Sequel {
        /// It was not a redirect: the transfer has ended.
        case end
        /// The handle is prepared for the next request.
        case again
        case refused(TransferFailure)
    }

    /// Whether the response is a redirect (RFC 9110, 15.4).
    private var isRedirect: Bool {
        [301, 302, 303, 307, 308].contains(status) && marquee_curl_header(handle, "location") != nil
    }

    /// Follows a redirect. A POST is repeated as a POST.
    func follow(_ code: CURLcode) -> Sequel {
        guard code == CURLE_OK, isRedirect, let target = marquee_curl_get_text(handle, CURLINFO_REDIRECT_URL) else { return .end }
        let next = String(cString: target)
        redirects += 1
        guard redirects <= Self.mostRedirects else {
            return .refused(redirectFailure("was redirected more than \(Self.mostRedirects) times"))
        }
        switch redirectRule.answer(from: url, to: next) {
        case .refuse(let reason):
            return .refused(redirectFailure("was redirected to \(Location.name(next)), which is refused: \(reason)"))
        case .follow(let carriesHeaders):
            if !carriesHeaders { setHeaders(RedirectRule.publicHeaders(request.headers)) }
            setAddress(next)
            return .again
        }
    }

    private func redirectFailure(_ what: String) -> TransferFailure {
        TransferFailure(
            error: MediaError(
                .sourceFormat, "Loading \(name) \(what); correct the address or the server.", fault: .redirects))
    }

    // MARK: - Completion

    /// The error of a transfer that libcurl has completed; nil on success.
    func failure(_ code: CURLcode) -> TransferFailure? {
        // A server refuses every range of an empty resource (RFC 9110, 15.5.17).
        if status == 416, request.range == 0..<Int64.max { return nil }
        if status >= 400 { return TransferFailure(error: statusFailure(status), isBeyondEnd: status == 416) }
        if isHeadTooLong(code) { return TransferFailure(error: headFailure()) }
        if isRangeIgnored, code == CURLE_OK || code == CURLE_WRITE_ERROR { return TransferFailure(error: rangeFailure()) }
        guard code != CURLE_OK, !hasEnough else {
            begin()
            return nil
        }
        if isPeerRefused, code == CURLE_COULDNT_CONNECT { return TransferFailure(error: peerFailure()) }
        let fault = Self.fault(code)
        return TransferFailure(error: error(code, fault), isBroken: fault == .broken || fault == .wrongLength)
    }

    private static func fault(_ code: CURLcode) -> LoadFault {
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

    private func error(_ code: CURLcode, _ fault: LoadFault) -> MediaError {
        switch fault {
        case .unreachable where code == CURLE_OPERATION_TIMEDOUT:
            return MediaError(
                .sourceTimeout,
                "Connecting to load \(name) got no answer within \(Self.words(connectTimeout)); check the network and the server.",
                fault: fault)
        case .wrongLength:
            return MediaError(
                .sourceFormat,
                "Loading \(name) ended after \(received) bytes, before the length that its server stated; try again or repair the server.",
                fault: fault)
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
                .sourceFormat, "Loading \(name) failed: \(Self.words(code)); correct the address or the server.", fault: fault)
        }
    }

    private func peerFailure() -> MediaError {
        MediaError(
            .sourceFormat,
            "Loading \(name) was refused: the name of its server leads to this box; correct the name, or use 127.0.0.1 if that is meant.",
            fault: .refused)
    }

    /// libcurl gives up a line that has no end with these codes: up to 8.5 as if there were no memory left for it.
    private func isHeadTooLong(_ code: CURLcode) -> Bool {
        guard !hasEnough, code != CURLE_OK else { return false }
        return headLength > Self.longestHead || !hasBegun && (code == CURLE_OUT_OF_MEMORY || code.rawValue == Self.tooLarge)
    }

    /// CURLE_TOO_LARGE, since libcurl 8.6.
    private static let tooLarge: UInt32 = 100

    private func headFailure() -> MediaError {
        MediaError(
            .sourceFormat,
            "Loading \(name) failed: the head of its server's answer is too long; correct the address or the server.",
            fault: .tooLong)
    }

    private static func isOfNetwork(_ code: CURLcode) -> Bool {
        [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM].contains(code)
    }

    private func statusFailure(_ status: Int) -> MediaError {
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
        case 416: rangeFailure()
        default: .loading(name, failed: fault)
        }
    }

    private func rangeFailure() -> MediaError {
        MediaError(
            .sourceFormat,
            "Loading a part of \(name) failed: its server does not serve that range (HTTP \(status)); use a server with range requests.",
            fault: .rangeIgnored)
    }

    /// A timeout error; nil while it is in time.
    func lateness(_ now: Duration) -> MediaError? {
        if isPaused { return nil }
        if !hasBegun, now - started > request.firstByteTimeout {
            return MediaError(
                .sourceTimeout,
                "Loading \(name) got no first byte within \(Self.words(request.firstByteTimeout)); check the network and the server.",
                fault: .noFirstByte)
        }
        if let limit = request.totalTimeout, now - started > limit {
            return MediaError(
                .sourceTimeout,
                "Loading \(name) took longer than \(Self.words(limit)), after \(received) bytes; check the network and the server.",
                fault: .overdue)
        }
        if hasBegun, pace.isTooSlow(at: now) {
            return MediaError(
                .sourceTimeout,
                "Loading \(name) is too slow: under \(request.slowestRate) bytes per second, after \(received); check the network and the server.",
                fault: .stalled)
        }
        guard hasBegun, now - lastProgress > request.stallTimeout else { return nil }
        return MediaError(
            .sourceTimeout,
            "Loading \(name) stalled: no byte for \(Self.words(request.stallTimeout)) after \(received); check the network and the server.",
            fault: .stalled)
    }

    private static func words(_ length: Duration) -> String { "\(Double(Int(length / .milliseconds(1))) / 1000) s" }
    private static func words(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }
}

private func writeBody(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?)
    -> Int
{
    guard let bytes, let context else { return marquee_curl_write_error }
    let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.write(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private func readHeadLine(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return marquee_curl_write_error }
    return Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().takeHeadLine(size * count)
}

private func openConnection(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
)
    -> curl_socket_t
{
    guard let context, let address else { return CURL_SOCKET_BAD }
    let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.openSocket(&address.pointee) ?? CURL_SOCKET_BAD
}

extension HTTPTransfer {
    /// Makes it a POST with this body; called before the transfer starts.
    func send(_ body: [UInt8]) {
        marquee_curl_set_number(handle, CURLOPT_POST, 1)
        marquee_curl_set_large(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // libcurl copies the bytes; the size must be set first.
        body.withUnsafeBytes { bytes in
            _ = marquee_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
        }
    }
}
