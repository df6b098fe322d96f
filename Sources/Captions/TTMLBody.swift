import FoundationEssentials
import MediaTime

/// Converts a TTML document to cues: one for each paragraph (or image) and each time span in which it looks the same.
struct TTMLBody {
    private let root: XMLElement
    private let parameters: TTMLParameters
    private var styles: [String: TTMLStyle] = [:]
    private var regions: [String: Region] = [:]
    private var images: [String: String] = [:]
    private let pictures: [[UInt8]]
    private var cues: [CaptionCue] = []
    private let work: TTMLWork
    /// Spans that the cuts of paragraphs may still make.
    private var cutsLeft = TTMLBody.mostCuts
    /// The first picture that is neither in the document nor beside it.
    private(set) var missingPicture: String?

    private struct Region {
        var box: CaptionBox
        var style: TTMLStyle
        /// When its content is shown; nil: never.
        var span: Span?
    }

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

    /// A paragraph is built again for each time at which one of its spans begins or ends: at most so many spans in the whole document.
    private static let mostCuts = 100_000

    /// Evaluations of elements in a whole document.
    static let mostEvaluations = 2_000_000

    /// - Parameters:
    ///   - pictures: those that lie beside the document.
    ///   - evaluations: the most of them.
    init(_ root: XMLElement, pictures: [[UInt8]] = [], evaluations: Int = mostEvaluations) {
        self.root = root
        work = TTMLWork(evaluations)
        self.pictures = pictures
        parameters = TTMLParameters(root)
    }

