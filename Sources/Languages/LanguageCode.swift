/// Maps the three-letter codes of ISO 639-2, used in containers, to BCP 47 tags, used for the viewer's choices.
package enum LanguageCode {
    /// The BCP 47 tag for a container's language; nil for "undetermined" and invalid codes.
    package static func tag(_ code: String) -> String? {
        let code = code.lowercased()
        if ["und", "unk", "mis", "mul", "zxx", "qaa", ""].contains(code) { return nil }
        if let short = twoLetters[code] { return short }
        let isTag = code.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
        return isTag && code.utf8.count >= 2 ? code : nil
    }

    /// The BCP 47 tag for a tag of a container, in which the language may have three letters (`por-BR`); nil for "undetermined" and invalid ones.
    package static func extendedTag(_ tag: String) -> String? {
        guard LanguageTag.isWellFormed(tag) else { return nil }
        let (language, rest) = (tag.prefix { $0 != "-" }, tag.drop { $0 != "-" })
        guard (2...3).contains(language.count) else { return tag }
        return Self.tag(String(language)).map { $0 + rest }
    }

    /// Codes for which BCP 47 requires the two letters of ISO 639-1; bibliographic (`ger`) and terminological ones (`deu`).
    private static let twoLetters: [String: String] = {
        let pairs = """
            afr af alb sq sqi sq amh am ara ar arm hy hye hy aze az baq eu eus eu bel be ben bn bos bs bul bg bur my mya my cat ca \
            chi zh zho zh cze cs ces cs cym cy wel cy dan da dut nl nld nl eng en epo eo est et fao fo fin fi fre fr fra fr geo ka \
            kat ka ger de deu de gle ga glg gl gre el ell el guj gu hau ha heb he hin hi hrv hr hun hu ibo ig ice is isl is ind id ita it \
            jav jv jpn ja kan kn kaz kk khm km kir ky kor ko kur ku lao lo lat la lav lv lit lt ltz lb mac mk mkd mk mal ml \
            mao mi mri mi mar mr may ms msa ms mlg mg mlt mt mon mn nep ne nob nb nno nn nor no orm om pan pa per fa fas fa pol pl \
            por pt pus ps roh rm rum ro ron ro rus ru sin si slo sk slk sk slv sl som so spa es srp sr sun su swa sw swe sv \
            tam ta tat tt tel te tgk tg tgl tl tha th tib bo bod bo tir ti tuk tk tur tr uig ug ukr uk urd ur uzb uz vie vi \
            xho xh yid yi yor yo zul zu
            """
            .split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init)
        return Dictionary(uniqueKeysWithValues: stride(from: 0, to: pairs.count, by: 2).map { (pairs[$0], pairs[$0 + 1]) })
    }()
}
