import MediaModel

/// The textures of a window, by the pictures that are in them: only what is new in a scene is uploaded. The window's thread.
final class TextureShelf {
    private struct Entry {
        let texture: TextureID
        let shape: TextureShape
        /// Nil: its content is not needed any more, and its memory is kept for a picture of the same shape.
        var picture: PixelBuffer?
        /// The scene in which it was used last.
        var lastUse: UInt64
    }
    /// Textures that are kept without a use: the pictures of a film take turns in two.
    private static let mostSpare = 3

    private let port: any WindowPort
    private var entries: [Entry] = []
    private var scene: UInt64 = 0

    init(_ port: any WindowPort) { self.port = port }

    /// The textures of a scene's pictures, in their order; nil for one for which there is no memory.
    ///
    /// - Parameter contents: the picture that is to be in each, and what is uploaded for it: a copy in a format that textures have. That is called only
    ///   where the picture is not in a texture yet; nil if there is no memory for the copy.
    func textures(
        for contents: [(picture: PixelBuffer, shape: TextureShape, upload: () -> PixelBuffer?)]
    ) -> [TextureID?] {
        scene += 1
        var found = contents.map { content in
            entries.firstIndex { $0.picture === content.picture && $0.shape == content.shape }
        }
        // All that stay are known before the memory of another one is used.
        for index in found.compactMap(\.self) { entries[index].lastUse = scene }
        for (place, content) in contents.enumerated() where found[place] == nil {
            // The same picture may be in a scene twice.
            found[place] =
                entries.firstIndex { $0.picture === content.picture && $0.shape == content.shape } ?? upload(content)
        }
        let textures = found.map { $0.map { entries[$0].texture } }
        forgetUnused()
        return textures
    }

    /// - Returns: the place of its entry.
    private func upload(_ content: (picture: PixelBuffer, shape: TextureShape, upload: () -> PixelBuffer?)) -> Int? {
        guard let pixels = content.upload() else { return nil }
        // The one whose picture left the screen first. What is on the screen now may still be read there.
        let spare = entries.indices.filter { entries[$0].shape == content.shape && entries[$0].lastUse < scene }
            .min { entries[$0].lastUse < entries[$1].lastUse }
        let index: Int
        if let spare, entries[spare].lastUse + 1 < scene {
            index = spare
        } else if let texture = port.makeTexture(content.shape) {
            entries.append(Entry(texture: texture, shape: content.shape, picture: nil, lastUse: scene))
            index = entries.count - 1
        } else if let spare {
            index = spare
        } else {
            return nil
        }
        guard port.fill(entries[index].texture, with: pixels) else {
            entries[index].picture = nil
            return nil
        }
        entries[index].picture = content.picture
        entries[index].lastUse = scene
        return index
    }

    /// Lets go of the pictures that are not in the scene, and of textures beyond the spare ones.
    private func forgetUnused() {
        for index in entries.indices where entries[index].lastUse < scene { entries[index].picture = nil }
        let spare = entries.filter { $0.lastUse < scene }.sorted { $0.lastUse > $1.lastUse }
        let surplus = Set(spare.dropFirst(Self.mostSpare).map(\.texture))
        guard !surplus.isEmpty else { return }
        entries.removeAll { surplus.contains($0.texture) }
        for texture in surplus.sorted() { port.discard(texture) }
    }

    /// The content of all textures is lost, or nothing of it is shown any more.
    func empty() {
        for entry in entries { port.discard(entry.texture) }
        entries = []
    }
}
