/// The grammar of RFC 8216bis.
enum PlaylistGrammar {
    static let media = TextGrammar(
        "playlist",
        tags.merging([
            "playlist": [
                "#EXTM3U‹line›‹names›‹head*›‹segment*›‹segment*›‹tail*›",
                "#EXTM3U‹line›‹names›‹head*›‹segment*›‹segment*›‹tail*›",
                "#EXTM3U‹line›‹head*›‹segment*›‹segment*›‹tail*›",
                "#EXTM3U‹line›‹names›‹lowLatency›‹segment*›‹partSegment*›‹partTail›",
                "#EXTM3U‹line›‹names›#EXT-X-TARGETDURATION:6‹line›#EXT-X-PROGRAM-DATE-TIME:2026-11-22T12:00:00Z‹line›‹interstitial*›‹segment*›‹interstitial*›",
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
        "lowLatency": [
            "#EXT-X-TARGETDURATION:4‹line›#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=‹decimal›,CAN-SKIP-UNTIL=‹decimal›,CAN-SKIP-DATERANGES=‹flag›‹line›#EXT-X-PART-INF:PART-TARGET=1‹line›#EXT-X-MEDIA-SEQUENCE:‹int›‹line›"
        ],
        "partSegment": [
            "‹part›‹part*›#EXTINF:4,‹line›‹uri›‹line›",
            "‹part›#EXT-X-DISCONTINUITY‹line›‹part›#EXTINF:‹decimal›,‹line›‹uri›‹line›",
        ],
        "partTail": [
            "‹part*›#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"‹uri›\"‹line›#EXT-X-RENDITION-REPORT:URI=\"‹uri›\",LAST-MSN=‹int›,LAST-PART=‹int›‹line›",
            "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"‹uri›\"‹line›#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"‹uri›\",BYTERANGE-START=‹int›‹line›",
        ],
        "interstitial": [
            "#EXT-X-DATERANGE:ID=\"‹name›‹digit›\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"2026-11-22T12:00:‹two›Z\",‹asset›,‹manner›,‹manner›‹line›",
            "#EXT-X-DATERANGE:ID=\"‹name›\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"‹date›\",DURATION=‹decimal›,‹asset›,‹manner›‹line›",
            "#EXT-X-DATERANGE:ID=\"‹name›\",START-DATE=\"2026-11-22T12:00:‹two›Z\",SCTE35-OUT=0x‹digit›‹digit›,PLANNED-DURATION=‹decimal›‹line›#EXT-X-DATERANGE:ID=\"‹name›\",SCTE35-IN=0x‹digit›,DURATION=‹decimal›‹line›",
        ],
        "asset": ["X-ASSET-URI=\"‹uri›\"", "X-ASSET-LIST=\"‹url›\"", "X-ASSET-URI=\"‹uri›\",X-ASSET-LIST=\"‹url›\""],
        "manner": [
            "X-RESUME-OFFSET=‹decimal›", "X-PLAYOUT-LIMIT=‹decimal›", "X-SNAP=\"OUT,IN\"", "X-SNAP=\"‹word›\"",
            "X-RESTRICT=\"SKIP,JUMP\"",
            "CUE=\"PRE\"", "CUE=\"POST,ONCE\"", "CUE=\"‹word›\"", "X-TIMELINE-OCCUPIES=\"RANGE\"",
            "X-TIMELINE-STYLE=\"HIGHLIGHT\"",
            "X-CONTENT-MAY-VARY=\"‹flag›\"", "X-SKIP-CONTROL-OFFSET=‹decimal›,X-SKIP-CONTROL-DURATION=‹decimal›",
            "X-SKIP-CONTROL-LABEL-ID=\"‹word›\"",
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
            "#EXT-X-STREAM-INF:BANDWIDTH=‹int›,VIDEO-RANGE=PQ,HDCP-LEVEL=TYPE-1,ALLOWED-CPC=\"‹word›:‹name›/‹name›,‹word›:\",STABLE-VARIANT-ID=\"‹name›\",PATHWAY-ID=\"‹name›\",VIDEO=\"‹name›\",SUBTITLES=\"‹name›\",CLOSED-CAPTIONS=NONE‹line›‹uri›‹line›",
            "#EXT-X-STREAM-INF:BANDWIDTH=‹int›,CODECS=\"hvc1.2.4.L‹int›,‹word›\",SUPPLEMENTAL-CODECS=\"dvh1.08.‹two›/db4h\",REQ-VIDEO-LAYOUT=\"CH-STEREO/‹word›\",VIDEO-RANGE=‹word›‹line›‹uri›‹line›",
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"‹name›\",NAME=\"‹word›\",FORCED=‹flag›,AUTOSELECT=‹flag›,CHARACTERISTICS=\"public.accessibility.‹word›\",STABLE-RENDITION-ID=\"‹name›\",URI=\"‹uri›\"‹line›",
            "#EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID=\"‹name›\",NAME=\"‹word›\",ASSOC-LANGUAGE=\"‹word›\",DEFAULT=‹flag›‹line›",
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
