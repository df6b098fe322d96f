import CCurl

extension HTTPTransfer {
    /// Makes it a POST with this body; called before the transfer starts.
    func send(_ body: [UInt8]) {
        marquee_curl_set_number(handle, CURLOPT_POST, 1)
        marquee_curl_set_large(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // libcurl copies the bytes; the size must be set first.
        body.withUnsafeBytes { bytes in
            _ = marquee_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
        }
        // A redirect repeats the POST instead of changing it to a GET.
        marquee_curl_set_number(handle, CURLOPT_POSTREDIR, Int(CURL_REDIR_POST_301 | CURL_REDIR_POST_302 | CURL_REDIR_POST_303))
    }
}
