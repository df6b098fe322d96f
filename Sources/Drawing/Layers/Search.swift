import Screens

/// The layout of Search.
enum SearchPlaces {
    static let key = 84.0, gap = Grid.rowGap
    static let top = 208.0
    static var padWidth: Double { Double(Metrics.Search.columns) * (key + gap) - gap }
    /// From one key to the next in a row of this many equal keys; all rows are as wide.
    static func step(_ columns: Int) -> Double { (padWidth + gap) / Double(max(columns, 1)) }

    static func pad(_ kit: Kit) -> Rect {
        kit.place(
            Rect(x: Rect.safeArea.x, y: top, width: padWidth, height: Rect.safeArea.maxY - top - focusReach),
            in: .safeArea)
    }

    /// The width of a code for phones.
    private static let code = 324.0

    /// - Parameter hasCode: whether a code for phones is beside them.
    static func results(_ kit: Kit, hasCode: Bool = false) -> Rect {
        let left = Rect.safeArea.x + padWidth + Grid.columnGap
        let width = Rect.safeArea.maxX - left - (hasCode ? code + Grid.columnGap : 0)
        return kit.place(
            Rect(x: left, y: top, width: width, height: Rect.safeArea.maxY - focusReach - top), in: .safeArea)
    }

    static func code(_ kit: Kit) -> Rect {
        kit.place(
            Rect(x: Rect.safeArea.maxX - code, y: top, width: code, height: Rect.safeArea.maxY - focusReach - top), in: .safeArea)
    }
}

/// The query, with a cursor at its end.
struct SearchField: LayerContent {
    var query: String
    var placeholder: String
    /// Whether what is typed is Latin: it then begins at the left in every language.
    var isLatin = false

    private var frame: Rect {
        Rect(x: Rect.safeArea.x, y: Rect.safeArea.y + 12, width: Rect.safeArea.width, height: 96)
    }

    func bounds(_ kit: Kit) -> Rect { frame }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        canvas.fill(frame, radius: Radius.field, tints.surface)
        canvas.stroke(frame, radius: Radius.field, width: 2, tints.edge)
        let inner = frame.inset(Grid.panelInset, 0)
        let isEmpty = query.isEmpty
        // A long query scrolls: its end, which is being typed, stays visible.
        let words = isEmpty ? placeholder : query
        var style = kit.style(isEmpty ? .headline : .title3, isEmpty ? .medium : .bold)
        let natural = kit.layout(words, style).bounds.width
        var shown = words
        if natural > inner.width - 24, !isEmpty {
            var rest = Substring(words)
            while rest.count > 1, kit.layout("…" + rest, kit.style(.title3, .bold)).bounds.width > inner.width - 24 {
                rest = rest.dropFirst()
            }
            shown = "…" + rest
        }
        style.width = nil
        let layout = kit.layout(shown, style)
        // The cursor is at the end of the words in their own direction; before anything is typed, at the start.
        let room = min(layout.bounds.width, inner.width - 24) + 16
        let start = Rect(x: inner.x, y: frame.y, width: room, height: frame.height)
        let place = isLatin ? start : kit.place(start, in: inner)
        let isOnRight = isEmpty ? kit.theme.isRightToLeft && !isLatin : isLatin || !layout.isRightToLeft
        canvas.text(
            layout, x: place.x - layout.bounds.x + (isOnRight ? 0 : 16), y: frame.midY - layout.opticalMiddle,
            isEmpty ? tints.secondaryText : tints.text)
        canvas.fill(
            Rect(x: isOnRight ? place.maxX - 6 : place.x + 2, y: frame.midY - 28, width: 4, height: 56), radius: 2, tints.text)
    }
}

/// The pad of keys.
struct SearchPad: LayerContent {
    var keys: [[SearchView.Key]]
    /// The number of keys of one width that fill a row.
    var columns: Int
    var focused: (row: Int, column: Int)?
    /// Whether its keys run from left to right in every language, as those of a Latin keyboard do. The pad's own place is mirrored all the same.
    var isLatin: Bool
    var hasMoreAbove, hasMoreBelow: Bool

