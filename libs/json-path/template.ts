import { writeJson } from '../json/index.js'
import { JsonPathError } from './errors.js'
import { findValues } from './find-values.js'
import { readPath, type Step } from './read-path.js'

/** A part of a template: literal text, a path to print, or a range over the values of a path. */
type Piece =
  | { readonly text: string }
  | { readonly path: readonly Step[] }
  | { readonly each: readonly Step[]; readonly pieces: readonly Piece[] }

/** Evaluates a template such as `{.metadata.name}{"\n"}` or `{range .items[*]}…{end}` for an object. */
export function fillTemplate(template: string, root: unknown, requiresKeys = false): string {
  // A bare path is a template with only that path.
  const pieces = readTemplate(template.includes('{') ? template : `{${template}}`)
  return fill(pieces, root, root, requiresKeys)
}

/** The values of all paths of a template as a JSON list. */
export function valuesAsJson(template: string, root: unknown): string {
  const pieces = readTemplate(template.includes('{') ? template : `{${template}}`)
  const values = pieces.flatMap(piece => ('path' in piece ? findValues(piece.path, [root], root) : []))
  return `${JSON.stringify(values, undefined, 4)}\n`
}

function fill(pieces: readonly Piece[], current: unknown, root: unknown, requiresKeys: boolean): string {
  return pieces
    .map(piece => {
      if ('text' in piece) return piece.text
      if ('path' in piece) return findValues(piece.path, [current], root, requiresKeys).map(printed).join(' ')
      return findValues(piece.each, [current], root, requiresKeys)
        .map(value => fill(piece.pieces, value, root, requiresKeys))
        .join('')
    })
    .join('')
}

/** Strings unchanged, everything else as JSON. */
export const printed = (value: unknown): string => (typeof value === 'string' ? value : (writeJson(value) ?? ''))

function readTemplate(template: string): Piece[] {
  const open: { each: Step[]; pieces: Piece[] }[] = [{ each: [], pieces: [] }]
  const put = (piece: Piece) => open.at(-1)?.pieces.push(piece)
  const putText = (text: string) => {
    if (text !== '') put({ text })
  }
  let end = 0
  for (let start = template.indexOf('{'); start >= 0; start = template.indexOf('{', end)) {
    putText(template.slice(end, start))
    end = endOfAction(template, start)
    const inside = template.slice(start + 1, end - 1).trim()
    if (inside === 'end') {
      const ended = open.length > 1 ? open.pop() : undefined
      if (!ended) throw new JsonPathError('the jsonpath has an {end} without a {range}')
      put(ended)
    } else if (/^range\s/.test(inside)) open.push({ each: readPath(inside.slice('range'.length)), pieces: [] })
    else if (/^(['"]).*\1$/s.test(inside)) put({ text: unquote(inside) })
    else put({ path: readPath(inside) })
  }
  putText(template.slice(end))
  if (open.length > 1) throw new JsonPathError('the jsonpath has a {range} without an {end}')
  return open[0]?.pieces ?? []
}

/** The position after the } that matches the { at `start`. Braces in quotes do not count. */
function endOfAction(template: string, start: number): number {
  let quote = ''
  for (let at = start + 1; at < template.length; at++) {
    const character = template[at] ?? ''
    if (quote !== '') {
      if (character === '\\') at++
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '}') return at + 1
    else if (character === '{') break
  }
  throw new JsonPathError(`the jsonpath has a { without its }: ${template.slice(start)}`)
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
const unquote = (text: string) => text.slice(1, -1).replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)
