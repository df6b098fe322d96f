/// The grammar of RFC 8216bis.
enum PlaylistGrammar {
    static let media = TextGrammar(
        "playlist",
        tags.merging([
            "playlist": [
                "#EXTM3U‹line›‹names›‹head*›‹segment*›‹segment*›‹tail*›",
                "#EXTM3U‹line›‹names›‹head*›‹segment*›‹segment*›‹tail*›",
                "#EXTM3U‹line›‹head*›‹segment*›‹segment*›‹tail*›",
            ]
        ]) { $1 })
    static let multivariant = TextGrammar(
        "playlist",
        tags.merging([
            "playlist": [
                "#EXTM3U‹line›‹names›‹variantTag*›‹variantTag*›‹variantTag*›",
                "#EXTM3U‹line›‹variantTag*›‹variantTag*›‹variantTag*›",
            ]
        ]) { $1 })

    private static let tags: [String: [String]] = [
        "head": [
            "#EXT-X-VERSION:‹int›‹line›", "#EXT-X-TARGETDURATION:‹int›‹line›", "#EXT-X-TARGETDURATION:‹decimal›‹line›",
            "#EXT-X-MEDIA-SEQUENCE:‹int›‹line›", "#EXT-X-DISCONTINUITY-SEQUENCE:‹int›‹line›", "#EXT-X-PLAYLIST-TYPE:VOD‹line›",
            "#EXT-X-PLAYLIST-TYPE:EVENT‹line›", "#EXT-X-I-FRAMES-ONLY‹line›", "#EXT-X-INDEPENDENT-SEGMENTS‹line›",
            "#EXT-X-START:TIME-OFFSET=‹decimal›,PRECISE=‹flag›‹line›", "‹define›", "‹define›‹define›‹define›",
            "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=‹decimal›,HOLD-BACK=‹decimal›,PART-HOLD-BACK=‹decimal›,CAN-BLOCK-RELOAD=‹flag›‹line›",
            "#EXT-X-PART-INF:PART-TARGET=‹decimal›‹line›",
            "#EXT-X-SKIP:SKIPPED-SEGMENTS=‹int›,RECENTLY-REMOVED-DATERANGES=\"‹name›\t‹name›\"‹line›",
        ],
        // Every name that another rule uses. A variable without a value refuses the playlist.
        "names": [
            "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"‹word›\"‹line›#EXT-X-DEFINE:NAME=\"b\",VALUE=\"b\"‹line›#EXT-X-DEFINE:NAME=\"c\",VALUE=\"{$a}{$b}\"‹line›#EXT-X-DEFINE:NAME=\"d\",VALUE=\"d\"‹line›#EXT-X-DEFINE:QUERYPARAM=\"v1\"‹line›#EXT-X-DEFINE:NAME=\"v2\",VALUE=\"{$c}{$c}\"‹line›"
        ],
        "define": [
            "#EXT-X-DEFINE:NAME=\"‹name›\",VALUE=\"‹word›\"‹line›",
            "#EXT-X-DEFINE:NAME=\"‹name›\",VALUE=\"{$‹name›}{$‹name›}{$‹name›}\"‹line›",
            "#EXT-X-DEFINE:QUERYPARAM=\"‹name›\"‹line›", "#EXT-X-DEFINE:IMPORT=\"‹name›\"‹line›",
        ],
        "segment": [
            "‹segmentTag*›#EXTINF:‹decimal›,‹word?›‹line›‹range?›‹uri›‹line›", "#EXTINF:6,‹line›‹uri›‹line›", "‹uri›‹line›",
        ],
        "uri": ["‹url›", "a.ts", "{$‹name›}.ts"],
        "range": ["#EXT-X-BYTERANGE:‹int›‹line›", "#EXT-X-BYTERANGE:‹int›@‹int›‹line›"],
        "segmentTag": [
            "#EXT-X-DISCONTINUITY‹line›", "#EXT-X-GAP‹line›", "#EXT-X-BITRATE:‹int›‹line›",
            "#EXT-X-PROGRAM-DATE-TIME:‹date›‹line›", "‹key›",
            "#EXT-X-MAP:URI=\"‹uri›\",BYTERANGE=\"‹int›@‹int›\"‹line›", "‹dateRange›", "‹part›", "#‹word›‹line›", "‹head›",
            "‹define›",
        ],
        "key": [
            "#EXT-X-KEY:METHOD=NONE‹line›", "#EXT-X-KEY:METHOD=AES-128,URI=\"‹uri›\",IV=0x‹digit›‹digit›‹line›",
            "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"‹uri›\",KEYFORMAT=\"‹word›\",KEYFORMATVERSIONS=\"‹int›/‹int›\"‹line›",
        ],
        "part": ["#EXT-X-PART:DURATION=‹decimal›,URI=\"‹uri›\",BYTERANGE=\"‹int›@‹int›\",INDEPENDENT=‹flag›,GAP=‹flag›‹line›"],
        "dateRange": [
            "#EXT-X-DATERANGE:ID=\"‹name›\",START-DATE=\"‹date›\",DURATION=‹decimal›,PLANNED-DURATION=‹decimal›‹line›",
            "#EXT-X-DATERANGE:ID=\"‹name›\",CLASS=\"‹name›\",START-DATE=\"‹date›\",END-DATE=\"‹date›\",END-ON-NEXT=‹flag›‹line›",
            "#EXT-X-DATERANGE:ID=\"‹name›\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"‹date›\",X-ASSET-URI=\"‹uri›\",X-RESUME-OFFSET=‹decimal›,X-PLAYOUT-LIMIT=‹decimal›,CUE=\"PRE,ONCE\",X-SKIP-CONTROL-OFFSET=‹decimal›‹line›",
        ],
        "tail": [
            "#EXT-X-ENDLIST‹line›", "‹part›",
            "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"‹uri›\",BYTERANGE-START=‹int›,BYTERANGE-LENGTH=‹int›‹line›",
            "#EXT-X-RENDITION-REPORT:URI=\"‹uri›\",LAST-MSN=‹int›,LAST-PART=‹int›‹line›", "‹dateRange›", "‹junk›",
        ],
        "variantTag": [
            "#EXT-X-STREAM-INF:BANDWIDTH=‹int›,AVERAGE-BANDWIDTH=‹int›,RESOLUTION=‹int›x‹int›,FRAME-RATE=‹decimal›,SCORE=‹decimal›,CODECS=\"avc1.64001f,mp4a.40.2\",AUDIO=\"‹name›\"‹line›‹uri›‹line›",
            "#EXT-X-STREAM-INF:BANDWIDTH=‹int›‹line›‹uri›‹line›",
            "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=‹int›,RESOLUTION=‹int›x‹int›,URI=\"‹uri›\"‹line›",
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"‹name›\",NAME=\"‹word›\",LANGUAGE=\"‹word›\",DEFAULT=‹flag›,CHANNELS=\"‹int›/‹word›\",BIT-DEPTH=‹int›,SAMPLE-RATE=‹int›,URI=\"‹uri›\"‹line›",
            "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"‹name›\",NAME=\"‹word›\",INSTREAM-ID=\"CC‹int›\"‹line›",
            "#EXT-X-SESSION-DATA:DATA-ID=\"‹name›\",VALUE=\"‹word›\"‹line›",
            "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"‹uri›\"‹line›",
            "#EXT-X-CONTENT-STEERING:SERVER-URI=\"‹uri›\",PATHWAY-ID=\"‹name›\"‹line›", "‹define›",
            "#EXT-X-START:TIME-OFFSET=‹decimal›‹line›",
        ],
    ]
}
