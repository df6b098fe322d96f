/// The grammars of the formats from which feeds are converted.
enum CatalogueGrammars {
    /// Roku Direct Publisher and JSON Feed.
    static let json = TextGrammar(
        "file",
        [
            "file": [
                "{\"providerName\": ‹string›, \"language\": ‹string›, \"movies\": [‹item›‹more*›], \"tvSpecials\": [‹item›]‹series?›‹live?›‹rows?›}",
                "{\"shortFormVideos\": [‹item›‹more*›‹more*›], \"categories\": ‹value›, \"series\": [‹value›]}",
                "{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": ‹string›, \"items\": [‹entry›‹moreEntry*›]}",
            ],
            "string": ["\"‹word›\"", "\"‹word› ‹word›\"", "\"‹word›‹word›‹word›‹word›\"", "‹value›"],
            "value": ["null", "true", "‹json›", "\"‹word›\"", "[]", "{}", "[‹value›, ‹value›]", "{\"‹name›\": ‹value›}"],
            "word": [
                "a", "en", "de_DE", "é", "\\u0000", "\\ud83d\\ude00", "PG-13", "tag", "‹word›‹word›", "S01E02", "a/b",
                "‹extreme›",
            ],
            "item": [
                "{\"id\": ‹id›, \"title\": ‹string›, \"content\": ‹content›‹parts?›}",
                "{\"id\": \"i‹digit›\", \"title\": \"T\", \"tags\": [\"tag\"], \"content\": {\"videos\": [{\"url\": \"https://h.example/‹name›.mp4\", \"quality\": \"HD\"}]}}",
            ],
            "more": [", ‹item›"],
            "id": ["\"i‹digit›\"", "\"‹word›\"", "‹json›", "‹value›"],
            "parts": [
                ", \"rating\": {\"rating\": ‹string›, \"ratingSource\": \"MPAA\"}, \"longDescription\": ‹string›, \"genres\": [‹string›]",
                ", \"thumbnail\": \"‹url›\", \"tags\": \"‹word›,‹word›\", \"releaseDate\": \"‹date›\", \"rating\": ‹value›",
            ],
            "content": [
                "{\"duration\": ‹time›, \"videos\": [‹video›, ‹video›], \"adBreaks\": [‹time›]‹window?›}",
                "{\"duration\": ‹time›, \"videos\": [‹video›], \"captions\": [{\"url\": \"‹url›\", \"language\": ‹string›}], \"trickPlayFiles\": [{\"url\": \"‹url›\", \"quality\": \"FHD\"}]}",
                "‹value›",
            ],
            "time": ["‹small›", "\"00:0‹digit›:00\"", "\"PT‹digit›H‹digit›M\"", "\"‹extreme›\"", "‹json›", "\"‹decimal›\""],
            "video": [
                "{\"url\": \"https://h.example/‹name›.m3u8\", \"videoType\": \"HLS\", \"quality\": \"FHD\"}",
                "{\"url\": \"‹url›\"}",
                "{\"url\": ‹string›, \"videoType\": \"DASH\"}", "‹value›",
            ],
            "window": [
                ", \"validityPeriodStart\": \"‹date›\", \"validityPeriodEnd\": \"‹date›\"", ", \"validityPeriodEnd\": ‹string›",
            ],
            "series": [
                ", \"series\": [{\"id\": ‹id›, \"title\": ‹string›, \"seasons\": [{\"seasonNumber\": ‹json›, \"episodes\": [‹item›‹more*›]}]}, {\"id\": \"s\", \"title\": \"S\", \"episodes\": [‹item›]}]"
            ],
            "live": [", \"liveFeeds\": [‹item›‹more*›]"],
            "rows": [
                ", \"playlists\": [{\"name\": \"p\", \"itemIds\": [\"i‹digit›\", ‹string›]}], \"categories\": [{\"name\": ‹string›, \"playlistName\": \"p\"}, {\"name\": \"q\", \"query\": \"tag OR ‹word› AND tag\", \"order\": \"most_recent\"}]"
            ],
            "entry": [
                "{\"id\": ‹id›, \"title\": ‹string›, \"attachments\": [‹attachment›, ‹attachment›]}",
                "{\"id\": \"e‹digit›\", \"content_html\": \"<p>‹word›&amp;‹name›;&#‹small›;</p>\", \"attachments\": [‹attachment›]}",
                "‹value›",
            ],
            "moreEntry": [", ‹entry›"],
            "attachment": [
                "{\"url\": \"https://h.example/‹name›.mp4\", \"mime_type\": \"video/mp4\", \"duration_in_seconds\": ‹json›}",
                "{\"url\": \"‹url›\", \"mime_type\": \"audio/mpeg\", \"title\": ‹string›}", "‹value›",
            ],
        ])