    static func == (left: SearchPad, right: SearchPad) -> Bool {
        left.keys == right.keys && left.columns == right.columns && left.focused?.row == right.focused?.row
            && left.isLatin == right.isLatin
            && left.focused?.column == right.focused?.column
            && left.hasMoreAbove == right.hasMoreAbove && left.hasMoreBelow == right.hasMoreBelow
    }

    /// The rows on the screen.
    init(_ search: SearchView) {
        let first = min(max(search.firstKeyRow, 0), max(search.keys.count - 1, 0))
        let last = min(first + Metrics.Search.keyRowsPerScreen, search.keys.count)
        keys = Array(search.keys[first..<last])
        columns = search.columns
        isLatin = false
        hasMoreAbove = first > 0
        hasMoreBelow = last < search.keys.count
        if case .key(let row, let column) = search.focus { focused = (row - first, column) }
    }

    /// The whole pad of a passphrase.
    init(_ view: PassphraseView) {
        keys = view.keys
        columns = view.columns
        focused = (view.row, view.column)
        isLatin = true
        (hasMoreAbove, hasMoreBelow) = (false, false)
    }

    private func used(_ kit: Kit) -> Rect {
        var rect = SearchPlaces.pad(kit)
        rect.height = Double(keys.count) * (SearchPlaces.key + SearchPlaces.gap) - SearchPlaces.gap
        return rect
    }

    func bounds(_ kit: Kit) -> Rect { used(kit).inset(-focusReach - 2, -focusReach - (hasMoreAbove || hasMoreBelow ? 18 : 2)) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let pad = used(kit)
        let tints = kit.theme.tints
        let down = SearchPlaces.key + SearchPlaces.gap
        for isFocused in [false, true] {
            for (row, keys) in keys.enumerated() {
                let step = SearchPlaces.step(max(columns, keys.reduce(0) { $0 + $1.width }))
                var column = 0
                for (index, key) in keys.enumerated() {
                    defer { column += key.width }
                    guard (focused?.row == row && focused?.column == index) == isFocused else { continue }
                    let unmirrored = Rect(
                        x: pad.x + Double(column) * step, y: pad.y + Double(row) * down,
                        width: Double(key.width) * step - SearchPlaces.gap, height: SearchPlaces.key)
                    let rect = isLatin ? unmirrored : kit.place(unmirrored, in: pad)
                    canvas.ground(of: rect, radius: Radius.row, isFocused: isFocused, tints.surface, kit)
                    let size: Metrics.TypeSize = key.width == 1 && key.title.count < 3 ? .callout : .caption1
                    let layout = kit.layout(key.title, kit.style(size, .bold, width: rect.width - 12, alignment: .centre))
                    canvas.text(
                        layout, x: rect.x + 6, y: rect.midY - layout.opticalMiddle, isFocused ? tints.focusedText : tints.text)
                }
            }
        }
        if hasMoreAbove { canvas.more(pad.midX, pad.y - focusReach - 6, direction: -1, tints.text) }
        if hasMoreBelow { canvas.more(pad.midX, pad.maxY + focusReach + 6, direction: 1, tints.text) }
    }
}

/// What a passphrase is for, in the place of the results.
struct PassphraseWords: LayerContent {
    var title: String
    var hint: String
    var warning: String?
    var hasCode = false

    func bounds(_ kit: Kit) -> Rect { SearchPlaces.results(kit, hasCode: hasCode) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        var rest = SearchPlaces.results(kit, hasCode: hasCode)
        rest.y += 8
        rest.y += canvas.write(title, kit.style(.headline, .bold, lines: 3), in: rest, kit.theme.tints.text) + 16
        if let warning { rest.y += canvas.write(warning, kit.style(.body, .bold, lines: 4), in: rest, kit.theme.tints.text) + 16 }
        canvas.write(hint, kit.style(.body, lines: 6), in: rest, kit.theme.tints.secondaryText)
    }
}

