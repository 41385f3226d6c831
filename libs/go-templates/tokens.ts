import { TemplateError } from './errors.js'

/** A piece of a template: text, or the tokens between `{{` and `}}`. */
export type Piece = { readonly text: string } | { readonly tokens: readonly Token[] }
export interface Token {
  readonly kind: 'name' | 'field' | 'variable' | 'string' | 'number' | 'sign'
  readonly text: string
  /** Whether a space precedes it: `.a .b` are two values, `.a.b` is one. */
  readonly spaced: boolean
}

const forms: readonly (readonly [Token['kind'], RegExp])[] = [
  ['string', /^"(?:[^"\\\n]|\\.)*"|^`[^`]*`|^'(?:[^'\\]|\\.)'/],
  ['number', /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/],
  ['field', /^\.[\p{L}_][\p{L}\p{N}_]*/u],
  ['variable', /^\$[\p{L}\p{N}_]*/u],
  ['name', /^[\p{L}_][\p{L}\p{N}_]*/u],
  ['sign', /^(?::=|[.|(),=])/],
]

/** Splits a template. `{{-` and `-}}` trim adjacent white space; comments are dropped. */
export function readPieces(template: string): Piece[] {
  const pieces: Piece[] = []
  let rest = template
  for (;;) {
    const start = rest.indexOf('{{')
    if (start < 0) return [...pieces, { text: rest }]
    const trimsLeft = /^\{\{-\s/.test(rest.slice(start))
    pieces.push({ text: trimsLeft ? rest.slice(0, start).trimEnd() : rest.slice(0, start) })
    rest = rest.slice(start + (trimsLeft ? 3 : 2))
    const comment = /^\s*\/\*.*?\*\/\s*(-?)\}\}/s.exec(rest)
    if (comment) rest = rest.slice(comment[0].length)
    const tokens: Token[] = []
    let trimsRight = comment?.[1] === '-'
    while (!comment) {
      const space = /^\s*/.exec(rest)?.[0] ?? ''
      const closing = /^-?\}\}/.exec(rest.slice(space.length))
      if (closing && (closing[0] === '}}' || space !== '')) {
        trimsRight = closing[0] === '-}}'
        rest = rest.slice(space.length + closing[0].length)
        break
      }
      rest = rest.slice(space.length)
      if (rest === '') throw new TemplateError('the template ends within {{ }}')
      const [kind, text] = nextToken(rest)
      tokens.push({ kind, text, spaced: space !== '' })
      rest = rest.slice(text.length)
    }
    if (!comment) pieces.push({ tokens })
    if (trimsRight) rest = rest.trimStart()
  }
}

function nextToken(rest: string): [Token['kind'], string] {
  for (const [kind, form] of forms) {
    const found = form.exec(rest)
    if (found) return [kind, found[0]]
  }
  throw new TemplateError(`the template has a syntax error at "${rest.slice(0, 20)}"`)
}

/** The value of a string literal. */
export function stringValue(text: string): string {
  if (text.startsWith('`')) return text.slice(1, -1)
  const inner = text.slice(1, -1)
  return inner.replace(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/g, (whole, letters: string) => {
    if (/^[ux]./.test(letters)) return String.fromCodePoint(Number.parseInt(letters.slice(1), 16))
    const known: Record<string, string> = { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\', a: '\u0007' }
    const value = known[letters]
    if (value === undefined) throw new TemplateError(`the template has the invalid escape ${whole} in a string`)
    return value
  })
}
