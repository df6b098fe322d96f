import CCurl
import Glibc
import MediaModel
import MediaSources
import URLReferences

/// One transfer over HTTP: a request of libcurl and those that follow from its answers. Confined to the transfer thread.
final class HTTPTransfer {
    /// What the current request's answer has brought, apart from wanted bytes.
    private struct Answer {
        private static let longestErrorPage = 64 << 10
        /// The heads of real servers have a few KiB, with signed cookies some tens. libcurl bounds each line by itself, at 100 KiB.
        private static let longestHead = 256 << 10

        /// How its body is used; nil before its first byte.
        var use: WantedPart.Answer?
        /// Bytes of the heads, with interim ones (RFC 9110, 15.2) and trailers.
        private(set) var headLength = 0
        private var discarded = 0

        var isHeadTooLong: Bool { headLength > Self.longestHead }

        /// - Returns: false if the head is too long.
        mutating func takeHeadLine(_ count: Int) -> Bool {
            headLength += count
            return !isHeadTooLong
        }

        /// - Returns: false if enough of an unwanted body has come.
        mutating func discard(_ count: Int) -> Bool {
            discarded += count
            return discarded < Self.longestErrorPage
        }
    }

    /// How a transfer ends that libcurl does not end.
    private enum Ending {
        /// Nothing more is wanted.
        case enough
        /// The answers ended before the part.
        case short
    }

    let id: TransferEngine.ID
    private var request: RequestHandle
    private let wanted: ByteRequest
    private let identity: TransferIdentity
    /// What is wrong, in words.
    private let errors: TransferErrors
    private var delivery: SinkDelivery
    private var trail: RedirectTrail
    /// Which bytes are wanted and there.
    private var part: WantedPart
    private var answer = Answer()
    private var cookies = AnswerCookies()
    private var timing: TransferTiming
    private var ending: Ending?
    /// Whether the server has said that the range lies behind the end.
    private var wasOutOfRange = false
    /// Whether the name of the server led to this machine.
    private var isPeerRefused = false

    /// A name or server that does not answer at all is detected sooner than a slow first byte.
    private static let connectTimeout: Duration = .seconds(6)
    private var connectTimeout: Duration { min(Self.connectTimeout, wanted.firstByteTimeout) }

    init(
        _ wanted: ByteRequest, id: TransferEngine.ID, sink: any TransferSink, identity: TransferIdentity,
        share: UnsafeMutableRawPointer
    ) {
        self.wanted = wanted
        self.id = id
        self.identity = identity
        request = RequestHandle(share: share)
        delivery = SinkDelivery(to: sink)
        errors = TransferErrors(name: Location.name(wanted.url))
        part = WantedPart(wanted.range, mayCut: wanted.mayCutRange)
        trail = RedirectTrail(wanted.url, rule: identity.redirects)
        timing = TransferTiming(wanted, start: NetworkTime.now())
        let callbacks = RequestHandle.Callbacks(
            context: Unmanaged.passUnretained(self).toOpaque(), writeBody: writeBody, readHeadLine: readHeadLine,
            openConnection: openConnection)
        request.prepare(
            wanted, identity: identity, connectTimeout: connectTimeout, range: part.request, callbacks: callbacks)
    }

    var handle: UnsafeMutableRawPointer { request.pointer }
    /// The address for errors.
    var name: String { errors.name }
    var sink: any TransferSink { delivery.sink }
    var isHeld: Bool { delivery.isHeld }
    var isPaused: Bool { delivery.isPaused }

    func hold() { delivery.hold() }

    func rest() { delivery.rest() }

    func resume() {
        guard delivery.resume() else { return }
        timing.resume(at: NetworkTime.now())
        request.goOn()
    }

    /// Opens the socket to an address of the server.
    ///
    /// - Returns: the descriptor, which libcurl closes; nil if the address is refused or there is no descriptor left.
    fileprivate func openSocket(_ address: inout curl_sockaddr) -> curl_socket_t? {
        guard withUnsafePointer(to: &address.addr, { PeerRule.allows($0, for: trail.url) }) else {
            isPeerRefused = true
            return nil
        }
        let descriptor = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
        return descriptor < 0 ? nil : descriptor
    }

    // MARK: - Response

    private var isRefused: Bool { request.status >= 400 && !identity.takesRefusals }

