import SegueSystem

@testable import SegueServer
@testable import SegueWire

/// Parses and validates one line of a client.
func check(_ line: UnsafeRawBufferPointer) {
  let json = try? JSON(parsing: line)
  if let json {
    checkWriting(json)
    // The parser keeps only one of two members with the same name.
    precondition((try? JSONValidator.countValues(line)) ?? 0 >= values(in: json), "validator and parser disagree")
  }
  if let plain = Request(plain: line) { compare(plain, json) }
  do throws(InvalidRequest) {
    switch try IncomingMessage(line: line) {
    case .plain(let request): carryOut(request)
    case .single(let json): carryOut(json)
    case .batch(var batch):
      var read: [JSON] = []
      var isValid = true
      while let next = batch.next() {
        switch next {
        case .success(let element):
          read.append(element)
          carryOut(element)
        case .failure(let invalid):
          isValid = false
          checkResponse(invalid.id, invalid.failure)
        }
      }
      precondition(isValid == (json != nil), "an invalid batch without an error")
      if let json {
        precondition(read.map(written) == json.elements?.map(written), "batch and parser disagree")
      }
    }
  } catch {
    checkResponse(error.id, error.failure)
  }
}

/// Checks that the scanner for simple requests and the JSON parser agree.
private func compare(_ plain: Request, _ json: JSON?) {
  guard let json, let request = try? Request(json) else {
    preconditionFailure("the scanner accepted an invalid request")
  }
  precondition(plain.method == request.method && request.params == nil, "scanner and parser disagree on the method")
  let failure = Failure(.internalError, "")
  precondition(response(plain.id, failure) == response(request.id, failure), "scanner and parser disagree on the id")
}

private func values(in json: JSON) -> Int {
  let elements = json.elements ?? json.names.compactMap { json[$0] }
  return 1 + elements.reduce(0) { $0 + values(in: $1) }
}

/// Checks that the parser reads what the writer writes.
private func checkWriting(_ json: JSON) {
  let first = written(json)
  guard let again = try? JSON(parsing: first) else { preconditionFailure("the writer wrote invalid JSON") }
  precondition(written(again) == first, "writing and parsing changed the value")
}

private func written(_ json: JSON) -> [UInt8] {
  var writer = JSONWriter()
  writer.value(json)
  return writer.bytes
}

private func carryOut(_ json: JSON) {
  do throws(InvalidRequest) { carryOut(try Request(json)) } catch { checkResponse(error.id, error.failure) }
}

private func carryOut(_ request: Request) {
  guard let type = MethodTable.standard[request.method]?.type else { return }
  do throws(Failure) {
    let encoded = parameters(try type.init(RequestParameters(request.params, of: type.method)))
    guard let json = try? JSON(parsing: encoded) else { preconditionFailure("an invalid request was encoded") }
    let decoded = try? type.init(RequestParameters(json, of: type.method))
    precondition(decoded.map { parameters($0) } == encoded, "a request is not what was encoded")
  } catch {
    checkResponse(request.id, error)
  }
}

private func parameters(_ request: any ProtocolRequest) -> [UInt8] {
  var json = JSONWriter()
  request.encode(into: &json)
  return json.bytes
}

/// Checks that an error response is one line of JSON.
private func checkResponse(_ id: RequestID, _ failure: Failure) {
  let bytes = response(id, failure)
  precondition(!bytes.contains(0x0A), "a response has two lines")
  guard let json = try? JSON(parsing: bytes), json["error"]?["data"]?["kind"]?.string == failure.kind.rawValue else {
    preconditionFailure("an invalid response")
  }
}

private func response(_ id: RequestID, _ failure: Failure) -> [UInt8] {
  var json = JSONWriter()
  json.response(to: id, failure: failure)
  return json.bytes
}
