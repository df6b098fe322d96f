# shellcheck shell=bash
# The film: MP4 with fast start, embedded metadata, a cover and three chapters. What the feed leaves out (description, genre)
# is embedded here, so that the box has both sources to draw on.

FILM_COLOURS=0x6B4A12:0xA8703A:0x5A1E2E

film() {
    local folder=$1
    mkdir -p "$folder"
    job 'film' film_piece "$folder"
    jobs_done
}

film_piece() {
    local folder=$1 graph name
    local -a small large
    mapfile -t small < <(x264 main 1.3 260)
    mapfile -t large < <(x264 high 3.1 2400)
    graph=$(picture "$CLIP_FILM" 0 900 "$FILM_COLOURS" 'Film' programme)
    "${FF[@]}" -filter_complex "$graph;[picture]split=2[a][b];[b]scale=320:180:${SWS}[b2]" \
        -map '[a]' "${EXACT[@]}" "${large[@]}" "$folder/large.mp4" -map '[b2]' "${EXACT[@]}" "${small[@]}" "$folder/small.mp4"
    poster "$folder/cover.jpg" orchard
    cat >"$folder/chapters.txt" <<'END'
;FFMETADATA1
title=Orchard in Winter
artist=Marquee
genre=Family
date=2026
description=Three sisters keep the bees of a neighbour who has gone to sea.
comment=Made for the demo channel.
[CHAPTER]
TIMEBASE=1/1000
START=0
END=12000
title=First snow
[CHAPTER]
TIMEBASE=1/1000
START=12000
END=24000
title=The hives
[CHAPTER]
TIMEBASE=1/1000
START=24000
END=36000
title=Thaw
END
    for name in large:film small:film-low; do
        "${FF[@]}" -i "$folder/${name%%:*}.mp4" -f lavfi -i "$(tone 550 0 $((36 * RATE)))" -i "$folder/chapters.txt" -i "$folder/cover.jpg" -map 0:v -map 1:a -map 3:v \
            -fflags +bitexact -flags:a +bitexact -map_metadata 2 -map_chapters 2 -c copy -c:a aac -b:a 96k -metadata:s:a:0 language=eng \
            -disposition:v:1 attached_pic -movflags +faststart "$folder/${name#*:}.mp4"
        rm "$folder/${name%%:*}.mp4"
    done
    rm "$folder/chapters.txt"
}
