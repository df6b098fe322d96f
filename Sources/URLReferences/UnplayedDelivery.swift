/// Ways of delivering streams that the box does not play, recognised by an address. A message names them, so that the address is not taken for wrong.
package enum UnplayedDelivery: String, Sendable, CaseIterable {
    case dash = "DASH"
    case smoothStreaming = "Smooth Streaming"
    case httpDynamicStreaming = "Adobe HTTP Dynamic Streaming"
    case rtsp = "RTSP"
    case rtmp = "RTMP"
    case mms = "MMS"
    case srtp = "SRTP"
    case udpLite = "UDP-Lite"
    case srt = "SRT"
    case rist = "RIST"
    case webRTC = "WebRTC"
    case sdp = "SDP"
    case tuner = "DVB from a tuner"
    case peerToPeer = "BitTorrent"

    private static let schemes: [(delivery: UnplayedDelivery, names: Set<String>)] = [
        (.rtsp, ["rtsp", "rtsps", "rtspu", "rtspt", "rtsph"]),
        (.rtmp, ["rtmp", "rtmps", "rtmpe", "rtmpt", "rtmpts", "rtmpte", "rtmfp"]), (.mms, ["mms", "mmsh", "mmst", "mmsu"]),
        (.srtp, ["srtp"]), (.udpLite, ["udplite"]), (.srt, ["srt"]), (.rist, ["rist"]),
        (.webRTC, ["webrtc", "webrtcs", "whep", "wheps", "ws", "wss"]),
        (.tuner, ["dvb", "dvb-c", "dvb-s", "dvb-t", "atsc", "satip"]),
        (.peerToPeer, ["magnet", "acestream", "sop"]),
    ]

    /// By the scheme of an address, in any case; nil for one that is played, and for one that says nothing.
    package init?(scheme: String) {
        let scheme = scheme.lowercased()
        guard let found = Self.schemes.first(where: { $0.names.contains(scheme) }) else { return nil }
        self = found.delivery
    }

    /// By the name of a manifest. What a server sends under such a name may be something else: only the content decides what is played.
    ///
    /// - Parameter path: the path of an address, without its query.
    package init?(path: String) {
        let path = path.lowercased()
        let name = path.split(separator: "/").last ?? ""
        // Servers of Smooth Streaming offer other formats of the same stream: `film.ism/manifest(format=m3u8-aapl)`.
        if path.hasSuffix(".mpd") || name.hasPrefix("manifest(format=mpd") {
            self = .dash
        } else if [".ism/manifest", ".isml/manifest", ".ismc", ".ism", ".isml"].contains(where: path.hasSuffix) {
            self = .smoothStreaming
        } else if path.hasSuffix(".f4m") {
            self = .httpDynamicStreaming
        } else if path.hasSuffix(".sdp") {
            self = .sdp
        } else {
            return nil
        }
    }
}
