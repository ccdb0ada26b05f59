// Pulse thread only.
internal import CPulse

extension Connection {
  /// Every sink of the server, none of them marked as current; nil if it would not tell.
  func listSinks(answered: @escaping ([SinkDescription]?) -> Void) {
    let sent = Request.send(
      { pa_context_get_server_info(self.context, serverInfoCame, $0) },
      answered: { [weak self] answer in
        guard case .server(let info) = answer else { return answered(nil) }
        let standard = string(info.default_sink_name)
        self?.listSinks(standard: standard, answered: answered)
      })
    if !sent { answered(nil) }
  }

  private func listSinks(standard: String, answered: @escaping ([SinkDescription]?) -> Void) {
    var sinks: [SinkDescription] = []
    let sent = Request.send(
      { pa_context_get_sink_info_list(self.context, sinkInfoCame, $0) },
      answered: { answer in
        switch answer {
        case .sink(let info):
          let name = string(info.name)
          sinks.append(
            SinkDescription(
              index: info.index, name: name, description: string(info.description), isDefault: name == standard,
              isCurrent: false, sampleRate: Int(info.sample_spec.rate), channels: Int(info.sample_spec.channels),
              format: string(pa_sample_format_to_string(info.sample_spec.format)))
          )
        case .end(let complete): answered(complete ? sinks : nil)
        default: break
        }
      })
    if !sent { answered(nil) }
  }

  /// What the sink with this index is; not answered if there is none.
  func describeSink(_ index: UInt32, answered: @escaping (StreamInfo) -> Void) {
    Request.send(
      { pa_context_get_sink_info_by_index(self.context, index, sinkInfoCame, $0) },
      answered: { answer in
        guard case .sink(let info) = answer else { return }
        answered(
          StreamInfo(
            device: string(info.name), description: string(info.description), sampleRate: Int(info.sample_spec.rate),
            channels: Int(info.sample_spec.channels),
            format: string(pa_sample_format_to_string(info.sample_spec.format)))
        )
      })
  }

  /// Moves a stream to the sink of this name; nil: the server's default.
  func move(_ sinkInput: UInt32, to device: String?, refused: @escaping (String) -> Void) {
    let name = device ?? "@DEFAULT_SINK@"
    let sent = Request.send(
      {
        pa_context_move_sink_input_by_name(self.context, sinkInput, name, contextRequestDone, $0)
      },
      answered: { [weak self] answer in
        if case .done(false) = answer { refused(self?.reason ?? "") }
      })
    if !sent { refused(reason) }
  }
}

private func string(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
