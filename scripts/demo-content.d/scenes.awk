# Draws one scene of the demo feed's artwork: prints vector shapes as an ASS script, which ffmpeg renders over a sky (art.sh).
#
#   awk -v scene=NAME -f scenes.awk
#
# The coordinates are those of a picture of 1280x720. Nothing is random: a small generator with a fixed seed places stars, grass and waves, and every
# coordinate is printed with one decimal, so that each run prints the same bytes.

# -- a generator, and the parts of paths ---------------------------------------------------------------------------------------------------------------

function seed(number) { state = number * 7919 + 13 }
function random(low, high) {
    state = (state * 16807) % 2147483647
    return low + (high - low) * state / 2147483647
}
function at(x, y) { return sprintf("%.1f %.1f ", x, y) }

# shape COLOUR TRANSPARENCY BLUR PATH: COLOUR is RRGGBB; TRANSPARENCY is 0 for opaque to 255; BLUR is in pixels.
function shape(colour, transparency, blur, path) {
    printf "Dialogue: %d,0:00:00.00,0:01:00.00,Shape,,0,0,0,,{\\an7\\pos(0,0)\\1c&H%s%s%s&\\1a&H%02X&\\blur%.1f\\p1}%s{\\p0}\n", layer++,
        substr(colour, 5, 2), substr(colour, 3, 2), substr(colour, 1, 2), transparency, blur, path
}

function box(x, y, width, height) {
    return "m " at(x, y) "l " at(x + width, y) at(x + width, y + height) at(x, y + height)
}
function oval(x, y, rx, ry,    k, l) {
    k = rx * 0.5523; l = ry * 0.5523
    return "m " at(x, y - ry) "b " at(x + k, y - ry) at(x + rx, y - l) at(x + rx, y) at(x + rx, y + l) at(x + k, y + ry) at(x, y + ry) \
        at(x - k, y + ry) at(x - rx, y + l) at(x - rx, y) at(x - rx, y - l) at(x - k, y - ry) at(x, y - ry)
}
function line(x0, y0, x1, y1, w0, w1,    dx, dy, length_) {
    dx = x1 - x0; dy = y1 - y0; length_ = sqrt(dx * dx + dy * dy)
    if (length_ == 0) return ""
    dx = dx / length_ / 2; dy = dy / length_ / 2
    return "m " at(x0 - dy * w0, y0 + dx * w0) "l " at(x0 + dy * w0, y0 - dx * w0) at(x1 + dy * w1, y1 - dx * w1) at(x1 - dy * w1, y1 + dx * w1)
}

# -- what scenes are made of ---------------------------------------------------------------------------------------------------------------------------

