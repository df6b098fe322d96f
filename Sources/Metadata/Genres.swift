/// The numbered genres of ID3v1, still used by ID3v2 and iTunes (id3.org, "ID3v1 genres": 0…79).
enum Genres {
    /// The name of a genre: `17`, `(17)` and `(17)Rock` are `Rock`.
    static func named(_ text: String) -> String {
        if let number = Int(text), let name = name(number) { return name }
        guard text.hasPrefix("("), let end = text.firstIndex(of: ")") else { return text }
        let number = Int(text[text.index(after: text.startIndex)..<end])
        let refinement = text[text.index(after: end)...]
        if !refinement.isEmpty { return String(refinement) }
        return number.flatMap(name) ?? text
    }

    /// The name of a number; nil above the list.
    static func name(_ number: Int) -> String? { names.indices.contains(number) ? names[number] : nil }

    private static let names = [
        "Blues", "Classic Rock", "Country", "Dance", "Disco", "Funk", "Grunge", "Hip-Hop", "Jazz", "Metal", "New Age", "Oldies",
        "Other", "Pop", "R&B", "Rap", "Reggae", "Rock", "Techno", "Industrial", "Alternative", "Ska", "Death Metal", "Pranks",
        "Soundtrack", "Euro-Techno", "Ambient", "Trip-Hop", "Vocal", "Jazz+Funk", "Fusion", "Trance", "Classical", "Instrumental",
        "Acid", "House", "Game", "Sound Clip", "Gospel", "Noise", "Alternative Rock", "Bass", "Soul", "Punk", "Space",
        "Meditative",
        "Instrumental Pop", "Instrumental Rock", "Ethnic", "Gothic", "Darkwave", "Techno-Industrial", "Electronic", "Pop-Folk",
        "Eurodance", "Dream", "Southern Rock", "Comedy", "Cult", "Gangsta", "Top 40", "Christian Rap", "Pop/Funk", "Jungle",
        "Native American", "Cabaret", "New Wave", "Psychedelic", "Rave", "Showtunes", "Trailer", "Lo-Fi", "Tribal", "Acid Punk",
        "Acid Jazz", "Polka", "Retro", "Musical", "Rock & Roll", "Hard Rock",
    ]
}
