import CASS
import Captions
import Glibc
import MediaModel
import MediaTime

/// Renders SubStation Alpha with libass: positions, movement, styles, drawings. Captions' thread only.
///
/// The picture is divided into connected parts. Each part is moved by the smallest distance that puts it inside the area and
/// separates it from the others: a sign at the top stays where it is while the dialogue at the bottom makes room for the bar.
final class SubStationRenderer {
    /// A part of the picture.
    struct Part {
        var image: CaptionImage
        /// In pixels of the screen.
        var frame: PixelRect
    }

    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private var track: UnsafeMutablePointer<ASS_Track>?
    private var trackCues: [CaptionCue] = []
    private var trackScale: Screen?
    /// Why cues of the newest script are not drawn, until it is told.
    private var omission: DrawingError?

    /// What the cost of a script depends on besides its text.
    private struct Screen: Equatable {
        var width: Int, height: Int
        var sizePercent: Int
    }

    /// More events at a time than any script has; libass sorts them anew for each.
    private static let mostEvents = 1000
    /// More parts than these are drawn as one picture.
    private static let mostParts = 64
    private var fontName: UnsafeMutablePointer<CChar>?

    /// - Parameter fontFolder: use only the fonts in this folder; nil: the machine's.
    /// - Throws: `DrawingError` when libass cannot allocate memory.
    init(fontFolder: String? = nil) throws(DrawingError) {
        guard let library = ass_library_init() else {
            throw DrawingError(.makeFonts, on: "captions of SubStation Alpha", reason: "no memory")
        }
        marquee_ass_be_quiet(library)
        if let fontFolder { ass_set_fonts_dir(library, fontFolder) }
        guard let renderer = ass_renderer_init(library) else {
            ass_library_done(library)
            throw DrawingError(.makeFonts, on: "captions of SubStation Alpha", reason: "no memory")
        }
        self.library = library
        self.renderer = renderer
        let provider = fontFolder == nil ? ASS_FONTPROVIDER_AUTODETECT : ASS_FONTPROVIDER_NONE
        ass_set_fonts(renderer, nil, "Noto Sans", Int32(provider.rawValue), nil, 1)
        ass_set_hinting(renderer, ASS_HINTING_NONE)
        // The cache of glyphs and bitmaps: a few megabytes are enough for one screen.
        ass_set_cache_limits(renderer, 2000, 16)
    }

    deinit {
        if let track { ass_free_track(track) }
        ass_renderer_done(renderer)
        ass_library_done(library)
        free(fontName)
    }

    /// Draws the picture at a time.
    ///
    /// - Parameters:
    ///   - cues: the cues; only those with an event are drawn.
    ///   - video: the picture's rectangle; `area`: the area for captions. In pixels of the screen.
    func render(_ cues: [CaptionCue], at time: MediaTime, video: PixelRect, area: PixelRect, style: CaptionStyle) -> [Part] {
        let screen = Screen(width: video.width, height: video.height, sizePercent: min(max(style.sizePercent, 50), 200))
        guard !video.isEmpty, !area.isEmpty, let track = prepared(cues, screen) else { return [] }
        ass_set_frame_size(renderer, Int32(video.width), Int32(video.height))
        ass_set_font_scale(renderer, Double(screen.sizePercent) / 100)
        apply(style)
        let images = Self.images(ass_render_frame(renderer, track, time.milliseconds, nil), video)
        return Self.placed(Self.parts(of: images), area)
    }

    // MARK: The script

    /// Why cues were left out; told once for each script.
    func takeOmission() -> DrawingError? {
        defer { omission = nil }
        return omission
    }

