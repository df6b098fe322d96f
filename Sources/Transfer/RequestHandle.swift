import CCurl
import Glibc
import MediaModel
import MediaSources
import URLReferences

/// The only owner of one of libcurl's easy handles and of the lists that it reads: how a request is made, and what the head of its answer says.
struct RequestHandle: ~Copyable {
    /// What a transfer is told by libcurl, on the transfer thread. The context is `HTTPTransfer`.
    struct Callbacks {
        let context: UnsafeMutableRawPointer
        let writeBody: curl_write_callback
        let readHeadLine: curl_write_callback
        let openConnection: curl_opensocket_callback
    }

    /// What is tried against a server that does not answer as it should.
    enum Remedy {
        /// No connection is used that another request has left open.
        case newConnection
        /// A body is passed on as it is, because it is not packed in the way that its server states.
        case bodyAsItIs
    }

    let pointer: UnsafeMutableRawPointer
    private var headerLines: UnsafeMutablePointer<curl_slist>?
    /// The status lines of servers that are older than HTTP.
    private let aliases = curl_slist_append(nil, "ICY 200 OK")
    private var tried: Set<Remedy> = []

    init(share: UnsafeMutableRawPointer) {
        guard let pointer = curl_easy_init() else { fatalError("no memory left for libcurl") }
        self.pointer = pointer
        marquee_curl_set_pointer(pointer, CURLOPT_SHARE, share)
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(headerLines)
        curl_slist_free_all(aliases)
    }

    // MARK: - The request

