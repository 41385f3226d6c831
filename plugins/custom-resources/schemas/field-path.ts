import { type SchemaNode, valueSchema } from '../../../libs/json-schema/index.js'

/** The field that a JSON path refers to. */
export interface FoundField {
  /** The path as errors show it: `spec.size`, `labels[a.b]`. */
  readonly path: string
  /** The names of the fields along the path. */
  readonly steps: readonly string[]
  /** Undefined for a value without a schema. */
  readonly schema: SchemaNode | undefined
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
}

/**
 * Resolves a JSON path that consists of names (`.spec.size`, `.labels['a.b']`) in a schema. Returns the problem of an
 * invalid path as a string. Quoted names can be disallowed.
 */
export function findField(jsonPath: string, schema: SchemaNode, mayQuote = true): FoundField | string {
  let at: SchemaNode | undefined = schema
  let path = ''
  const steps: string[] = []
  const step = (name: string): string | undefined => {
    const isNamed: boolean = at !== undefined && at.properties.size > 0
    if (!isNamed && at?.additionalProperties === undefined) return 'does not refer to a valid field'
    path += isNamed ? (path === '' ? name : `.${name}`) : `[${name}]`
    steps.push(name)
    if (isNamed && !at!.properties.has(name)) return 'does not refer to a valid field'
    at = isNamed ? at!.properties.get(name) : valueSchema(at!)
    return undefined
  }
  const tokens = tokensOf(jsonPath)
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token !== '[' && token !== '.') return `expected [ or . but got ${token}`
    if (token === '[' && !mayQuote) return 'array notation is not allowed'
    const name = tokens[++i]
    if (name === undefined) return 'unexpected end of the path'
    let read: string | undefined = name
    if (token === '[') {
      if (name.length < 2 || !name.startsWith("'") || !name.endsWith("'"))
        return `expected a name in single quotes but got ${name}`
      read = unescaped(name.slice(1, -1))
      if (read === undefined) return `invalid escape in ${name}`
    }
    const problem = step(read)
    if (problem !== undefined) return problem
    if (token === '[' && tokens[++i] !== ']') return 'expected ]'
  }
  return { path, steps, schema: at }
}

/** Dots, brackets, and the text between them. Inside quotes they are text. */
const tokensOf = (path: string): string[] => path.match(/'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]]+/gs) ?? []

function unescaped(text: string): string | undefined {
  let isValid = true
  const read = text.replace(/\\(.)/gs, (_, letter: string) => {
    if (!Object.hasOwn(escapes, letter)) isValid = false
    return escapes[letter] ?? ''
  })
  return isValid ? read : undefined
}