    private func prepared(_ cues: [CaptionCue], _ screen: Screen) -> UnsafeMutablePointer<ASS_Track>? {
        if cues == trackCues, screen == trackScale, let track { return track }
        if let track { ass_free_track(track) }
        track = nil
        trackCues = []
        omission = nil
        guard let head = cues.first?.event?.head, let new = ass_new_track(library) else { return nil }
        var bytes = Array(head.utf8CString)
        ass_process_codec_private(new, &bytes, Int32(clamping: bytes.count - 1))
        let scale = Self.scale(of: new.pointee, screen)
        let styles = (0..<Int(new.pointee.n_styles)).map { SubStationCost.Style(new.pointee.styles[$0]) }
        let largest = styles.reduce(SubStationCost.Style()) { $0.joined($1) }
        var cost = SubStationCost()
        var omitted = 0
        for (order, cue) in cues.enumerated() {
            guard let event = cue.event, event.head == head else { continue }
            // Events from two files can have the same number, so they are renumbered here.
            // Drawings may be long.
            let rest = DrawableText.bounded(String(event.fields.drop { $0 != "," }), to: .max)
            var fields = Array("\(order)\(rest)".utf8CString)
            let before = Int(new.pointee.n_events)
            ass_process_chunk(
                new, &fields, Int32(clamping: fields.count - 1), cue.start.milliseconds,
                max(cue.end.milliseconds - cue.start.milliseconds, 1))
            guard Int(new.pointee.n_events) > before else { continue }
            let added = new.pointee.events[before]
            let style = styles.indices.contains(Int(added.Style)) ? styles[Int(added.Style)] : largest
            let text = added.Text.map { String(cString: $0) } ?? ""
            let sum = cost + SubStationCost(text: text, style: style, largest: largest, scale: scale)
            if sum.isBearable, before < Self.mostEvents {
                cost = sum
            } else {
                omitted += 1
                ass_free_event(new, Int32(before))
                new.pointee.n_events -= 1
            }
        }
        if omitted > 0 {
            omission = DrawingError(
                .drawScript, on: "\(omitted) of \(cues.count) at this time",
                reason: "they ask for more pictures, letters or points than one screen may have")
        }
        track = new
        trackCues = cues
        trackScale = screen
        return new
    }

    /// The scale of a script by its PlayResX and PlayResY; libass derives one that is missing from the other.
    private static func scale(of track: ASS_Track, _ screen: Screen) -> SubStationCost.Scale {
        var (width, height) = (Double(track.PlayResX), Double(track.PlayResY))
        if width <= 0, height <= 0 { (width, height) = (384, 288) }
        if height <= 0 { height = width == 1280 ? 1024 : max(width * 3 / 4, 1) }
        if width <= 0 { width = height == 1024 ? 1280 : max(height * 4 / 3, 1) }
        let factor = max(Double(screen.width) / width, Double(screen.height) / height)
        return SubStationCost.Scale(
            factor: factor * max(Double(screen.sizePercent) / 100, 1), reach: Double(screen.width + screen.height))
    }

    // MARK: The viewer's style

    /// Applies the viewer's style to dialogue; signs that belong to the picture keep their own style.
    private func apply(_ style: CaptionStyle) {
        var wanted = ASS_Style()
        var bits = 0
        if style.colour != nil || style.opacityPercent != nil || style.background != nil || style.backgroundOpacityPercent != nil
        {
            bits |= Int(ASS_OVERRIDE_BIT_COLORS.rawValue)
        }
        if style.edge != nil || style.background != nil || style.backgroundOpacityPercent != nil {
            bits |= Int(ASS_OVERRIDE_BIT_BORDER.rawValue)
        }
        let opacity = style.opacityPercent ?? 100
        wanted.PrimaryColour = Self.colour(style.colour ?? .white, percent: opacity)
        wanted.SecondaryColour = wanted.PrimaryColour
        wanted.OutlineColour = Self.colour(.black, percent: opacity)
        wanted.BackColour = Self.colour(.black, percent: 75)
        wanted.BorderStyle = 1
        switch style.edge {
        case nil, .uniform?: wanted.Outline = 2
        case CaptionStyle.Edge.none?: wanted.Outline = 0
        case .dropShadow?, .depressed?, .raised?: (wanted.Outline, wanted.Shadow) = (0.5, 2)
        }
        if style.background != nil || style.backgroundOpacityPercent.map({ $0 > 0 }) == true {
            // One box behind all lines, as wide as they are.
            wanted.BorderStyle = 4
            wanted.BackColour = Self.colour(style.background ?? .black, percent: style.backgroundOpacityPercent ?? 75)
            wanted.Shadow = 4
        }
        if style.font != .automatic { bits |= Int(ASS_OVERRIDE_BIT_FONT_NAME.rawValue) }
        let families = style.font.families?.split(separator: ",").map(String.init)
        free(fontName)
        // libass copies the names. It does not handle a null name.
        fontName = strdup(families?.first ?? "Noto Sans")
        wanted.FontName = fontName
        wanted.Name = fontName
        ass_set_selective_style_override(renderer, &wanted)
        ass_set_selective_style_override_enabled(renderer, Int32(bits))
    }