/// The code for a phone as a keyboard, beside the results.
struct PhoneCodeLayer: LayerContent {
    private var code: QRCode
    private var caption: String

    /// - Returns: nil without a code.
    init?(_ phone: PhoneCode?) {
        guard let phone, let code = QRCode(phone.address) else { return nil }
        self.code = code
        caption = phone.caption
    }

    func bounds(_ kit: Kit) -> Rect { SearchPlaces.code(kit) }

    func draw(on canvas: Canvas, _ kit: Kit) { _ = canvas.code(code, caption, in: SearchPlaces.code(kit), kit) }
}

/// The search results, or a message that there are none.
struct SearchResults: LayerContent {
    struct Cell: Sendable, Equatable {
        var entry: HomeContent.Entry
        var picture: LayerPicture?
        var isFocused: Bool
    }

    var cells: [Cell]
    var message: String?
    var hasMoreAbove, hasMoreBelow: Bool
    var hasCode = false

    private func pitch(_ kit: Kit) -> Double { SearchPlaces.results(kit).height / Double(Metrics.Search.resultsPerScreen) }

    func bounds(_ kit: Kit) -> Rect {
        SearchPlaces.results(kit, hasCode: hasCode).inset(-focusReach, -focusReach).enclosingScreenEdges()
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = SearchPlaces.results(kit, hasCode: hasCode)
        let tints = kit.theme.tints
        if cells.isEmpty, let message {
            var rest = area
            rest.y += 20
            canvas.write(message, kit.style(.headline, lines: 3), in: rest, tints.secondaryText)
        }
        for isFocused in [false, true] {
            for (index, cell) in cells.enumerated() where cell.isFocused == isFocused {
                let rect = Rect(
                    x: area.x, y: area.y + Double(index) * pitch(kit), width: area.width, height: pitch(kit) - Grid.rowGap)
                draw(cell, in: rect, canvas, kit)
            }
        }
        if hasMoreAbove { canvas.more(area.midX, area.y - focusReach + 1, direction: -1, tints.text) }
        if hasMoreBelow { canvas.more(area.midX, area.maxY, direction: 1, tints.text) }
    }

    private func draw(_ cell: Cell, in rect: Rect, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        canvas.ground(of: rect, radius: Radius.cell, isFocused: cell.isFocused, tints.surface, kit)
        let text = cell.isFocused ? tints.focusedText : tints.text
        let second = cell.isFocused ? tints.focusedText : tints.secondaryTextOnSurface
        let height = rect.height - 20, width = (height * 16 / 9).rounded()
        let picture = kit.place(Rect(x: rect.x + 16, y: rect.y + 10, width: width, height: height), in: rect)
        canvas.picture(cell.picture?.pixels, in: picture, radius: Radius.badge)
        if cell.entry.isLocked {
            canvas.fill(picture, radius: Radius.badge, tints.placeholder)
            Sign.lock.draw(on: canvas, x: picture.midX, y: picture.midY, size: 44, .white(1))
        } else if cell.picture?.pixels == nil, let number = cell.entry.number {
            canvas.text(
                kit.layout("\(number)", kit.style(.headline, .bold, tabularDigits: true)), centredIn: picture, .white(1))
        }
        let words = kit.place(
            Rect(x: rect.x + 16 + width + 24, y: rect.y, width: rect.width - width - 64, height: rect.height), in: rect)
        let title = kit.layout(cell.entry.title, kit.style(.body, .bold, width: words.width))
        let subtitle = cell.entry.subtitle.map { kit.layout($0, kit.style(.caption1, width: words.width)) }
        let top = words.midY - (title.bounds.height + (subtitle?.bounds.height ?? 0)) / 2
        canvas.text(title, x: words.x, y: top, text)
        if let subtitle { canvas.text(subtitle, x: words.x, y: top + title.bounds.height, second) }
    }
}

