/// The characters that HTML 4 has names for (HTML 4.01, section 24). Other formats are written by people who know these names.
package enum NamedCharacters {
    /// The character of a name, without `&` and `;`. Names differ in their case.
    package static func character(_ name: some StringProtocol) -> Unicode.Scalar? { table[String(name)] }

    /// The character of a numeric reference. The numbers from 128 to 159 are those of Windows-1252, which their writers mean
    /// (HTML Standard, 13.2.5.80). Nil for characters that no text has.
    package static func character(_ code: UInt32) -> Unicode.Scalar? {
        switch code {
        case 0x80..<0xA0: return windows1252[Int(code) - 0x80].flatMap(Unicode.Scalar.init)
        case 0x9, 0xA, 0xD: return Unicode.Scalar(code)
        case ..<0x20, 0xFFFE, 0xFFFF: return nil
        default: return Unicode.Scalar(code)
        }
    }

    private static let windows1252: [UInt32?] = [
        0x20AC, nil, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, nil, 0x017D, nil,
        nil,
        0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, nil, 0x017E, 0x0178,
    ]

    private static let table: [String: Unicode.Scalar] = {
        var table: [String: Unicode.Scalar] = [:]
        for (start, names) in runs {
            for (index, name) in names.split(whereSeparator: \.isWhitespace).enumerated() where name != "-" {
                table[String(name)] = Unicode.Scalar(start + UInt32(index))
            }
        }
        return table
    }()

    /// Names of characters that follow each other; "-" for one without a name.
    private static let runs: [(UInt32, String)] = [
        (
            0xA0,
            """
            nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil
            sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute
            Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc
            atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide
            oslash ugrave uacute ucirc uuml yacute thorn yuml
            """
        ),
        (
            0x391,
            """
            Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega
            - - - - - - - alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi
            chi psi omega
            """
        ),
        (0x22, "quot"), (0x26, "amp apos"), (0x3C, "lt - gt"), (0x152, "OElig oelig"), (0x160, "Scaron scaron"), (0x178, "Yuml"),
        (0x192, "fnof"), (0x2C6, "circ"), (0x2DC, "tilde"), (0x3D1, "thetasym upsih"), (0x3D6, "piv"), (0x2002, "ensp emsp"),
        (0x2009, "thinsp"), (0x200C, "zwnj zwj lrm rlm"), (0x2013, "ndash mdash"), (0x2018, "lsquo rsquo sbquo"),
        (0x201C, "ldquo rdquo bdquo"), (0x2020, "dagger Dagger bull"), (0x2026, "hellip"), (0x2030, "permil"),
        (0x2032, "prime Prime"),
        (0x2039, "lsaquo rsaquo"), (0x203E, "oline"), (0x2044, "frasl"), (0x20AC, "euro"), (0x2111, "image"), (0x2118, "weierp"),
        (0x211C, "real"), (0x2122, "trade"), (0x2135, "alefsym"), (0x2190, "larr uarr rarr darr harr"), (0x21B5, "crarr"),
        (0x21D0, "lArr uArr rArr dArr hArr"), (0x2200, "forall"), (0x2202, "part exist - empty - nabla isin notin - ni"),
        (0x220F, "prod"),
        (0x2211, "sum minus"), (0x2217, "lowast"), (0x221A, "radic"), (0x221D, "prop infin"), (0x2220, "ang"),
        (0x2227, "and or cap cup int"),
        (0x2234, "there4"), (0x223C, "sim"), (0x2245, "cong"), (0x2248, "asymp"), (0x2260, "ne equiv"), (0x2264, "le ge"),
        (0x2282, "sub sup nsub - sube supe"), (0x2295, "oplus - otimes"), (0x22A5, "perp"), (0x22C5, "sdot"),
        (0x2308, "lceil rceil lfloor rfloor"), (0x2329, "lang rang"), (0x25CA, "loz"),
        (0x2660, "spades - - clubs - hearts diams"),
    ]
}
