import Screens

/// The distances of `Metrics.Grid`, in design pixels.
enum Grid {
    static let panelInset = Double(Metrics.Grid.panelInset)
    static let rowInset = Double(Metrics.Grid.rowInset)
    static let rowGap = Double(Metrics.Grid.rowGap)
    static let buttonGap = Double(Metrics.Grid.buttonGap)
    static let stackGap = Double(Metrics.Grid.stackGap)
    static let columnGap = Double(Metrics.Grid.columnGap)
}

/// The corner radii of `Metrics.Radius`, in design pixels.
enum Radius {
    static let badge = Double(Metrics.Radius.badge)
    static let row = Double(Metrics.Radius.row)
    static let cell = Double(Metrics.Radius.cell)
    static let field = Double(Metrics.Radius.field)
    static let panel = Double(Metrics.Radius.panel)
}
