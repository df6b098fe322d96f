import URLReferences
import WireFormats

/// One document of a feed as it was received, and parsed.
struct FeedPage: Sendable {
    /// What its text is.
    enum Content: Sendable {
        case document(JSONNode)
        case tooLarge
        case fault(JSONFault)
        /// Keys that occur twice in an object; never empty.
        case duplicates([DuplicateKey])
    }

    let bytes: [UInt8]
    /// Its origin: an absolute URL, or the absolute path of a file.
    let url: String
    let content: Content

    init(_ bytes: [UInt8], url: String, options: FeedOptions) {
        self.bytes = bytes
        self.url = url
        guard bytes.count <= options.maximumBytes else {
            content = .tooLarge
            return
        }
        var reader = JSONReader(bytes, maximumDepth: options.maximumDepth)
        do {
            let document = try reader.read()
            content = reader.duplicates.isEmpty ? .document(document) : .duplicates(reader.duplicates)
        } catch {
            content = .fault(error)
        }
    }

    /// The object at the top of the document, if it is one.
    var top: JSONObject? {
        guard case .document(let document) = content, case .object(let top) = document.value else { return nil }
        return top
    }
}

/// The pages of one feed in their order, as they are loaded. A value: pages go in, and which page is next comes out. The bounds of a whole
/// feed are checked here, so that pages which name one another in a circle, or do not end, are not loaded for ever.
package struct FeedPages: Sendable {
    /// What follows the last page.
    package enum Step: Sendable, Hashable {
        /// The address of a page to load.
        case load(String)
        /// The feed is complete.
        case complete
        /// No page can be loaded; the feed is refused.
        case refused
    }

    /// Why a further page cannot be used: the rest of the sentence, and the remedy.
    struct Problem: Sendable {
        var message: String
        var remedy: String
    }

    let options: FeedOptions
    private(set) var pages: [FeedPage] = []
    package private(set) var step = Step.complete
    /// Why `step` is `refused`, where the text of the last page is not the reason.
    private(set) var problem: Problem?
    /// The addresses of the pages, and of the requests for them.
    private var addresses: Set<String> = []
    private var entryCount = 0

    package init(options: FeedOptions) { self.options = options }

    package var count: Int { pages.count }

    /// The pages that are JSON, and the addresses of the further ones as findings have them.
    package var documents: [(document: JSONNode, address: String?)] {
        pages.enumerated().compactMap { index, page in
            guard case .document(let document) = page.content else { return nil }
            return (document, Self.shownAddress(of: page, index: index))
        }
    }

    /// What a finding in a page names it by; nil for the first.
    static func shownAddress(of page: FeedPage, index: Int) -> String? { index == 0 ? nil : Redaction.withoutSecrets(page.url) }

    /// Adds the first page, or the page that `step` named.
    ///
    /// - Parameter url: its origin after redirections: an absolute URL, or the absolute path of a file.
    package mutating func append(_ bytes: [UInt8], url: String) {
        let page = FeedPage(bytes, url: url, options: options)
        pages.append(page)
        let own = Self.reference(url).identity
        var isNew = true
        if case .load(let requested) = step {
            isNew = own == requested || !addresses.contains(own)
            addresses.insert(requested)
        }
        addresses.insert(own)
        step = .refused
        entryCount += ["channels", "series", "items", "rows"].reduce(0) { $0 + (page.top?.count(of: $1) ?? 0) }
        let byteCount = pages.reduce(0) { $0 + $1.bytes.count }
        guard isNew else {
            return refuse(
                "\(FeedText.quoted(Redaction.withoutSecrets(url))) is the address of two pages", "Give each page its own address."
            )
        }
        guard pages.count == 1 || byteCount <= options.maximumTotalBytes else {
            return refuse(
                "the pages have over \(options.maximumTotalBytes) bytes together", "Keep the whole feed at that or fewer.")
        }
        guard entryCount <= options.maximumEntries else {
            return refuse(
                "the feed has \(entryCount) channels, series, items and rows", "Keep it at \(options.maximumEntries) or fewer.")
        }
        follow(page)
    }

    /// Refuses the feed because the page that `step` named is missing.
    ///
    /// - Parameter reason: the sentence of the error, with its full stop.
    package mutating func refuse(missing reason: String) {
        step = .refused
        refuse("the next page is missing", reason)
    }

    private mutating func refuse(_ message: String, _ remedy: String) { problem = Problem(message: message, remedy: remedy) }

    private mutating func follow(_ page: FeedPage) {
        guard case .document = page.content else { return }
        guard let next = page.top?["next"], !next.isNull else {
            step = .complete
            return
        }
        // The parser reports the same address with its own finding, if it is not one that may be used.
        let urls = FeedURLs(origin: page.url, options: options, findings: FeedFindings())
        let root = FeedNode(json: next, step: nil, page: FeedNode.Page(index: 0, address: nil))
        if case .string(let base)? = page.top?["baseUrl"]?.value, let url = urls.absolute(base, at: root) { urls.setBase(url) }
        guard case .string(let text) = next.value, let address = urls.absolute(text, at: root) else {
            return refuse(
                "\(FeedText.value(next)) is not an address that may be loaded",
                "Write the address of the next page, or remove it.")
        }
        let target = URLReference(address)
        guard target.isSameSource(as: Self.reference(page.url)) else {
            return refuse(
                "the next page is not at the source of this one",
                "Put all pages on one host, or, as files, into one folder, and write a relative address.")
        }
        guard !addresses.contains(target.identity) else {
            return refuse("the pages form a loop", "Remove \"next\" from the last page.")
        }
        guard pages.count < options.maximumPages else {
            return refuse("the feed has over \(options.maximumPages) pages", "Write fewer, larger pages.")
        }
        step = .load(target.identity)
    }

    private static func reference(_ url: String) -> URLReference {
        URLReference(url.hasPrefix("/") ? URLReference.file(path: url) : url)
    }
}

extension JSONObject {
    /// The number of elements of a list; 0 if there is none.
    fileprivate func count(of list: String) -> Int {
        guard case .array(let nodes)? = self[list]?.value else { return 0 }
        return nodes.count
    }
}

extension URLReference {
    /// The address that is requested: without a fragment.
    fileprivate var identity: String {
        var copy = self
        copy.fragment = nil
        copy.scheme = scheme?.lowercased()
        copy.authority = authority?.lowercased()
        return copy.description
    }

    /// Whether two addresses are of one source: the same origin, and a file in the same folder as the other or below it.
    fileprivate func isSameSource(as other: URLReference) -> Bool {
        guard hasSameOrigin(as: other) else { return false }
        guard isFile else { return true }
        let folder = Self.percentDecoded(other.path)
        let file = Self.percentDecoded(path)
        return file == Self.withoutDots(file)
            && file.hasPrefix(folder.prefix(through: folder.lastIndex(of: "/") ?? folder.startIndex))
    }
}