# A light with its halo.
function glow(x, y, radius, colour, strength,    i) {
    for (i = 6; i >= 1; i--) shape(colour, 255 - strength / i, radius * i / 4, oval(x, y, radius * i * 0.75, radius * i * 0.75))
}
function stars(count, lowest, number,    i, size) {
    seed(number)
    for (i = 0; i < count; i++) {
        size = random(0.5, 1.7)
        shape("FFF6E0", int(random(30, 190)), size > 1.4 ? 1.2 : 0.4, oval(random(0, 1280), random(0, lowest) * random(0.3, 1), size, size))
    }
}
function clouds(top, bottom, count, colour, transparency, number,    i, y, width) {
    seed(number)
    for (i = 0; i < count; i++) {
        y = random(top, bottom); width = random(160, 520)
        shape(colour, int(transparency + random(-14, 14)), random(9, 16), oval(random(-80, 1360), y, width, random(3, 11)))
    }
}
# A chain of hills from edge to edge; SLOPE is how much it changes from one point to the next.
function ridge(y, height, step, colour, transparency, blur, number,    x, path, phase) {
    seed(number)
    phase = random(0, 6.28)
    path = "m " at(-40, 760) "l "
    for (x = -40; x <= 1320; x += step)
        path = path at(x, y - height * (0.5 + 0.3 * sin(x / 210 + phase) + 0.14 * sin(x / 83 + phase * 3) + random(-0.06, 0.06)))
    shape(colour, transparency, blur, path at(1320, 760))
}
# Water from HORIZON down: bands that grow darker, and short streaks of light.
function sea(horizon, far, near, streak, count, number,    i, y, t, width) {
    shape(far, 0, 0, box(-20, horizon, 1320, 740 - horizon))
    for (i = 1; i <= 8; i++) shape(near, 205, 14, box(-60, horizon + (720 - horizon) * i / 9, 1400, 800))
    seed(number)
    for (i = 0; i < count; i++) {
        t = random(0, 1); y = horizon + 3 + (716 - horizon) * t * t; width = 8 + 130 * t * random(0.2, 1)
        shape(streak, int(random(176, 236)), 0.6 + t, oval(random(-40, 1320), y, width, 0.6 + 2.2 * t))
    }
}
# The light of something low in the sky on water.
function glitter(x, horizon, spread, colour, count, number,    i, t, y) {
    seed(number)
    for (i = 0; i < count; i++) {
        t = random(0, 1); y = horizon + 2 + (712 - horizon) * t * t
        shape(colour, int(60 + 150 * t + random(-30, 30)), 0.5 + t, oval(x + random(-1, 1) * random(0, spread) * (0.25 + t), y, random(6, 26) * (0.4 + t * 1.6), 0.7 + 1.7 * t))
    }
}
function gulls(count, x, y, spread, colour, number,    i, gx, gy, s) {
    seed(number)
    for (i = 0; i < count; i++) {
        gx = x + random(-spread, spread); gy = y + random(-spread, spread) * 0.36; s = random(6, 15)
        shape(colour, 20, 0.5, "m " at(gx - s * 1.5, gy - s * 0.2) "b " at(gx - s, gy - s * 0.75) at(gx - s * 0.4, gy - s * 0.6) at(gx, gy) \
            at(gx + s * 0.4, gy - s * 0.6) at(gx + s, gy - s * 0.8) at(gx + s * 1.6, gy - s * 0.3) \
            at(gx + s, gy - s * 0.6) at(gx + s * 0.4, gy - s * 0.4) at(gx, gy + s * 0.26) \
            at(gx - s * 0.4, gy - s * 0.38) at(gx - s, gy - s * 0.55) at(gx - s * 1.5, gy - s * 0.2))
    }
}
function cliff(side, x, top, colour, number,    i, path, px, py) {
    # side 1: the land is at the right edge.
    seed(number)
    path = "m " at(side > 0 ? 1330 : -50, 760) "l " at(side > 0 ? 1330 : -50, top - 14)
    for (i = 8; i >= 0; i--) path = path at((side > 0 ? x + (1330 - x) * i / 8 : x - (x + 50) * i / 8), top + (i < 1 ? 8 : random(-7, 4)) - i)
    px = x; py = top + 8
    for (i = 1; i <= 9; i++) { px -= side * random(-5, 26) * (0.5 + i / 9); py += (740 - top) / 8.4; path = path at(px, py + random(-9, 9)) }
    shape(colour, 0, 0.6, path)
}
# A lighthouse on (X, Y), HEIGHT to its gallery. LIT: its lamp burns.
function lighthouse(x, y, height, body, shade, lit,    w, t, i) {
    w = height * 0.13; t = y - height
    shape(body, 0, 0.5, "m " at(x - w, y + 6) "l " at(x - w * 0.62, t) at(x + w * 0.62, t) at(x + w, y + 6))
    shape(shade, 70, 2, "m " at(x + w * 0.12, y + 6) "l " at(x + w * 0.1, t) at(x + w * 0.62, t) at(x + w, y + 6))
    for (i = 0; i < 2; i++)
        shape(shade, 40, 0.5, "m " at(x - w * (0.72 + i * 0.16), t + height * (0.26 + 0.42 * i)) "l " at(x + w * (0.72 + i * 0.16), t + height * (0.26 + 0.42 * i)) \
            at(x + w * (0.78 + i * 0.16), t + height * (0.42 + 0.42 * i)) at(x - w * (0.78 + i * 0.16), t + height * (0.42 + 0.42 * i)))
    shape(shade, 0, 0.4, box(x - w * 0.92, t - height * 0.025, w * 1.84, height * 0.03))
    shape(lit ? "FFE9A8" : shade, 0, lit ? 1 : 0.4, box(x - w * 0.42, t - height * 0.15, w * 0.84, height * 0.13))
    for (i = -1; i <= 1; i++) shape(shade, 0, 0.3, box(x + i * w * 0.4 - 1, t - height * 0.15, 2, height * 0.13))
    shape(shade, 0, 0.4, "m " at(x - w * 0.58, t - height * 0.15) "b " at(x - w * 0.5, t - height * 0.22) at(x - w * 0.2, t - height * 0.25) at(x, t - height * 0.27) \
        at(x + w * 0.2, t - height * 0.25) at(x + w * 0.5, t - height * 0.22) at(x + w * 0.58, t - height * 0.15))
}
# A beam from a lamp to the side; both edges fade.
function beam(x, y, dx, dy, width, colour,    i) {
    for (i = 1; i <= 5; i++)
        shape(colour, 222 - i * 4, 10 + i * 3, "m " at(x, y - 3) "l " at(x + dx, y + dy - width * i / 5) at(x + dx, y + dy + width * i / 5) at(x, y + 3))
}
# A house with lit windows.
function house(x, y, width, height, wall, roof, window, number,    i, j, columns, rows, cw) {
    seed(number)
    shape(wall, 0, 0.4, box(x, y - height, width, height + 2))
    shape(roof, 0, 0.4, "m " at(x - width * 0.07, y - height) "l " at(x + width * 0.14, y - height - width * 0.34) at(x + width * 0.86, y - height - width * 0.34) at(x + width * 1.07, y - height))
    shape(roof, 0, 0.3, box(x + width * 0.7, y - height - width * 0.5, width * 0.1, width * 0.24))
    columns = int(width / 34); rows = int(height / 46); if (rows < 1) rows = 1; cw = width / columns
    for (i = 0; i < columns; i++)
        for (j = 0; j < rows; j++)
            if (random(0, 1) < 0.62) {
                shape(window, 150, 7, box(x + cw * (i + 0.2), y - height + 12 + j * 46, cw * 0.6, 26))
                shape(window, 10, 0.4, box(x + cw * (i + 0.28), y - height + 14 + j * 46, cw * 0.44, 22))
                shape(wall, 20, 0, box(x + cw * (i + 0.49), y - height + 14 + j * 46, 1.6, 22))
            }
}
# A person who stands at (X, Y), HEIGHT tall, in a long coat.
function person(x, y, height, colour) {
    shape(colour, 0, 0.4, oval(x, y - height * 0.92, height * 0.065, height * 0.08))
    shape(colour, 0, 0.4, "m " at(x - height * 0.05, y - height * 0.86) "b " at(x - height * 0.15, y - height * 0.8) at(x - height * 0.15, y - height * 0.5) at(x - height * 0.17, y - height * 0.14) \
        "l " at(x + height * 0.15, y - height * 0.12) "b " at(x + height * 0.13, y - height * 0.5) at(x + height * 0.15, y - height * 0.8) at(x + height * 0.05, y - height * 0.86))
    shape(colour, 0, 0.4, box(x - height * 0.1, y - height * 0.16, height * 0.07, height * 0.16) box(x + height * 0.03, y - height * 0.16, height * 0.07, height * 0.16))
    # The brim of a hat.
    shape(colour, 0, 0.3, oval(x, y - height * 0.965, height * 0.12, height * 0.016))
    shape(colour, 0, 0.3, box(x - height * 0.06, y - height * 1.04, height * 0.12, height * 0.08))
}
function rowboat(x, y, length_, hull, inside,    s) {
    s = length_ / 2
    shape("000000", 120, 9, oval(x + s * 0.06, y + s * 0.2, s * 1.02, s * 0.08))
    shape(inside, 0, 0.4, "m " at(x - s, y - s * 0.3) "b " at(x - s * 0.4, y - s * 0.1) at(x + s * 0.4, y - s * 0.12) at(x + s * 1.02, y - s * 0.38) "l " at(x + s * 0.8, y - s * 0.02) at(x - s * 0.8, y))
    shape(hull, 0, 0.5, "m " at(x - s, y - s * 0.3) "b " at(x - s * 0.5, y - s * 0.03) at(x + s * 0.4, y - s * 0.04) at(x + s * 1.02, y - s * 0.38) \
        at(x + s * 0.9, y - s * 0.02) at(x + s * 0.72, y + s * 0.18) at(x + s * 0.6, y + s * 0.2) "l " at(x - s * 0.66, y + s * 0.2) "b " at(x - s * 0.86, y + s * 0.1) at(x - s * 0.94, y - s * 0.1) at(x - s, y - s * 0.3))
    shape(inside, 90, 0.6, line(x - s * 0.9, y - s * 0.08, x + s * 0.84, y - s * 0.1, 2, 2))
}
# A bare tree; DEPTH is the number of forks to its twigs.
function tree(x, y, angle, length_, width, depth, colour,    x1, y1, n, i) {
    x1 = x + length_ * sin(angle); y1 = y - length_ * cos(angle)
    branch = branch line(x, y, x1, y1, width, width * 0.66)
    if (depth == 0) return
    tree(x1, y1, angle - random(0.2, 0.55), length_ * random(0.66, 0.82), width * 0.66, depth - 1, colour)
    tree(x1, y1, angle + random(0.2, 0.55), length_ * random(0.66, 0.82), width * 0.66, depth - 1, colour)
    if (depth > 3) tree(x1, y1, angle + random(-0.15, 0.15), length_ * random(0.5, 0.7), width * 0.5, depth - 2, colour)
}
function planted(x, y, height, colour, transparency, number) {
    seed(number); branch = ""
    tree(x, y, random(-0.06, 0.06), height * 0.27, height * 0.052, 7, colour)
    shape(colour, transparency, 0.5, branch)
}
function pier(y, colour, number,    i, x) {
    shape(colour, 0, 0.4, "m " at(-20, y) "l " at(820, y + 6) at(820, y + 16) at(-20, y + 26))
    seed(number)
    for (i = 0; i < 9; i++) { x = 20 + i * 98; shape(colour, 0, 0.4, box(x, y - (i % 2 ? 4 : 22), 11 - i * 0.6, 240 - i * 16)) }
}
function fog(y, height, colour, transparency) {
    shape(colour, transparency, 40, oval(300, y, 700, height)); shape(colour, transparency, 46, oval(1000, y + 12, 640, height))
}
function rain(count, number,    i, x, y, path) {
    seed(number); path = ""
    for (i = 0; i < count; i++) { x = random(-60, 1340); y = random(-20, 720); path = path line(x, y, x - 13, y + random(34, 72), 1.2, 0.6) }
    shape("DCE8F0", 190, 0.7, path)
}
function wave(y, height, period, phase, colour, crest, number,    x, path, foam, t) {
    path = "m " at(-20, 760) "l "; foam = ""
    for (x = -20; x <= 1300; x += 10) {
        t = sin(x / period + phase) + 0.35 * sin(x / period * 2.3 + phase * 2)
        path = path at(x, y - height * t * (t > 0 ? 1.2 : 0.6))
        if (t > 0.72) foam = foam oval(x, y - height * t * 1.2 + 3, 12 * t, 3.4 * t)
    }
    shape(colour, 0, 0.8, path at(1300, 760))
    if (foam != "") { shape(crest, 120, 5, foam); shape(crest, 90, 1.4, foam) }
}

