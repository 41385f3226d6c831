import { unsetTest } from './presence.js'
import type { FieldNode, StructNode, TypeNode } from './type-model.js'

/** Fills the static defaults of a schema into a decoded object, in place. */
export type Defaulter = (object: Record<string, unknown>) => void

/** Compiles the `default`s of a schema, also those inside lists and maps. Undefined if there are none, as for most types. */
export function compileDefaults(node: StructNode): Defaulter | undefined {
  const hasDefaults = new Map<TypeNode, boolean>()
  const fill = containsDefaults(node, hasDefaults) ? structDefaults(node, hasDefaults, new Map()) : undefined
  return fill && (object => fill(object))
}

type Fill = (value: unknown) => void

function structDefaults(node: StructNode, hasDefaults: Map<TypeNode, boolean>, compiled: Map<StructNode, Fill>): Fill {
  const known = compiled.get(node)
  if (known) return known
  const steps: ((object: Record<string, unknown>) => void)[] = []
  const fill: Fill = value => {
    for (const step of steps) step(value as Record<string, unknown>)
  }
  // Registered before its fields are compiled: a struct may contain itself.
  compiled.set(node, fill)
  for (const field of node.fields.values()) {
    // One that counts as unset is not written: it only says that the key of a list may be left out.
    if (field.default !== undefined && !unsetTest(field)(field.default)) steps.push(fieldDefault(field))
    if (!containsDefaults(field.node, hasDefaults)) continue
    const inner = valueDefaults(field.node, hasDefaults, compiled)
    steps.push(object => {
      const value = object[field.name]
      if (value !== undefined && value !== null) inner(value)
    })
  }
  return fill
}

function fieldDefault(field: FieldNode): (object: Record<string, unknown>) => void {
  const { name, default: value } = field
  const isUnset = unsetTest(field)
  const fresh = typeof value === 'object' ? () => structuredClone(value) : () => value
  return object => {
    const present = object[name]
    if (present === undefined || isUnset(present)) object[name] = fresh()
  }
}

function valueDefaults(node: TypeNode, hasDefaults: Map<TypeNode, boolean>, compiled: Map<StructNode, Fill>): Fill {
  if (node.is === 'struct') return structDefaults(node, hasDefaults, compiled)
  if (node.is === 'list') {
    const item = valueDefaults(node.item, hasDefaults, compiled)
    return list => (list as unknown[]).forEach(item)
  }
  if (node.is === 'map') {
    const item = valueDefaults(node.value, hasDefaults, compiled)
    return map => Object.values(map as object).forEach(item)
  }
  return () => {}
}

function containsDefaults(node: TypeNode, known: Map<TypeNode, boolean>): boolean {
  const answer = known.get(node)
  if (answer !== undefined) return answer
  known.set(node, false)
  const found =
    node.is === 'struct'
      ? [...node.fields.values()].some(field => field.default !== undefined || containsDefaults(field.node, known))
      : node.is === 'list'
        ? containsDefaults(node.item, known)
        : node.is === 'map' && containsDefaults(node.value, known)
  known.set(node, found)
  return found
}
