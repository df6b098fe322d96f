import CCurl
import Glibc
import MediaModel
import MediaSources
import URLReferences

/// One request of libcurl. Confined to the transfer thread.
final class HTTPTransfer {
    let id: TransferEngine.ID
    let sink: any TransferSink
    let handle: UnsafeMutableRawPointer
    /// What is wrong, in words.
    private let errors: TransferErrors
    /// The address for errors.
    var name: String { errors.name }
    /// Whether bytes are refused until `resume`, although the sink would take them.
    var isHeld = false
    /// Whether bytes were refused; libcurl keeps them until `resume`.
    private(set) var isPaused = false
    /// Whether the sink has taken bytes since its last `rest`.
    private var isSinkAtWork = false
    private let request: ByteRequest
    private let redirectRule: RedirectRule
    private let takesRefusals: Bool
    private let isDateTrusted: @Sendable () -> Bool
    private var headers: UnsafeMutablePointer<curl_slist>?
    /// The status lines of servers that are older than HTTP.
    private let aliases = curl_slist_append(nil, "ICY 200 OK")
    /// The address of the current request, after redirects.
    private var url: String
    /// The address after the permanent redirects that came first.
    private var lastingURL: String
    private var isLasting = true
    private var redirects = 0
    private var hasBegun = false
    /// Which bytes are wanted and there.
    private var part: WantedPart
    /// What the current request's answer has; nil before its first byte.
    private var answer: WantedPart.Answer?
    /// Whether the answers ended before the part.
    private var isShort = false
    /// Whether the server has said that the range lies behind the end.
    private var wasOutOfRange = false
    /// Whether a body is passed on as it is, because it is not packed in the way that its server states.
    private var isTakenAsItIs = false
    /// Whether no connection is used that another request has left open.
    private var isOnNewConnection = false
    private var hasEnough = false
    /// Whether the name of the server led to this machine.
    private var isPeerRefused = false
    private var discarded = 0
    /// Bytes of the heads of the current request's answers, with interim ones (RFC 9110, 15.2) and trailers.
    private var headLength = 0
    /// The names of the cookies that the current answer has set.
    private var cookies: Set<String> = []
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
        errors = TransferErrors(name: Location.name(request.url))
        part = WantedPart(request.range, mayCut: request.mayCutRange)
        lastingURL = request.url
        redirectRule = identity.redirects
        takesRefusals = identity.takesRefusals
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
        curl_slist_free_all(aliases)
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
        setRange()
        // Media does not get smaller, and its lengths and ranges are those of the bytes that are not packed. What is packed all the same is unpacked.
        marquee_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, request.isText && request.range == nil ? "" : "identity")
        marquee_curl_set_pointer(handle, CURLOPT_HTTP200ALIASES, aliases)
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

    private func setRange() { marquee_curl_set_text(handle, CURLOPT_RANGE, part.request) }

    private func setAddress(_ url: String) {
        self.url = url
        marquee_curl_set_text(handle, CURLOPT_URL, URLReference.escaped(url))
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

    private var isRefused: Bool { status >= 400 && !takesRefusals }

    /// A line of a head or of trailers has arrived.
    ///
    /// - Returns: how many bytes were consumed, in libcurl's convention.
    fileprivate func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
        headLength += line.count
        guard headLength <= Self.longestHead else { return marquee_curl_write_error }
        let mark = "set-cookie:"
        if line.count > mark.utf8.count, String(decoding: line.prefix(mark.utf8.count), as: UTF8.self).lowercased() == mark {
            let name = String(decoding: line.dropFirst(mark.utf8.count).prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            cookies.insert(String(name.drop { $0 == " " }.prefix { $0 != " " }))
        } else if line.count <= 2, !cookies.isEmpty {
            boundCookies()
        }
        return line.count
    }

    /// All requests share their cookies. At the end of a head libcurl has taken those in it.
    private func boundCookies() {
        let names = cookies
        cookies = []
        let list = marquee_curl_get_list(handle, CURLINFO_COOKIELIST)
        defer { curl_slist_free_all(list) }
        var lines: [String] = []
        var next = list
        while let entry = next {
            lines.append(String(cString: entry.pointee.data))
            next = entry.pointee.next
        }
        let place = URLReference(url)
        let kept = CookieRule.kept(lines, names: names, host: place.host ?? "", isSecure: place.scheme?.lowercased() == "https")
        guard let kept else { return }
        marquee_curl_set_text(handle, CURLOPT_COOKIELIST, "ALL")
        for line in kept { marquee_curl_set_text(handle, CURLOPT_COOKIELIST, line) }
    }

    /// - Returns: how many bytes were consumed, in libcurl's convention.
    fileprivate func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastProgress = NetworkTime.now()
        // The body of an error or a redirect is read, so that the connection can be reused, and discarded.
        if isRefused || isRedirect {
            discarded += bytes.count
            return discarded < Self.longestErrorPage ? bytes.count : marquee_curl_write_error
        }
        guard beginAnswer() else { return marquee_curl_write_error }
        guard !isHeld else {
            isPaused = true
            return marquee_curl_write_pause
        }
        pace.take(bytes.count)
        let wanted = part.wanted(of: bytes.count)
        switch wanted.isEmpty ? .taken : sink.receive(UnsafeRawBufferPointer(rebasing: bytes[wanted])) {
        case .taken: break
        case .notNow:
            isPaused = true
            return marquee_curl_write_pause
        case .enough:
            hasEnough = true
            return marquee_curl_write_error
        }
        isSinkAtWork = true
        part.take(wanted)
        // A server that sends more than the part is right up to its end.
        guard part.isComplete, part.isCutOut || wanted.upperBound < bytes.count else { return bytes.count }
        hasEnough = true
        return marquee_curl_write_error
    }

    private var contentRange: ContentRange? { header("content-range").flatMap(ContentRange.init) }

    private var isPacked: Bool { !isTakenAsItIs && header("content-encoding").map { $0.lowercased() != "identity" } ?? false }

    private func header(_ name: String) -> String? { marquee_curl_header(handle, name).map { String(cString: $0) } }

    /// - Returns: whether the body of the current answer is used.
    private func beginAnswer() -> Bool {
        if answer == nil {
            let length = marquee_curl_get_large(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
            let answer = part.begin(
                isPartial: status == 206, contentRange, length: length >= 0 && !isPacked ? Int64(length) : nil, isPacked: isPacked
            )
            self.answer = answer
            if answer == .use { begin() }
        }
        return answer == .use
    }

    private func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        pace.restart(at: NetworkTime.now())
        let age = header("age").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        // What was cut out of a whole body is the part that was asked for.
        let isCut = request.range != nil && request.range != 0..<Int64.max
        sink.begin(
            ResponseHead(
                status: isCut ? 206 : status, url: url, lastingURL: lastingURL,
                contentType: marquee_curl_get_text(handle, CURLINFO_CONTENT_TYPE).map { String(cString: $0) },
                totalLength: status == 206 && !isPacked ? part.resourceLength : nil, resourceLength: part.resourceLength,
                validator: isPacked ? nil : validator, entityTag: entityTag, expectedLength: part.length,
                age: age.map { .seconds($0) }, sinceChange: sinceChange,
                titleInterval: header("icy-metaint").flatMap { Int($0) },
                serverAddress: marquee_curl_get_text(handle, CURLINFO_PRIMARY_IP).map { String(cString: $0) }))
    }

    /// A weak ETag may not be used in If-Range (RFC 9110, 13.1.5).
    private var validator: String? {
        if let entityTag, entityTag.hasPrefix("\"") { return entityTag }
        return header("last-modified")
    }

    private var entityTag: String? { header("etag") }

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

    // MARK: - Further requests

    /// What follows after a response.
    enum Sequel {
        /// The transfer has ended.
        case end
        /// The handle is prepared for the next request.
        case again
        case refused(TransferFailure)
    }

    /// Decides what follows when libcurl has completed a request.
    func sequel(_ code: CURLcode) -> Sequel {
        if code == CURLE_OK, isRedirect { return follow() }
        guard !hasEnough, asksAgain(code) else { return .end }
        setRange()
        prepareAgain()
        return .again
    }

    private func prepareAgain() {
        answer = nil
        headLength = 0
        discarded = 0
        lastProgress = NetworkTime.now()
    }

    private func asksAgain(_ code: CURLcode) -> Bool {
        switch status {
        case 406, 416, 501:
            let total = contentRange?.total
            wasOutOfRange = wasOutOfRange || status == 416
            return !part.isAll(total: total) && !part.isBehind(total: total) && part.askForWhole()
        case 400...: return false
        default: break
        }
        if answer == .askForWhole { return part.askForWhole() }
        // A server may close a connection while the next request is on its way to it (RFC 9112, 9.3.1). libcurl gives up after a few of them.
        if code == CURLE_SEND_ERROR, headLength == 0, request.body == nil, !isOnNewConnection {
            isOnNewConnection = true
            marquee_curl_set_number(handle, CURLOPT_FRESH_CONNECT, 1)
            return true
        }
        if code == CURLE_BAD_CONTENT_ENCODING, part.received == 0, !isTakenAsItIs {
            isTakenAsItIs = true
            marquee_curl_set_number(handle, CURLOPT_HTTP_CONTENT_DECODING, 0)
            return true
        }
        guard code == CURLE_OK, beginAnswer() else { return false }
        switch part.sequel(isPartial: status == 206) {
        case .end: return false
        case .short:
            isShort = true
            return false
        case .rest:
            part.askForRest()
            return true
        }
    }

    /// Whether the response is a redirect (RFC 9110, 15.4).
    private var isRedirect: Bool {
        [301, 302, 303, 307, 308].contains(status) && marquee_curl_header(handle, "location") != nil
    }

    /// Follows a redirect. A POST is repeated as a POST.
    private func follow() -> Sequel {
        guard let target = marquee_curl_header(handle, "location") else { return .end }
        let bytes = UnsafeRawBufferPointer(start: target, count: strlen(target))
        let next = URLReference.resolve(reference: URLReference.text(ofBytes: bytes), against: url)
        redirects += 1
        guard redirects <= Self.mostRedirects else {
            return .refused(errors.redirect("was redirected more than \(Self.mostRedirects) times"))
        }
        switch redirectRule.answer(from: url, to: next) {
        case .refuse(let reason):
            return .refused(errors.redirect("was redirected to \(Location.name(next)), which is refused: \(reason)"))
        case .follow(let carriesHeaders):
            if !carriesHeaders { setHeaders(RedirectRule.publicHeaders(request.headers)) }
            isLasting = isLasting && [301, 308].contains(status)
            if isLasting { lastingURL = next }
            prepareAgain()
            setAddress(next)
            return .again
        }
    }

    // MARK: - Completion

    /// The error of a transfer that libcurl has completed; nil on success.
    func failure(_ code: CURLcode) -> TransferFailure? {
        if isShort { return TransferFailure(error: errors.short(after: part.received), isBroken: true) }
        if isRefused {
            if status == 416, part.isAll(total: contentRange?.total) { return nil }
            return TransferFailure(error: errors.refusal(status), isBeyondEnd: status == 416)
        }
        if isHeadTooLong(code) { return TransferFailure(error: errors.head) }
        if answer == .refuse || answer == .askForWhole {
            return TransferFailure(error: errors.range(status), isBeyondEnd: wasOutOfRange)
        }
        guard code != CURLE_OK, !hasEnough else {
            begin()
            return nil
        }
        if isPeerRefused, code == CURLE_COULDNT_CONNECT { return TransferFailure(error: errors.peer) }
        let fault = TransferErrors.fault(code)
        let error = errors.error(code, after: part.received, connectTimeout: connectTimeout, isDateTrusted: isDateTrusted)
        return TransferFailure(error: error, isBroken: fault == .broken || fault == .wrongLength)
    }

    /// libcurl gives up a line that has no end with these codes: up to 8.5 as if there were no memory left for it.
    private func isHeadTooLong(_ code: CURLcode) -> Bool {
        guard !hasEnough, code != CURLE_OK else { return false }
        return headLength > Self.longestHead || !hasBegun && (code == CURLE_OUT_OF_MEMORY || code.rawValue == Self.tooLarge)
    }

    /// CURLE_TOO_LARGE, since libcurl 8.6.
    private static let tooLarge: UInt32 = 100

    /// A timeout error; nil while it is in time.
    func lateness(_ now: Duration) -> MediaError? {
        if isPaused { return nil }
        if !hasBegun, now - started > request.firstByteTimeout { return errors.noFirstByte(within: request.firstByteTimeout) }
        if let limit = request.totalTimeout, now - started > limit { return errors.overdue(limit, after: part.received) }
        if hasBegun, pace.isTooSlow(at: now) { return errors.slow(request.slowestRate, after: part.received) }
        guard hasBegun, now - lastProgress > request.stallTimeout else { return nil }
        return errors.stalled(for: request.stallTimeout, after: part.received)
    }
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
    let line = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : size * count)
    return Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().takeHeadLine(line)
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
