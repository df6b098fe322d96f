import Testing

@testable import SystemServices

@Suite("What the service manager says")
struct UnitFactsTests {
    @Test("units are told apart by empty lines, and values may hold equals signs")
    func units() {
        let text = "Id=a.service\nAfter=b.mount c.mount\n\nId=b.mount\nWhat=LABEL=data\n\n"
        #expect(
            UnitFacts.parse(text) == [["Id": "a.service", "After": "b.mount c.mount"], ["Id": "b.mount", "What": "LABEL=data"]])
        #expect(UnitFacts.parse("") == [])
    }
}
