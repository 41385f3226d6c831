import type { Lifespan, ServedLevel, TSchema, VersionName } from 'orch/sdk'
import type { FieldMarkers, FieldRevision, UnionMarker } from 'orch/sdk/host'

type Field = TSchema & FieldMarkers
type Properties = Readonly<Record<string, Field>>

/**
 * Cuts schemas to a level: fields that it does not have are removed, and revisions of a field up to that level are applied.
 * Schemas that are unchanged at this level are returned as they are, so structs that are shared stay shared.
 */
export class SchemaCutter {
  readonly #level: ServedLevel
  readonly #isEnabled: (gate: string) => boolean
  readonly #isAffected = new Map<Properties, boolean>()
  readonly #lastChanges = new Map<Properties, VersionName | undefined>()
  readonly #cut = new Map<Properties, { properties: Properties; gone: ReadonlySet<string> }>()

  constructor(level: ServedLevel, isEnabled: (gate: string) => boolean = () => true) {
    this.#level = level
    this.#isEnabled = isEnabled
  }

  cut<S extends TSchema>(schema: S): S {
    return this.#isChanged(schema, new Set()) ? (this.#value(schema) as S) : schema
  }

  /** The last version up to this level in which anything in the schema changed; undefined if nothing ever did. */
  lastChange(schema: TSchema): VersionName | undefined {
    const properties = propertiesOf(schema)
    if (properties && this.#lastChanges.has(properties)) return this.#lastChanges.get(properties)
    const changes: Lifespan[] = []
    if (properties) {
      // A type that contains itself changes when the rest of it does.
      this.#lastChanges.set(properties, undefined)
      for (const name in properties) this.#gatherChanges(properties[name]!, changes)
    } else for (const child of childrenOf(schema)) this.#gatherInner(child, changes)
    // This is a part of every start, for every field of every type; most have no change.
    const last = changes.length === 0 ? undefined : this.#level.lastChange(changes)
    if (properties) this.#lastChanges.set(properties, last)
    return last
  }
  #gatherChanges(field: Field, changes: Lifespan[]): void {
    if (field.since !== undefined || field.until !== undefined) changes.push(field)
    if (field.revised) for (const { since } of field.revised) changes.push({ since })
    this.#gatherInner(field, changes)
  }
  #gatherInner(schema: TSchema, changes: Lifespan[]): void {
    if (!hasParts(schema)) return
    const since = this.lastChange(schema)
    if (since !== undefined) changes.push({ since })
  }

  #revisions({ revised = [], gate, default: value, since }: Field): readonly FieldRevision[] {
    const revisions = revised.filter(({ since, additive = false }) =>
      this.#level.isAdditive ? additive : this.#level.includes({ since }),
    )
    // A field that is dropped from requests must not be restored by its default.
    const isDefaultOff = value !== undefined && gate !== undefined && !this.#isEnabled(gate)
    return isDefaultOff
      ? [...revisions, { since: since ?? this.#level.version, to: { default: undefined } }]
      : revisions
  }

  /** Does a schema differ from its declaration? `open` are the structs being visited: a type may contain itself. */
  #isChanged(schema: TSchema, open: Set<Properties>): boolean {
    const properties = propertiesOf(schema)
    if (!properties) return childrenOf(schema).some(child => this.#isChanged(child, open))
    const known = this.#isAffected.get(properties)
    if (known !== undefined) return known
    if (open.has(properties)) return false
    open.add(properties)
    const changed = Object.values(properties).some(
      field => !this.#level.includes(field) || this.#revisions(field).length > 0 || this.#isChanged(field, open),
    )
    open.delete(properties)
    // Inside a cycle a negative result is not final, so only certain results are cached.
    if (changed || open.size === 0) this.#isAffected.set(properties, changed)
    return changed
  }

  #value(schema: TSchema): TSchema {
    const properties = propertiesOf(schema)
    if (properties) return this.#struct(schema, properties)
    if (schema['items']) return { ...schema, items: this.#value(schema['items'] as TSchema) }
    const patterns = schema['patternProperties'] as Record<string, TSchema> | undefined
    if (!patterns) return schema
    return { ...schema, patternProperties: mapValues(patterns, value => this.#value(value)) }
  }

  #struct(schema: TSchema, properties: Properties): TSchema {
    const { properties: left, gone } = this.#properties(properties)
    const required = (schema['required'] as readonly string[] | undefined)?.filter(name => !gone.has(name))
    const union = schema['union'] as UnionMarker | undefined
    return {
      ...schema,
      properties: left,
      ...(required ? { required } : {}),
      ...(union ? { union: { ...union, fields: without(union.fields, gone) } } : {}),
    }
  }

  #properties(properties: Properties) {
    const known = this.#cut.get(properties)
    if (known) return known
    const left: Record<string, Field> = {}
    const gone = new Set<string>()
    // Cached before it is complete, for a type that contains itself.
    const cut = { properties: left as Properties, gone: gone as ReadonlySet<string> }
    this.#cut.set(properties, cut)
    for (const [name, field] of Object.entries(properties)) {
      if (this.#level.includes(field)) {
        const revisions = this.#revisions(field)
        left[name] = this.#value(Object.assign({ ...field }, ...revisions.map(revisedMarkers))) as Field
      } else gone.add(name)
    }
    return cut
  }
}

function revisedMarkers({ schema, to }: FieldRevision): object {
  // The field keeps its own description.
  const { description: _, ...type } = schema ?? {}
  return { ...type, ...to }
}

/** The fields object identifies a struct: copies of the schema with other markers share it. */
function propertiesOf(schema: TSchema): Properties | undefined {
  return schema['patternProperties'] === undefined ? (schema['properties'] as Properties | undefined) : undefined
}
const hasParts = (schema: TSchema) =>
  schema['items'] !== undefined || schema['properties'] !== undefined || schema['patternProperties'] !== undefined
function childrenOf(schema: TSchema): readonly TSchema[] {
  if (schema['items']) return [schema['items'] as TSchema]
  return Object.values((schema['patternProperties'] as Record<string, TSchema> | undefined) ?? {})
}
const without = <T>(values: Readonly<Record<string, T>>, gone: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !gone.has(name)))
const mapValues = <T>(values: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
