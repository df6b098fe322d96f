import MediaModel

/// The end of a row at which a key has no effect. The row bumps against it.
package struct RowEdge: Sendable, Hashable {
    /// Whether it is the right end.
    package var isRight: Bool
    /// Increases with each press, so that the same end is bumped against again.
    package var count: Int

    package init(isRight: Bool, count: Int) {
        self.isRight = isRight
        self.count = count
    }
}

extension RowEdge: DumpWritable {
    package var dumpValue: DumpValue { .tagged(isRight ? "right" : "left", .number(count)) }
}
