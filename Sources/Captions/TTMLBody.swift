import FoundationEssentials
import MediaTime

/// Converts a TTML document to cues: one for each paragraph (or image) and each time span in which it looks the same.
struct TTMLBody {
    private let root: XMLElement
    private let parameters: TTMLParameters
    private var styles: [String: TTMLStyle] = [:]
    private var regions: [String: (box: CaptionBox, style: TTMLStyle)] = [:]
    private var images: [String: String] = [:]
    private var cues: [CaptionCue] = []

    /// An active interval in the document's time; an open end is nil.
    private struct Span {
        var begin: MediaTime
        var end: MediaTime?

        /// The end, with one for an open interval too.
        var closedEnd: MediaTime { end ?? begin + TTMLBody.openLength }

        func clipped(_ outer: Span) -> Span {
            let end = [self.end, outer.end].compactMap { $0 }.min()
            return Span(begin: max(begin, outer.begin), end: end)
        }
    }

    /// Inherited state of an element.
    private struct Context {
        var span: Span
        var style: TTMLStyle
        var region: String?
        var keepsSpace: Bool
    }

    /// An element without an end lasts this long.
    private static let openLength = MediaTime.seconds(360_000)

    /// A paragraph is built again for each time at which one of its spans begins or ends: at most so many spans in all.
    private static let mostWork = 100_000

    init(_ root: XMLElement) {
        self.root = root
        parameters = TTMLParameters(root)
    }

    mutating func read() -> [CaptionCue] {
        if let head = root.first("head") { readHead(head) }
        guard let body = root.first("body") else { return [] }
        let context = Context(
            span: Span(begin: .zero, end: nil), style: TTMLStyle(root, styles).heritage, region: nil,
            keepsSpace: root["space"] == "preserve")
        walk(body, context)
        return cues
    }

    // MARK: Head

    private mutating func readHead(_ head: XMLElement) {
        if let styling = head.first("styling") {
            // A style may refer to a later one: two passes resolve everything except long backward chains.
            for _ in 0..<2 {
                for element in styling.elements where element.name == "style" {
                    if let id = element["id"] { styles[id] = TTMLStyle(element, styles) }
                }
            }
        }
        for element in head.first("layout")?.elements ?? [] where element.name == "region" {
            guard let id = element["id"] else { continue }
            var style = TTMLStyle(element, styles)
            for nested in element.elements where nested.name == "style" {
                style = TTMLStyle(nested, styles).overridden(by: style)
            }
            regions[id] = (box(style), style)
        }
        collectImages(head)
    }

    private mutating func collectImages(_ element: XMLElement) {
        for child in element.elements {
            if child.name == "image", let id = child["id"] { images[id] = child.text }
            collectImages(child)
        }
    }

    /// The box of a region; the whole video when it has no position.
    private func box(_ style: TTMLStyle) -> CaptionBox {
        let extent = pair(style["extent"]) ?? (1, 1)
        let origin = pair(style["origin"]) ?? pair(style["position"]) ?? (0, 0)
        let alignment: CaptionBox.Side =
            switch style["displayAlign"] {
            case "center": .middle
            case "after": .after
            default: .before
            }
        let window = style["backgroundColor"].flatMap { CaptionColour(css: $0) }.flatMap { $0.alpha > 0 ? $0 : nil }
        return CaptionBox(
            x: origin.0, y: origin.1, width: extent.0, height: extent.1, displayAlignment: alignment,
            window: window)
    }

    private func pair(_ text: String?) -> (Double, Double)? {
        guard let parts = text?.split(separator: " "), parts.count == 2,
            let x = length(parts[0], cells: parameters.cells.columns, pixels: parameters.pixels?.width),
            let y = length(parts[1], cells: parameters.cells.rows, pixels: parameters.pixels?.height)
        else { return nil }
        return (x, y)
    }

