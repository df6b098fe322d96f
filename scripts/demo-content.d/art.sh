# shellcheck shell=bash
# The artwork: scenes of vector shapes (scenes.awk) over a sky of four colours. ffmpeg renders them with libass, in some tenths of a second each; a little
# grain hides the steps of the sky. It is all made here, so that it has the licence of the project.

# The sky of each scene, from the top down.
declare -A SKY=(
    [lighthouse]=0x0E1638:0x2A2E66:0x8A4A7A:0xF0A06A [dark]=0x060B1E:0x0C1636:0x14244E:0x1E3A66
    [ferry]=0x2E2A5E:0x7A4A82:0xE07A6A:0xFFC88A [stranger]=0x54707A:0x7A9498:0xA8BEBC:0xC0D0CC
    [storm]=0x121C26:0x24323E:0x3E525E:0x6A808A [stairs]=0x120A08:0x2A1810:0x4A2C1A:0x20120C
    [morning]=0x5A8AC0:0x98B8D8:0xF0D0C0:0xFFE8B8 [tide]=0x5E5A92:0xA87A9C:0xF0A08A:0xFFD8A8
    [letters]=0xE8C8A0:0xE8C8A0:0xE8C8A0:0xE8C8A0 [boathouse]=0x0C1632:0x1C2C58:0x34487A:0x5A5A88
    [orchard]=0x6A6AA0:0xB08AA8:0xF0B090:0xFFE0B0 [hives]=0xC09AA8:0xE8B898:0xF8D8B0:0xFFE8D0
    [bells]=0x2A1850:0x4A2A78:0x4A2468:0x1E1034 [house]=0x0A1230:0x182858:0x34407A:0x6A5A8A
    [deep]=0x3AB0B0:0x1A7A90:0x0A4A66:0x042A40 [reel]=0x1A120C:0x3A2416:0x4A3020:0x120E0A
    [logo]=0x1F7A8C:0x1F7A8C:0x1F7A8C:0x1F7A8C [logo-harbour]=0x123A6B:0x123A6B:0x123A6B:0x123A6B
    [logo-news]=0x8C1F2A:0x8C1F2A:0x8C1F2A:0x8C1F2A [logo-music]=0x4A2C6B:0x4A2C6B:0x4A2C6B:0x4A2C6B
)

# scene NAME FILE WIDTH HEIGHT [CROP]: a picture of a scene; CROP is a filter of what is rendered, such as `crop=720:720,`.
scene() {
    local name=$1 file=$2 width=$3 height=$4 crop=${5-} script format=yuvj420p grain=noise=alls=5:all_seed=3, c0 c1 c2 c3
    IFS=: read -r c0 c1 c2 c3 <<<"${SKY[$name]}"
    script=$file.ass
    case $file in *.png) format=rgb24 grain= ;; esac
    # shellcheck disable=SC2154 # scripts/demo-content has set it
    awk -v scene="$name" -f "$parts/scenes.awk" >"$script"
    # The sky ends above the lower edge, where there is land or water.
    "${FF[@]}" -filter_complex "gradients=s=160x90:r=1:n=4:c0=$c0:c1=$c1:c2=$c2:c3=$c3:x0=80:y0=0:x1=80:y1=60:seed=7,
        scale=$width:$height:$SWS,format=gbrp,ass=filename='$script',$grain${crop}format=$format" \
        -frames:v 1 -update 1 "${EXACT[@]}" -q:v 3 "$file"
    rm "$script"
}

# poster FILE SCENE: the picture of a programme, as the feed has it and as it is embedded in a file.
poster() { scene "$2" "$1" 1280 720; }

art() {
    local folder=$1 name
    mkdir -p "$folder"
    step 'artwork'
    poster "$folder/series.jpg" house
    poster "$folder/episode1.jpg" lighthouse
    scene ferry "$folder/episode1-still.jpg" 1280 720
    scene lighthouse "$folder/episode1-background.jpg" 1920 1080
    poster "$folder/episode2.jpg" tide
    scene boathouse "$folder/episode2-still.jpg" 1280 720
    scene tide "$folder/episode2-background.jpg" 1920 1080
    poster "$folder/film.jpg" orchard
    scene hives "$folder/film-still.jpg" 1280 720
    poster "$folder/music.jpg" bells
    poster "$folder/deep.jpg" deep
    poster "$folder/reel.jpg" reel
    for name in ferry dark stranger storm stairs morning letters boathouse; do
        scene "$name" "$folder/chapter-$name.jpg" 640 360
    done
    for name in logo logo-harbour logo-news logo-music; do
        scene "$name" "$folder/$name.png" 1024 576 'crop=576:576,'
    done
}
