/// What is over the picture of an item, below the overlays of the screen: the panel or the proposal.
package enum PictureOverlay: Sendable {
    case panel(Panel)
    case proposal(ProposalPresenter.Shown)
}

extension PictureOverlay? {
    /// The open panel. Setting nil leaves a proposal.
    package var panel: Panel? {
        get {
            guard case .panel(let panel) = self else { return nil }
            return panel
        }
        set {
            if let newValue {
                self = .panel(newValue)
            } else if case .panel = self {
                self = nil
            }
        }
    }

    /// The shown proposal. Setting nil leaves a panel.
    package var proposal: ProposalPresenter.Shown? {
        get {
            guard case .proposal(let shown) = self else { return nil }
            return shown
        }
        set {
            if let newValue {
                self = .proposal(newValue)
            } else if case .proposal = self {
                self = nil
            }
        }
    }
}
