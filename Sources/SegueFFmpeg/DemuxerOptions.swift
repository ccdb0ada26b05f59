/// The options with which libavformat opens files and streams. The protocol allow-list is a second line of defence behind
/// the sandbox: if a container refers to other files or addresses, as a playlist or a reference movie does, there is no
/// protocol with which libavformat could open them.
enum DemuxerOptions {
  /// No protocol has the name "none". All bytes of a file come through its descriptor.
  static let file = [("protocol_whitelist", "none")]

  /// All bytes of a stream and of its parts come through `StreamInput`. The HLS demuxer must not use its context again for
  /// the next segment, because that is possible only with the contexts of libavformat, and may open the next segment while
  /// it reads one. The fetch process decides what is requested, so segments may have any name: since FFmpeg 7.1.1 the
  /// demuxer refuses those with an unusual extension.
  static let stream = [
    ("protocol_whitelist", "none"), ("http_persistent", "0"), ("http_multiple", "1"), ("extension_picky", "0"),
    ("allowed_extensions", "ALL"), ("allowed_segment_extensions", "ALL"),
  ]
}
