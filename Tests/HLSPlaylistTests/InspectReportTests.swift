import HLSPlaylist
import Testing

@Suite struct InspectReportTests {
    @Test func reportsAMediaPlaylistInAFixedShape() {
        let text = """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:6
            #EXT-X-MEDIA-SEQUENCE:3
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0xAB
            #EXT-X-MAP:URI="i",BYTERANGE="5@1"
            #EXT-X-PROGRAM-DATE-TIME:2026-03-01T20:15:00+01:00
            #EXTINF:5.005,A "title"
            #EXT-X-BYTERANGE:10@20
            a.mp4
            #EXT-X-ENDLIST
            """
        #expect(
            InspectReport(PlaylistParser().parse(text)).json == """
                {
                  "kind": "media",
                  "version": 6,
                  "targetDuration": 6,
                  "mediaSequence": 3,
                  "discontinuitySequence": 0,
                  "playlistType": "VOD",
                  "endList": true,
                  "independentSegments": false,
                  "start": null,
                  "segments": [
                    {
                      "uri": "a.mp4",
                      "duration": 5.005,
                      "title": "A \\"title\\"",
                      "byteRange": {
                        "length": 10,
                        "offset": 20
                      },
                      "discontinuity": false,
                      "programDateTime": "2026-03-01T19:15:00.000Z",
                      "gap": false,
                      "bitrate": null,
                      "key": {
                        "method": "AES-128",
                        "uri": "k",
                        "iv": "0xAB",
                        "keyFormat": "identity"
                      },
                      "map": {
                        "uri": "i",
                        "byteRange": {
                          "length": 5,
                          "offset": 1
                        }
                      },
                      "mediaSequence": 3,
                      "discontinuitySequence": 0,
                      "parts": []
                    }
                  ],
                  "dateRanges": [],
                  "serverControl": null,
                  "skippedSegments": 0,
                  "removedDateRanges": [],
                  "iFramesOnly": false,
                  "partTarget": null,
                  "parts": [],
                  "preloadHints": [],
                  "renditionReports": [],
                  "defines": [],
                  "errors": [],
                  "warnings": []
                }

                """)
    }

    @Test func reportsAMultivariantPlaylistInAFixedShape() {
        let text = """
            #EXTM3U
            #EXT-X-DEFINE:NAME="n",VALUE="v"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8",CHANNELS="2"
            #EXT-X-STREAM-INF:BANDWIDTH=100,RESOLUTION=640x360,CODECS="avc1,mp4a",FRAME-RATE=25,AUDIO="a",CLOSED-CAPTIONS=NONE
            v.m3u8
            """
        #expect(
            InspectReport(PlaylistParser().parse(text)).json == """
                {
                  "kind": "multivariant",
                  "variants": [
                    {
                      "uri": "v.m3u8",
                      "bandwidth": 100,
                      "averageBandwidth": null,
                      "resolution": {
                        "width": 640,
                        "height": 360
                      },
                      "codecs": "avc1,mp4a",
                      "frameRate": 25,
                      "audio": "a",
                      "video": null,
                      "subtitles": null,
                      "closedCaptions": "NONE",
                      "videoRange": null,
                      "hdcpLevel": null,
                      "score": null,
                      "pathwayId": null,
                      "stableVariantId": null
                    }
                  ],
                  "iFrameVariants": [],
                  "renditions": [
                    {
                      "type": "AUDIO",
                      "groupId": "a",
                      "name": "English",
                      "language": "en",
                      "assocLanguage": null,
                      "default": true,
                      "autoselect": true,
                      "forced": false,
                      "uri": "a.m3u8",
                      "characteristics": null,
                      "channels": "2",
                      "instreamId": null,
                      "stableRenditionId": null
                    }
                  ],
                  "sessionData": [],
                  "sessionKeys": [],
                  "contentSteering": null,
                  "defines": [
                    {
                      "name": "n",
                      "value": "v",
                      "source": "value"
                    }
                  ],
                  "version": null,
                  "independentSegments": false,
                  "start": null,
                  "errors": [],
                  "warnings": []
                }

                """)
    }

    @Test func aRefusedPlaylistReportsItsErrors() {
        let report = InspectReport(PlaylistParser().parse("<html>"))
        #expect(report.isRefused)
        #expect(
            report.json == """
                {
                  "errors": [
                    {
                      "line": 1,
                      "code": "missing-header",
                      "message": "it is HTML or XML, not a playlist; check the address"
                    }
                  ],
                  "warnings": []
                }

                """)
        #expect(
            report.text == "refused\nerror    line 1: it is HTML or XML, not a playlist; check the address [missing-header]\n")
    }

    @Test func theReportForPeopleNamesEachSegmentAndFault() {
        let report = InspectReport(
            PlaylistParser().parse("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DISCONTINUITY\n#EXTINF:6.5,\na.ts\n"))
        #expect(
            report.text == """
                media playlist, live
                1 segments, 6.5 s in all, target duration 6 s, first media sequence 0
                segment  0  0 + 6.5 s  a.ts  discontinuity 1
                warning  line 4: the segment lasts 6.5 s and the target duration is 6 s; raise EXT-X-TARGETDURATION [duration-exceeds-target]
                warning  line 4: EXT-X-VERSION is 1 and decimal durations must have 3; raise it [version-too-low]

                """)
    }
}
