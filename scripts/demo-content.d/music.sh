# shellcheck shell=bash
# A music track: AAC in MP4 with tags and a cover, 30 s. Its steady tone of 262 Hz identifies it.

music() {
    local folder=$1
    mkdir -p "$folder"
    step 'music track'
    scene bells "$folder/cover.jpg" 1280 720 'crop=720:720,'
    "${FF[@]}" -f lavfi -i "$(tone 262 0 $((30 * RATE)))" -i "$folder/cover.jpg" -map 0:a -map 1:v -c:v copy -c:a aac -b:a 128k -fflags +bitexact -flags:a +bitexact -map_metadata -1 \
        -metadata title='Slow Bells' -metadata artist='The Marquee Players' -metadata album='Demo' -metadata genre='Ambient' -metadata date=2026 \
        -metadata description='A steady tone with a click every second.' -metadata track=1/1 -disposition:v:0 attached_pic -f ipod -movflags +faststart "$folder/track.m4a"
    rm "$folder/cover.jpg"
}
