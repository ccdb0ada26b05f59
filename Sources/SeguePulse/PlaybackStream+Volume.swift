// Pulse thread only.
internal import CPulse
internal import SegueSystem

extension PlaybackStream {
  /// Volume and mute as the server has them; not answered if the stream is gone.
  func readVolume(answered: @escaping (Volume, Bool) -> Void) {
    guard isReady else { return }
    Request.send(
      {
        pa_context_get_sink_input_info(pa_stream_get_context(self.stream), self.sinkInput, sinkInputInfoCame, $0)
      },
      answered: { [weak self] answer in
        guard let self, case .sinkInput(let info) = answer else { return }
        self.channelVolumes = info.volume
        answered(Volume(info.volume), info.mute != 0)
      })
  }

  func setVolume(_ volume: Volume) {
    guard isReady else { return }
    var volumes = channelVolumes.map(volume.scaling) ?? volume.spread(over: format.channels.count)
    channelVolumes = volumes
    drop(pa_context_set_sink_input_volume(pa_stream_get_context(stream), sinkInput, &volumes, nil, nil))
  }

  func setMute(_ muted: Bool) {
    guard isReady else { return }
    drop(pa_context_set_sink_input_mute(pa_stream_get_context(stream), sinkInput, muted ? 1 : 0, nil, nil))
  }
}
