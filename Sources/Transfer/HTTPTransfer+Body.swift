import CCurl

extension HTTPTransfer {
    /// Makes it a POST with this body; said before the transfer begins.
    func send(_ body: [UInt8]) {
        marquee_curl_set_number(handle, CURLOPT_POST, 1)
        marquee_curl_set_large(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // libcurl copies as many bytes as it was told of.
        body.withUnsafeBytes { bytes in
            _ = marquee_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
        }
        // Whoever has moved is told the same, and not asked for a page by GET.
        marquee_curl_set_number(handle, CURLOPT_POSTREDIR, Int(CURL_REDIR_POST_301 | CURL_REDIR_POST_302 | CURL_REDIR_POST_303))
    }
}
