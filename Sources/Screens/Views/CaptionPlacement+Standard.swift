import MediaModel

extension CaptionPlacement {
    /// The area of captions for a state: inside the safe area and the video, clear of the bar and of elements above it.
    ///
    /// It is empty without a picture, under a card, and if the state requires it.
    package static func standard(for state: PresentationState, style: CaptionStyle) -> CaptionPlacement {
        guard state.screen == .player, !state.video.frame.isEmpty, state.card == nil, state.pin == nil, state.longText == nil,
            state.page?.hidesPicture != true
        else { return CaptionPlacement(area: CaptionPlacement.hidden.area, style: style) }
        var area = state.video.frame
        // In a shrunk picture the margin shrinks too.
        let safe = Metrics.safeArea
        let screen = Metrics.screen
        if area.width < screen.width {
            let (x, y) = (safe.x * area.width / screen.width, safe.y * area.height / screen.height)
            area = PixelRect(x: area.x + x, y: area.y + y, width: area.width - 2 * x, height: area.height - 2 * y)
        }
        let (left, top) = (max(area.x, safe.x), max(area.y, safe.y))
        let right = min(area.x + area.width, safe.x + safe.width)
        var bottom = min(area.y + area.height, safe.y + safe.height)
        /// The height of lines of text as they are drawn: with 1.2 of the size, and larger for who wants larger text.
        func lines(_ sizes: Metrics.TypeSize...) -> Int {
            sizes.reduce(0) { $0 + $1.pixels } * 6 / 5 * (state.appearance.hasLargerText ? 5 : 4) / 4
        }
        if state.bar != nil || state.title != nil {
            bottom = min(bottom, Metrics.Bar.frame.y - Metrics.Bar.titleGap - lines(.title3, .body) - Metrics.Captions.gap)
        }
        if state.bar?.scrub != nil {
            let bubble = Metrics.Bar.thumbnailGap + Metrics.Bar.thumbnailHeight + lines(.body, .caption1) + Metrics.Captions.gap
            bottom = min(bottom, Metrics.Bar.frame.y - bubble)
        }
        if case .delay? = state.page {
            let height = Metrics.Delay.height * (state.appearance.hasLargerText ? 5 : 4) / 4
            bottom = min(bottom, safe.y + safe.height - height - Metrics.Captions.gap)
        }
        // A label is as high as a button, whose ring ends with the safe area.
        let words = lines(.body) + 2 * Metrics.Captions.gap + 32
        let standsAbove =
            state.bar == nil ? state.interstitialLabel != nil || state.action != nil : state.interstitialLabel != nil
        if standsAbove || state.toast != nil || state.refusal != nil { bottom -= words }
        return CaptionPlacement(
            area: PixelRect(x: left, y: top, width: max(right - left, 0), height: max(bottom - top, 0)), style: style)
    }
}
