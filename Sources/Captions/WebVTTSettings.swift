import MediaTime

/// Parses the times and settings of WebVTT.
enum WebVTTSettings {
    /// A cue without text: `00:11.000 --> 00:13.000 align:start`.
    static func cue(timing line: String) -> CaptionCue? {
        var scanner = CaptionScanner(line)
        scanner.skip(while: CaptionText.isSpace)
        guard let start = time(&scanner) else { return nil }
        scanner.skip(while: CaptionText.isSpace)
        guard scanner.take("-->") else { return nil }
        scanner.skip(while: CaptionText.isSpace)
        guard let end = time(&scanner) else { return nil }
        return CaptionCue(start: start, end: end, settings: settings(scanner.rest), nodes: [])
    }

    /// A timestamp that is the whole text.
    static func time(_ text: String) -> MediaTime? {
        var scanner = CaptionScanner(text)
        guard let time = time(&scanner), scanner.isAtEnd else { return nil }
        return time
    }

    /// `mm:ss.ttt` or `h:mm:ss.ttt`.
    ///
    /// Two numbers of which the first is over 59 are hours and minutes: not in the standard, but older players accept such files.
    private static func time(_ scanner: inout CaptionScanner) -> MediaTime? {
        guard let first = scanner.digits(), scanner.take(":"), let second = scanner.digits(), second.count == 2, second.value < 60
        else { return nil }
        var seconds: Int64
        if scanner.take(":") {
            guard let third = scanner.digits(), third.count == 2, third.value < 60 else { return nil }
            seconds = first.value * 3600 + second.value * 60 + third.value
        } else {
            seconds = first.value > 59 ? first.value * 3600 + second.value * 60 : first.value * 60 + second.value
        }
        guard scanner.take("."), let fraction = scanner.digits(), fraction.count == 3 else { return nil }
        return MediaTime(caption: .milliseconds(seconds * 1000 + fraction.value))
    }

    /// `LOCAL:00:00:00.000,MPEGTS:900000`, in either order.
    static func timestampMap(_ text: String) -> TimestampMap? {
        var local: MediaTime?
        var mpegTS: Int64?
        for part in text.split(separator: ",") {
            let part = part.filter { !$0.isWhitespace }
            if part.hasPrefix("LOCAL:") { local = time(String(part.dropFirst(6))) }
            if part.hasPrefix("MPEGTS:") { mpegTS = Int64(part.dropFirst(7)).flatMap { (0..<(1 << 40)).contains($0) ? $0 : nil } }
        }
        guard let local, let mpegTS else { return nil }
        return TimestampMap(mpegTS: mpegTS, local: local)
    }

    // MARK: Cue settings

    static func settings(_ text: String) -> CaptionSettings {
        var settings = CaptionSettings()
        for word in words(text) {
            guard let (name, value) = pair(word, separator: ":") else { continue }
            switch name {
            case "region": settings.region = value
            case "vertical":
                settings.vertical =
                    value.isEmpty ? settings.vertical : CaptionSettings.Vertical(rawValue: value) ?? settings.vertical
            case "line": readLine(value, into: &settings)
            case "position": readPosition(value, into: &settings)
            case "size": settings.size = percentage(value) ?? settings.size
            case "align":
                settings.alignment =
                    CaptionSettings.Alignment(rawValue: value == "middle" ? "center" : value) ?? settings.alignment
            default: break
            }
        }
        // Section 6.3: a cue with its own position, or with vertical text, belongs to no region.
        if settings.vertical != .horizontal || settings.line != .auto || settings.size != 100 { settings.region = nil }
        return settings
    }

    /// `3`, `-1`, `42.5%`, each with an alignment after a comma. An invalid alignment is ignored; the position is still used.
    private static func readLine(_ value: String, into settings: inout CaptionSettings) {
        let parts = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if let percentage = percentage(parts[0]) {
            settings.line = .percentage(percentage)
        } else if let number = integer(parts[0]) {
            settings.line = .number(number)
        } else {
            return
        }
        if parts.count == 2 {
            settings.lineAlignment =
                CaptionSettings.LineAlignment(rawValue: parts[1] == "middle" ? "center" : parts[1]) ?? settings.lineAlignment
        }
    }

    private static func readPosition(_ value: String, into settings: inout CaptionSettings) {
        let parts = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let position = percentage(parts[0]) else { return }
        settings.position = position
        guard parts.count == 2 else { return }
        switch parts[1] {
        case "line-left", "start": settings.positionAlignment = .lineLeft
        case "center", "middle": settings.positionAlignment = .center
        case "line-right", "end": settings.positionAlignment = .lineRight
        default: break
        }
    }

    // MARK: Regions

    /// The region described by lines of settings; nil without an id.
    static func region(_ lines: [String], separator: Character) -> CaptionRegion? {
        var region = CaptionRegion(id: "")
        for word in lines.flatMap(words) {
            guard let (name, value) = pair(word, separator: separator) else { continue }
            switch name {
            case "id": region.id = value
            case "width": region.width = percentage(value) ?? region.width
            case "lines":
                region.lines = value.unicodeScalars.allSatisfy(CaptionText.isDigit) ? Int(value) ?? region.lines : region.lines
            case "regionanchor": region.regionAnchor = point(value) ?? region.regionAnchor
            case "viewportanchor": region.viewportAnchor = point(value) ?? region.viewportAnchor
            case "scroll": region.scrollsUp = value == "up" || region.scrollsUp
            default: break
            }
        }
        return region.id.isEmpty ? nil : region
    }

    private static func point(_ text: String) -> CaptionRegion.Point? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let x = percentage(parts[0]), let y = percentage(parts[1]) else { return nil }
        return CaptionRegion.Point(x: x, y: y)
    }

    // MARK: Words

    private static func words(_ text: String) -> [String] {
        text.unicodeScalars.split(whereSeparator: CaptionText.isSpace).map(String.init)
    }

    private static func pair(_ word: String, separator: Character) -> (name: String, value: String)? {
        guard let mark = word.firstIndex(of: separator), mark != word.startIndex else { return nil }
        let value = word[word.index(after: mark)...]
        return value.isEmpty ? nil : (String(word[..<mark]), String(value))
    }

    /// `42%`, `42.5%`: from 0 to 100.
    private static func percentage(_ text: String) -> Double? {
        guard text.hasSuffix("%") else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.unicodeScalars.allSatisfy(CaptionText.isDigit) }),
            let value = Double(text.dropLast()), value <= 100
        else { return nil }
        return value
    }

    private static func integer(_ text: String) -> Int? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.unicodeScalars.allSatisfy(CaptionText.isDigit) ? Int(text) : nil
    }
}
