// libcurl: HTTP. Besides the headers only what Swift cannot see: libcurl's options are set and read with variadic functions.
#pragma once
#include <curl/curl.h>
#include <curl/multi.h>

static inline CURLcode marquee_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode marquee_curl_set_large(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode marquee_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode marquee_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode marquee_curl_set_writer(CURL *handle, size_t (*writer)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
}
static inline CURLcode marquee_curl_set_header_reader(CURL *handle, size_t (*reader)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, reader);
}
static inline CURLcode marquee_curl_set_opener(CURL *handle, curl_socket_t (*opener)(void *, curlsocktype, struct curl_sockaddr *)) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
}
static inline CURLMcode marquee_curl_set_multi(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}
static inline CURLSHcode marquee_curl_share(CURLSH *share, curl_lock_data what) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, what);
}
// The type of a share is opaque in libcurl 7 and void in 8.
static inline void marquee_curl_share_cleanup(void *share) {
    curl_share_cleanup((CURLSH *)share);
}
static inline long marquee_curl_get_number(CURL *handle, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(handle, info, &value);
    return value;
}
static inline curl_off_t marquee_curl_get_large(CURL *handle, CURLINFO info) {
    curl_off_t value = -1;
    curl_easy_getinfo(handle, info, &value);
    return value;
}
static inline const char *marquee_curl_get_text(CURL *handle, CURLINFO info) {
    const char *value = NULL;
    curl_easy_getinfo(handle, info, &value);
    return value;
}
/// A list, which the caller frees; null if it is empty.
static inline struct curl_slist *marquee_curl_get_list(CURL *handle, CURLINFO info) {
    struct curl_slist *list = NULL;
    return curl_easy_getinfo(handle, info, &list) == CURLE_OK ? list : NULL;
}
/// The value of a header line of the last response; null if it is absent. Valid until the handle's next transfer.
static inline const char *marquee_curl_header(CURL *handle, const char *name) {
    struct curl_header *header = NULL;
    return curl_easy_header(handle, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK ? header->value : NULL;
}
static inline CURLcode marquee_curl_result(const CURLMsg *message) { return message->data.result; }
static const long marquee_curl_write_pause = CURL_WRITEFUNC_PAUSE;
static const long marquee_curl_write_error = -1;
