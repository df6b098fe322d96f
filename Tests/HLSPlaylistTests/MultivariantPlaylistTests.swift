import HLSPlaylist
import MediaTime
import Testing

@Suite struct MultivariantPlaylistTests {
    @Test func readsVariantsWithEveryAttribute() throws {
        let playlist = try multivariant(
            """
            #EXTM3U
            #EXT-X-VERSION:13
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-START:TIME-OFFSET=4
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=5000000,AVERAGE-BANDWIDTH=4000000,SCORE=2.5,CODECS="avc1.640028,mp4a.40.2",\
            SUPPLEMENTAL-CODECS="dvh1.08.07/db4h",RESOLUTION=1920x1080,FRAME-RATE=29.970,HDCP-LEVEL=TYPE-0,ALLOWED-CPC="x:SW",\
            VIDEO-RANGE=PQ,REQ-VIDEO-LAYOUT="CH-STEREO",STABLE-VARIANT-ID="v1",PATHWAY-ID="CDN-A",AUDIO="a",CLOSED-CAPTIONS=NONE
            v1.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=800000
            v2.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100000,RESOLUTION=640x360,URI="iframes.m3u8"
            """
        )
        #expect(playlist.version == 13 && playlist.hasIndependentSegments)
        #expect(playlist.start?.timeOffset == .seconds(4) && playlist.start?.isPrecise == false)
        let variant = playlist.variants[0]
        #expect(variant.uri == "v1.m3u8")
        #expect(variant.bandwidth == 5_000_000 && variant.averageBandwidth == 4_000_000)
        #expect(variant.score == Ratio(5, 2))
        #expect(variant.codecs == ["avc1.640028", "mp4a.40.2"])
        #expect(variant.supplementalCodecs == ["dvh1.08.07/db4h"])
        #expect(variant.resolution?.width == 1920 && variant.resolution?.height == 1080)
        #expect(variant.frameRate == Ratio(2997, 100))
        #expect(variant.hdcpLevel == "TYPE-0" && variant.allowedCPC == "x:SW" && variant.videoRange == "PQ")
        #expect(variant.requiredVideoLayout == "CH-STEREO" && variant.stableVariantID == "v1" && variant.pathwayID == "CDN-A")
        #expect(variant.audioGroup == "a" && variant.closedCaptions == .absent)
        #expect(playlist.variants[1].uri == "v2.m3u8" && playlist.variants[1].closedCaptions == nil)
        #expect(playlist.iFrameVariants.map(\.uri) == ["iframes.m3u8"])
    }

