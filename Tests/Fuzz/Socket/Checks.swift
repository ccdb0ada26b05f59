import SegueSystem

@testable import SegueServer
@testable import SegueWire

private let methods = Dictionary(uniqueKeysWithValues: MethodTable.standard.methods.map { ($0.name, $0) })

/// One line of a client, through everything it passes before the loop.
func check(_ line: UnsafeRawBufferPointer) {
  let json = try? JSON(parsing: line)
  if let json {
    checkWriting(json)
    // The reader keeps one of two members of one name.
    precondition((try? JSONValidator.countValues(line)) ?? 0 >= values(in: json), "another grammar than the reader's")
  }
  if let plain = Request(plain: line) { compare(plain, json) }
  do throws(InvalidRequest) {
    switch try IncomingMessage(line: line) {
    case .plain(let request): carryOut(request)
    case .single(let json): carryOut(json)
    case .batch(var batch):
      var read: [JSON] = []
      var isWhole = true
      while let next = batch.next() {
        switch next {
        case .success(let element):
          read.append(element)
          carryOut(element)
        case .failure(let invalid):
          isWhole = false
          checkAnswer(invalid.id, invalid.failure)
        }
      }
      precondition(isWhole == (json != nil), "a batch that is no JSON, and nobody is told")
      if let json {
        precondition(read.map(written) == json.elements?.map(written), "other elements")
      }
    }
  } catch {
    checkAnswer(error.id, error.failure)
  }
}

/// What is taken at a glance means to the JSON reader the same.
private func compare(_ plain: Request, _ json: JSON?) {
  guard let json, let request = try? Request(json) else { preconditionFailure("taken at a glance, and no request") }
  precondition(plain.method == request.method && request.params == nil, "taken at a glance for another")
  let failure = Failure(.internalError, "")
  precondition(answer(plain.id, failure) == answer(request.id, failure), "taken at a glance for another's")
}

private func values(in json: JSON) -> Int {
  let elements = json.elements ?? json.names.compactMap { json[$0] }
  return 1 + elements.reduce(0) { $0 + values(in: $1) }
}

/// What the writer writes the reader reads, and it is the same.
private func checkWriting(_ json: JSON) {
  let first = written(json)
  guard let again = try? JSON(parsing: first) else { preconditionFailure("written, and not to be read") }
  precondition(written(again) == first, "written otherwise the second time")
}

private func written(_ json: JSON) -> [UInt8] {
  var writer = JSONWriter()
  writer.value(json)
  return writer.bytes
}

private func carryOut(_ json: JSON) {
  do throws(InvalidRequest) { carryOut(try Request(json)) } catch { checkAnswer(error.id, error.failure) }
}

private func carryOut(_ request: Request) {
  guard let method = methods[request.method] else { return }
  do throws(Failure) {
    for (parameter, value) in zip(method.parameters, try method.bind(request.params)) {
      guard let value else { continue }
      precondition(parameter.schema.accepts(value), "an unchecked parameter")
      if let time = value.time { precondition(abs(time.nanoseconds) <= MediaTime.maximum.nanoseconds, "no time") }
    }
  } catch {
    checkAnswer(request.id, error)
  }
}

/// An answer is one line of JSON.
private func checkAnswer(_ id: RequestID, _ failure: Failure) {
  let bytes = answer(id, failure)
  precondition(!bytes.contains(0x0A), "an answer of two lines")
  guard let json = try? JSON(parsing: bytes), json["error"]?["data"]?["kind"]?.string == failure.kind.rawValue else {
    preconditionFailure("an answer that is none")
  }
}

private func answer(_ id: RequestID, _ failure: Failure) -> [UInt8] {
  var json = JSONWriter()
  json.response(to: id, failure: failure)
  return json.bytes
}
