# shellcheck shell=bash
# Episode 2: HLS in fragmented MP4, 30 s in one piece, two variants, one separate audio rendition.

E2_COLOURS=0x1D5C3A:0x4E8F2A:0x0E4A5E

episode2() {
    local folder=$1 name
    mkdir -p "$folder"/{180,720,en}
    job 'episode 2' episode2_piece "$folder"
    jobs_done
    for name in 180 720 en; do
        playlist "$folder/$name.m3u8" "$name" p1=750
    done
    episode2_masters "$folder"
}

episode2_piece() {
    local folder=$1 name graph
    local -a small large
    # Decoding begins two frames before zero; the edit list of the initialisation section says so, and the first picture is shown at zero.
    local -a hls=(-f hls -hls_time 4 -hls_list_size 0 -hls_playlist_type vod -hls_segment_type fmp4 -avoid_negative_ts disabled)
    mapfile -t small < <(x264 main 1.3 260)
    mapfile -t large < <(x264 high 3.1 2400)
    graph=$(picture "$CLIP_EPISODE2" 0 750 "$E2_COLOURS" 'Episode 2' programme)
    "${FF[@]}" -filter_complex "$graph;[picture]split=2[a][b];[b]scale=320:180:${SWS}[b2]" \
        -map '[a]' "${EXACT[@]}" "${large[@]}" "${hls[@]}" -hls_segment_filename "$folder/720/p1-%d.m4s" "$folder/720/p1.m3u8" \
        -map '[b2]' "${EXACT[@]}" "${small[@]}" "${hls[@]}" -hls_segment_filename "$folder/180/p1-%d.m4s" "$folder/180/p1.m3u8"
    sound "$folder/sound.aac" 330 0 "$(audio_frames 750)" 30
    "${FF[@]}" -f aac -i "$folder/sound.aac" "${EXACT[@]}" -c copy -bsf:a aac_adtstoasc "${hls[@]}" -hls_segment_filename "$folder/en/p1-%d.m4s" "$folder/en/p1.m3u8"
    rm "$folder/sound.aac"
}

episode2_masters() {
    local folder=$1 sound_peak sound_average peak average variant height size codec
    read -r sound_peak sound_average < <(rates "$folder/en.m3u8")
    local head='#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="en.m3u8"'
    echo "$head" >"$folder/master.m3u8"
    echo "$head" >"$folder/low.m3u8"
    for variant in 720:1280x720:avc1.64001F 180:320x180:avc1.4D400D; do
        IFS=: read -r height size codec <<<"$variant"
        read -r peak average < <(rates "$folder/$height.m3u8")
        variant=$(printf '#EXT-X-STREAM-INF:BANDWIDTH=%d,AVERAGE-BANDWIDTH=%d,CODECS="%s,mp4a.40.2",RESOLUTION=%s,FRAME-RATE=25.000,AUDIO="sound"\n%s.m3u8' \
            $((peak + sound_peak)) $((average + sound_average)) "$codec" "$size" "$height")
        echo "$variant" >>"$folder/master.m3u8"
        if [ "$height" = 180 ]; then echo "$variant" >>"$folder/low.m3u8"; fi
    done
}
