import type { TSchema } from 'orch/sdk'
import type { FieldMarkers } from 'orch/sdk/host'

/** Steps from the object to a field: a name, or `[]` for every item of a list or every value of a map. */
type Path = readonly string[]
const every = '[]'

/**
 * Drops fields whose gate is off from what clients send, as if they were unknown, unless the stored object has the field: it was
 * set while the gate was on, and must not be lost with the next update. Undefined if no gate in the schema is off.
 */
export function compileGateDropper(
  schema: TSchema,
  isEnabled: (gate: string) => boolean,
): ((draft: object, stored: object | undefined) => void) | undefined {
  const fields = gatedFields(schema, isEnabled)
  if (fields.length === 0) return undefined
  return (draft, stored) => {
    for (const field of fields) {
      const isKept = stored !== undefined && (field.isForNewOnly || hasValue(stored, field.path, 0))
      if (!isKept) dropValue(draft, field, 0)
    }
  }
}

interface GatedField {
  readonly path: Path
  /** Is it null when unset? An object without it would differ from the stored one. */
  readonly isNullWhenUnset: boolean
  /** Do updates keep it, whatever is stored? */
  readonly isForNewOnly: boolean
  /** Is the struct dropped too, if it has no other fields? */
  readonly dropsEmptyParent: boolean
}

function gatedFields(schema: TSchema, isEnabled: (gate: string) => boolean): GatedField[] {
  const found: GatedField[] = []
  const open = new Set<object>()
  const visit = (value: TSchema, path: Path, keepsGated = false) => {
    if (value['items']) return visit(value['items'] as TSchema, [...path, every])
    const patterns = value['patternProperties'] as Record<string, TSchema> | undefined
    if (patterns) return Object.values(patterns).forEach(each => void visit(each, [...path, every]))
    const properties = value['properties'] as Record<string, TSchema & FieldMarkers> | undefined
    if (!properties || open.has(properties)) return
    open.add(properties)
    for (const [name, field] of Object.entries(properties)) {
      const isNullWhenUnset = field.presence === 'always' && field.nullable === true
      const isForNewOnly = field.gateAppliesTo === 'create'
      const isDropped = field.gate !== undefined && !isEnabled(field.gate) && !keepsGated
      const { dropsEmptyParent = false } = field
      if (isDropped) found.push({ path: [...path, name], isNullWhenUnset, isForNewOnly, dropsEmptyParent })
      else visit(field, [...path, name], field.keepsGatedFields)
    }
    open.delete(properties)
  }
  visit(schema, [])
  return found
}

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

function hasValue(value: unknown, path: Path, at: number): boolean {
  if (!isFields(value)) return at === path.length && value !== undefined && value !== null
  const step = path[at]
  if (step === undefined) return true
  if (step === every) return Object.values(value).some(each => hasValue(each, path, at + 1))
  return hasValue(value[step], path, at + 1)
}

/** Returns whether the value itself must be removed. */
function dropValue(value: unknown, field: GatedField, at: number): boolean {
  if (!isFields(value)) return false
  const { path, isNullWhenUnset } = field
  const step = path[at]!
  if (step === every) {
    for (const each of Object.values(value)) dropValue(each, field, at + 1)
  } else if (at < path.length - 1) {
    if (dropValue(value[step], field, at + 1)) delete value[step]
  } else if (isNullWhenUnset) value[step] = null
  else if (value[step] !== undefined) {
    delete value[step]
    return field.dropsEmptyParent && Object.keys(value).length === 0
  }
  return false
}
