import type { ApiObject, FieldError, ResourceDefinition, SubresourceDefinition, VersionDefinition } from 'orch/sdk'
import { compileDefaults } from '../schema/apply-defaults.js'
import { compileValidator } from '../schema/compile-validator.js'
import { compileDecoder, type Decoder } from '../schema/decode.js'
import { type Derivable, once } from '../schema/derive.js'
import { compileNormalize } from '../schema/normalize.js'
import { compileView, type View } from '../schema/normalized-view.js'
import { normalizeMetadata, openDecoder, readingRest, viewMetadata } from '../schema/open-values.js'
import { buildTypeModel, type StructNode } from '../schema/type-model.js'
import { storedMark } from '../storage/attributes.js'

/** A version of a type, ready to serve. Everything derived from its schema is derived once, on first use. */
export interface CompiledVersion extends Derivable {
  readonly name: string
  /** `v1`, or `group/v1`. */
  readonly groupVersion: string
  readonly definition: VersionDefinition
  readonly model: StructNode
  readonly decode: Decoder
  /** Static defaults, then computed ones. */
  readonly fillDefaults: (object: ApiObject) => void
  /** Converts an object to its stored form: empty values as the schema defines them. */
  readonly normalize: (object: ApiObject) => void
  /** The object as `normalize` would leave it, without a copy; fields in `own` replace those of the object. */
  readonly view: View
  /** Value constraints of the schema; undefined when it has none. */
  readonly checkConstraints: ((object: unknown) => FieldError[]) | undefined
  readonly isStorage: boolean
  /** Are stored bytes objects of this version as they are? */
  readonly isStoredAsIs: boolean
  readonly columns: VersionDefinition['columns']
  readonly subresources: Readonly<Record<string, SubresourceDefinition>>
  /** The mark of stored objects of this version: its name, and its form if it has one. */
  readonly storedMark: string
  /** `{"kind":"X","apiVersion":"v1",` */
  readonly jsonStart: Buffer
}

export const groupVersionOf = (group: string, version: string) => (group === '' ? version : `${group}/${version}`)

/** Everything derived from the schema is derived on first use: a server has many types and needs few of them at the start. */
export function compileVersion(
  definition: Pick<ResourceDefinition, 'group' | 'kind'> & Partial<ResourceDefinition>,
  version: VersionDefinition,
  isStorage: boolean,
  storage: VersionDefinition = version,
): CompiledVersion {
  const groupVersion = groupVersionOf(definition.group, version.name)
  const computed = version.defaults as ((object: ApiObject) => void) | undefined
  const model = once(() => {
    const built = buildTypeModel(version.schema)
    if (built.is !== 'struct') throw new Error(`the schema of ${definition.kind} ${version.name} is not an object`)
    return built
  })
  const { values } = version
  const decode = once(() => readingRest(values ? openDecoder(values) : compileDecoder(model()), version.decoded))
  const staticDefaults = once(() =>
    values ? (object: ApiObject) => values.fillDefaults(object) : compileDefaults(model()),
  )
  const normalize = once(() => (values ? normalizeMetadata() : compileNormalize(model())))
  const view = once(() => (values ? viewMetadata() : compileView(model())))
  const constraints = once(() =>
    values ? undefined : (compileValidator(model()) as CompiledVersion['checkConstraints']),
  )
  return {
    name: version.name,
    groupVersion,
    definition: version,
    get model() {
      return model()
    },
    get decode() {
      return decode()
    },
    fillDefaults: object => {
      staticDefaults()?.(object)
      computed?.(object)
    },
    normalize: object => normalize()(object),
    view: (object, own) => view()(object, own),
    get checkConstraints() {
      return constraints()
    },
    isStorage,
    isStoredAsIs:
      definition.conversion === undefined
        ? isStorage
        : definition.conversion === 'none' && version.storedForm === storage.storedForm,
    columns: version.columns ?? definition.columns,
    subresources: version.subresources ?? definition.subresources ?? {},
    storedMark: storedMark(version.name, version.storedForm),
    jsonStart: Buffer.from(`{"kind":${JSON.stringify(definition.kind)},"apiVersion":${JSON.stringify(groupVersion)},`),
  }
}
