/// The open panel.
struct PanelModel: Sendable, Equatable {
    var tab: PanelView.Tab
    var focus = PanelView.Focus.tabs
    /// The menu of Subtitles, Audio or Picture.
    var menu: MenuModel?
}
