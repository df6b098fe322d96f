import MediaModel

/// What the decoders can do.
extension HLSSource: AdaptiveSource {
    public func decoderFallsBehind() { context.policy.decoderFallsBehind(variant) }
}