    mutating func prepare(
        _ request: ByteRequest, identity: TransferIdentity, connectTimeout: Duration, range: String?, callbacks: Callbacks
    ) {
        setHeaders(request.headers)
        setAddress(request.url)
        setIdentity(identity)
        // No default protocols: no address may lead to files, mail or sockets. Redirects are followed by the transfer and not by
        // libcurl, which would send our header lines to every host.
        marquee_curl_set_text(pointer, CURLOPT_PROTOCOLS_STR, "http,https")
        marquee_curl_set_number(pointer, CURLOPT_FOLLOWLOCATION, 0)
        marquee_curl_set_number(pointer, CURLOPT_NOSIGNAL, 1)
        marquee_curl_set_number(pointer, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Cookies without a file: signed addresses and sessions need them.
        marquee_curl_set_text(pointer, CURLOPT_COOKIEFILE, "")
        marquee_curl_set_number(pointer, CURLOPT_BUFFERSIZE, 128 << 10)
        marquee_curl_set_number(pointer, CURLOPT_TCP_KEEPALIVE, 1)
        marquee_curl_set_number(pointer, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(connectTimeout / .milliseconds(1))))
        if let body = request.body { send(body) }
        setRange(range)
        // Media does not get smaller, and its lengths and ranges are those of the bytes that are not packed. What is packed all the same is unpacked.
        marquee_curl_set_text(pointer, CURLOPT_ACCEPT_ENCODING, request.isText && request.range == nil ? "" : "identity")
        marquee_curl_set_pointer(pointer, CURLOPT_HTTP200ALIASES, aliases)
        marquee_curl_set_writer(pointer, callbacks.writeBody)
        marquee_curl_set_pointer(pointer, CURLOPT_WRITEDATA, callbacks.context)
        marquee_curl_set_header_reader(pointer, callbacks.readHeadLine)
        marquee_curl_set_pointer(pointer, CURLOPT_HEADERDATA, callbacks.context)
        if !identity.usesProxy {
            marquee_curl_set_opener(pointer, callbacks.openConnection)
            marquee_curl_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, callbacks.context)
        }
    }

    private func setIdentity(_ identity: TransferIdentity) {
        marquee_curl_set_text(pointer, CURLOPT_USERAGENT, identity.userAgent)
        if let authorities = identity.certificateAuthorities { marquee_curl_set_text(pointer, CURLOPT_CAINFO, authorities) }
        guard let proxy = identity.proxy else { return }
        marquee_curl_set_text(pointer, CURLOPT_PROXY, proxy)
        marquee_curl_set_text(pointer, CURLOPT_NOPROXY, "localhost,127.0.0.1,::1")
    }

    func setRange(_ range: String?) { marquee_curl_set_text(pointer, CURLOPT_RANGE, range) }

    func setAddress(_ url: String) {
        marquee_curl_set_text(pointer, CURLOPT_URL, URLReference.escaped(url))
        // Waiting for a connection to share is useful only with TLS; without it, sharing is never possible.
        marquee_curl_set_number(pointer, CURLOPT_PIPEWAIT, url.lowercased().hasPrefix("https:") ? 1 : 0)
    }

    mutating func setHeaders(_ texts: [String]) {
        let old = headerLines
        headerLines = nil
        for text in texts { headerLines = curl_slist_append(headerLines, text) }
        marquee_curl_set_pointer(pointer, CURLOPT_HTTPHEADER, headerLines)
        curl_slist_free_all(old)
    }

    /// Makes it a POST with this body.
    private func send(_ body: [UInt8]) {
        marquee_curl_set_number(pointer, CURLOPT_POST, 1)
        marquee_curl_set_large(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // libcurl copies the bytes; the size must be set first.
        body.withUnsafeBytes { bytes in
            _ = marquee_curl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
        }
    }

    /// - Returns: false if it was tried before.
    mutating func apply(_ remedy: Remedy) -> Bool {
        guard tried.insert(remedy).inserted else { return false }
        switch remedy {
        case .newConnection: marquee_curl_set_number(pointer, CURLOPT_FRESH_CONNECT, 1)
        case .bodyAsItIs: marquee_curl_set_number(pointer, CURLOPT_HTTP_CONTENT_DECODING, 0)
        }
        return true
    }

    /// Lets the bytes come that were refused. They may come before it returns.
    func goOn() { curl_easy_pause(pointer, CURLPAUSE_CONT) }

    // MARK: - The head of the answer

    var status: Int { marquee_curl_get_number(pointer, CURLINFO_RESPONSE_CODE) }

    var contentType: String? { marquee_curl_get_text(pointer, CURLINFO_CONTENT_TYPE).map { String(cString: $0) } }

    /// Content-Length, if stated and if the body is not packed.
    var contentLength: Int64? {
        let length = marquee_curl_get_large(pointer, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return length >= 0 && !isPacked ? Int64(length) : nil
    }

    var contentRange: ContentRange? { header("content-range").flatMap(ContentRange.init) }

    /// Whether the body is compressed, and unpacked here.
    var isPacked: Bool {
        !tried.contains(.bodyAsItIs) && header("content-encoding").map { $0.lowercased() != "identity" } ?? false
    }

    /// The numeric address of the server.
    var serverAddress: String? { marquee_curl_get_text(pointer, CURLINFO_PRIMARY_IP).map { String(cString: $0) } }

    /// A weak ETag may not be used in If-Range (RFC 9110, 13.1.5).
    var validator: String? {
        if let entityTag, entityTag.hasPrefix("\"") { return entityTag }
        return header("last-modified")
    }

    var entityTag: String? { header("etag") }

    /// How long the body may be kept.
    var cacheControl: CacheControl? { CacheControl(header("cache-control")) }

    /// How old the body is.
    var age: Duration? { header("age").flatMap { Int($0) }.flatMap { $0 >= 0 ? .seconds($0) : nil } }

    /// After how many bytes the title of a radio programme follows.
    var titleInterval: Int? { header("icy-metaint").flatMap { Int($0) } }

    /// Seconds since the last modification, by the server's own clock.
    var sinceChange: Int? {
        guard let changed = date("last-modified"), let now = date("date") else { return nil }
        return now - changed
    }

    /// Where the answer redirects to (RFC 9110, 15.4); nil if it does not.
    var redirectTarget: String? {
        guard isRedirect, let target = marquee_curl_header(pointer, "location") else { return nil }
        return URLReference.text(ofBytes: UnsafeRawBufferPointer(start: target, count: strlen(target)))
    }

    /// Whether the answer is a redirect.
    var isRedirect: Bool {
        [301, 302, 303, 307, 308].contains(status) && marquee_curl_header(pointer, "location") != nil
    }

    private func header(_ name: String) -> String? { marquee_curl_header(pointer, name).map { String(cString: $0) } }

    private func date(_ header: String) -> Int? {
        guard let text = marquee_curl_header(pointer, header) else { return nil }
        let seconds = curl_getdate(text, nil)
        return seconds < 0 ? nil : seconds
    }

    // MARK: - Cookies

    /// The cookies that all requests share, in lines of Netscape's format.
    var cookies: [String] {
        let list = marquee_curl_get_list(pointer, CURLINFO_COOKIELIST)
        defer { curl_slist_free_all(list) }
        var lines: [String] = []
        var next = list
        while let entry = next {
            lines.append(String(cString: entry.pointee.data))
            next = entry.pointee.next
        }
        return lines
    }

    func replaceCookies(with lines: [String]) {
        marquee_curl_set_text(pointer, CURLOPT_COOKIELIST, "ALL")
        for line in lines { marquee_curl_set_text(pointer, CURLOPT_COOKIELIST, line) }
    }
}
