import MediaModel
import PlayerInterface

// The fields of the records of parts of the interface in dumps, in written order.

// MARK: Positions

extension PixelRect: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("x", \.x), .init("y", \.y), .init("width", \.width), .init("height", \.height)]
    }
}

extension VideoPlacement: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("frame", \.frame), .init("dimPercent", \.dimPercent), .init("isFocused", \.isFocused)]
    }
}

extension CaptionPlacement: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("area", \.area), .init("style", \.style)]
    }
}

extension CaptionStyle: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("colour", \.colour), .init("opacityPercent", \.opacityPercent), .init("sizePercent", \.sizePercent),
            .init("font", \.font), .init("edge", \.edge), .init("background", \.background),
            .init("backgroundOpacityPercent", \.backgroundOpacityPercent), .init("window", \.window),
            .init("windowOpacityPercent", \.windowOpacityPercent),
        ]
    }
}

extension Appearance: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("language", \.language), .init("isRightToLeft", \.isRightToLeft), .init("hasLargerText", \.hasLargerText),
            .init("hasHighContrast", \.hasHighContrast), .init("reducesMotion", \.reducesMotion),
            .init("overscanPercent", \.overscanPercent),
        ]
    }
}

// MARK: Over the picture

extension PosterView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("artwork", \.artwork), .init("title", \.title)]
    }
}

extension TitleView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("subtitle", \.subtitle)]
    }
}

extension ContextualActionView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("kind", \.kind), .init("title", \.title), .init("isFocused", \.isFocused)]
    }
}

extension SpinnerView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("words", \.words)]
    }
}

extension RefusalView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("words", \.words), .init("count", \.count)]
    }
}

extension ButtonView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("isFocused", \.isFocused)]
    }
}

extension TransportBarView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("focus", \.focus), .init("playhead", \.playhead), .init("contentTime", \.contentTime),
            .init("totalTime", \.totalTime), .init("elapsed", \.elapsed), .init("trailing", \.trailing),
            .init("isAtLiveEdge", \.isAtLiveEdge), .init("buffered", \.buffered), .init("dots", \.dots),
            .init("chapterTicks", \.chapterTicks), .init("glyph", \.glyph), .init("scrub", \.scrub), .init("hint", \.hint),
            .init("actions", \.actions),
        ]
    }
}

extension TransportBarView.Dot: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("position", \.position), .init("isWatched", \.isWatched)]
    }
}

extension TransportBarView.Span: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("start", \.start), .init("end", \.end)]
    }
}

extension TransportBarView.Scrub: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("time", \.time), .init("origin", \.origin), .init("contentTime", \.contentTime),
            .init("thumbnail", \.thumbnail),
        ]
    }
}

extension ProposalView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("subtitle", \.subtitle), .init("facts", \.facts), .init("summary", \.summary),
            .init("image", \.image), .init("buttons", \.buttons), .init("countdown", \.countdown),
            .init("ringPercent", \.ringPercent), .init("videoPlace", \.videoPlace),
        ]
    }
}

extension CardView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("kind", \.kind), .init("title", \.title), .init("message", \.message), .init("code", \.code),
            .init("buttons", \.buttons),
        ]
    }
}

extension ChannelBannerView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("number", \.number), .init("title", \.title), .init("artwork", \.artwork), .init("now", \.now),
            .init("nowTimes", \.nowTimes), .init("progressPercent", \.progressPercent), .init("next", \.next),
        ]
    }
}

extension NumberEntryView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("digits", \.digits), .init("title", \.title)]
    }
}

extension VolumeView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("percent", \.percent), .init("isMuted", \.isMuted)]
    }
}

extension NoticeView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("words", \.words)]
    }
}

extension AudioOnlyView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("artwork", \.artwork), .init("title", \.title), .init("subtitle", \.subtitle),
            .init("progressPercent", \.progressPercent), .init("elapsed", \.elapsed), .init("frame", \.frame),
        ]
    }
}

// MARK: The panel

extension PanelView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("tabs", \.tabs), .init("selected", \.selected), .init("focus", \.focus), .init("content", \.content)]
    }
}

extension PanelView.TabTitle: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("tab", \.tab), .init("title", \.title), .init("isEnabled", \.isEnabled)]
    }
}