    /// - Throws: `CaptionError.tooIntricate`.
    mutating func read() throws(CaptionError) -> [CaptionCue] {
        if let head = root.first("head") { readHead(head) }
        guard let body = root.first("body") else { return [] }
        let context = Context(
            span: Span(begin: .zero, end: nil), style: TTMLStyle(root, styles).heritage, region: nil,
            keepsSpace: root["space"] == "preserve")
        walk(body, context)
        if work.isExhausted { throw .tooIntricate }
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
        for element in head.first("layout")?.elements ?? [] where element.name == "region" && isOwn(element) {
            guard let id = element["id"] else { continue }
            var style = TTMLStyle(element, styles)
            for nested in element.elements where nested.name == "style" {
                style = TTMLStyle(nested, styles).overridden(by: style)
            }
            let isHidden = style["display"] == "none" || style["visibility"] == "hidden"
            regions[id] = Region(box: box(style), style: style, span: isHidden ? nil : span(of: element, from: .zero))
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

    /// Whether an element belongs to the document: those of foreign namespaces are none of its content.
    private func isOwn(_ element: XMLElement) -> Bool { element.namespace == root.namespace || element.namespace.isEmpty }

    private func isSequence(_ element: XMLElement) -> Bool { element["timeContainer"] == "seq" }

    /// When an element is active by its own times; nil if one of them cannot be read: it is not shown, because its time is unknown.
    private func span(of element: XMLElement, from start: MediaTime) -> Span? {
        var times: [String: MediaTime] = [:]
        for name in ["begin", "end", "dur"] {
            guard let text = element[name]?.trimmed, !text.isEmpty, text != "indefinite" else { continue }
            guard let time = parameters.time(text) else { return nil }
            times[name] = time
        }
        var span = Span(begin: start, end: nil)
        if let begin = times["begin"] { span.begin = Self.sum(start, begin) }
        if let end = times["end"] { span.end = Self.sum(start, end) }
        if let length = times["dur"] {
            let end = Self.sum(span.begin, length)
            span.end = min(end, span.end ?? end)
        }
        return span
    }

    /// The state inside an element; nil if it is not shown because of its times.
    private func context(_ element: XMLElement, _ outer: Context, after previous: MediaTime?) -> Context? {
        guard work.mayEvaluate(element), let span = self.span(of: element, from: previous ?? outer.span.begin) else { return nil }
        var context = outer
        context.span = span.clipped(outer.span)
        context.style = outer.style.overridden(by: TTMLStyle(element, styles))
        context.region = element["region"] ?? outer.region
        if let space = element["space"] { context.keepsSpace = space == "preserve" }
        return context
    }

    /// When an element is over, for the one that follows it in a sequence; nil: never. Without an end of its own it ends with its content
    /// (TTML2, 12.2.4): text has none, but in a sequence it takes no time.
    private func end(of element: XMLElement, _ outer: Context, after previous: MediaTime?) -> MediaTime? {
        let start = previous ?? outer.span.begin
        guard let own = span(of: element, from: start), let context = self.context(element, outer, after: previous) else {
            return start
        }
        if own.end != nil { return context.span.end }
        let isSequence = self.isSequence(element)
        let isText = ["p", "span"].contains(element.name)
        if isText, !isSequence, element.hasText { return context.span.end }
        var (last, before) = (context.span.begin, MediaTime?.none)
        for child in element.elements where isOwn(child) && ["div", "p", "span", "body"].contains(child.name) {
            guard let end = self.end(of: child, context, after: before) else { return context.span.end }
            last = isSequence ? end : max(last, end)
            if isSequence { before = end }
        }
        return context.span.end.map { min(last, $0) } ?? last
    }

    /// A sum of times. Each time of a document is below the limit, but nested elements add theirs: nothing begins or ends beyond it.
    private static func sum(_ one: MediaTime, _ other: MediaTime) -> MediaTime { min(one + other, .captionLimit) }

    private mutating func walk(_ element: XMLElement, _ outer: Context, after previous: MediaTime? = nil) {
        guard var context = self.context(element, outer, after: previous), context.style["display"] != "none" else { return }
        if element.name == "p" { return paragraph(element, context) }
        if let reference = element["backgroundImage"] { picture(reference, context) }
        context.style = context.style.heritage
        var previous: MediaTime?
        for child in element.elements {
            if child.name == "image", let reference = child["src"], let inner = self.context(child, context, after: nil) {
                picture(reference, inner)
            }
            guard isOwn(child), ["div", "p", "body"].contains(child.name) else { continue }
            walk(child, context, after: previous)
            if isSequence(element) {
                previous = self.end(of: child, context, after: previous)
                if previous == nil { return }
            }
        }
    }

    private mutating func picture(_ reference: String, _ context: Context) {
        guard let png = self.png(reference), let size = CaptionImage.sizeOfPNG(png) else {
            let isElsewhere = !reference.hasPrefix("#") && !reference.lowercased().hasPrefix("data:")
            if isElsewhere { missingPicture = missingPicture ?? String(reference.prefix(80)) }
            return
        }
        let region = context.region.flatMap { regions[$0] }
        guard let span = visible(context.span, in: region) else { return }
        guard cues.count < CaptionBounds.cues else { return }
        // A box outside the screen cannot be intended.
        var box = region?.box
        if let placed = box, placed.width <= 0 || placed.height <= 0 { box = nil }
        cues.append(
            CaptionCue(
                start: span.begin, end: span.closedEnd, nodes: [],
                box: box ?? CaptionBox(x: 0.1, y: 0.8, width: 0.8, height: 0.15),
                image: CaptionImage(coding: .png, pixels: png, width: size.width, height: size.height)))
    }

    /// A picture in the document, or beside it in its sample.
    private func png(_ reference: String) -> [UInt8]? {
        let beside = "urn:mpeg:14496-30:subs:"
        if reference.hasPrefix(beside) {
            // The document itself is sub-sample 0.
            return Int(reference.dropFirst(beside.count)).flatMap { pictures.indices.contains($0 - 1) ? pictures[$0 - 1] : nil }
        }
        var data: String?
        if reference.hasPrefix("#") {
            data = images[String(reference.dropFirst())]
        } else if let comma = reference.firstIndex(of: ","), reference.hasPrefix("data:image/png") {
            data = String(reference[reference.index(after: comma)...])
        }
        return data.flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }.map(Array.init)
    }

    /// The part of a span in which its region shows its content; nil for none.
    private func visible(_ span: Span, in region: Region?) -> Span? {
        guard let region else { return isTimed(span) ? span : nil }
        let part = region.span.map { span.clipped($0) }
        return part.flatMap { isTimed($0) ? $0 : nil }
    }

    private func isTimed(_ span: Span) -> Bool { span.end.map { $0 > span.begin } ?? true }

    /// A paragraph: one cue for each interval between the times of its spans.
    private mutating func paragraph(_ element: XMLElement, _ outer: Context) {
        var context = outer
        let region = context.region.flatMap { regions[$0] }
        guard let span = visible(context.span, in: region) else { return }
        context.span = span
        var edges: Set<MediaTime> = []
        var spans = 0
        collectEdges(element, outer, &edges, &spans)
        let end = context.span.closedEnd
        let inner = edges.filter { $0 > context.span.begin && $0 < end }.sorted().prefix(cutsLeft / max(spans, 1))
        cutsLeft -= inner.count * max(spans, 1)
        for (begin, end) in zip([context.span.begin] + Array(inner), Array(inner) + [end]) {
            let nodes = TTMLText.tidied(nodes(element, outer, at: begin), keepsSpace: context.keepsSpace)
            guard nodes.contains(where: { !$0.plainText.trimmed.isEmpty }), cues.count < CaptionBounds.cues else { continue }
            cues.append(
                CaptionCue(
                    start: begin, end: end, settings: settings(context.style, region?.style),
                    nodes: wrapped(nodes, region?.style, context.style),
                    source: nodes.map(\.plainText).joined(), box: region?.box))
        }
    }

    private func collectEdges(_ element: XMLElement, _ context: Context, _ edges: inout Set<MediaTime>, _ spans: inout Int) {
        var previous: MediaTime?
        for child in element.elements where child.name == "span" && isOwn(child) {
            let end = isSequence(element) ? self.end(of: child, context, after: previous) : nil
            defer { previous = end }
            guard let inner = self.context(child, context, after: previous) else { continue }
            spans += 1
            if child["begin"] != nil || child["end"] != nil || child["dur"] != nil || isSequence(element) {
                edges.insert(inner.span.begin)
                if let end = inner.span.end { edges.insert(end) }
            }
            collectEdges(child, inner, &edges, &spans)
            if isSequence(element), end == nil { return }
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
            // In a sequence text takes no time.
            case .text(let text):
                if !isSequence(element), context.style["visibility"] != "hidden" { result.append(.text(text)) }
            case .element(let child) where !isOwn(child): break
            case .element(let child) where child.name == "br": result.append(.text("\n"))
            case .element(let child) where child.name == "span":
                let end = isSequence(element) ? self.end(of: child, context, after: previous) : nil
                if let inner = self.context(child, context, after: previous), inner.span.begin <= time,
                    inner.span.end.map({ time < $0 }) ?? true
                {
                    result += span(child, inner, at: time)
                }
                previous = end
                if isSequence(element), end == nil { return result }
            case .element: break
            }
        }
        return result
    }

    private func span(_ element: XMLElement, _ context: Context, at time: MediaTime) -> [CaptionNode] {
        let own = TTMLStyle(element, styles)
        if own["display"] == "none" { return [] }
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

/// Counts the evaluations of a document's elements. Nested sequences evaluate their elements once for each level, and each element may refer to many styles.
private final class TTMLWork {
    private var left: Int
    private(set) var isExhausted = false

    init(_ most: Int) { left = most }

    /// Whether an element may be evaluated once more.
    func mayEvaluate(_ element: XMLElement) -> Bool {
        // A reference has at least one letter and a blank.
        left -= 1 + (element["style"]?.utf8.count ?? 0) / 2
        if left < 0 { isExhausted = true }
        return !isExhausted
    }
}