    private func length(_ text: Substring, cells: Double, pixels: Double?) -> Double? {
        if text.hasSuffix("%") { return Double(finite: text.dropLast()).map { $0 / 100 } }
        if text.hasSuffix("px") { return pixels.flatMap { all in Double(finite: text.dropLast(2)).map { $0 / all } } }
        if text.hasSuffix("c") { return Double(finite: text.dropLast()).map { $0 / cells } }
        if text.hasSuffix("rw") || text.hasSuffix("rh") { return Double(finite: text.dropLast(2)).map { $0 / 100 } }
        return nil
    }

    // MARK: Body

    private func context(_ element: XMLElement, _ outer: Context, after previous: MediaTime?) -> Context {
        var context = outer
        let start = previous ?? outer.span.begin
        var span = Span(begin: start, end: nil)
        if let begin = parameters.time(element["begin"]) { span.begin = Self.sum(start, begin) }
        if let end = parameters.time(element["end"]) { span.end = Self.sum(start, end) }
        if let length = parameters.time(element["dur"]) {
            let end = Self.sum(span.begin, length)
            span.end = min(end, span.end ?? end)
        }
        context.span = span.clipped(outer.span)
        context.style = outer.style.overridden(by: TTMLStyle(element, styles))
        context.region = element["region"] ?? outer.region
        if let space = element["space"] { context.keepsSpace = space == "preserve" }
        return context
    }

    /// A sum of times. Each time of a document is below the limit, but nested elements add theirs: nothing begins or ends beyond it.
    private static func sum(_ one: MediaTime, _ other: MediaTime) -> MediaTime { min(one + other, .captionLimit) }

    private mutating func walk(_ element: XMLElement, _ outer: Context, after previous: MediaTime? = nil) {
        var context = context(element, outer, after: previous)
        if element.name == "p" { return paragraph(element, context) }
        if let reference = element["backgroundImage"] { picture(reference, context) }
        context.style = context.style.heritage
        let isSequence = element["timeContainer"] == "seq"
        var previous: MediaTime?
        for child in element.elements {
            if child.name == "image", let reference = child["src"] {
                picture(reference, self.context(child, context, after: nil))
            }
            guard ["div", "p", "body"].contains(child.name) else { continue }
            walk(child, context, after: previous)
            if isSequence { previous = self.context(child, context, after: previous).span.end }
        }
    }

    private mutating func picture(_ reference: String, _ context: Context) {
        let data: String?
        if reference.hasPrefix("#") {
            data = images[String(reference.dropFirst())]
        } else if let comma = reference.firstIndex(of: ","), reference.hasPrefix("data:image/png") {
            data = String(reference[reference.index(after: comma)...])
        } else {
            data = nil
        }
        guard let png = data.flatMap({ Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }).map(Array.init),
            let size = CaptionImage.sizeOfPNG(png), isTimed(context.span)
        else { return }
        // A box outside the screen cannot be intended.
        var box = context.region.flatMap { regions[$0]?.box }
        if let placed = box, placed.width <= 0 || placed.height <= 0 { box = nil }
        cues.append(
            CaptionCue(
                start: context.span.begin, end: context.span.closedEnd, nodes: [],
                box: box ?? CaptionBox(x: 0.1, y: 0.8, width: 0.8, height: 0.15),
                image: CaptionImage(coding: .png, pixels: png, width: size.width, height: size.height)))
    }

    private func isTimed(_ span: Span) -> Bool { span.end.map { $0 > span.begin } ?? true }