    @Test func readsRenditions() throws {
        let playlist = try multivariant(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",ASSOC-LANGUAGE="de-AT",AUTOSELECT=YES, CHANNELS="16/JOC",BIT-DEPTH=24,SAMPLE-RATE=48000,STABLE-RENDITION-ID="r1",URI="de.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Forced",LANGUAGE="en",FORCED=YES,CHARACTERISTICS="public.accessibility.describes-video,public.easy-to-read",URI="s.m3u8"
            #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="CC",INSTREAM-ID="CC1"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Angle"
            #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a",SUBTITLES="s",CLOSED-CAPTIONS="c",VIDEO="v"
            x.m3u8
            """
        )
        #expect(playlist.renditions.map(\.type) == [.audio, .subtitles, .closedCaptions, .video])
        let audio = playlist.renditions[0]
        #expect(audio.groupID == "a" && audio.name == "Deutsch" && audio.language == "de" && audio.associatedLanguage == "de-AT")
        #expect(audio.isAutoselect && !audio.isDefault && audio.channels == "16/JOC" && audio.channelCount == 16)
        #expect(audio.bitDepth == 24 && audio.sampleRate == 48_000 && audio.stableRenditionID == "r1" && audio.uri == "de.m3u8")
        #expect(playlist.renditions[1].isForced)
        #expect(playlist.renditions[1].characteristics == ["public.accessibility.describes-video", "public.easy-to-read"])
        #expect(playlist.renditions[2].instreamID == "CC1" && playlist.renditions[2].uri == nil)
        #expect(playlist.variants[0].closedCaptions == .group("c"))
        #expect(playlist.renditions(.audio, group: "a").count == 1 && playlist.renditions(.audio, group: "b").isEmpty)
    }

    @Test func readsSessionDataKeysAndSteering() throws {
        let playlist = try multivariant(
            """
            #EXTM3U
            #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="chapters.json",FORMAT=RAW
            #EXT-X-SESSION-DATA:DATA-ID="title",VALUE="A title",LANGUAGE="en"
            #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES-CTR,URI="skd://k",KEYFORMAT="f"
            #EXT-X-CONTENT-STEERING:SERVER-URI="/steer",PATHWAY-ID="CDN-A"
            #EXT-X-STREAM-INF:BANDWIDTH=1
            x.m3u8
            """
        )
        #expect(playlist.sessionData.map(\.dataID) == ["com.apple.hls.chapters", "title"])
        #expect(playlist.sessionData[0].uri == "chapters.json" && playlist.sessionData[0].format == .raw)
        #expect(playlist.sessionData[1].value == "A title" && playlist.sessionData[1].format == .json)
        #expect(playlist.sessionKeys.map(\.method) == [.sampleAESCTR])
        #expect(playlist.contentSteering?.serverURI == "/steer" && playlist.contentSteering?.pathwayID == "CDN-A")
    }
}

@Suite struct VariableTests {
    @Test func variablesAreSubstitutedInURIsQuotedStringsAndHexadecimals() throws {
        let playlist = try multivariant(
            """
            #EXTM3U
            #EXT-X-DEFINE:NAME="host",VALUE="h.example"
            #EXT-X-DEFINE:NAME="name",VALUE="English"
            #EXT-X-DEFINE:QUERYPARAM="token"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="{$name}",URI="https://{$host}/a.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"
            https://{$host}/v.m3u8?t={$token}&x={plain}
            """, url: "https://origin.example/main.m3u8?a=1&token=a%2Bb#x")
        #expect(playlist.renditions[0].name == "English" && playlist.renditions[0].uri == "https://h.example/a.m3u8")
        #expect(playlist.variants[0].uri == "https://h.example/v.m3u8?t=a+b&x={plain}")
        #expect(playlist.variables == ["host": "h.example", "name": "English", "token": "a+b"])
    }

    @Test func mediaPlaylistsImportFromTheMultivariantOne() throws {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DEFINE:IMPORT=\"auth\"\n#EXTINF:6,\na.ts?{$auth}\n"
        #expect(try media(text, variables: ["auth": "k=1"]).segments[0].uri == "a.ts?k=1")
        let parsed = PlaylistParser().parse(text)
        #expect(parsed.playlist == nil)
        #expect(parsed.errorCodes == ["invalid-definition", "undefined-variable"])
    }

    @Test func aVariableIsKnownOnlyBelowItsDefinition() {
        let parsed = PlaylistParser().parse(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{$x}.ts\n#EXT-X-DEFINE:NAME=\"x\",VALUE=\"1\"\n")
        #expect(parsed.errorCodes == ["undefined-variable"])
        #expect(parsed.errors[0].line == 4)
    }

    @Test(arguments: [
        "NAME=\"a\"", "NAME=\"a\",VALUE=\"1\",IMPORT=\"b\"", "VALUE=\"1\"", "NAME=\"a b\",VALUE=\"1\"", "QUERYPARAM=\"none\"",
    ])
    func anInvalidDefinitionIsAnError(attributes: String) {
        let parsed = PlaylistParser(url: "http://h/x").parse(
            "#EXTM3U\n#EXT-X-DEFINE:\(attributes)\n#EXT-X-STREAM-INF:BANDWIDTH=1\nx\n")
        #expect(parsed.errorCodes == ["invalid-definition"])
        #expect(parsed.playlist != nil)
    }

    @Test func ofTwoDefinitionsTheFirstCounts() {
        let parsed = PlaylistParser().parse(
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"2\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{$a}\n"
        )
        #expect(parsed.errorCodes == ["invalid-definition"])
        #expect(parsed.playlist?.multivariant?.variants[0].uri == "1")
    }
}