    /// A line of a head or of trailers has arrived.
    ///
    /// - Returns: how many bytes were consumed, in libcurl's convention.
    fileprivate func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
        guard answer.takeHeadLine(line.count) else { return marquee_curl_write_error }
        if let names = cookies.take(line), let kept = CookieRule.kept(request.cookies, names: names, from: trail.url) {
            request.replaceCookies(with: kept)
        }
        return line.count
    }

    /// - Returns: how many bytes were consumed, in libcurl's convention.
    fileprivate func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        timing.progress(at: NetworkTime.now())
        // The body of an error or a redirect is read, so that the connection can be reused, and discarded.
        if isRefused || request.isRedirect { return answer.discard(bytes.count) ? bytes.count : marquee_curl_write_error }
        guard beginAnswer() else { return marquee_curl_write_error }
        timing.take(bytes.count)
        let range = part.wanted(of: bytes.count)
        switch delivery.pass(UnsafeRawBufferPointer(rebasing: bytes[range])) {
        case .taken: part.take(range)
        case .notNow: return marquee_curl_write_pause
        case .enough:
            ending = .enough
            return marquee_curl_write_error
        }
        // A server that sends more than the part is right up to its end.
        guard part.isComplete, part.isCutOut || range.upperBound < bytes.count else { return bytes.count }
        ending = .enough
        return marquee_curl_write_error
    }

    /// - Returns: whether the body of the current answer is used.
    private func beginAnswer() -> Bool {
        if answer.use == nil {
            let use = part.begin(
                isPartial: request.status == 206, request.contentRange, length: request.contentLength, isPacked: request.isPacked)
            answer.use = use
            if use == .use { begin() }
        }
        return answer.use == .use
    }

    private func begin() {
        guard !delivery.hasBegun else { return }
        timing.begin(at: NetworkTime.now())
        // What was cut out of a whole body is the part that was asked for.
        let isCut = wanted.range != nil && wanted.range != 0..<Int64.max
        let status = request.status
        let isPacked = request.isPacked
        delivery.begin(
            ResponseHead(
                status: isCut ? 206 : status, url: trail.url, lastingURL: trail.lastingURL, contentType: request.contentType,
                totalLength: status == 206 && !isPacked ? part.resourceLength : nil, resourceLength: part.resourceLength,
                validator: isPacked ? nil : request.validator, entityTag: request.entityTag, expectedLength: part.length,
                age: request.age, cacheControl: request.cacheControl, sinceChange: request.sinceChange,
                titleInterval: request.titleInterval, serverAddress: request.serverAddress))
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
        if code == CURLE_OK, let target = request.redirectTarget { return follow(target) }
        guard ending != .enough, asksAgain(code) else { return .end }
        request.setRange(part.request)
        prepareAgain()
        return .again
    }

    private func prepareAgain() {
        answer = Answer()
        timing.progress(at: NetworkTime.now())
    }

    private func asksAgain(_ code: CURLcode) -> Bool {
        switch request.status {
        case 406, 416, 501:
            let total = request.contentRange?.total
            wasOutOfRange = wasOutOfRange || request.status == 416
            return !part.isAll(total: total) && !part.isBehind(total: total) && part.askForWhole()
        case 400...: return false
        default: break
        }
        if answer.use == .askForWhole { return part.askForWhole() }
        // A server may close a connection while the next request is on its way to it (RFC 9112, 9.3.1). libcurl gives up after a few of them.
        if code == CURLE_SEND_ERROR, answer.headLength == 0, wanted.body == nil, request.apply(.newConnection) { return true }
        if code == CURLE_BAD_CONTENT_ENCODING, part.received == 0, request.apply(.bodyAsItIs) { return true }
        guard code == CURLE_OK, beginAnswer() else { return false }
        switch part.sequel(isPartial: request.status == 206) {
        case .end: return false
        case .short:
            ending = .short
            return false
        case .rest:
            part.askForRest()
            return true
        }
    }

    /// Follows a redirect. A POST is repeated as a POST.
    private func follow(_ target: String) -> Sequel {
        switch trail.follow(target, status: request.status) {
        case .refused(let what): return .refused(errors.redirect(what))
        case .next(let carriesHeaders):
            if !carriesHeaders { request.setHeaders(RedirectRule.publicHeaders(wanted.headers)) }
            prepareAgain()
            request.setAddress(trail.url)
            return .again
        }
    }

    // MARK: - Completion

    /// The error of a transfer that libcurl has completed; nil on success.
    func failure(_ code: CURLcode) -> TransferFailure? {
        if ending == .short { return TransferFailure(error: errors.short(after: part.received), isBroken: true) }
        let status = request.status
        if isRefused {
            if status == 416, part.isAll(total: request.contentRange?.total) { return nil }
            return TransferFailure(error: errors.refusal(status), isBeyondEnd: status == 416)
        }
        if isHeadTooLong(code) { return TransferFailure(error: errors.head) }
        if answer.use == .refuse || answer.use == .askForWhole {
            return TransferFailure(error: errors.range(status), isBeyondEnd: wasOutOfRange)
        }
        guard code != CURLE_OK, ending == nil else {
            begin()
            return nil
        }
        if isPeerRefused, code == CURLE_COULDNT_CONNECT { return TransferFailure(error: errors.peer) }
        let fault = TransferErrors.fault(code)
        let error = errors.error(
            code, after: part.received, connectTimeout: connectTimeout, isDateTrusted: identity.isDateTrusted)
        return TransferFailure(error: error, isBroken: fault == .broken || fault == .wrongLength)
    }

    /// libcurl gives up a line that has no end with these codes: up to 8.5 as if there were no memory left for it.
    private func isHeadTooLong(_ code: CURLcode) -> Bool {
        guard ending != .enough, code != CURLE_OK else { return false }
        return answer.isHeadTooLong || !delivery.hasBegun && (code == CURLE_OUT_OF_MEMORY || code.rawValue == Self.tooLarge)
    }

    /// CURLE_TOO_LARGE, since libcurl 8.6.
    private static let tooLarge: UInt32 = 100

    /// A timeout error; nil while it is in time.
    func lateness(_ now: Duration) -> MediaError? {
        if isPaused { return nil }
        return switch timing.lateness(at: now, hasBegun: delivery.hasBegun) {
        case .noFirstByte: errors.noFirstByte(within: wanted.firstByteTimeout)
        case .overdue(let limit): errors.overdue(limit, after: part.received)
        case .slow: errors.slow(wanted.slowestRate, after: part.received)
        case .stalled: errors.stalled(for: wanted.stallTimeout, after: part.received)
        case nil: nil
        }
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