/// The recent searches in the place of the results, with the row that clears them at their end.
struct SearchRecents: LayerContent {
    private var title: String
    /// The rows on the screen: words, and whether the row clears the others.
    private var rows: [(words: String, isClear: Bool)]
    private var focused: Int?
    private var hasMoreAbove, hasMoreBelow: Bool
    private var hasCode: Bool

    static func == (left: SearchRecents, right: SearchRecents) -> Bool {
        left.title == right.title && left.focused == right.focused && left.rows.elementsEqual(right.rows, by: { $0 == $1 })
            && left.hasMoreAbove == right.hasMoreAbove && left.hasMoreBelow == right.hasMoreBelow && left.hasCode == right.hasCode
    }

    /// - Parameters:
    ///   - focused: the row with focus.
    ///   - hasCode: whether a code for phones is beside them.
    init(_ recents: SearchView.Recents, focused: Int?, hasCode: Bool) {
        let all = recents.queries.map { (words: $0, isClear: false) } + [(words: recents.clear, isClear: true)]
        let first = min(max(recents.firstRow, 0), all.count - 1)
        let last = min(first + Metrics.Search.recentsPerScreen, all.count)
        title = recents.title
        rows = Array(all[first..<last])
        self.focused = focused.map { $0 - first }
        self.hasCode = hasCode
        hasMoreAbove = first > 0
        hasMoreBelow = last < all.count
    }

    private func heading(_ kit: Kit) -> Double {
        (Double(Metrics.TypeSize.callout.pixels) * kit.theme.typeScale * 1.2 + 22).rounded()
    }

    /// The rows below the heading.
    private func area(_ kit: Kit) -> Rect {
        var area = SearchPlaces.results(kit, hasCode: hasCode)
        area.y += heading(kit)
        area.height -= heading(kit)
        return area
    }

    private func pitch(_ kit: Kit) -> Double { area(kit).height / Double(Metrics.Search.recentsPerScreen) }

    func bounds(_ kit: Kit) -> Rect {
        SearchPlaces.results(kit, hasCode: hasCode).inset(-focusReach, -focusReach).enclosingScreenEdges()
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = area(kit), tints = kit.theme.tints
        canvas.write(title, kit.style(.callout, .bold), in: SearchPlaces.results(kit, hasCode: hasCode), tints.text)
        for isFocused in [false, true] {
            for (index, row) in rows.enumerated() where (focused == index) == isFocused {
                let rect = Rect(
                    x: area.x, y: area.y + Double(index) * pitch(kit), width: area.width, height: pitch(kit) - Grid.rowGap)
                draw(row.words, row.isClear ? .delete : .replay, isFocused: isFocused, in: rect, canvas, kit)
            }
        }
        if hasMoreAbove { canvas.more(area.midX, area.y - focusReach - 4, direction: -1, tints.text) }
        if hasMoreBelow { canvas.more(area.midX, area.maxY + 2, direction: 1, tints.text) }
    }

    private func draw(_ words: String, _ sign: Sign, isFocused: Bool, in rect: Rect, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        canvas.ground(of: rect, radius: Radius.row, isFocused: isFocused, tints.surface, kit)
        let tint = isFocused ? tints.focusedText : tints.text
        let side = (30 * kit.theme.typeScale).rounded()
        let place = kit.place(Rect(x: rect.x + Grid.rowInset, y: rect.midY - side / 2, width: side, height: side), in: rect)
        sign.draw(on: canvas, x: place.midX, y: place.midY, size: side, isFocused ? tint : tints.secondaryTextOnSurface)
        let line = kit.place(
            Rect(x: rect.x + Grid.rowInset + side + 22, y: rect.y, width: rect.width - side - 74, height: rect.height), in: rect)
        let layout = kit.layout(words, kit.style(.body, isFocused ? .bold : .medium, width: line.width))
        canvas.text(layout, x: line.x, y: rect.midY - layout.opticalMiddle, tint)
    }
}
