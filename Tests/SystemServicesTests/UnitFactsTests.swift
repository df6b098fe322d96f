import Testing

@testable import SystemServices

@Suite("Properties from the service manager")
struct UnitFactsTests {
    @Test("units are separated by empty lines, and values may contain equals signs")
    func units() {
        let text = "Id=a.service\nAfter=b.mount c.mount\n\nId=b.mount\nWhat=LABEL=data\n\n"
        #expect(
            UnitFacts.parse(text) == [["Id": "a.service", "After": "b.mount c.mount"], ["Id": "b.mount", "What": "LABEL=data"]])
        #expect(UnitFacts.parse("") == [])
    }
}