# -- the scenes ----------------------------------------------------------------------------------------------------------------------------------------

function harbour_night() {
    stars(150, 420, 5)
    glow(930, 150, 44, "FFE7B8", 62); shape("FFF3D6", 0, 1, oval(930, 150, 42, 42))
    clouds(230, 400, 9, "3A4A78", 190, 3)
}
function scene_lighthouse() {
    stars(170, 420, 11)
    clouds(250, 420, 12, "E08A6A", 206, 4)
    ridge(442, 70, 40, "22305A", 30, 2, 21)
    sea(430, "1B3A62", "0A1630", "F3B27A", 90, 8)
    glitter(330, 430, 150, "FFC98A", 90, 6)
    beam(872, 196, -1000, -150, 120, "FFE6A6"); beam(872, 196, 520, 60, 60, "FFE6A6")
    cliff(1, 690, 446, "0B1226", 31)
    house(962, 440, 130, 54, "10182E", "080D1C", "FFC566", 9)
    lighthouse(872, 448, 232, "D9D2C4", "1A2036", 1)
    glow(872, 198, 26, "FFE9A8", 120)
    gulls(6, 420, 250, 190, "10182E", 14)
}
function scene_dark() {
    stars(330, 520, 12)
    shape("8FA6D8", 226, 60, line(180, 0, 900, 520, 90, 190))
    ridge(470, 60, 40, "131C38", 0, 2, 22)
    sea(460, "101D3A", "050A18", "7E96C8", 70, 9)
    cliff(1, 620, 470, "04070F", 33)
    lighthouse(850, 474, 300, "3A4258", "0A0F1E", 0)
    person(760, 472, 62, "04070F")
    glow(768, 444, 5, "FFB650", 120)
}
function scene_ferry() {
    clouds(90, 380, 20, "F2A27A", 200, 6)
    glow(360, 392, 62, "FFD28A", 90); shape("FFE7BE", 0, 2, oval(360, 392, 50, 50))
    ridge(418, 46, 34, "4A3A62", 20, 2, 24)
    sea(410, "6A4A72", "1B1A3C", "FFC08A", 130, 10)
    glitter(360, 410, 170, "FFDFA8", 150, 7)
    shape("120F24", 0, 0.5, "m " at(640, 470) "l " at(1076, 462) at(1040, 520) at(690, 522))
    shape("1B1731", 0, 0.5, box(700, 426, 300, 42)); shape("1B1731", 0, 0.5, box(740, 390, 200, 40)); shape("120F24", 0, 0.5, box(772, 362, 90, 30))
    shape("8E2F36", 0, 0.4, "m " at(880, 330) "l " at(922, 330) at(930, 392) at(876, 392)); shape("120F24", 0, 0.4, box(879, 330, 44, 12))
    for (i = 0; i < 9; i++) shape("FFD98A", 20, 0.8, box(716 + i * 31, 438, 16, 12))
    for (i = 0; i < 6; i++) shape("FFD98A", 40, 0.8, box(752 + i * 31, 402, 14, 12))
    shape("E8DCE0", 214, 22, oval(820, 290, 120, 22)); shape("E8DCE0", 224, 26, oval(660, 250, 170, 24))
    shape("FFFFFF", 170, 5, oval(850, 524, 260, 5)); shape("0A0A1C", 120, 8, oval(850, 548, 220, 16))
    gulls(8, 980, 260, 210, "241A3A", 15)
}
function scene_stranger() {
    clouds(80, 300, 12, "8FA8A8", 214, 8)
    ridge(372, 60, 44, "3E5A62", 90, 4, 25)
    sea(380, "4A6A70", "12252E", "C8E0DC", 70, 11)
    fog(380, 30, "A8C0BE", 150)
    pier(520, "0C171C", 3)
    person(560, 524, 232, "0A1216")
    glow(618, 420, 15, "FFBE5C", 190); shape("FFE7B0", 0, 1.5, oval(618, 420, 7, 9)); shape("0A1216", 0, 0.3, line(596, 392, 618, 408, 5, 3))
    glitter(618, 560, 50, "FFC878", 36, 4)
    fog(600, 26, "A8C0BE", 206)
    gulls(3, 940, 180, 120, "22343A", 16)
}
function scene_storm() {
    clouds(20, 260, 26, "0E1A24", 140, 9); clouds(40, 300, 14, "6A8490", 206, 19)
    shape("E8F4FF", 180, 14, line(930, -20, 900, 330, 60, 4))
    shape("FFFFFF", 10, 1, line(946, -10, 908, 110, 5, 4) line(908, 108, 934, 126, 4, 4) line(934, 126, 894, 262, 4, 3) line(894, 260, 914, 274, 3, 2) line(914, 274, 896, 352, 2, 1))
    wave(400, 26, 88, 0.4, "2A4654", "C8DCE4", 1)
    lighthouse(1010, 396, 150, "8A97A0", "16222C", 1); beam(1010, 236, -1240, 84, 104, "FFF0C0")
    cliff(1, 930, 396, "0E1820", 35)
    wave(470, 38, 120, 2.1, "1F3946", "D8E8EE", 2); wave(560, 56, 170, 4.2, "162C38", "E6F2F6", 3); wave(668, 64, 230, 0.9, "0C1C26", "EEF6FA", 4)
    rain(260, 5)
}
function scene_stairs(    i, a, b, r, x, y) {
    # A spiral from above: the steps are larger the nearer they are.
    glow(640, 300, 110, "FFC878", 110)
    for (i = 44; i >= 0; i--) {
        a = i * 0.2618; r = 44 + i * 13; b = a + 0.25
        x = 640; y = 322
        shape(i % 2 ? "5A4030" : "6E5038", int(10 + 3 * (i < 12 ? 0 : i - 12)), 0.8, "m " at(x + r * cos(a), y + r * 0.62 * sin(a)) "l " at(x + (r + 118) * cos(a), y + (r + 118) * 0.62 * sin(a)) \
            at(x + (r + 122) * cos(b), y + (r + 122) * 0.62 * sin(b)) at(x + (r + 4) * cos(b), y + (r + 4) * 0.62 * sin(b)))
        shape("1A100C", 60, 1.4, line(x + r * cos(a), y + r * 0.62 * sin(a), x + (r + 120) * cos(a), y + (r + 120) * 0.62 * sin(a), 3, 7))
    }
    glow(640, 322, 30, "FFE6B0", 210)
    person(648, 330, 36, "1A100C")
    for (i = 0; i < 5; i++) shape("0C0706", 214, 60, box(i % 2 ? -160 - i * 8 : 1130 + i * 8, -60, 310, 840))
    shape("0C0706", 150, 60, box(-60, 640, 1400, 160)); shape("0C0706", 150, 60, box(-60, -90, 1400, 120))
}
function scene_morning() {
    glow(420, 356, 78, "FFE2A0", 150); shape("FFF6DC", 0, 2, oval(420, 356, 54, 54))
    clouds(60, 340, 16, "FFD9C0", 190, 10)
    ridge(404, 60, 40, "8A86A8", 40, 3, 26); ridge(424, 50, 40, "6E7498", 20, 2, 27)
    sea(412, "86A8B8", "2E5A78", "FFF0D0", 150, 12)
    glitter(420, 412, 180, "FFF2CC", 170, 8)
    cliff(1, 760, 440, "24384C", 36)
    shape("5C7A54", 90, 10, oval(1080, 438, 280, 14))
    house(1010, 436, 140, 60, "C8BCA8", "5A3A38", "88A8B8", 10)
    lighthouse(900, 444, 236, "F6F0E4", "8C3A3A", 0)
    gulls(11, 560, 210, 260, "3A4A62", 17)
}
function scene_tide(    i) {
    clouds(60, 330, 18, "FFC0A0", 196, 11)
    glow(860, 366, 58, "FFD9A0", 120); shape("FFF0CC", 0, 2, oval(860, 366, 40, 40))
    ridge(392, 70, 36, "5E5A86", 40, 3, 28)
    sea(384, "A88AA0", "7A6A8C", "FFE2C0", 90, 13)
    glitter(860, 384, 130, "FFE9C4", 90, 9)
    shape("C89A86", 0, 3, "m " at(-20, 520) "b " at(260, 470) at(420, 560) at(700, 520) at(920, 490) at(1100, 520) at(1300, 480) "l " at(1300, 760) at(-20, 760))
    shape("FFE6D0", 150, 3, "m " at(-20, 519) "b " at(260, 469) at(420, 559) at(700, 519) at(920, 489) at(1100, 519) at(1300, 479) "l " at(1300, 486) "b " at(1100, 527) at(920, 498) at(700, 527) at(420, 568) at(260, 478) at(-20, 527))
    for (i = 1; i <= 6; i++) shape("5A4058", 216, 18, box(-60, 520 + i * 30, 1400, 300))
    seed(44)
    for (i = 0; i < 70; i++) shape("FFDCC0", int(random(170, 225)), 1.4, oval(random(-20, 1300), random(548, 716), random(14, 70), random(0.8, 2.4)))
    rowboat(420, 580, 330, "2F4A58", "7A4A3A")
    shape("3A2A38", 0, 0.5, line(598, 520, 760, 606, 3, 2)); shape("3A2A38", 0, 0.5, oval(764, 608, 14, 5))
    gulls(7, 1010, 230, 190, "4A3E5E", 18)
}
function scene_letters(    i) {
    shape("E8C8A0", 0, 0, box(-20, -20, 1320, 760))
    seed(7)
    for (i = 0; i < 60; i++) shape(i % 2 ? "C89A78" : "F4DDBC", int(random(150, 220)), 10, oval(random(-40, 1320), random(-20, 740), random(80, 240), random(5, 18)))
    for (i = 0; i < 700; i++) shape("A87A5C", int(random(90, 210)), 0.4, oval(random(0, 1280), random(0, 720), random(0.5, 1.5), random(0.5, 1.5)))
    shape("5AA0A8", 40, 6, "m " at(-30, -30) "l " at(1310, -30) at(1310, 120) "b " at(1000, 250) at(760, 90) at(480, 190) at(280, 250) at(120, 170) at(-30, 230))
    shape("FFFFFF", 60, 6, "m " at(1310, 112) "b " at(1000, 242) at(760, 82) at(480, 182) at(280, 242) at(120, 162) at(-30, 222) "l " at(-30, 246) "b " at(120, 184) at(280, 268) at(480, 208) at(760, 112) at(1000, 270) at(1310, 136))
    # An envelope, its seal, and a second one half under it.
    shape("3A2418", 150, 20, "m " at(470, 330) "l " at(900, 270) at(960, 560) at(520, 620))
    shape("E4D4B4", 0, 0.8, "m " at(610, 250) "l " at(1000, 330) at(950, 560) at(560, 480))
    shape("FBF2DC", 0, 0.8, "m " at(440, 320) "l " at(860, 256) at(906, 520) at(486, 588))
    shape("E2D2B0", 0, 0.8, "m " at(440, 320) "l " at(860, 256) at(690, 436) at(664, 442))
    shape("B8A07C", 60, 0.8, line(440, 320, 668, 446, 2, 3) line(860, 256, 684, 442, 2, 3))
    shape("9E2430", 0, 1.2, oval(676, 424, 30, 28)); shape("C84450", 0, 1.5, oval(670, 418, 20, 18)); shape("9E2430", 0, 1, oval(674, 422, 15, 13))
}
function scene_boathouse() {
    harbour_night()
    ridge(430, 130, 44, "1A2A44", 0, 2, 29)
    sea(436, "1E3450", "0A1424", "9AB4DC", 80, 14)
    glitter(930, 436, 90, "FFE9C0", 70, 10)
    house(250, 440, 310, 118, "2E2430", "17121C", "FFC25A", 12)
    shape("0C0A12", 0, 0.5, "m " at(330, 442) "l " at(330, 372) "b " at(340, 340) at(400, 340) at(410, 372) "l " at(410, 442))
    shape("FFB84E", 190, 24, box(260, 448, 290, 120)); glitter(330, 446, 60, "FFC878", 30, 21); glitter(480, 446, 70, "FFC878", 34, 22)
    shape("120E16", 0, 0.5, box(180, 438, 440, 12))
    for (i = 0; i < 7; i++) shape("120E16", 0, 0.5, box(196 + i * 66, 440, 9, 84))
    rowboat(760, 560, 210, "141C2C", "2A2230")
}
function scene_orchard(    i, x) {
    glow(760, 330, 90, "FFDCA0", 150); shape("FFF4D8", 0, 2, oval(760, 330, 46, 46))
    clouds(40, 260, 12, "FFC8A0", 200, 12)
    ridge(410, 90, 40, "9A90B4", 60, 5, 41); ridge(436, 60, 34, "B8B0CC", 20, 4, 42)
    shape("DCD8E8", 0, 3, "m " at(-20, 450) "b " at(300, 410) at(700, 440) at(1300, 420) "l " at(1300, 760) at(-20, 760))
    for (i = 0; i < 7; i++) planted(60 + i * 190, 462, 110, "6A5A74", 60, 50 + i)
    shape("FFE0C0", 130, 26, oval(760, 470, 330, 30))
    shape("EEEAF4", 0, 3, "m " at(-20, 540) "b " at(340, 480) at(760, 540) at(1300, 500) "l " at(1300, 760) at(-20, 760))
    for (i = 0; i < 4; i++) planted(110 + i * 350, 552, 250, "3E3040", 20, 60 + i)
    for (i = 0; i < 9; i++) shape("7A6E9C", 214, 12, "m " at(60 + i * 150, 560) "l " at(80 + i * 150, 560) at(20 + i * 130, 740) at(-60 + i * 130, 740))
    for (i = 0; i < 3; i++) {
        x = 700 + i * 120
        shape("8A7A9A", 120, 10, oval(x + 20, 622 + i * 10, 70, 10))
        shape(i == 1 ? "E0A84A" : i == 2 ? "7AA0B0" : "C86A5A", 0, 0.5, box(x - 32, 546 + i * 10, 72, 74)); shape("2A2030", 150, 2, box(x + 16, 546 + i * 10, 24, 74))
        shape("4A3A40", 0, 0.5, box(x - 38, 538 + i * 10, 84, 10)); shape("FFFFFF", 0, 1.5, oval(x + 4, 537 + i * 10, 44, 9)); shape("2A2030", 0, 0.5, box(x - 10, 606 + i * 10, 26, 7))
    }
    seed(71)
    for (i = 0; i < 150; i++) { x = random(1, 3.4); shape("FFFFFF", int(random(40, 170)), x * 0.5, oval(random(0, 1280), random(0, 720), x, x)) }
}
function scene_hives(    i, x) {
    shape("FFD9A0", 120, 60, oval(980, 120, 420, 220))
    for (i = 0; i < 5; i++) planted(40 + i * 320, 470, 360, i % 2 ? "7A5A50" : "5A4248", 70, 80 + i)
    shape("F2ECF2", 0, 4, "m " at(-20, 470) "b " at(320, 430) at(860, 480) at(1300, 440) "l " at(1300, 760) at(-20, 760))
    for (i = 0; i < 3; i++) {
        x = 300 + i * 330
        shape("9A88A8", 110, 16, oval(x + 60, 640, 170, 18))
        shape(i == 0 ? "D8A048" : i == 1 ? "B85A4E" : "6A94A8", 0, 0.8, box(x - 90, 430, 190, 96) box(x - 90, 532, 190, 100))
        shape("2A1C28", 170, 6, box(x + 30, 430, 70, 202)); shape("FFFFFF", 190, 6, box(x - 90, 430, 30, 202))
        shape("5A4640", 0, 0.6, box(x - 104, 412, 218, 20)); shape("FFFFFF", 0, 3, oval(x + 5, 410, 112, 20)); shape("1C1218", 0, 0.6, box(x - 30, 610, 70, 12))
    }
    seed(91)
    for (i = 0; i < 26; i++) { x = random(2, 4); shape("3A2A14", 30, 0.6, oval(random(220, 1120), random(300, 600), x * 1.5, x)) }
    for (i = 0; i < 110; i++) { x = random(1, 4); shape("FFFFFF", int(random(60, 190)), x * 0.6, oval(random(0, 1280), random(0, 720), x, x)) }
}
function scene_bells(    i) {
    for (i = 9; i >= 1; i--) { shape(i % 2 ? "B07AC0" : "5A3A8A", 232, 6, oval(640, 400, 80 * i, 80 * i)) }
    for (i = 1; i <= 7; i++) shape("F4C8E0", 176 + i * 9, 0.8, ring(640, 400, 70 + 78 * i, 2.4))
    stars(90, 720, 27)
    glow(640, 420, 90, "F0A8C8", 90)
    shape("2A1638", 0, 0.5, oval(640, 196, 24, 24)); shape("E8B860", 0, 0.5, ring(640, 196, 22, 9))
    bell(640, 216, 1, "E8B45A", "8A4A3A", "FFF0B8")
}
function ring(x, y, radius, width,    inner) {
    # The inner circle runs the other way, so that it is a hole.
    inner = radius - width
    return oval(x, y, radius, radius) "m " at(x, y - inner) "b " at(x - inner * 0.5523, y - inner) at(x - inner, y - inner * 0.5523) at(x - inner, y) \
        at(x - inner, y + inner * 0.5523) at(x - inner * 0.5523, y + inner) at(x, y + inner) at(x + inner * 0.5523, y + inner) at(x + inner, y + inner * 0.5523) at(x + inner, y) \
        at(x + inner, y - inner * 0.5523) at(x + inner * 0.5523, y - inner) at(x, y - inner)
}
function bell(x, y, s, colour, shade, light) {
    shape(shade, 0, 0.5, oval(x, y + 306 * s, 34 * s, 30 * s))
    shape(colour, 0, 0.5, "m " at(x, y) "b " at(x + 74 * s, y) at(x + 92 * s, y + 60 * s) at(x + 100 * s, y + 130 * s) at(x + 108 * s, y + 210 * s) at(x + 140 * s, y + 240 * s) at(x + 176 * s, y + 284 * s) \
        "l " at(x - 176 * s, y + 284 * s) "b " at(x - 140 * s, y + 240 * s) at(x - 108 * s, y + 210 * s) at(x - 100 * s, y + 130 * s) at(x - 92 * s, y + 60 * s) at(x - 74 * s, y) at(x, y))
    shape(shade, 120, 16, "m " at(x + 40 * s, y + 20 * s) "b " at(x + 84 * s, y + 50 * s) at(x + 74 * s, y + 200 * s) at(x + 160 * s, y + 276 * s) "l " at(x + 70 * s, y + 276 * s) "b " at(x + 40 * s, y + 200 * s) at(x + 60 * s, y + 90 * s) at(x + 40 * s, y + 20 * s))
    shape(light, 110, 9, "m " at(x - 50 * s, y + 36 * s) "b " at(x - 76 * s, y + 90 * s) at(x - 70 * s, y + 190 * s) at(x - 112 * s, y + 262 * s) "l " at(x - 84 * s, y + 262 * s) "b " at(x - 50 * s, y + 190 * s) at(x - 52 * s, y + 90 * s) at(x - 50 * s, y + 36 * s))
    shape(shade, 30, 0.6, box(x - 176 * s, y + 278 * s, 352 * s, 12 * s)); shape(shade, 90, 0.8, box(x - 128 * s, y + 226 * s, 256 * s, 5 * s))
}
function scene_house() {
    harbour_night()
    ridge(400, 150, 40, "1C2C50", 10, 2, 51); ridge(430, 70, 40, "121E3A", 0, 2, 52)
    house(120, 450, 120, 70, "1E2438", "0C1020", "FFC566", 13); house(850, 450, 150, 86, "202438", "0C1020", "FFD07A", 14); house(1040, 452, 200, 66, "1A2034", "0A0E1C", "FFB450", 15)
    house(330, 450, 420, 196, "2A2C44", "0E1224", "FFCB70", 16)
    shape("0E1224", 0, 0.4, "m " at(500, 232) "l " at(540, 150) at(580, 232)); shape("FFCB70", 20, 1, oval(540, 210, 11, 11))
    sea(456, "1A2C50", "070E20", "8AA4DC", 60, 15)
    for (i = 0; i < 11; i++) glitter(150 + i * 104, 458, 26, "FFC878", 18, 30 + i)
    glitter(930, 458, 60, "FFF0CC", 40, 45)
    shape("070B16", 0, 0.5, box(-20, 448, 1320, 12))
    for (i = 0; i < 20; i++) shape("070B16", 0, 0.4, box(20 + i * 66, 450, 7, 44))
    rowboat(930, 590, 240, "0C1428", "2A2A40"); rowboat(300, 640, 190, "0A1022", "22243A")
}
function scene_deep(    i) {
    for (i = 0; i < 7; i++) shape("B8F0F0", 216, 26, "m " at(500 + i * 50, -40) "l " at(540 + i * 52, -40) at(300 + i * 190, 760) at(120 + i * 190, 760))
    ridge(640, 120, 34, "062A3A", 30, 3, 61); ridge(700, 110, 26, "031824", 0, 1, 62)
    seed(5)
    for (i = 0; i < 60; i++) { x = random(2, 9); shape("D8FFFF", int(random(120, 220)), 1, ring(random(420, 860), random(40, 680), x, 1.4)) }
    shape("02141E", 0, 0.6, oval(660, 386, 26, 26)); shape("FFE9A0", 20, 2, oval(672, 386, 13, 11)); glow(690, 388, 12, "FFE9A0", 130)
    shape("02141E", 0, 0.6, "m " at(638, 392) "b " at(560, 380) at(520, 420) at(470, 452) "l " at(360, 470) at(340, 492) at(470, 480) "b " at(540, 470) at(600, 452) at(660, 412))
    shape("02141E", 0, 0.6, line(480, 452, 360, 420, 18, 10) line(362, 420, 316, 398, 10, 26)); shape("02141E", 0, 0.6, line(636, 412, 720, 452, 16, 9))
    shape("0A2A38", 0, 0.6, "m " at(560, 366) "l " at(618, 360) at(622, 384) at(566, 392))
}
function scene_reel(    i, a) {
    glow(640, 360, 120, "E8A860", 90)
    shape("0A0806", 110, 18, oval(656, 384, 250, 250))
    shape("3A3430", 0, 0.6, oval(640, 360, 244, 244)); shape("6A5E54", 0, 1, ring(640, 360, 244, 14)); shape("524840", 0, 1, ring(640, 360, 92, 10))
    for (i = 0; i < 5; i++) { a = i * 1.2566 - 1.5708; shape("14100E", 0, 0.8, oval(640 + 150 * cos(a), 360 + 150 * sin(a), 58, 58)); shape("7A6C60", 60, 1, ring(640 + 150 * cos(a), 360 + 150 * sin(a), 60, 4)) }
    shape("14100E", 0, 0.6, oval(640, 360, 26, 26))
    shape("FFF0D8", 216, 30, oval(560, 250, 140, 70))
    shape("1E1812", 0, 0.6, "m " at(640, 604) "b " at(820, 600) at(980, 640) at(1310, 560) "l " at(1310, 624) "b " at(980, 704) at(820, 664) at(640, 668))
    for (i = 0; i < 20; i++) shape("C8A070", 60, 0.5, box(690 + i * 32, 614 + 14 * sin(i / 3.4) - (i > 9 ? (i - 9) * 4 : 0), 12, 8) box(690 + i * 32, 650 + 14 * sin(i / 3.4) - (i > 9 ? (i - 9) * 4 : 0), 12, 8))
}
# Logos: one sign on a plain ground, in a square of 720 in the middle.
function scene_logo() { shape("FFFFFF", 0, 0.5, "m " at(450, 560) "l " at(450, 190) at(530, 190) at(640, 380) at(750, 190) at(830, 190) at(830, 560) at(750, 560) at(750, 350) at(660, 500) at(620, 500) at(530, 350) at(530, 560)) }
function scene_logo_harbour() {
    shape("FFD98A", 0, 0.5, oval(640, 300, 120, 120)); shape("123A6B", 0, 0, box(200, 366, 900, 400))
    for (i = 0; i < 3; i++) shape("FFFFFF", i * 60, 0.5, "m " at(400, 400 + i * 70) "b " at(480, 340 + i * 70) at(560, 460 + i * 70) at(640, 400 + i * 70) at(720, 340 + i * 70) at(800, 460 + i * 70) at(880, 400 + i * 70) "l " at(880, 428 + i * 70) "b " at(800, 488 + i * 70) at(720, 368 + i * 70) at(640, 428 + i * 70) at(560, 488 + i * 70) at(480, 368 + i * 70) at(400, 428 + i * 70))
}
function scene_logo_news() {
    shape("FFFFFF", 0, 0.5, ring(640, 360, 210, 26)); shape("FFFFFF", 0, 0.5, box(430, 347, 420, 26)); shape("FFFFFF", 0, 0.5, box(627, 150, 26, 420))
    shape("FFFFFF", 0, 0.5, "m " at(640, 150) "b " at(480, 250) at(480, 470) at(640, 570) "l " at(640, 546) "b " at(508, 450) at(508, 270) at(640, 174)); shape("FFFFFF", 0, 0.5, "m " at(640, 150) "b " at(800, 250) at(800, 470) at(640, 570) "l " at(640, 546) "b " at(772, 450) at(772, 270) at(640, 174))
}
function scene_logo_music() {
    shape("FFFFFF", 0, 0.5, oval(540, 520, 72, 54)); shape("FFFFFF", 0, 0.5, oval(760, 480, 72, 54))
    shape("FFFFFF", 0, 0.5, "m " at(584, 520) "l " at(584, 206) at(832, 160) at(832, 480) at(804, 480) at(804, 262) at(612, 298) at(612, 520))
}

