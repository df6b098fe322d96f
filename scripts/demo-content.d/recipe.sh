# shellcheck shell=bash
# The elements of every part of the demo content: the picture with its strip, the sound with its click, and the
# cutting of both into pieces with exact time stamps. Sourced by scripts/demo-content.
#
# The layout of the strip, the flash and the tones is a contract with the tests: Tests/Fixtures/README.md.
# shellcheck disable=SC2034 # some of these are used by the other files of this folder

FONT=/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf
FPS=25
RATE=48000

# Clip identities, as the strip carries them. Advertisements are 64 and up.
CLIP_EPISODE1=1 CLIP_EPISODE2=2 CLIP_FILM=3 CLIP_AD1=65 CLIP_AD2=66

# One thread each and exact arithmetic, so that the files are the same bytes on every machine with this ffmpeg.
FF=(ffmpeg -hide_banner -nostdin -loglevel error -y -threads 1 -filter_threads 1 -filter_complex_threads 1)
EXACT=(-fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1 -map_chapters -1)
SWS='flags=bicubic+accurate_rnd+full_chroma_int+bitexact'
# A filter, and not options of the output: of those FFmpeg 7.1 tells an encoder nothing.
TAGS=setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv

# picture CLIP FIRST FRAMES COLOURS TITLE KIND: a filter graph that ends in [picture], 1280x720, FRAMES frames numbered
# from FIRST. COLOURS is "c0:c1:c2" for the moving background; KIND is `programme` or `ad`.
picture() {
    local clip=$1 first=$2 frames=$3 colours=$4 title=$5 kind=$6
    local c0 c1 c2 seconds start
    IFS=: read -r c0 c1 c2 <<<"$colours"
    seconds=$(decimal "$frames" $FPS)
    start=$(decimal "$first" "$FPS")

    # Cell X of the strip, most significant bit first; ld(0) is the frame number, ld(1) the check sum.
    local number="st(0,N+$first)"
    local check="st(1,mod(165+$clip+3*mod(ld(0),256)+5*mod(floor(ld(0)/256),256)+7*floor(ld(0)/65536),256))"
    local bits="if(lt(X,2),1-X,if(lt(X,10),bitand(1,floor($clip/pow(2,9-X))),if(lt(X,30),bitand(1,floor(ld(0)/pow(2,29-X))),if(lt(X,38),bitand(1,floor(ld(1)/pow(2,37-X))),X-38))))"

    # A background that moves slowly and a disc that moves fast: a stutter shows. The grain gives the codec real work.
    printf '%s' "gradients=s=160x90:r=$FPS:d=$seconds:n=3:c0=$c0:c1=$c1:c2=$c2:x0=10:y0=10:x1=150:y1=80:speed=0.012:seed=7,"
    printf '%s' "scale=1280:720:$SWS:out_color_matrix=bt709:out_range=tv,format=yuv420p,"
    printf '%s' "noise=c0_seed=11:c0_strength=7:c0_flags=t[ground];"
    printf '%s' "color=c=white:s=96x96:r=$FPS:d=0.04,format=yuva420p,"
    printf '%s' "geq=lum=235:cb=128:cr=128:a='210*clip(47-hypot(X-47.5\\,Y-47.5)\\,0\\,1)',loop=loop=-1:size=1,"
    printf '%s' "trim=end_frame=$frames,setpts=N/$FPS/TB[disc];"
    printf '%s' "[ground][disc]overlay=format=yuv420:eval=frame:"
    printf '%s' "x='592+480*sin(2*PI*(t+$start)/4)':y='560-90*abs(sin(2*PI*(t+$start)/2))'[moving];"

    local write="drawtext=fontfile=$FONT:fontcolor=white:shadowcolor=black@0.5:shadowx=3:shadowy=3"
    printf '%s' "[moving]"
    if [ "$kind" = ad ]; then
        printf '%s' "drawbox=x=80:y=120:w=220:h=150:color=0xF2C230:t=fill,"
        printf '%s' "drawtext=fontfile=$FONT:fontcolor=0x202020:fontsize=120:x=80+(220-tw)/2:y=120+(150-th)/2:text='AD',"
        printf '%s' "$write:fontsize=64:x=340:y=160:text='$title',"
    else
        printf '%s' "$write:fontsize=64:x=80:y=120:text='$title',"
    fi
    printf '%s' "$write:fontsize=128:x=80:y=300:start_number=$first:text='%{eif\\:n\\:d\\:5}',"
    printf '%s' "$write:fontsize=56:x=480:y=360:text='%{pts\\:hms\\:$start}',"
    # The flash: a black patch that is white on the frame of each whole second.
    printf '%s' "drawbox=x=1088:y=120:w=128:h=120:color=black:t=fill,"
    printf '%s' "drawbox=x=1088:y=120:w=128:h=120:color=white:t=fill:enable='not(mod(n+$first\\,$FPS))'[drawn];"
    printf '%s' "color=c=black:s=40x2:r=$FPS:d=$seconds,format=yuv420p,"
    printf '%s' "geq=cb=128:cr=128:lum='$number;$check;16+219*$bits',scale=1280:40:flags=neighbor[strip];"
    printf '%s' "[drawn][strip]overlay=0:0:format=yuv420:shortest=1,trim=end_frame=$frames,$TAGS[picture]"
}