    /// A paragraph: one cue for each interval between the times of its spans.
    private mutating func paragraph(_ element: XMLElement, _ context: Context) {
        guard isTimed(context.span) else { return }
        var edges: Set<MediaTime> = []
        var spans = 0
        collectEdges(element, context, &edges, &spans)
        let end = context.span.closedEnd
        let inner = edges.filter { $0 > context.span.begin && $0 < end }.sorted().prefix(Self.mostWork / max(spans, 1))
        let region = context.region.flatMap { regions[$0] }
        for (begin, end) in zip([context.span.begin] + Array(inner), Array(inner) + [end]) {
            let nodes = TTMLText.tidied(nodes(element, context, at: begin), keepsSpace: context.keepsSpace)
            guard nodes.contains(where: { !$0.plainText.trimmed.isEmpty }) else { continue }
            cues.append(
                CaptionCue(
                    start: begin, end: end, settings: settings(context.style, region?.style),
                    nodes: wrapped(nodes, region?.style, context.style),
                    source: nodes.map(\.plainText).joined(), box: region?.box))
        }
    }

    private func collectEdges(_ element: XMLElement, _ context: Context, _ edges: inout Set<MediaTime>, _ spans: inout Int) {
        var previous: MediaTime?
        for child in element.elements where child.name == "span" {
            let inner = self.context(child, context, after: previous)
            spans += 1
            if child["begin"] != nil || child["end"] != nil || child["dur"] != nil || previous != nil {
                edges.insert(inner.span.begin)
                if let end = inner.span.end { edges.insert(end) }
            }
            if element["timeContainer"] == "seq" { previous = inner.span.end }
            collectEdges(child, inner, &edges, &spans)
        }
    }

    private func settings(_ style: TTMLStyle, _ region: TTMLStyle?) -> CaptionSettings {
        var settings = CaptionSettings()
        switch style["textAlign"] ?? region?["textAlign"] {
        case "center": settings.alignment = .center
        case "left": settings.alignment = .left
        case "right": settings.alignment = .right
        case "end": settings.alignment = .end
        case "start": settings.alignment = .start
        // TTML's default is `start`; text without a region and an alignment is meant to look like ordinary captions.
        default: settings.alignment = region == nil ? .center : .start
        }
        switch region?["writingMode"] ?? style["writingMode"] {
        case "tbrl", "tb": settings.vertical = .growingLeft
        case "tblr": settings.vertical = .growingRight
        default: break
        }
        return settings
    }

    private func wrapped(_ nodes: [CaptionNode], _ region: TTMLStyle?, _ own: TTMLStyle) -> [CaptionNode] {
        var style = (region?.heritage ?? TTMLStyle()).overridden(by: own)
        style.values["ruby"] = nil
        let text = TTMLText.style(style, parameters)
        return text.isEmpty ? nodes : [.span(CaptionSpan(.style(text), children: nodes))]
    }

    // MARK: Text

    private func nodes(_ element: XMLElement, _ context: Context, at time: MediaTime) -> [CaptionNode] {
        var result: [CaptionNode] = []
        var previous: MediaTime?
        for child in element.children {
            switch child {
            case .text(let text): result.append(.text(text))
            case .element(let child) where child.name == "br": result.append(.text("\n"))
            case .element(let child) where child.name == "span":
                let inner = self.context(child, context, after: previous)
                defer { if element["timeContainer"] == "seq" { previous = inner.span.end } }
                guard inner.span.begin <= time, inner.span.end.map({ time < $0 }) ?? true else { continue }
                result += span(child, inner, at: time)
            case .element: break
            }
        }
        return result
    }

    private func span(_ element: XMLElement, _ context: Context, at time: MediaTime) -> [CaptionNode] {
        let own = TTMLStyle(element, styles)
        if own["visibility"] == "hidden" || own["display"] == "none" { return [] }
        let inside = nodes(element, context, at: time)
        switch own["ruby"] {
        case "container": return TTMLText.ruby(inside)
        case "base": return [.span(CaptionSpan(.classes, classes: [TTMLText.rubyBase], children: inside))]
        case "text", "textContainer": return [.span(CaptionSpan(.rubyText, children: inside))]
        case "delimiter": return []
        default: break
        }
        let style = TTMLText.style(own, parameters)
        return style.isEmpty ? inside : [.span(CaptionSpan(.style(style), children: inside))]
    }
}
