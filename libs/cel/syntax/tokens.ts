import { celErrorOf } from './errors.js'

export interface Token {
  readonly kind: 'name' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'symbol' | 'end'
  /** The text of a symbol, name or number. */
  readonly text: string
  readonly at: number
  /** The value of a string or of bytes. */
  readonly value?: string | Uint8Array
}

const blank = /(?:\s|\/\/[^\n]*(?:\n|$))*/y
const name = /[A-Za-z_][A-Za-z0-9_]*/y
const number = /0[xX][0-9a-fA-F]+[uU]?|(?:\d+\.\d+|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?|\d+[uU]?/y
const quoted =
  /([rR][bB]?|[bB][rR]?)?("""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\[^\r\n]|[^"\\\r\n])*"|'(?:\\[^\r\n]|[^'\\\r\n])*')/y
const rawQuoted = /([rR][bB]?|[bB][rR])("""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\r\n]*"|'[^'\r\n]*')/y
const symbol = /&&|\|\||==|!=|<=|>=|[-+*/%!<>?:.,()[\]{}]/y

/** Splits an expression into tokens. Throws a CelError. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    return found && found.index === at ? found : null
  }
  const fail = (message: string) => celErrorOf(text, [{ at, message: `Syntax error: ${message}` }])
  for (;;) {
    at += match(blank)![0].length
    if (at >= text.length) break
    const string = match(rawQuoted) ?? match(quoted)
    if (string) {
      const prefix = (string[1] ?? '').toLowerCase()
      tokens.push(stringToken(string[2]!, prefix, at, fail))
      at += string[0].length
      continue
    }
    const found = match(name) ?? match(number) ?? match(symbol)
    if (!found) throw fail(`token recognition error at: '${text[at]}'`)
    tokens.push({ kind: kindOf(found[0]), text: found[0], at })
    at += found[0].length
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: text.length })
  return tokens
}

function kindOf(text: string): Token['kind'] {
  if (/^[A-Za-z_]/.test(text)) return 'name'
  if (!/^(?:\d|\.\d)/.test(text)) return 'symbol'
  if (/^0[xX]/.test(text)) return /[uU]$/.test(text) ? 'uint' : 'int'
  if (/[.eE]/.test(text)) return 'double'
  return /[uU]$/.test(text) ? 'uint' : 'int'
}

function stringToken(written: string, prefix: string, at: number, fail: (message: string) => Error): Token {
  const quotes = /^("""|''')/.test(written) ? 3 : 1
  const inner = written.slice(quotes, -quotes).replace(/\r\n?/g, '\n')
  const isBytes = prefix.includes('b')
  const text = written
  if (prefix.includes('r'))
    return isBytes
      ? { kind: 'bytes', text, at, value: new Uint8Array(Buffer.from(inner)) }
      : { kind: 'string', text, at, value: inner }
  if (!isBytes) return { kind: 'string', text, at, value: unescapeText(inner, fail) }
  return { kind: 'bytes', text, at, value: unescapeBytes(inner, fail) }
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
}
const escapeSequence =
  /\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))/g

function unescapeText(text: string, fail: (message: string) => Error): string {
  if (!text.includes('\\')) return text
  return text.replace(escapeSequence, (_, x, X, u, U, octal, other) => {
    if (other !== undefined) {
      const simple = simpleEscapes[other]
      if (simple === undefined) throw fail(`invalid escape sequence \\${other}`)
      return simple
    }
    const code = octal === undefined ? Number.parseInt(x ?? X ?? u ?? U, 16) : Number.parseInt(octal, 8)
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw fail('invalid unicode code point')
    return String.fromCodePoint(code)
  })
}

/** In bytes, numeric escapes are bytes and not characters. */
function unescapeBytes(text: string, fail: (message: string) => Error): Uint8Array {
  const parts: Buffer[] = []
  let last = 0
  for (const found of text.matchAll(escapeSequence)) {
    parts.push(Buffer.from(text.slice(last, found.index)))
    last = found.index + found[0].length
    const [, x, X, u, U, octal, other] = found
    if (u !== undefined || U !== undefined) throw fail('unable to unescape string: unicode escapes in bytes')
    if (other !== undefined) parts.push(Buffer.from(unescapeText(found[0], fail)))
    else parts.push(Buffer.from([octal === undefined ? Number.parseInt(x ?? X!, 16) : Number.parseInt(octal, 8)]))
  }
  parts.push(Buffer.from(text.slice(last)))
  return new Uint8Array(Buffer.concat(parts))
}
