import type { ScalarKind, TypeNode } from '../../schema/type-model.js'
import { isObject, type JsonObject, quoted } from './json-values.js'
import { elementOf, ItemWithoutIdentity } from './list-items.js'
import { describeElement } from './path-element.js'
import { nodeOfField } from './to-field-set.js'
import { TypedValueError } from './typed-error.js'

/**
 * Finds everything in a value that would make its fields ambiguous: undeclared fields, values of wrong types, items
 * without identity or, unless they `mayRepeat`, with the same one. Each finding starts with its path: `.data.k: expected string, got 1`.
 */
export function checkTyped(value: unknown, node: TypeNode, mayRepeat = false): void {
  const findings: string[] = []
  check(value, node, '', { findings, mayRepeat }, 0)
  if (findings.length === 0) return
  const text = findings.length === 1 ? (findings[0] as string) : ['errors:', ...findings.map(f => `  ${f}`)].join('\n')
  throw new TypedValueError('', text)
}

/** Only types that contain themselves can exceed this depth, and the code for them is recursive. */
const maxLevels = 1_000

interface Checking {
  readonly findings: string[]
  readonly mayRepeat: boolean
}

function check(value: unknown, node: TypeNode, path: string, checking: Checking, level: number): void {
  if (value === null || value === undefined) return
  const { findings } = checking
  if (level > maxLevels) {
    findings.push(`${path.slice(0, 200)}…: nests deeper than ${maxLevels} levels`)
    return
  }
  switch (node.is) {
    case 'struct':
    case 'map':
      if (isObject(value)) checkFields(value, node, path, checking, level)
      else findings.push(at(path, `expected map, got ${quoted(value)}`))
      return
    case 'list':
      if (Array.isArray(value)) checkItems(value, node, path, checking, level)
      else findings.push(at(path, `expected list, got ${quoted(value)}`))
      return
    case 'scalar': {
      const finding = checkScalar(value, node.scalar)
      if (finding !== undefined) findings.push(at(path, finding))
    }
  }
}

function checkFields(
  value: JsonObject,
  node: TypeNode & { is: 'struct' | 'map' },
  path: string,
  checking: Checking,
  level: number,
) {
  for (const key of Object.keys(value)) {
    const field = nodeOfField(node, key)
    if (field === undefined) checking.findings.push(at(`${path}.${key}`, 'field not declared in schema'))
    else if (!isExpected(value[key], field, level + 1)) check(value[key], field, `${path}.${key}`, checking, level + 1)
  }
}

function checkItems(
  items: readonly unknown[],
  node: TypeNode & { is: 'list' },
  path: string,
  checking: Checking,
  level: number,
) {
  const { findings, mayRepeat } = checking
  const seen = new Set<string>()
  items.forEach((item, index) => {
    if (node.listType === 'atomic' && isExpected(item, node.item, level + 1)) return
    let below = `${path}[${index}]`
    if (node.listType !== 'atomic') {
      try {
        const element = elementOf(node, item)
        below = path + describeElement(element)
        if (seen.has(element) && !mayRepeat)
          findings.push(at(path, `duplicate entries for key ${describeElement(element)}`))
        seen.add(element)
      } catch (error) {
        if (!(error instanceof ItemWithoutIdentity)) throw error
        findings.push(at(path, `element ${index}: ${error.message}`))
        return
      }
    }
    check(item, node.item, below, checking, level + 1)
  })
}

/** A scalar that needs no path, because there is nothing to say about it: a list can have hundreds of thousands. */
const isExpected = (value: unknown, node: TypeNode, level: number) =>
  node.is === 'scalar' && level <= maxLevels && (value === null || checkScalar(value, node.scalar) === undefined)

const at = (path: string, finding: string) => (path === '' ? finding : `${path}: ${finding}`)

/** Times, quantities and numbers-or-strings have more than one JSON form, so validation checks them. */
const expected: Partial<Record<ScalarKind, 'string' | 'boolean' | 'number'>> = {
  string: 'string',
  bytes: 'string',
  boolean: 'boolean',
  int32: 'number',
  int64: 'number',
  double: 'number',
}

function checkScalar(value: unknown, scalar: ScalarKind): string | undefined {
  const type = expected[scalar]
  if (type === undefined || typeof value === type) return undefined
  return `expected ${type === 'number' ? 'numeric (int or float)' : type}, got ${quoted(value)}`
}
