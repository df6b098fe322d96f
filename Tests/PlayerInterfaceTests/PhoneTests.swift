import BoxModel
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// What a phone types and the row that forgets phones, as the interface has them.
@Suite struct PhoneTests {
    @Test func theRowThatForgetsPhonesIsThereWhileThereAreAny() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.home))
        var facts = BoxFacts(isOnline: true, link: "eth0", address: "10.0.0.7")
        facts.pairedPhones = 2
        viewer.send(.factsChanged(facts))
        viewer.press(.menu)
        viewer.choose("Network")
        viewer.choose("Forget Paired Phones")
        #expect(viewer.effects.contains(.forgetPhones))
        facts.pairedPhones = 0
        viewer.send(.factsChanged(facts))
        #expect(viewer.state.settings?.choices.contains("Forget Paired Phones") == false)
        viewer.press(.back)
        #expect(
            viewer.state.settings?.choices.contains("Network") == true, "focus was on a row that is gone, and Back still works")
    }

    @Test func aTextWithoutAPageThatAsksForItIsRefused() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.home))
        #expect(viewer.machine.asked == nil)
        viewer.send(.typed("sea"))
        #expect(viewer.effects.last == .answer(.failed(.notSupported)))
        viewer.press(.menu)
        viewer.send(.typed("sea"))
        #expect(viewer.effects.last == .answer(.failed(.notSupported)) && viewer.state.settings != nil)
    }
}
