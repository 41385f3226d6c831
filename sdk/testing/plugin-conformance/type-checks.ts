import {
  type CompiledVersion,
  compileProtobuf,
  hasProtobuf,
  ResourceType,
  randomObject,
  seededRandom,
  withoutEmptyLists,
} from '../../../kernel/index.js'
import { readYaml, writeYaml } from '../../files/index.js'
import type {
  ApiObject,
  Column,
  FieldError,
  ResourceDefinition,
  RowCondition,
  Strategy,
  StrategyContext,
  Vendor,
} from '../../index.js'
import { type Check, type CheckSettings, forEachSeed } from './check.js'
import { deepFreeze, expectSame } from './deep-freeze.js'

/** What can be tested of a type without a server: random objects through every function it declares. */
export function typeChecks(definition: ResourceDefinition, vendor: Vendor, settings: CheckSettings): Check[] {
  const type = new ResourceType('conformance', definition)
  const versions = definition.versions.flatMap(({ name }) => type.version(name) ?? [])
  return versions.flatMap(version => {
    const subject = `resource ${resourceName(definition)} ${version.name}`
    const check = (title: string, call: (object: ApiObject, seed: number) => void | Promise<void>): Check => ({
      subject,
      title,
      run: () => forEachSeed(settings, seed => call(randomOf(version, seed), seed)),
    })
    return [
      check('defaulting is idempotent', object => {
        version.fillDefaults(object)
        const once = structuredClone(object)
        version.fillDefaults(object)
        expectSame(object, once, 'defaulting a second time changed the object')
      }),
      check('an object round-trips through JSON, YAML and Protobuf', object => survives(version, object)),
      ...(version.isStorage
        ? [
            check('validation never throws, changes nothing and returns field errors', (object, seed) =>
              validates(type, version, vendor, object, seed),
            ),
            check('columns and selectable fields never throw', object => shows(definition, version, object)),
          ]
        : [check('an object round-trips through the storage version', object => converts(type, version, object))]),
    ]
  })
}

export const resourceName = ({ group, resource }: Pick<ResourceDefinition, 'group' | 'resource'>) =>
  group === '' ? resource : `${resource}.${group}`

/** A random object as it is after decoding. */
export function randomOf(version: CompiledVersion, seed: number): ApiObject {
  const object = version.decode(randomObject(version.model, seededRandom(seed))) as ApiObject
  object.metadata ??= {}
  return object
}

function survives(version: CompiledVersion, object: ApiObject): void {
  version.normalize(object)
  const read = (value: unknown) => {
    const again = version.decode(value as Record<string, unknown>) as ApiObject
    version.normalize(again)
    return again
  }
  expectSame(read(JSON.parse(JSON.stringify(object))), object, 'JSON lost something')
  expectSame(read(readYaml(writeYaml(object)).documents[0]), object, 'YAML lost something')
  if (!hasProtobuf(version.model)) return
  const codec = compileProtobuf(version.model)
  const decoded = read(codec.decode(codec.encode(object)))
  expectSame(decoded, withoutEmptyLists(object, version.model), 'Protobuf lost something')
}

function converts(type: ResourceType, version: CompiledVersion, object: ApiObject): void {
  version.fillDefaults(object)
  version.normalize(object)
  const roundTrip = (value: ApiObject) => {
    const back = type.fromStorage(type.toStorage(structuredClone(value), version), version)
    version.normalize(back)
    return back
  }
  const back = roundTrip(object)
  const what = `conversion from ${version.name} to ${type.storage.name} and back`
  // A version may show in annotations what it has no fields for: they may be added, but only once.
  expectSame(withAnnotationsOf(object, back), object, `${what} lost something`)
  expectSame(roundTrip(back), back, `a second ${what} changed something`)
}

/** An object without the annotations that another one does not have. */
function withAnnotationsOf(wanted: ApiObject, object: ApiObject): ApiObject {
  const { annotations, ...metadata } = object.metadata
  const known = wanted.metadata.annotations
  if (!annotations || !known) return known ? object : { ...object, metadata }
  const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => key in known))
  return { ...object, metadata: { ...metadata, annotations: kept } }
}

async function validates(
  type: ResourceType,
  version: CompiledVersion,
  vendor: Vendor,
  object: ApiObject,
  seed: number,
): Promise<void> {
  const other = randomOf(version, seed + 1)
  for (const each of [object, other]) version.fillDefaults(each)
  deepFreeze([object, other])
  const { definition } = type
  const updates = Object.values(definition.subresources ?? {}).flatMap(each => (each.kind === 'update' ? [each] : []))
  for (const strategy of [definition.strategy, ...updates.map(each => each.strategy)] as (Strategy | undefined)[]) {
    const context = contextOf(type, vendor)
    if (strategy?.validate) check(await strategy.validate(object, context))
    if (strategy?.validateUpdate) check(await strategy.validateUpdate(object, other, context))
    if (strategy?.warnings) checkTexts(strategy.warnings(object, other, context), 'warnings')
  }
  check((definition.virtual?.validate as ((o: ApiObject) => FieldError[]) | undefined)?.(object) ?? [])
}

const contextOf = (type: ResourceType, vendor: Vendor): StrategyContext => ({
  user: { name: 'conformance', groups: [] },
  now: Date.now(),
  namespace: type.namespaced ? 'conformance' : '',
  subresource: '',
  dryRun: false,
  vendor,
  requestVersion: type.storage.name,
})

function check(errors: FieldError[]): void {
  if (!Array.isArray(errors)) throw new Error(`validation returned ${typeof errors}, not a list of field errors`)
  for (const { type, field, detail } of errors)
    if (typeof type !== 'string' || typeof field !== 'string' || typeof detail !== 'string')
      throw new Error(
        `validation returned something that is not a field error: ${JSON.stringify({ type, field, detail })}`,
      )
}

/** Plugins in JavaScript have no compiler to check this. */
function checkTexts(texts: unknown, what: string): void {
  if (!Array.isArray(texts) || texts.some(text => typeof text !== 'string'))
    throw new Error(`${what} are ${JSON.stringify(texts)}, not a list of strings`)
}

/** What a type reports about its objects, for clients and for the store. */
interface ShownParts {
  readonly columns?: readonly Column[]
  readonly selectableFields?: Readonly<Record<string, (object: ApiObject) => unknown>>
  readonly rowConditions?: (object: ApiObject) => readonly RowCondition[]
  readonly exclusiveNames?: (object: ApiObject) => unknown
}

function shows(definition: ResourceDefinition, version: CompiledVersion, object: ApiObject) {
  const { columns = [], selectableFields = {}, rowConditions, exclusiveNames } = definition as ShownParts
  version.fillDefaults(object)
  deepFreeze(object)
  for (const column of columns) {
    const cell: unknown = column.cell(object, Date.now())
    if (cell !== null && !['string', 'number', 'boolean'].includes(typeof cell))
      throw new Error(`column "${column.name}" shows a ${typeof cell}`)
    if (typeof cell === 'number' && !Number.isFinite(cell))
      throw new Error(`column "${column.name}" shows ${cell}, which JSON cannot represent`)
  }
  for (const [path, read] of Object.entries(selectableFields)) {
    const value = read(object)
    if (typeof value !== 'string') throw new Error(`selectable field "${path}" is a ${typeof value}, not a string`)
  }
  for (const { type, status } of rowConditions?.(object) ?? [])
    checkTexts([type, status], 'type and status of a row condition')
  if (exclusiveNames) checkTexts(exclusiveNames(object), 'exclusive names')
}