# x264 PROFILE LEVEL KBPS: the encoder's options for one size, one a line. A key frame every 4 s and nowhere else; B-frames as in real streams.
# Without looking ahead: what x264 finds there varies by a few bytes from run to run (seen with version 164).
x264() {
    local profile=$1 level=$2 kbps=$3
    printf '%s\n' -c:v libx264 -preset veryfast -profile:v "$profile" -level "$level" -pix_fmt yuv420p \
        -b:v "${kbps}k" -maxrate "$((kbps * 3 / 2))k" -bufsize "$((kbps * 2))k" -g 100 -keyint_min 100 -sc_threshold 0 -bf 2 \
        -x264-params threads=1:lookahead-threads=1:b-adapt=0:open-gop=0:stitchable=1:weightp=0:mbtree=0:rc-lookahead=0
}

# tone HZ START SAMPLES [END]: a lavfi source. The tone is quiet (0.05); at every whole second of the clip before END there are 5 ms of a
# loud 1 kHz burst.
tone() {
    local hz=$1 start=$2 samples=$3 end=${4:-1e9}
    local wave="0.05*sin(2*PI*$hz*(t+$start))+0.8*cos(2*PI*1000*mod(t+$start,1))*lt(mod(t+$start+1e-7,1),0.005)*lt(t+$start+1e-7,$end)"
    printf '%s' "aevalsrc=exprs='$wave|$wave':s=$RATE:n=1024,atrim=end_sample=$samples"
}

# sound FILE HZ START FRAMES END: raw ADTS of FRAMES AAC frames whose first frame begins exactly at second START of its clip.
# The encoder's priming frame is cut off: the first frame of the file is the first 1024 samples of the piece, so that sound and picture
# of a piece have the same first time stamp. A decoder that starts there fades its first frame in.
sound() {
    local file=$1 header length
    "${FF[@]}" -f lavfi -i "$(tone "$2" "$3" $(($4 * 1024)) "$5")" "${EXACT[@]}" -c:a aac -b:a 96k -f adts "$file.primed"
    read -r -a header <<<"$(od -An -tu1 -j3 -N3 "$file.primed")"
    length=$(((header[0] & 3) << 11 | header[1] << 3 | header[2] >> 5))
    tail -c "+$((length + 1))" "$file.primed" >"$file"
    rm "$file.primed"
}

# audio_frames VIDEO-FRAMES: how many AAC frames cover a piece. AAC frames seldom divide a piece, so that the last one overhangs the
# splice by less than a frame, as in real streams.
audio_frames() { echo $((($1 * (RATE / FPS) + 1023) / 1024)); }

# decimal A B: A/B with six decimals, exactly rounded down.
decimal() {
    local micro=$(($1 * 1000000 / $2))
    printf '%d.%06d' $((micro / 1000000)) $((micro % 1000000))
}

# micro TEXT: decimal seconds as an integer of microseconds.
micro() {
    local whole=${1%%.*} part=000000
    [[ $1 == *.* ]] && part=${1#*.}000000
    echo $((10#$whole * 1000000 + 10#${part:0:6}))
}

# segments OF-PLAYLIST: "SECONDS NAME" a line.
segments() {
    local line seconds=
    while IFS= read -r line; do
        case $line in
            '#EXTINF:'*) seconds=${line#'#EXTINF:'}; seconds=${seconds%%,*} ;;
            '#'* | '') ;;
            *) echo "$seconds $line" ;;
        esac
    done <"$1"
}

# playlist OUT PREFIX PIECE=FRAMES…: joins the pieces' own playlists (PREFIX/PIECE.m3u8) into one VOD playlist. A discontinuity
# stands between pieces, and the lengths of a piece add up to exactly its video frames: the last segment's is set to what is left.
playlist() {
    local out=$1 prefix=$2 folder piece frames left seconds name length first=yes
    local -a lines
    shift 2
    folder=$(dirname "$out")
    {
        printf '%s\n' '#EXTM3U' '#EXT-X-VERSION:6' '#EXT-X-TARGETDURATION:4' '#EXT-X-MEDIA-SEQUENCE:0' '#EXT-X-PLAYLIST-TYPE:VOD' '#EXT-X-INDEPENDENT-SEGMENTS'
        [ -e "$folder/$prefix/init.mp4" ] && echo "#EXT-X-MAP:URI=\"$prefix/init.mp4\""
        for piece in "$@"; do
            frames=${piece#*=} piece=${piece%%=*}
            [ $first = yes ] || echo '#EXT-X-DISCONTINUITY'
            first=no
            left=$((frames * (1000000 / FPS)))
            mapfile -t lines < <(segments "$folder/$prefix/$piece.m3u8")
            for i in "${!lines[@]}"; do
                read -r seconds name <<<"${lines[$i]}"
                length=$(micro "$seconds")
                [ "$i" -eq $((${#lines[@]} - 1)) ] && length=$left
                left=$((left - length))
                printf '#EXTINF:%s,\n%s/%s\n' "$(decimal "$length" 1000000)" "$prefix" "$name"
            done
            rm "$folder/$prefix/$piece.m3u8"
        done
        echo '#EXT-X-ENDLIST'
    } >"$out"
}

# rates PLAYLIST: "PEAK AVERAGE" in bits a second of the playlist's segments.
rates() {
    local folder seconds name size length peak=0 total=0 time=0
    folder=$(dirname "$1")
    while read -r seconds name; do
        size=$(stat -c %s "$folder/$name")
        length=$(micro "$seconds")
        total=$((total + size)) time=$((time + length))
        # A segment shorter than half the target duration does not count towards the peak (RFC 8216, 4.3.4.2).
        if [ "$length" -ge 2000000 ] && [ $((size * 8000000 / length)) -gt $peak ]; then peak=$((size * 8000000 / length)); fi
    done < <(segments "$1")
    echo "$peak $((total * 8000000 / time))"
}
