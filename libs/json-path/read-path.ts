import { JsonPathError } from './errors.js'

/** One step of a path. `below` is recursive descent: `..name`. */
export type PathStep =
  | { readonly step: 'root' }
  | { readonly step: 'field'; readonly name: string }
  | { readonly step: 'union'; readonly names: readonly string[] }
  | { readonly step: 'all' }
  | { readonly step: 'below' }
  | { readonly step: 'items'; readonly indexes: readonly number[]; readonly range?: readonly (number | undefined)[] }
export type Step = PathStep | { readonly step: 'filter'; readonly condition: Comparison }

/** `?(@.type=="Ready")`; without an operator the path only has to exist. */
export interface Comparison {
  readonly left: readonly Step[]
  readonly operator?: string
  readonly right?: { readonly literal: unknown } | { readonly path: readonly Step[] }
}

const fieldName = /^(?:\\.|[^.[\]\s(){}'"=!<>,\\])+/
const bracket = /^\[((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\]'"])*)\]/

/** Parses a path. A leading `$`, `@` or dot is optional. */
export function readPath(text: string): Step[] {
  const steps: Step[] = []
  let rest = text.trim()
  if (rest.startsWith('$')) {
    steps.push({ step: 'root' })
    rest = rest.slice(1)
  } else if (rest.startsWith('@')) rest = rest.slice(1)
  else if (rest !== '' && !/^[.[]/.test(rest)) rest = `.${rest}`
  while (rest !== '' && rest !== '.') {
    if (rest.startsWith('..')) {
      steps.push({ step: 'below' })
      rest = /^\.\.[[*]/.test(rest) ? rest.slice(2) : rest.slice(1)
    } else if (rest.startsWith('.*') || rest.startsWith('*')) {
      steps.push({ step: 'all' })
      rest = rest.slice(rest.startsWith('.') ? 2 : 1)
    } else if (rest.startsWith('.[')) rest = rest.slice(1)
    else if (rest.startsWith('[')) {
      const filter = /^\[\?\((.*?)\)\]/s.exec(rest)
      const found = filter ?? bracket.exec(rest)
      if (!found) throw wrong(text)
      steps.push(
        filter ? { step: 'filter', condition: readComparison(filter[1] ?? '') } : insideBrackets(found[1] ?? '', text),
      )
      rest = rest.slice(found[0].length)
    } else {
      const name = rest.startsWith('.') ? fieldName.exec(rest.slice(1)) : null
      if (!name) throw wrong(text)
      steps.push({ step: 'field', name: name[0].replace(/\\(.)/g, '$1') })
      rest = rest.slice(1 + name[0].length)
    }
  }
  return steps
}

function insideBrackets(inside: string, text: string): Step {
  const content = inside.trim()
  if (content === '*') return { step: 'all' }
  if (/^-?\d+(\s*,\s*-?\d+)*$/.test(content)) return { step: 'items', indexes: content.split(',').map(Number) }
  if (/^(-?\d*)(:-?\d*){1,2}$/.test(content)) {
    const range = content.split(':').map(part => (part === '' ? undefined : Number(part)))
    return { step: 'items', indexes: [], range }
  }
  // Sticky: an unterminated quote is scanned only once.
  const names = [...content.matchAll(/'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|[^'"]/gsy)].flatMap(
    ([, single, double]) => {
      const name = single ?? double
      return name === undefined ? [] : [name.replace(/\\(.)/g, '$1')]
    },
  )
  if (names.length === 0) throw wrong(text)
  return { step: 'union', names }
}

function readComparison(text: string): Comparison {
  const found = /==|!=|<=|>=|<|>/.exec(text)
  if (!found) return { left: readPath(text) }
  const [operator] = found
  const right = text.slice(found.index + operator.length)
  return { left: readPath(text.slice(0, found.index)), operator, right: readOperand(right.trim()) }
}

function readOperand(text: string): { literal: unknown } | { path: Step[] } {
  const quoted = /^(['"])(.*)\1$/s.exec(text)
  if (quoted) return { literal: quoted[2] }
  if (/^-?\d+(\.\d+)?$/.test(text)) return { literal: Number(text) }
  if (text === 'true' || text === 'false') return { literal: text === 'true' }
  return { path: readPath(text) }
}

const wrong = (text: string) => new JsonPathError(`"${text}" is not a jsonpath, such as {.metadata.name}`)
