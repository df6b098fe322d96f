import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// Random keys and commands on random items: invariants that hold whatever a viewer does.
@Suite struct RandomViewerTests {
    @Test(arguments: 0..<24) func whateverIsPressed(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed) + 77)
        let item = ItemPresentation(id: "x") {
            $0.title = "Random"
            $0.duration = .seconds(400)
            $0.interstitials = random.ranges(count: random.next(upTo: 6))
            $0.markers = Items.chapters
            $0.proposal =
                random.next(upTo: 2) == 0 ? ProposalTests.offer(at: Int64(300 + random.next(upTo: 90)), accepts: -5) : nil
        }
        let snapBack = SnapBack.allCases[random.next(upTo: 3)]
        var viewer = Viewer(policy: InterfacePolicy(snapBack: snapBack))
        let related = Items.home.rows[0].entries
        viewer.details["x"] = .programme(ProgrammeDetails(entry: .init(id: "x", title: "Random"), related: related))
        viewer.send(.homeChanged(Items.home))
        viewer.open(item)
        viewer.run(.milliseconds(400))
        let keys = RemoteKey.allCases.filter {
            ![.stop, .power, .channelUp, .channelDown].contains($0) && !$0.rawValue.allSatisfy(\.isNumber)
        }
        for _ in 0..<120 {
            let before = viewer.shown.count
            let wasLinear = viewer.machine.requiresLinearPlayback
            let effectsBefore = viewer.effects.count
            switch random.next(upTo: 8) {
            case 0: viewer.command(.skip(.seconds(Int64(random.next(upTo: 200)) - 100)))
            case 1: viewer.command(.changePlaybackPosition(.seconds(Int64(random.next(upTo: 400)))))
            case 2: viewer.press(keys[random.next(upTo: keys.count)], for: .milliseconds(Int64(random.next(upTo: 1500))))
            default: viewer.press([RemoteKey.left, .right, .up, .down, .ok, .back][random.next(upTo: 6)])
            }
            if wasLinear, viewer.machine.requiresLinearPlayback, viewer.machine.stage.viewing.played.item != nil {
                // Nothing that the viewer did during linear playback may have caused a seek, except Skip.
                let new = viewer.effects[effectsBefore...]
                let skipped = new.contains { if case .tell(.interstitial(_, .ended)) = $0 { true } else { false } }
                if !skipped { #expect(!new.contains { if case .seek = $0 { true } else { false } }) }
            }
            viewer.run(.milliseconds(Int64(random.next(upTo: 4000))))
            checkLinearFrames(viewer.shown[max(0, before - 1)...], item: item)
            checkFocus(viewer.state)
            if viewer.machine.stage.viewing.played.item == nil {
                viewer.open(item)
                viewer.run(.milliseconds(400))
            }
            if viewer.state.screen == .home, random.next(upTo: 2) == 0 { returnFromHome(&viewer) }
        }
        checkPairs(viewer.presentations)
        leave(&viewer)
        #expect(viewer.state.screen == .home, "any screen can be left with arrows, OK and Back")
    }

    /// In a linear range each frame is followed by the next one or by itself, or the range is left.
    private func checkLinearFrames(_ frames: ArraySlice<(position: MediaTime, isLinear: Bool)>, item: ItemPresentation) {
        for (one, two) in zip(frames, frames.dropFirst()) where one.isLinear && two.isLinear {
            guard let range = item.interstitials.first(where: { $0.range.contains(one.position) }),
                range.range.contains(two.position)
            else { continue }
            let step = two.position - one.position
            #expect(step >= .zero && step <= Viewer.frame, "\(one.position) to \(two.position) in \(range.id)")
        }
    }

    private func checkPairs(_ presentations: [String]) {
        var open: String?
        for entry in presentations {
            let words = entry.split(separator: " ")
            if words[0] == "will" {
                #expect(open == nil, "\(presentations)")
                open = String(words[1])
            } else {
                #expect(open == String(words[1]), "\(presentations)")
                open = nil
            }
        }
    }

    /// No invisible element has focus.
    private func checkFocus(_ state: PresentationState) {
        if let card = state.card {
            #expect(card.buttons.count { $0.isFocused } + (card.related?.focused == nil ? 0 : 1) == 1)
        }
        if let proposal = state.proposal { #expect(proposal.buttons.count { $0.isFocused } == 1) }
        if let bar = state.bar, case .action(let index) = bar.focus { #expect(bar.actions.indices.contains(index)) }
        if let panel = state.panel {
            #expect(panel.tabs.indices.contains(panel.selected) && panel.tabs[panel.selected].isEnabled)
            if case .content(let index) = panel.focus, case .chapters(let views) = panel.content {
                #expect(views.indices.contains(index))
            }
            if case .content = panel.focus, case .info(let view) = panel.content {
                #expect(view.isSummaryFocused || view.actions.contains { $0.isFocused })
            }
        }
        if state.screen == .player { #expect(state.home == nil) }
        let layers = [state.card != nil, state.proposal != nil, state.panel != nil].count { $0 }
        #expect(layers <= 1)
        if layers > 0 { #expect(state.bar == nil && state.action == nil) }
    }

    /// Up to the corner, OK: back in the player.
    private func returnFromHome(_ viewer: inout Viewer) {
        for _ in 0..<6 where viewer.state.home == nil && viewer.state.screen == .home { viewer.press(.back) }
        for _ in 0..<3 { viewer.press(.up) }
        for _ in 0..<3 where viewer.state.home?.focus != .video { viewer.press(.right) }
        viewer.press(.ok)
        #expect(viewer.state.screen == .player)
    }

    private func leave(_ viewer: inout Viewer) {
        for _ in 0..<8 where viewer.state.screen != .home {
            viewer.press(.back)
            viewer.run(.milliseconds(200))
        }
    }
}
