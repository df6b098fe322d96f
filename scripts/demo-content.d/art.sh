# shellcheck shell=bash
# Posters and the provider's logo.

# poster FILE COLOURS TITLE LINE
poster() {
    local c0 c1 c2
    IFS=: read -r c0 c1 c2 <<<"$2"
    local write="drawtext=fontfile=$FONT:fontcolor=white:shadowcolor=black@0.5:shadowx=4:shadowy=4"
    "${FF[@]}" -filter_complex "gradients=s=160x90:r=1:n=3:c0=$c0:c1=$c1:c2=$c2:x0=10:y0=80:x1=150:y1=10:seed=7,scale=1280:720:$SWS,format=yuvj420p,
        drawbox=x=0:y=0:w=24:h=720:color=white@0.85:t=fill,
        $write:fontsize=84:x=96:y=270:text='$3',$write:fontsize=44:x=100:y=400:text='$4'" -frames:v 1 -update 1 "${EXACT[@]}" -q:v 3 "$1"
}

art() {
    local folder=$1
    mkdir -p "$folder"
    step 'artwork'
    poster "$folder/episode1.jpg" 0x123A6B:0x1F7A8C:0x3B2A78 'The Lighthouse Keeper' 'Harbour House, episode 1'
    poster "$folder/episode2.jpg" 0x1D5C3A:0x4E8F2A:0x0E4A5E 'Low Tide' 'Harbour House, episode 2'
    poster "$folder/music.jpg" 0x4A2C6B:0x8C5A7A:0x1E2A5A 'Slow Bells' 'A track of thirty seconds'
    "${FF[@]}" -f lavfi -i 'color=c=0x1F7A8C:s=256x256' -vf "drawtext=fontfile=$FONT:fontcolor=white:fontsize=180:x=(w-tw)/2:y=(h-th)/2:text='M'" \
        -frames:v 1 -update 1 "${EXACT[@]}" "$folder/logo.png"
}
