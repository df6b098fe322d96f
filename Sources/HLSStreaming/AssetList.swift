import FoundationEssentials
import MediaModel
import MediaSources
import MediaTime
import URLReferences

/// The JSON text at X-ASSET-LIST (RFC 8216bis, appendix D.2).
struct AssetList {
    var assets: [InterstitialAsset]
    var skip: Interstitial.SkipControl?

    private struct Document: Decodable {
        struct Asset: Decodable {
            var URI: String
            var DURATION: Decimal?
        }
        struct Skip: Decodable {
            var OFFSET: Decimal?
            var DURATION: Decimal?
            var labelID: String?
            enum CodingKeys: String, CodingKey {
                case OFFSET
                case DURATION
                case labelID = "LABEL-ID"
            }
        }
        var ASSETS: [Asset]
        var skip: Skip?
        enum CodingKeys: String, CodingKey {
            case ASSETS
            case skip = "SKIP-CONTROL"
        }
    }

    /// Nil when the text is not such a list.
    init?(_ bytes: [UInt8], url: String) {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else { return nil }
        assets = document.ASSETS.map {
            InterstitialAsset(
                url: URLReference.resolve(reference: $0.URI, against: url), duration: $0.DURATION.flatMap(Self.time))
        }
        skip = document.skip.map {
            Interstitial.SkipControl(
                offset: $0.OFFSET.flatMap(Self.time) ?? .zero, duration: $0.DURATION.flatMap(Self.time), labelID: $0.labelID)
        }
    }

    /// Nil for what is negative, or longer than a year.
    private static func time(_ seconds: Decimal) -> MediaTime? {
        MediaTime(decimalSeconds: seconds.description).flatMap { $0 <= .seconds(366 * 86_400) ? $0 : nil }
    }
}
