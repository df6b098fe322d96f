import MediaModel
import PlayerInterface

/// The words of the box's own screens. Values: what the box knows goes in, a view comes out.
public struct SetUpScreens: Sendable, Hashable {
    /// The box's name.
    public var name: String
    /// Its address in the network; nil: it has none.
    public var address: String?
    /// Where the local page can be reached from another machine; nil: only from this one.
    public var page: String?
    /// Whether somebody has said where its channels are. From then on a box in kiosk mode shows neither address nor code.
    public var isProvisioned: Bool
    /// `[box] kiosk`.
    public var isKiosk: Bool

    /// Makes the words of one box.
    public init(name: String, address: String? = nil, page: String? = nil, isProvisioned: Bool = false, isKiosk: Bool = false) {
        self.name = name
        self.address = address
        self.page = page
        self.isProvisioned = isProvisioned
        self.isKiosk = isKiosk
    }

    /// Why there are no channels on a box that was told where they are.
    public enum Trouble: Sendable, Hashable {
        /// They are being fetched for the first time.
        case loading
        /// Nothing came.
        case unreachable(ErrorCode)
        /// What came is no feed that this box takes: the rule's code, e.g. `FEED-060`.
        case refused(String)
    }

    private static let example = ["[feed]", "url = \"https://example.org/feed.json\""]

    private var hidesPlace: Bool { isKiosk && isProvisioned }

    private var facts: [SetUpView.Fact] {
        guard !hidesPlace else { return [.init("This box", name)] }
        return [.init("This box", name), .init("Address", address ?? "no network")] + (page.map { [.init("Page", $0)] } ?? [])
    }

    /// Nobody has told the box where its channels are.
    public func setUp(remark: String? = nil) -> SetUpView {
        var paragraphs = [
            "Put its card into a computer and write where your channels are into the file marquee.toml, then start the box again:"
        ]
        if let remark { paragraphs.insert(remark, at: 0) }
        let place = address.map { " at \($0)" } ?? ""
        return SetUpView(
            kind: .setUp, title: "This box has no channels yet.", paragraphs: paragraphs, example: Self.example, facts: facts,
            code: hidesPlace
                ? nil
                : page
                    ?? "Marquee \(name)\(place) has no channels yet. Write into marquee.toml on its card: [feed] url = \"https://example.org/feed.json\""
        )
    }

    /// It was told, and has nothing yet.
    public func waiting(_ trouble: Trouble) -> SetUpView {
        var paragraphs: [String]
        switch trouble {
        case .loading: paragraphs = ["They are being fetched."]
        case .unreachable(.networkDown) where address == nil:
            paragraphs = ["There is no network. Plug in the network cable, or write [network] wifi_ssid into marquee.toml."]
        case .unreachable(let code): paragraphs = ["\(code.viewerSentence) (\(code.rawValue))"]
        case .refused(let code): paragraphs = ["What the operator's server sent is no list of channels for this box. (\(code))"]
        }
        if trouble != .loading { paragraphs.append("The box keeps asking by itself; there is nothing that has to be pressed.") }
        return SetUpView(
            kind: .setUp, title: "This box has no channels yet.", paragraphs: paragraphs, facts: facts,
            code: hidesPlace ? nil : page)
    }

    /// The box does not go on by itself.
    public func safe(waits: Duration) -> SetUpView {
        let minutes = max(1, Int((waits / .seconds(60)).rounded(.up)))
        return SetUpView(
            kind: .safe, title: "Something keeps going wrong.",
            paragraphs: [
                "The player has stopped five times in ten minutes and rests now.",
                "It tries again by itself in \(minutes) min, or when OK is pressed.",
            ], facts: facts, code: hidesPlace ? nil : page, button: "Try Again")
    }

    /// Everything is about to be forgotten.
    public func reset(seconds: Int) -> SetUpView {
        SetUpView(
            kind: .reset, title: "This box is about to forget everything.",
            paragraphs: [
                "There is a file “reset” on its card. In \(seconds) s its settings, secrets, places and downloads are deleted.",
                "To keep them, pull the plug now and delete that file.",
            ], facts: facts)
    }

    /// Something that could provide channels was found, and is asked about once.
    public func question(_ source: String) -> SetUpView {
        SetUpView(
            kind: .question, title: "Use these channels?",
            paragraphs: ["Found: \(source).", "OK takes them into use on this box."],
            facts: facts, button: "OK")
    }

    /// The first wrong keys, as the screen has room for them; nil where all is well.
    public static func verdict(problems: [String], isWhole: Bool) -> VerdictView? {
        guard !problems.isEmpty else { return nil }
        let most = 4
        return VerdictView(
            title: isWhole
                ? "Some settings in marquee.toml are not in force."
                : "marquee.toml cannot be read; what was applied last stays in force.",
            lines: Array(problems.prefix(most)),
            rest: problems.count > most ? "and \(problems.count - most) more in applied.txt" : nil)
    }
}