    /// Red, green, blue and transparency.
    private static func colour(_ colour: CaptionStyle.Colour, percent: Int) -> UInt32 {
        let (red, green, blue) = colour.components
        let clear = UInt32(255 - min(max(percent, 0), 100) * 255 / 100)
        return UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | clear
    }

    // MARK: The picture

    /// A mask from libass, valid until the next picture.
    private struct Mask {
        var frame: PixelRect
        var stride: Int
        var bits: UnsafePointer<UInt8>
        var colour: UInt32
    }

    private static func images(_ first: UnsafeMutablePointer<ASS_Image>?, _ video: PixelRect) -> [Mask] {
        var masks: [Mask] = []
        var next = first
        while let image = next?.pointee {
            next = image.next
            guard image.w > 0, image.h > 0, let bits = image.bitmap, image.color & 255 < 255 else { continue }
            masks.append(
                Mask(
                    frame: PixelRect(
                        x: video.x + Int(image.dst_x), y: video.y + Int(image.dst_y), width: Int(image.w), height: Int(image.h)),
                    stride: Int(image.stride), bits: UnsafePointer(bits), colour: image.color))
        }
        return masks
    }

    /// Masks that touch form one part; so do the lines of one text.
    private static func parts(of masks: [Mask]) -> [Part] {
        var groups: [(frame: PixelRect, masks: [Mask])] = []
        for mask in masks {
            var group = (frame: mask.frame, masks: [mask])
            var isGrowing = true
            while isGrowing {
                isGrowing = false
                for index in groups.indices.reversed() where near(groups[index].frame, group.frame) {
                    // The longer list stays where it is.
                    groups[index].masks += group.masks
                    groups[index].frame = union(groups[index].frame, group.frame)
                    group = groups.remove(at: index)
                    isGrowing = true
                }
            }
            groups.append(group)
            if groups.count > mostParts {
                groups = [(groups.reduce(groups[0].frame) { union($0, $1.frame) }, groups.flatMap(\.masks))]
            }
        }
        return groups.compactMap { cropped(blended($0.masks, $0.frame), $0.frame) }
    }

