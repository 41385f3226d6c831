import type {
  Lifespan,
  ResourceDefinition,
  ServedLevel,
  Strategy,
  SubresourceDefinition,
  TSchema,
  Vendor,
  VersionDefinition,
  VersionName,
} from 'orch/sdk'
import { andThen } from 'orch/sdk'
import type { AddedSubresource } from 'orch/sdk/host'
import type { FeatureGates } from '../options/feature-gates.js'
import type { CutDefinition } from '../registry/registry.js'
import { SchemaCutter } from '../schema/cut-schema.js'
import { once } from '../schema/derive.js'
import { compileGateDropper } from '../schema/drop-gated-fields.js'

/**
 * Cuts what plugins register to the version that the server speaks, and to the gates that are on. This happens once,
 * before anything is compiled: later stages see a catalogue in which nothing has a lifespan.
 */
export function cutterFor(vendor: Vendor, gates: FeatureGates): CutDefinition {
  const { level } = vendor
  const isThere = (definition: unknown) => level.includes((definition ?? {}) as Lifespan)
  const isEnabled = (gate: string) => gates.isEnabled(gate)
  const schemas = new SchemaCutter(level, isEnabled)

  const only = <T>(definitions: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(definitions).filter(([, definition]) => isThere(definition)))

  const subresource = (definition: SubresourceDefinition, stored: () => TSchema): SubresourceDefinition => {
    if (definition.kind === 'update')
      return { ...definition, strategy: withoutGated(definition.strategy, stored, isEnabled) }
    return withSchema(definition, schemas)
  }
  const subresources = (definitions: ResourceDefinition['subresources'], stored: () => TSchema) =>
    definitions &&
    Object.fromEntries(Object.entries(only(definitions)).map(([name, each]) => [name, subresource(each, stored)]))

  const version = (definition: VersionDefinition, stored: () => TSchema): VersionDefinition =>
    withSchema(
      {
        ...definition,
        ...(isThere(definition) ? {} : { served: 'never' as const }),
        ...(definition.values ? {} : storedForm(definition, schemas)),
        ...(isDeprecated(definition, level) ? {} : { deprecated: undefined }),
        ...(definition.defaults
          ? { defaults: (object: never) => definition.defaults?.(object, level, isEnabled) }
          : {}),
        ...(definition.columns ? { columns: definition.columns.filter(isThere) } : {}),
        ...(definition.subresources ? { subresources: subresources(definition.subresources, stored) } : {}),
      },
      schemas,
    )

  const resource = (definition: ResourceDefinition): ResourceDefinition => {
    const stored = (): TSchema => (versions.find(({ storage }) => storage) ?? versions[0]!).schema
    const versions: readonly VersionDefinition[] = definition.versions.map(each => version(each, stored))
    return {
      ...definition,
      versions,
      ...(definition.columns ? { columns: definition.columns.filter(isThere) } : {}),
      ...(definition.subresources ? { subresources: subresources(definition.subresources, stored) } : {}),
      ...(definition.virtual ? {} : { strategy: withoutGated(definition.strategy ?? {}, stored, isEnabled) }),
    }
  }

  /** A subresource that a plugin adds to the type of another. Only those with their own body have a schema here. */
  const added = (definition: AddedSubresource): AddedSubresource =>
    definition.subresource.kind === 'update'
      ? definition
      : { ...definition, subresource: withSchema(definition.subresource, schemas) }

  return (kind, definition) => {
    if (!isThere(definition)) return undefined
    if (kind === 'resource') return resource(definition as ResourceDefinition) as typeof definition
    if (kind === 'subresource') return added(definition as AddedSubresource) as typeof definition
    return definition
  }
}

/** Clients are warned about a version once it is deprecated. */
const isDeprecated = ({ deprecated }: VersionDefinition, level: ServedLevel) =>
  deprecated?.since === undefined || level.hasReached(deprecated.since as VersionName)

/** The definition with its schema cut on first use: a server has many types and uses few of them. */
function withSchema<D extends { readonly schema: TSchema }>(definition: D, schemas: SchemaCutter): D {
  const cut = once(() => schemas.cut(definition.schema))
  const served = Object.defineProperty({ ...definition }, 'schema', { get: cut, enumerable: true })
  declaredSchemas.set(served, definition.schema)
  return served
}

const declaredSchemas = new WeakMap<object, TSchema>()
/** The schema of a definition as its plugin wrote it, with the fields of all versions. Reading it cuts nothing. */
export const declaredSchema = (definition: { readonly schema: TSchema }): TSchema =>
  declaredSchemas.get(definition) ?? definition.schema

/**
 * Objects that were stored with other fields are decoded again when they are read: the form of a version differs from
 * that before if any field was added, removed or changed.
 */
function storedForm(definition: VersionDefinition, schemas: SchemaCutter): { storedForm?: string } {
  const { metadata: _, ...fields } = (definition.schema['properties'] ?? {}) as Record<string, TSchema>
  // Metadata is written by the kernel at every version alike.
  const form = schemas.lastChange({ ...definition.schema, properties: fields })
  return form === undefined ? {} : { storedForm: form }
}

/** The strategy, which also drops what is written to fields whose gate is off. */
function withoutGated(
  strategy: Strategy<never>,
  schema: () => TSchema,
  isEnabled: (gate: string) => boolean,
): Strategy<never> {
  // Anything else is reported when definitions are checked.
  if (typeof strategy !== 'object' || strategy === null || strategy.keepsGatedFields) return strategy
  const drop = once(() => compileGateDropper(schema(), isEnabled) ?? (() => {}))
  const own = strategy as Strategy<object>
  const cut: Strategy<object> = {
    ...own,
    // Before as well: a strategy must neither derive anything from a field that is dropped, nor see a change of one.
    prepareForCreate(draft, context) {
      drop()(draft, undefined)
      return andThen(own.prepareForCreate?.(draft, context), () => drop()(draft, undefined))
    },
    prepareForUpdate(draft, stored, context) {
      drop()(draft, stored)
      return andThen(own.prepareForUpdate?.(draft, stored, context), () => drop()(draft, stored))
    },
  }
  return cut as Strategy<never>
}
