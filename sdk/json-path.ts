/** Finds the values at a path in an object. */
export type JsonPath = (object: unknown) => readonly unknown[]

type Step = (values: readonly unknown[]) => unknown[]
type Json = Record<string, unknown>

/** The fields that a simple path such as `.spec.replicas` names. */
export const fieldsOfPath = (path: string): string[] => path.split('.').filter(step => step !== '')

/**
 * Reads a path such as `.spec.size`, `.spec.items[0]`, `.spec.items[*].name`, `.metadata.labels['a.b']`, `.metadata.labels.a\.b` or
 * `.status.conditions[?(@.type=="Ready")].status`. Undefined for what is none.
 */
export function readJsonPath(path: string): JsonPath | undefined {
  const steps: Step[] = []
  let rest = path
  while (rest !== '' && rest !== '.') {
    const read = readStep(rest)
    if (!read) return undefined
    steps.push(read.step)
    rest = read.rest
  }
  return object => steps.reduce<readonly unknown[]>((values, step) => step(values), [object])
}

function readStep(text: string): { step: Step; rest: string } | undefined {
  const field = /^\.((?:\\.|[^.[\\])+)/.exec(text)
  if (field) {
    const name = field[1]!.replace(/\\(.)/g, '$1')
    return { step: name === '*' ? children : fieldStep(name), rest: text.slice(field[0].length) }
  }
  const bracket = /^\.?\[(\?\((?:[^'")]|'[^']*'|"[^"]*")*\)|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\]]*)\]/.exec(text)
  const step = bracket && bracketStep(bracket[1]!.trim())
  return step ? { step, rest: text.slice(bracket[0].length) } : undefined
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldStep =
  (name: string): Step =>
  values =>
    values.flatMap(value => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []))

const children: Step = values =>
  values.flatMap(value =>
    Array.isArray(value)
      ? value
      : isObject(value)
        ? Object.keys(value)
            .sort()
            .map(key => value[key])
        : [],
  )

function bracketStep(text: string): Step | undefined {
  if (text === '*') return children
  const quoted = /^(['"])(.*)\1$/s.exec(text)
  if (quoted) return fieldStep(quoted[2]!.replace(/\\(.)/g, '$1'))
  if (/^-?\d+$/.test(text))
    return values => values.flatMap(value => (Array.isArray(value) ? value.slice(Number(text)).slice(0, 1) : []))
  const range = /^(-?\d+)?:(-?\d+)?$/.exec(text)
  if (range) {
    const [start, end] = [range[1], range[2]].map(part => (part === undefined ? undefined : Number(part)))
    return values => values.flatMap(value => (Array.isArray(value) ? value.slice(start ?? 0, end) : []))
  }
  return text.startsWith('?(') ? filterStep(text.slice(2, -1)) : undefined
}

/** `@.type=="Ready"`, `@.size>3`, `@.ready`. */
function filterStep(text: string): Step | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith('@')) return undefined
  const found = /==|!=|<=|>=|<|>/.exec(trimmed)
  const operator = found?.[0]
  const path = readJsonPath(trimmed.slice(1, found?.index).trim())
  if (!path) return undefined
  const wanted = found ? literalOf(trimmed.slice(found.index + found[0].length).trim()) : undefined
  const test = (item: unknown) => {
    const [value] = path(item)
    return operator === undefined ? value !== undefined : value !== undefined && compare(value, operator, wanted)
  }
  return values => values.flatMap(value => (Array.isArray(value) ? value.filter(test) : []))
}

function literalOf(text: string): unknown {
  const quoted = /^(['"])(.*)\1$/s.exec(text)
  if (quoted) return quoted[2]
  if (text === 'true' || text === 'false') return text === 'true'
  return Number.isNaN(Number(text)) ? text : Number(text)
}

function compare(found: unknown, operator: string, wanted: unknown): boolean {
  if (operator === '==') return found === wanted
  if (operator === '!=') return found !== wanted
  if (typeof found !== typeof wanted) return false
  const [a, b] = [found as number, wanted as number]
  return operator === '<' ? a < b : operator === '>' ? a > b : operator === '<=' ? a <= b : a >= b
}
