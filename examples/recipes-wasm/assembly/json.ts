/** JSON for AssemblyScript, which has none: enough for a small policy. */
export enum JsonKind {
  Null,
  Bool,
  Number,
  Text,
  List,
  Object,
}

export class Json {
  kind: JsonKind = JsonKind.Null
  /** A string, or a number as written. */
  text: string = ''
  isTrue: bool = false
  keys: string[] = []
  items: Json[] = []

  static text(value: string): Json {
    const made = new Json()
    made.kind = JsonKind.Text
    made.text = value
    return made
  }
  static integer(value: i64): Json {
    const made = new Json()
    made.kind = JsonKind.Number
    made.text = value.toString()
    return made
  }
  static object(): Json {
    const made = new Json()
    made.kind = JsonKind.Object
    return made
  }
  static list(): Json {
    const made = new Json()
    made.kind = JsonKind.List
    return made
  }

  /** The value of a key; null if there is none. */
  get(key: string): Json {
    const at = this.keys.indexOf(key)
    return at < 0 ? new Json() : this.items[at]
  }
  set(key: string, value: Json): Json {
    const at = this.keys.indexOf(key)
    if (at >= 0) this.items[at] = value
    else {
      this.keys.push(key)
      this.items.push(value)
    }
    return this
  }
  remove(key: string): void {
    const at = this.keys.indexOf(key)
    if (at < 0) return
    this.keys.splice(at, 1)
    this.items.splice(at, 1)
  }
  get isNull(): bool {
    return this.kind == JsonKind.Null
  }
  get integer(): i64 {
    return this.kind == JsonKind.Number ? i64(parseFloat(this.text)) : 0
  }

  toString(): string {
    if (this.kind == JsonKind.Text) return quoted(this.text)
    if (this.kind == JsonKind.Number) return this.text
    if (this.kind == JsonKind.Bool) return this.isTrue ? 'true' : 'false'
    if (this.kind == JsonKind.Null) return 'null'
    const parts: string[] = []
    for (let i = 0; i < this.items.length; i++) {
      const value = this.items[i].toString()
      parts.push(this.kind == JsonKind.List ? value : quoted(this.keys[i]) + ':' + value)
    }
    return this.kind == JsonKind.List ? '[' + parts.join(',') + ']' : '{' + parts.join(',') + '}'
  }
}

/** Copies whole runs between characters that need an escape: appending single characters would take quadratic fuel. */
function quoted(text: string): string {
  const parts: string[] = ['"']
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x20 && code != 0x22 && code != 0x5c) continue
    parts.push(text.substring(from, i))
    parts.push(code < 0x20 ? '\\u00' + (code < 16 ? '0' : '') + code.toString(16) : '\\' + text.charAt(i))
    from = i + 1
  }
  parts.push(text.substring(from))
  parts.push('"')
  return parts.join('')
}

/** The server sends valid JSON, so errors are not checked. */
export class JsonReader {
  private at: i32 = 0
  constructor(private source: string) {}

  read(): Json {
    this.skipSpace()
    const first = this.source.charCodeAt(this.at)
    if (first == 0x7b) return this.readInside(Json.object(), 0x7d)
    if (first == 0x5b) return this.readInside(Json.list(), 0x5d)
    if (first == 0x22) return Json.text(this.readText())
    const from = this.at
    while (this.at < this.source.length && !isEnd(this.source.charCodeAt(this.at))) this.at++
    return scalar(this.source.substring(from, this.at))
  }

  private readInside(into: Json, end: i32): Json {
    this.at++
    this.skipSpace()
    while (this.source.charCodeAt(this.at) != end) {
      if (this.source.charCodeAt(this.at) == 0x2c) this.at++
      this.skipSpace()
      if (into.kind == JsonKind.Object) {
        into.keys.push(this.readText())
        this.skipSpace()
        this.at++ // the colon
      }
      into.items.push(this.read())
      this.skipSpace()
    }
    this.at++
    return into
  }

  private readText(): string {
    let text = ''
    let from = ++this.at
    while (this.source.charCodeAt(this.at) != 0x22) {
      if (this.source.charCodeAt(this.at) != 0x5c) {
        this.at++
        continue
      }
      text += this.source.substring(from, this.at)
      const escape = this.source.charAt(this.at + 1)
      this.at += 2
      if (escape == 'u') {
        text += String.fromCharCode(i32(parseInt(this.source.substr(this.at, 4), 16)))
        this.at += 4
      } else if (escape == 'n') text += '\n'
      else if (escape == 't') text += '\t'
      else if (escape == 'r') text += '\r'
      else if (escape == 'b') text += '\b'
      else if (escape == 'f') text += '\f'
      else text += escape
      from = this.at
    }
    text += this.source.substring(from, this.at)
    this.at++
    return text
  }

  private skipSpace(): void {
    while (this.at < this.source.length && this.source.charCodeAt(this.at) <= 0x20) this.at++
  }
}

function isEnd(code: i32): bool {
  return code == 0x2c || code == 0x5d || code == 0x7d || code <= 0x20
}

function scalar(text: string): Json {
  const made = new Json()
  if (text == 'null') return made
  made.kind = text == 'true' || text == 'false' ? JsonKind.Bool : JsonKind.Number
  made.isTrue = text == 'true'
  made.text = text
  return made
}