BEGIN {
    print "[Script Info]\nScriptType: v4.00+\nPlayResX: 1280\nPlayResY: 720\nScaledBorderAndShadow: yes\n\n[V4+ Styles]"
    print "Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding"
    print "Style: Shape,Noto Sans,20,&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,0,0,7,0,0,0,1\n\n[Events]"
    print "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text"
    if (scene == "lighthouse") scene_lighthouse()
    else if (scene == "dark") scene_dark()
    else if (scene == "ferry") scene_ferry()
    else if (scene == "stranger") scene_stranger()
    else if (scene == "storm") scene_storm()
    else if (scene == "stairs") scene_stairs()
    else if (scene == "morning") scene_morning()
    else if (scene == "tide") scene_tide()
    else if (scene == "letters") scene_letters()
    else if (scene == "boathouse") scene_boathouse()
    else if (scene == "orchard") scene_orchard()
    else if (scene == "hives") scene_hives()
    else if (scene == "bells") scene_bells()
    else if (scene == "house") scene_house()
    else if (scene == "deep") scene_deep()
    else if (scene == "reel") scene_reel()
    else if (scene == "logo") scene_logo()
    else if (scene == "logo-harbour") scene_logo_harbour()
    else if (scene == "logo-news") scene_logo_news()
    else if (scene == "logo-music") scene_logo_music()
    else { print "scenes.awk: no scene \"" scene "\"" > "/dev/stderr"; exit 1 }
}
