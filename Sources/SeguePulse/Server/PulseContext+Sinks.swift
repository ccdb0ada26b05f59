// Thread: the pulse thread.
internal import CPulse
internal import SegueOutput
internal import SegueWire

extension PulseContext {
  /// Requests the list of the server's sinks, of which none is marked as current. The response is nil if the request
  /// failed.
  func listSinks(completion: @escaping ([SinkDescription]?) -> Void) {
    let isSent = PulseOperation.start(
      { pa_context_get_server_info(self.context, serverInfoArrived, $0) },
      onResponse: { [weak self] response in
        guard case .server(let info) = response else { return completion(nil) }
        let defaultSink = string(info.default_sink_name)
        self?.listSinks(defaultSink: defaultSink, completion: completion)
      })
    if !isSent { completion(nil) }
  }

  private func listSinks(defaultSink: String, completion: @escaping ([SinkDescription]?) -> Void) {
    var sinks: [SinkDescription] = []
    let isSent = PulseOperation.start(
      { pa_context_get_sink_info_list(self.context, sinkInfoArrived, $0) },
      onResponse: { response in
        switch response {
        case .sink(let info):
          let name = string(info.name)
          sinks.append(
            SinkDescription(
              index: info.index, name: name, description: string(info.description), isDefault: name == defaultSink,
              isCurrent: false, sampleRate: Int(info.sample_spec.rate), channels: Int(info.sample_spec.channels),
              format: string(pa_sample_format_to_string(info.sample_spec.format)))
          )
        case .endOfList(let isComplete): completion(isComplete ? sinks : nil)
        case .done, .server, .sinkInput: break
        }
      })
    if !isSent { completion(nil) }
  }

  /// Requests the description of the sink with this index. There is no response if the sink does not exist.
  func describeSink(_ index: UInt32, completion: @escaping (StreamSink) -> Void) {
    PulseOperation.start(
      { pa_context_get_sink_info_by_index(self.context, index, sinkInfoArrived, $0) },
      onResponse: { response in
        guard case .sink(let info) = response else { return }
        completion(
          StreamSink(
            device: string(info.name), description: string(info.description), sampleRate: Int(info.sample_spec.rate),
            channels: Int(info.sample_spec.channels),
            format: string(pa_sample_format_to_string(info.sample_spec.format)))
        )
      })
  }

  /// Moves a stream to the sink of this name, or to the server's default if `device` is nil. The response is nil if the
  /// server has accepted the request; PipeWire moves the stream later.
  func move(_ sinkInput: UInt32, to device: String?, completion: @escaping (LocalizableMessage?) -> Void) {
    let name = device ?? "@DEFAULT_SINK@"
    let isSent = PulseOperation.start(
      { pa_context_move_sink_input_by_name(self.context, sinkInput, name, contextOperationDone, $0) },
      onResponse: { [weak self] response in
        if case .done(let isAccepted) = response, let self { completion(isAccepted ? nil : lastError) }
      })
    if !isSent { completion(lastError) }
  }
}

private func string(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
