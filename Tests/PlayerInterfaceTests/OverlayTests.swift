import LinuxSupport
import MediaModel
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

@Suite struct OverlayTests {
    private static let text = Overlay.longText(LongText("A text.", title: nil, artwork: nil, hasLargerText: false))
    private static let pin = Overlay.pin(PINEntry(for: .changePIN))

    private func kinds(_ stack: OverlayStack) -> [Overlay.Kind] {
        var stack = stack
        var kinds: [Overlay.Kind] = []
        while let top = stack.top {
            kinds.append(top.kind)
            stack.remove(top.kind)
        }
        return kinds
    }

    @Test("overlays cover one another in one order, whichever came first")
    func order() {
        var stack = OverlayStack()
        #expect(stack.top == nil && stack.isEmpty)
        for overlay in [Self.pin, .page(.search(SearchPage())), .card(Card(.end)), Self.text] { stack.put(overlay) }
        #expect(kinds(stack) == [.pin, .card, .longText, .page])
    }

    @Test("a second overlay of a kind takes the place of the first")
    func onePerKind() {
        var stack = OverlayStack()
        stack.put(.card(Card(.slow)))
        stack.put(.card(Card(.end)))
        #expect(kinds(stack) == [.card] && stack.card?.kind == .end)
    }

    @Test("what is covered comes back, and what is under the removed stays")
    func removal() {
        var stack = OverlayStack()
        for overlay in [.page(.search(SearchPage())), Self.text, .card(Card(.slow)), Self.pin] { stack.put(overlay) }
        stack.remove(.longText, .pin)
        #expect(kinds(stack) == [.card, .page])
        #expect(stack.coversScreen && stack.contains(.page) && !stack.contains(.longText))
        stack.page = nil
        #expect(!stack.coversScreen)
    }

    @Test("the countdown of a card moves at whole seconds before its end, and begins again with another try")
    func countdown() {
        let start = HostTime(nanoseconds: 1_000_000_000)
        var card = Card(.slow, then: .retry(at: start + .seconds(10)))
        #expect(card.nextStep(at: start) == start + .seconds(1))
        #expect(card.nextStep(at: start + .milliseconds(8500)) == start + .seconds(9))
        #expect(card.nextStep(at: start + .seconds(10)) == start + .seconds(10))
        card.tryAgain(at: start + .seconds(10))
        #expect(card.deadline == start + .seconds(10) + Timing.retry)
        #expect(Card(.end).nextStep(at: start) == nil)
    }

    private static func context(hasHome: Bool) -> Card.Context {
        Card.Context(
            strings: .english, title: nil, subtitle: nil, artwork: nil, isChannel: false, hasChannels: false, hasHome: hasHome,
            session: nil,
            secondsToSleep: nil,
            now: HostTime(nanoseconds: 1))
    }

    @Test("the first button has focus where trying again may help, else Home")
    func safestButton() {
        for (code, intent) in [(ErrorCode.networkDown, Intent.retry), (.decoderUnsupported, .leave)] {
            var card = Card(.error(MediaError(code, "It failed.")))
            #expect(card.act(.ok, step: 1, in: Self.context(hasHome: true)) == .wants(intent))
        }
        var card = Card(.error(MediaError(.decoderUnsupported, "It failed.")))
        #expect(card.act(.ok, step: 1, in: Self.context(hasHome: false)) == .refused(.notSupported))
        #expect(card.act(.right, step: 1, in: Self.context(hasHome: true)) == .refused(.noChange))
    }
}
