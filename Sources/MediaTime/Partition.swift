extension Array {
    /// The index of the first element for which a condition holds that holds for all after it and for none before it; the count when there is
    /// none.
    package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
