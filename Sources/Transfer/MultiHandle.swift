import CCurl

/// The only owner of libcurl's multi handle.
// Unchecked: `wake` is allowed from any thread (curl_multi_wakeup(3)); all else happens on the transfer thread, or after it
final class MultiHandle: @unchecked Sendable {
    // was joined.
    let handle: UnsafeMutableRawPointer
    /// What all requests share besides connections and names: cookies and TLS sessions.
    let share: UnsafeMutableRawPointer

    /// curl_global_init(3), once per process, before any handle.
    private static let library: CURLcode = curl_global_init(Int(CURL_GLOBAL_SSL))

    init() {
        guard Self.library == CURLE_OK, let handle = curl_multi_init(), let share = curl_share_init() else {
            fatalError("no memory left for libcurl")
        }
        self.handle = handle
        self.share = UnsafeMutableRawPointer(share)
        marquee_curl_share(share, CURL_LOCK_DATA_COOKIE)
        marquee_curl_share(share, CURL_LOCK_DATA_SSL_SESSION)
        marquee_curl_set_multi(handle, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        marquee_curl_set_multi(handle, CURLMOPT_MAX_HOST_CONNECTIONS, 6)
        marquee_curl_set_multi(handle, CURLMOPT_MAXCONNECTS, 16)
    }

    /// Wakes a waiting `poll`. Any thread.
    func wake() { curl_multi_wakeup(handle) }

    deinit {
        curl_multi_cleanup(handle)
        marquee_curl_share_cleanup(share)
    }
}
