import MediaSources
import Testing

@Suite("How long an answer may be kept")
struct CacheControlTests {
    @Test(
        "the directives of RFC 9111 in any case, order and spacing",
        arguments: [
            ("max-age=60", true, 60), ("public, MAX-AGE = \"90\" , immutable", true, 90), ("no-store", false, nil),
            ("private,no-store,max-age=5", false, 5), ("no-cache, max-age=60", true, 0), ("max-age=60, no-cache", true, 0),
            ("", true, nil), (",,=,", true, nil), ("max-age", true, nil), ("max-age=-1", true, nil), ("max-age=x", true, nil),
            ("max-age=9223372036854775807", true, 366 * 86_400), ("max-age=99999999999999999999", true, nil),
            ("s-maxage=5", true, nil),
        ] as [(String, Bool, Int?)])
    func directives(_ header: String, _ isStorable: Bool, _ seconds: Int?) throws {
        let control = try #require(CacheControl(header))
        #expect(control.isStorable == isStorable && control.maximumAge == seconds.map { .seconds($0) })
    }

    @Test("without the header nothing is stated")
    func absence() { #expect(CacheControl(nil) == nil) }
}