    /// Removes empty columns and rows at the edges; nil: nothing is left.
    private static func cropped(_ image: CaptionImage, _ frame: PixelRect) -> Part? {
        func isEmpty(_ x: Int, _ y: Int) -> Bool { image.pixels[(y * frame.width + x) * 4 + 3] == 0 }
        var left = frame.width, right = -1, top = frame.height, bottom = -1
        for y in 0..<frame.height {
            guard let first = (0..<frame.width).first(where: { !isEmpty($0, y) }) else { continue }
            left = min(left, first)
            right = max(right, (0..<frame.width).last { !isEmpty($0, y) } ?? first)
            top = min(top, y)
            bottom = y
        }
        guard right >= left, bottom >= top else { return nil }
        let width = right - left + 1
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * (bottom - top + 1) * 4)
        for y in top...bottom {
            let start = (y * frame.width + left) * 4
            pixels += image.pixels[start..<start + width * 4]
        }
        let part = PixelRect(x: frame.x + left, y: frame.y + top, width: width, height: bottom - top + 1)
        return Part(image: CaptionImage(coding: .bgra, pixels: pixels, width: part.width, height: part.height), frame: part)
    }

    private static func near(_ one: PixelRect, _ other: PixelRect) -> Bool {
        let gap = max(min(one.height, other.height), 8) / 2
        return one.x - gap < other.x + other.width && other.x - gap < one.x + one.width && one.y - gap < other.y + other.height
            && other.y - gap < one.y + one.height
    }

    private static func union(_ one: PixelRect, _ other: PixelRect) -> PixelRect {
        let x = min(one.x, other.x), y = min(one.y, other.y)
        return PixelRect(
            x: x, y: y, width: max(one.x + one.width, other.x + other.width) - x,
            height: max(one.y + one.height, other.y + other.height) - y)
    }

    /// Blends masks in order, each in its colour, premultiplied.
    private static func blended(_ masks: [Mask], _ frame: PixelRect) -> CaptionImage {
        var pixels = [UInt8](repeating: 0, count: frame.width * frame.height * 4)
        for mask in masks {
            let red = UInt32(mask.colour >> 24), green = UInt32(mask.colour >> 16 & 255), blue = UInt32(mask.colour >> 8 & 255)
            let opacity = 255 - (mask.colour & 255)
            for row in 0..<mask.frame.height {
                let source = mask.bits + row * mask.stride
                var target = ((mask.frame.y - frame.y + row) * frame.width + mask.frame.x - frame.x) * 4
                for column in 0..<mask.frame.width {
                    let alpha = (UInt32(source[column]) * opacity + 127) / 255
                    if alpha > 0 {
                        let rest = 255 - alpha
                        func mix(_ offset: Int, _ value: UInt32) {
                            let mixed = (value * alpha + UInt32(pixels[target + offset]) * rest + 127) / 255
                            pixels[target + offset] = UInt8(min(mixed, 255))
                        }
                        mix(0, blue)
                        mix(1, green)
                        mix(2, red)
                        mix(3, 255)
                    }
                    target += 4
                }
            }
        }
        return CaptionImage(coding: .bgra, pixels: pixels, width: frame.width, height: frame.height)
    }

    /// Moves each part inside the area; the lowest first, and those above make room.
    private static func placed(_ parts: [Part], _ area: PixelRect) -> [Part] {
        var taken: [PixelRect] = []
        return parts.sorted { ($0.frame.y + $0.frame.height, $0.frame.x) > ($1.frame.y + $1.frame.height, $1.frame.x) }.map {
            part in
            var part = part
            let isInside = contains(area, part.frame)
            if !isInside {
                part.frame = moved(part.frame, into: area)
                for _ in 0..<taken.count + 1 {
                    guard let other = taken.first(where: { intersects($0, part.frame) }) else { break }
                    let above = other.y - part.frame.height
                    guard above >= area.y else { break }
                    part.frame.y = above
                }
            }
            taken.append(part.frame)
            return part
        }
    }

    private static func contains(_ area: PixelRect, _ frame: PixelRect) -> Bool {
        frame.x >= area.x && frame.y >= area.y && frame.x + frame.width <= area.x + area.width
            && frame.y + frame.height <= area.y + area.height
    }

    private static func intersects(_ one: PixelRect, _ other: PixelRect) -> Bool {
        one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height
            && other.y < one.y + one.height
    }

    /// A part larger than the area is scaled down.
    private static func moved(_ frame: PixelRect, into area: PixelRect) -> PixelRect {
        var frame = frame
        let factor = min(1, Double(area.width) / Double(frame.width), Double(area.height) / Double(frame.height))
        if factor < 1 {
            frame.width = max(Int(Double(frame.width) * factor), 1)
            frame.height = max(Int(Double(frame.height) * factor), 1)
        }
        frame.x = min(max(frame.x, area.x), area.x + area.width - frame.width)
        frame.y = min(max(frame.y, area.y), area.y + area.height - frame.height)
        return frame
    }
}