    static let mediaRSS = TextGrammar(
        "file",
        [
            "file": [
                "<?xml version=\"1.0\"?><rss xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>‹text›</title>‹scope*›<item>‹good›‹scope*›</item>‹item*›</channel></rss>",
                "<rss xmlns:m='http://search.yahoo.com/mrss'><channel>‹item*›<item><m:content url='https://h.example/a.mp4'/></item>‹item*›</channel></rss>",
                "<!DOCTYPE rss [<!ENTITY a \"‹text›\">]><rss><channel><item>‹good›</item>‹item*›<title>&a;&‹name›;</title></channel></rss>",
            ],
            "good": ["<guid>g‹digit›</guid><media:content url=\"https://h.example/‹name›.mp4\" duration=\"‹small›\"/>"],
            "item": [
                "<item><guid>‹text›</guid><title>‹text›</title>‹object*›‹scope*›</item>",
                "<item><guid>g‹digit›</guid><media:group>‹object*›‹scope*›</media:group>‹object*›</item>",
                "<item><enclosure url=\"‹url›\" type=\"video/mp4\"/><description>&lt;b&gt;‹text›&lt;/b&gt;</description>‹valid?›</item>",
            ],
            "object": [
                "<media:content url=\"https://h.example/‹name›.mp4\" duration=\"‹decimal›\" bitrate=\"‹int›\">‹scope*›</media:content>",
                "<media:content url=\"‹url›\" medium=\"video\" isDefault=\"true\" lang=\"‹name›\"/>",
                "<media:content url=\"https://h.example/‹name›.m3u8\" type=\"application/x-mpegURL\" duration=\"‹extreme›\"/>",
                "<media:content url=\"https://h.example/‹name›.jpg\" medium=\"image\"/>",
            ],
            "scope": [
                "<media:title>‹text›</media:title>", "<media:rating scheme=\"urn:mpaa\">‹text›</media:rating>",
                "<media:adult>true</media:adult>",
                "<media:thumbnail url=\"‹url›\" time=\"0:01\"/>", "<media:keywords>‹text›, ‹text›</media:keywords>",
                "<media:subTitle href=\"‹url›\" lang=\"‹name›\"/>", "<media:status state=\"blocked\"/>",
                "<media:credit>‹text›</media:credit>",
                "<media:scenes><media:scene><sceneTitle>‹text›</sceneTitle><sceneStartTime>‹decimal›</sceneStartTime></media:scene><media:scene><sceneStartTime>0:0‹digit›</sceneStartTime></media:scene></media:scenes>",
            ],
            "valid": [
                "<dcterms:valid>start=‹date›; end=‹date›</dcterms:valid>",
                "<dcterms:valid xmlns:dcterms=\"http://purl.org/dc/terms/\">end=‹date›</dcterms:valid>",
            ],
            "text": ["a", "pg", "‹name›", "é", "&amp;", "<![CDATA[<b>]]>", "‹text› ‹text›", "‹extreme›"],
        ])

    static let channelList = TextGrammar(
        "file",
        [
            "file": [
                "#EXTM3U‹header?›\n#EXTINF:-1 tvg-id=\"safe\",Safe\nhttps://h.example/safe.m3u8\n‹entry*›‹entry*›‹entry*›",
                "‹entry*›#EXTINF:-1,Safe\r\nhttps://h.example/safe\r\n‹entry*›",
            ],
            "header": [" url-tvg=\"https://epg.example/‹name›.xml\"", " x-tvg-url=\"‹url›,‹url›\" ‹name›=‹extreme›"],
            "entry": [
                "#EXTINF:‹duration›‹attribute*›,‹title›\nhttps://h.example/‹name›.‹kind›\n",
                "#EXTINF:‹duration›‹attribute*›,‹title›\n‹url›\n",
                "#EXTINF:‹duration›,‹title›\n#EXTGRP:‹title›\n#EXTVLCOPT:http-user-agent=‹name›\nhttps://h.example/‹name›|Referer=‹name›\n",
                "#EXTINF:‹duration›, tvg-logo=\"‹url›\",‹title›\n", "#‹name›:‹title›\n", "‹url›\n", "#EXTGRP:‹title›\n",
            ],
            "duration": ["-1", "0", "‹small›", "‹decimal›", "‹extreme›"],
            "attribute": [
                " tvg-id=\"‹name›\"", " tvg-chno=\"‹small›\"", " tvg-chno=\"‹int›\"", " group-title=\"‹title›;‹name›\"",
                " tvg-logo=‹url›",
                " tvg-name='‹title›'", " ‹name›=\"‹title›", " ‹name›",
            ],
            "title": ["A", "‹name›", "A S01E0‹digit›", "B s‹small› e‹int›", "é, ü", "‹title› ‹title›", "\u{0}"],
            "kind": ["m3u8", "mp4", "mkv", "ts", "mp3"],
        ])
}
