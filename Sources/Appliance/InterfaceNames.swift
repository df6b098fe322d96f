import MediaModel
import PlayerInterface

// Names and positions of parts of the interface, as dumps write them.

extension PresentationState.Screen: DumpWritable {}
extension CaptionStyle.Colour: DumpWritable {}
extension CaptionStyle.Font: DumpWritable {}
extension CaptionStyle.Edge: DumpWritable {}
extension ContextualActionView.Kind: DumpWritable {}
extension ProposalPresentation.VideoPlace: DumpWritable {}
extension CardView.Kind: DumpWritable {}
extension PanelView.Tab: DumpWritable {}
extension HomeContent.Row.Style: DumpWritable {}
extension SettingsView.Page: DumpWritable {}
extension SetUpView.Kind: DumpWritable {}

extension BarPosition: DumpWritable {
    var dumpValue: DumpValue { .number(pixels) }
}

extension TransportBarView.Focus: DumpWritable {
    var dumpValue: DumpValue {
        switch self {
        case .none: .word("none")
        case .bar: .word("bar")
        case .action(let index): .tagged("action", .number(index))
        }
    }
}

extension TransportBarView.Glyph: DumpWritable {
    var dumpValue: DumpValue {
        switch self {
        case .pause: .word("pause")
        case .skipForward: .word("skipForward")
        case .skipBackward: .word("skipBackward")
        case .scanForward(let level): .tagged("scanForward", .record([DumpField("level", .number(level))]))
        case .scanBackward(let level): .tagged("scanBackward", .record([DumpField("level", .number(level))]))
        case .play: .word("play")
        }
    }
}

extension PanelView.Focus: DumpWritable {
    var dumpValue: DumpValue {
        switch self {
        case .tabs: .word("tabs")
        case .content(let index): .tagged("content", .number(index))
        }
    }
}

extension PanelView.Content: DumpWritable {
    var dumpValue: DumpValue {
        switch self {
        case .info(let info): .tagged("info", info.dumpValue)
        case .chapters(let chapters): .tagged("chapters", chapters.dumpValue)
        case .menu(let menu): .tagged("menu", menu.dumpValue)
        }
    }
}

extension MenuView.Mark: DumpWritable {
    var dumpValue: DumpValue {
        switch self {
        case .none: .word("none")
        case .choice(let isCurrent): .tagged("choice", .record([DumpField("isCurrent", isCurrent.dumpValue)]))
        case .toggle(let isOn): .tagged("toggle", .record([DumpField("isOn", isOn.dumpValue)]))
        case .submenu: .word("submenu")
        }
    }
}

extension HomeView.Focus: DumpWritable {
    var dumpValue: DumpValue {
        switch self {
        case .none: .word("none")
        case .video: .word("video")
        case .button(let index): .tagged("button", .number(index))
        case .entry(let row, let column): .cell("entry", row: row, column: column)
        }
    }
}

extension SearchView.Focus: DumpWritable {
    var dumpValue: DumpValue {
        switch self {
        case .key(let row, let column): .cell("key", row: row, column: column)
        case .result(let index): .tagged("result", .number(index))
        }
    }
}

extension PINView.Focus: DumpWritable {
    var dumpValue: DumpValue {
        switch self {
        case .key(let row, let column): .cell("key", row: row, column: column)
        }
    }
}

extension DumpValue {
    fileprivate static func cell(_ name: String, row: Int, column: Int) -> DumpValue {
        .tagged(name, .record([DumpField("row", .number(row)), DumpField("column", .number(column))]))
    }
}
