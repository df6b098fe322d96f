# shellcheck shell=bash
# Small files of bad input as it occurs in practice, made from the good content.

# shellcheck disable=SC2154 # parts is the folder of these files, set by scripts/demo-content
bad() {
    local folder=$1 content
    content=$(dirname "$folder")
    mkdir -p "$folder"
    step 'bad input'

    # A segment that ends in the middle of a transport packet, between two good ones.
    cp "$content/episode1/180/p1-0.ts" "$folder/good-0.ts"
    cp "$content/episode1/180/p1-2.ts" "$folder/good-2.ts"
    head -c 50001 "$content/episode1/180/p1-1.ts" >"$folder/truncated-1.ts"
    printf '%s\n' '#EXTM3U' '#EXT-X-VERSION:6' '#EXT-X-TARGETDURATION:4' '#EXT-X-PLAYLIST-TYPE:VOD' '#EXTINF:4.000000,' good-0.ts \
        '#EXTINF:4.000000,' truncated-1.ts '#EXTINF:4.000000,' good-2.ts '#EXT-X-ENDLIST' >"$folder/truncated-segment.m3u8"

    # The middle segment answers 404.
    sed 's/truncated-1/absent-1/' "$folder/truncated-segment.m3u8" >"$folder/absent-segment.m3u8"

    printf '%s\n' '#EXTM3U' '#EXT-X-VERSION:6' '#EXT-X-TARGETDURATION:4' '#EXT-X-PLAYLIST-TYPE:VOD' '#EXT-X-ENDLIST' >"$folder/no-segments.m3u8"

    cat >"$folder/html.mp4" <<'END'
<!DOCTYPE html>
<html><head><title>Sign in to the guest network</title></head>
<body><h1>Welcome</h1><p>Please accept the terms to go on.</p></body></html>
END
    cp "$folder/html.mp4" "$folder/html.m3u8"

    # A film cut off in its media data, and one cut off in its index.
    "${FF[@]}" -i "$content/film/film-low.mp4" -map 0:v:0 -map 0:a -t 4 -c copy "${EXACT[@]}" -movflags +faststart "$folder/short.mp4"
    head -c $(($(stat -c %s "$folder/short.mp4") / 2)) "$folder/short.mp4" >"$folder/truncated.mp4"
    head -c 700 "$folder/short.mp4" >"$folder/truncated-index.mp4"

    # Unknown sample entries.
    sed 's/avc1/zzv1/g; s/mp4a/zza1/g' "$folder/short.mp4" >"$folder/unknown-codec.mp4"
    rm "$folder/short.mp4"
    : >"$folder/empty.mp4"

    head -c 1500 "$parts/feed.json" >"$folder/corrupt-feed.json"

    # Five unplayable items, then one that plays.
    cat >"$folder/feed-goes-on.json" <<'END'
{
  "feedVersion": 1,
  "id": "marquee-demo-bad",
  "defaultLanguage": "en",
  "channels": [{"id": "mixed", "title": "Mixed", "kind": "playlist", "items": ["missing", "html", "empty-list", "unknown", "cut", "good"]}],
  "items": [
    {"id": "missing", "type": "movie", "title": "Missing", "streams": [{"url": "absent.mp4"}]},
    {"id": "html", "type": "movie", "title": "A web page", "streams": [{"url": "html.mp4"}]},
    {"id": "empty-list", "type": "movie", "title": "No segments", "streams": [{"url": "no-segments.m3u8"}]},
    {"id": "unknown", "type": "movie", "title": "Unknown codec", "streams": [{"url": "unknown-codec.mp4"}]},
    {"id": "cut", "type": "movie", "title": "Cut off", "streams": [{"url": "truncated-index.mp4"}]},
    {"id": "good", "type": "movie", "title": "Good", "streams": [{"url": "../episode2/low.m3u8"}]}
  ]
}
END
}