extension InfoView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("artwork", \.artwork), .init("title", \.title), .init("subtitle", \.subtitle), .init("facts", \.facts),
            .init("summary", \.summary), .init("showsWholeSummary", \.showsWholeSummary),
            .init("isSummaryFocused", \.isSummaryFocused), .init("actions", \.actions),
        ]
    }
}

extension ChapterView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("time", \.time), .init("image", \.image), .init("isCurrent", \.isCurrent),
            .init("isFocused", \.isFocused),
        ]
    }
}

extension MenuView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("rows", \.rows), .init("firstRow", \.firstRow), .init("preview", \.preview)]
    }
}

extension MenuView.Row: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("value", \.value), .init("note", \.note), .init("mark", \.mark),
            .init("isEnabled", \.isEnabled), .init("isFocused", \.isFocused),
        ]
    }
}

extension CaptionPreviewView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("words", \.words), .init("style", \.style)]
    }
}

// MARK: Pages

extension HomeView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("content", \.content), .init("focus", \.focus), .init("firstRow", \.firstRow),
            .init("firstColumns", \.firstColumns), .init("emptyMessage", \.emptyMessage), .init("buttons", \.buttons),
        ]
    }
}

extension HomeContent: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("rows", \.rows)]
    }
}

extension HomeContent.Row: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("id", \.id), .init("title", \.title), .init("entries", \.entries), .init("style", \.style)]
    }
}

extension HomeContent.Entry: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("id", \.id), .init("title", \.title), .init("subtitle", \.subtitle), .init("number", \.number),
            .init("artwork", \.artwork), .init("watchedPercent", \.watchedPercent), .init("isLocked", \.isLocked),
        ]
    }
}

extension SettingsView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("page", \.page), .init("title", \.title), .init("explanation", \.explanation), .init("menu", \.menu)]
    }
}

extension SearchView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("query", \.query), .init("placeholder", \.placeholder), .init("keys", \.keys),
            .init("firstKeyRow", \.firstKeyRow), .init("results", \.results), .init("firstResult", \.firstResult),
            .init("message", \.message), .init("focus", \.focus),
        ]
    }
}

extension SearchView.Key: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("width", \.width)]
    }
}

extension GuideView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("day", \.day), .init("ticks", \.ticks), .init("nowX", \.nowX), .init("rows", \.rows),
            .init("hasMoreAbove", \.hasMoreAbove), .init("hasMoreBelow", \.hasMoreBelow),
            .init("detailTitle", \.detailTitle), .init("detail", \.detail),
        ]
    }
}

extension GuideView.Tick: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("x", \.x)]
    }
}

extension GuideView.Row: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("id", \.id), .init("number", \.number), .init("title", \.title), .init("artwork", \.artwork),
            .init("cells", \.cells), .init("message", \.message), .init("isFocused", \.isFocused),
        ]
    }
}

extension GuideView.Cell: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("times", \.times), .init("x", \.x), .init("width", \.width),
            .init("isOnNow", \.isOnNow), .init("isFocused", \.isFocused),
        ]
    }
}

extension PINView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("message", \.message), .init("enteredCount", \.enteredCount),
            .init("length", \.length), .init("warning", \.warning), .init("isLocked", \.isLocked), .init("keys", \.keys),
            .init("focus", \.focus),
        ]
    }
}

extension LongTextView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("text", \.text), .init("page", \.page), .init("pageCount", \.pageCount)]
    }
}

extension ChannelListView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("rows", \.rows), .init("hasMoreAbove", \.hasMoreAbove),
            .init("hasMoreBelow", \.hasMoreBelow),
        ]
    }
}

extension ChannelListView.Row: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("number", \.number), .init("title", \.title), .init("artwork", \.artwork), .init("now", \.now),
            .init("progressPercent", \.progressPercent), .init("isCurrent", \.isCurrent), .init("isLocked", \.isLocked),
            .init("isFocused", \.isFocused),
        ]
    }
}

extension SetUpView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("kind", \.kind), .init("title", \.title), .init("paragraphs", \.paragraphs), .init("example", \.example),
            .init("facts", \.facts), .init("code", \.code), .init("button", \.button),
        ]
    }
}

extension SetUpView.Fact: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("label", \.label), .init("value", \.value)]
    }
}

extension VerdictView: DumpRecord {
    static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("lines", \.lines), .init("rest", \.rest)]
    }
}
