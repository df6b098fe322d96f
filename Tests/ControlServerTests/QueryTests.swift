import Testing

@testable import ControlServer

/// The parameters of a request.
struct QueryTests {
    @Test func theFirstValueOfAParameterCountsDecoded() {
        let query = QueryParameters("id=a%20b%26c&id=other&empty=&flag&=nameless&%6cimit=5&text=a=b")
        #expect(query["id"] == "a b&c")
        #expect(query["empty"] == "" && query["flag"] == "")
        #expect(query["limit"] == "5")
        #expect(query["text"] == "a=b")
        #expect(query["missing"] == nil)
    }

    @Test func aValueThatIsNotTextIsAsIfItWereAbsent() {
        let query = QueryParameters("id=%ff%fe&id=%zz&%c0=1&id=good")
        #expect(query["id"] == "good")
    }

    @Test func aCountIsBounded() throws {
        #expect(try QueryParameters("n=7").count("n", standard: 1, most: 5) == 5)
        #expect(try QueryParameters("n=99999999999999999999").count("n", standard: 1, most: 5) == 5)
        #expect(try QueryParameters("n=99999999999999999999").count("n", standard: 1) == .max)
        #expect(try QueryParameters("").count("n", standard: 3) == 3)
        for wrong in ["n=-1", "n=1.5", "n=", "n=1e3", "n=+1", "n=%30x"] {
            #expect(throws: RequestRefusal.self) { try QueryParameters(wrong).count("n", standard: 1) }
        }
    }
}
