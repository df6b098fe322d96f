# shellcheck shell=bash
# Episode 1: HLS in transport stream segments, two advertisements spliced in behind discontinuities.
#
#   asset time    0        20   30              60   70              100
#   what          content  ad1  content         ad2  content
#   content time  0        20   20              50   50               80
#   stream time   10       1000 30              W    60               W = 95437.72 s: 33 bits wrap 6 s later
#
# Pieces: name, clip, first frame, frames, stream time, title, colours, kind, tone of `en`, tone of `es`.
E1_PIECES=(
    "p1|$CLIP_EPISODE1|0|500|10|Episode 1|0x123A6B:0x1F7A8C:0x3B2A78|programme|440|660"
    "p2|$CLIP_AD1|0|250|1000|Sparkling water|0x8A2D0E:0xC06018:0x7A1240|ad|880|1320"
    "p3|$CLIP_EPISODE1|500|750|30|Episode 1|0x123A6B:0x1F7A8C:0x3B2A78|programme|440|660"
    "p4|$CLIP_AD2|0|250|95437.72|Night train|0x5E1030:0xA8324A:0x8F5A10|ad|1100|1540"
    "p5|$CLIP_EPISODE1|1250|750|60|Episode 1|0x123A6B:0x1F7A8C:0x3B2A78|programme|440|660"
)
E1_LAYOUT=(p1=500 p2=250 p3=750 p4=250 p5=750)

episode1() {
    local folder=$1 piece
    mkdir -p "$folder"/{180,360,720,en,es,captions-en,captions-es}
    for piece in "${E1_PIECES[@]}"; do
        job "episode 1: ${piece%%|*} of 5" episode1_piece "$folder" "$piece"
    done
    jobs_done
    for piece in 180 360 720 en es captions-en captions-es; do
        playlist "$folder/$piece.m3u8" "$piece" "${E1_LAYOUT[@]}"
    done
    episode1_masters "$folder"
}

episode1_piece() {
    local folder=$1 name clip first frames at title colours kind en es graph language hz raw
    local -a hls small middle large
    IFS='|' read -r name clip first frames at title colours kind en es <<<"$2"
    mapfile -t small < <(x264 main 1.3 260)
    mapfile -t middle < <(x264 main 3.0 800)
    mapfile -t large < <(x264 high 3.1 2400)
    hls=(-f hls -hls_time 4 -hls_list_size 0 -hls_playlist_type vod -output_ts_offset "$at" -muxdelay 0 -muxpreload 0)
    graph=$(picture "$clip" "$first" "$frames" "$colours" "$title" "$kind")
    "${FF[@]}" -filter_complex "$graph;[picture]split=3[a][b][c];[b]scale=640:360:${SWS}[b2];[c]scale=320:180:${SWS}[c2]" \
        -map '[a]' "${EXACT[@]}" "${large[@]}" "${hls[@]}" -hls_segment_filename "$folder/720/$name-%d.ts" "$folder/720/$name.m3u8" \
        -map '[b2]' "${EXACT[@]}" "${middle[@]}" "${hls[@]}" -hls_segment_filename "$folder/360/$name-%d.ts" "$folder/360/$name.m3u8" \
        -map '[c2]' "${EXACT[@]}" "${small[@]}" "${hls[@]}" -hls_segment_filename "$folder/180/$name-%d.ts" "$folder/180/$name.m3u8"
    for language in en es; do
        hz=$en raw=$folder/$name-$language.aac
        [ $language = es ] && hz=$es
        sound "$raw" "$hz" "$(decimal "$first" "$FPS")" "$(audio_frames "$frames")" "$(decimal $((first + frames)) "$FPS")"
        "${FF[@]}" -f aac -i "$raw" "${EXACT[@]}" -c copy "${hls[@]}" \
            -hls_segment_filename "$folder/$language/$name-%d.ts" "$folder/$language/$name.m3u8"
        rm "$raw"
        captions "$folder/captions-$language" "$name" "$language" "$clip" "$first" "$frames" "$at"
    done
}

# captions FOLDER PIECE LANGUAGE CLIP FIRST FRAMES AT: WebVTT segments of 4 s. Cues are written in the clip's own time; the map says
# which stream time the clip's zero has. A cue of 1.8 s begins every 2 s, so that none crosses an edge.
captions() {
    local folder=$1 piece=$2 language=$3 clip=$4 first=$5 frames=$6 at=$7
    local zero=$(($(micro "$at") * 9 / 100 - first * (90000 / FPS))) start=$((first / FPS)) end=$(((first + frames) / FPS))
    local index=0 second cue text
    : >"$folder/$piece.m3u8"
    for ((second = start; second < end; second += 4)); do
        {
            printf 'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:%d,LOCAL:00:00:00.000\n' "$zero"
            for ((cue = second; cue < second + 4 && cue < end; cue += 2)); do
                case $language$clip in
                    en"$CLIP_EPISODE1") text="This is second $cue of the programme." ;;
                    es"$CLIP_EPISODE1") text="Este es el segundo $cue del programa." ;;
                    en*) text="[Advertisement, second $cue]" ;;
                    es*) text="[Anuncio, segundo $cue]" ;;
                esac
                printf '\n%s\n00:%02d:%02d.000 --> 00:%02d:%02d.800\n%s\n' "$clip-$cue" $((cue / 60)) $((cue % 60)) $(((cue + 1) / 60)) $(((cue + 1) % 60)) "$text"
            done
        } >"$folder/$piece-$index.vtt"
        printf '#EXTINF:%d.000000,\n%s\n' $((second + 4 < end ? 4 : end - second)) "$piece-$index.vtt" >>"$folder/$piece.m3u8"
        index=$((index + 1))
    done
}

episode1_masters() {
    local folder=$1 sound_peak sound_average peak average other_peak other_average variant height codec size
    read -r sound_peak sound_average < <(rates "$folder/en.m3u8")
    read -r other_peak other_average < <(rates "$folder/es.m3u8")
    [ "$other_peak" -gt "$sound_peak" ] && sound_peak=$other_peak
    [ "$other_average" -gt "$sound_average" ] && sound_average=$other_average
    local head='#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="en.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Español",LANGUAGE="es",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="es.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions-en.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="Español",LANGUAGE="es",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions-es.m3u8"'
    echo "$head" >"$folder/master.m3u8"
    echo "$head" >"$folder/low.m3u8"
    for variant in 360:640x360:avc1.4D401E 720:1280x720:avc1.64001F 180:320x180:avc1.4D400D; do
        IFS=: read -r height size codec <<<"$variant"
        read -r peak average < <(rates "$folder/$height.m3u8")
        variant=$(printf '#EXT-X-STREAM-INF:BANDWIDTH=%d,AVERAGE-BANDWIDTH=%d,CODECS="%s,mp4a.40.2",RESOLUTION=%s,FRAME-RATE=25.000,AUDIO="sound",SUBTITLES="captions"\n%s.m3u8' \
            $((peak + sound_peak)) $((average + sound_average)) "$codec" "$size" "$height")
        echo "$variant" >>"$folder/master.m3u8"
        if [ "$height" = 180 ]; then echo "$variant" >>"$folder/low.m3u8"; fi
    done
}
