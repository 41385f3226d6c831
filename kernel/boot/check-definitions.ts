import type { AdmissionDefinition, ResourceDefinition, TSchema, VersionDefinition } from 'orch/sdk'
import { allVerbs } from 'orch/sdk/host'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import { nearestName } from '../contracts/nearest-name.js'
import type { Registry } from '../registry/registry.js'
import { isSameShape, schemaMistakes } from '../types/check-schema.js'
import { declaredSchema } from './cut-catalogue.js'
import { knownKeys } from './definition-keys.js'

type Tell = (place: string, why: string, remedy: string) => void
const groupForm = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const nameForm = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/
const kindForm = /^[A-Z][A-Za-z0-9]{0,62}$/
const versionForm = /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/
const columnTypes = ['string', 'integer', 'number', 'boolean', 'date']

/**
 * Validates definitions before anything runs, and reports all problems at once. Those that were checked before can be
 * left out. Schemas are checked as they were declared: a mistake concerns every version, and schemas are only cut on
 * use.
 */
export function checkDefinitions(registry: Registry, isNew: (plugin: string) => boolean = () => true): BootProblem[] {
  const problems: BootProblem[] = []
  const seen = new WeakSet<object>()
  const tellOf =
    (plugin: string, what: string): Tell =>
    (place, why, remedy) =>
      void problems.push(
        problem('ORCH_DEFINITION_INVALID', { plugin, place: place === '' ? what : `${what}, ${place}`, why, remedy }),
      )
  for (const { plugin, definition, addedBy = {} } of registry.resources) {
    if (![plugin, ...Object.values(addedBy)].some(isNew)) continue
    const { group, resource } = definition
    const tell = tellOf(plugin, `resource "${group ? `${resource}.${group}` : resource}"`)
    checkNames(definition, tell)
    checkVersions(definition, seen, tell)
    checkParts(definition, seen, tell)
  }
  for (const { plugin, definition } of registry.subresources) {
    const { group, resource, name } = definition
    if (registry.resources.some(({ definition: type }) => type.group === group && type.resource === resource)) continue
    const type = group ? `${resource}.${group}` : resource
    tellOf(plugin, `subresource "${type}/${name}"`)(
      '',
      `no plugin provides the type ${type}`,
      'Enable a plugin that does',
    )
  }
  for (const { plugin, definition } of registry.admissions) {
    if (isNew(plugin)) checkControl(definition, tellOf(plugin, `admission control "${definition.name}"`))
  }
  return problems
}

function checkNames(
  { group, kind, resource, singular, shortNames = [], categories = [] }: ResourceDefinition,
  tell: Tell,
) {
  const lower = 'Use lower-case letters, digits and dashes'
  if (group !== '' && !groupForm.test(group))
    tell('group', `"${group}" is not a domain name`, 'Use one such as example.com')
  if (!kindForm.test(kind))
    tell('kind', `"${kind}" is not a valid kind`, 'Begin it with a capital and use letters and digits, as in Widget')
  if (!nameForm.test(resource)) tell('resource', `"${resource}" cannot be part of a path`, lower)
  for (const [place, names] of Object.entries({
    singular: singular === undefined ? [] : [singular],
    shortNames,
    categories,
  })) {
    for (const name of names) if (!nameForm.test(name)) tell(place, `"${name}" is not a valid name`, lower)
    if (new Set(names).size < names.length) tell(place, 'a name is listed twice', 'List each once')
  }
}

function checkVersions(definition: ResourceDefinition, seen: WeakSet<object>, tell: Tell): void {
  const { versions } = definition
  if (versions.length === 0) return tell('versions', 'there is none', 'Add one: { name: "v1", schema: Kind(...) }')
  const names = versions.map(({ name }) => name)
  for (const name of names.filter((each, at) => names.indexOf(each) < at))
    tell(`version ${name}`, 'it is defined twice', 'Remove or rename one')
  const storages = versions.filter(({ storage }) => storage)
  if (storages.length > 1) {
    tell('versions', `${storages.map(({ name }) => name).join(' and ')} are both marked as storage`, 'Mark one of them')
  } else if (storages.length === 0 && versions.length > 1) {
    tell('versions', 'none is marked as storage', 'Mark the one that objects are stored in: storage: true')
  }
  const storage = storages[0] ?? versions[0]!
  for (const version of versions) checkVersion(definition, version, storage, seen, tell)
}

function checkVersion(
  { kind, storedAs, conversion }: ResourceDefinition,
  version: VersionDefinition,
  storage: VersionDefinition,
  seen: WeakSet<object>,
  tell: Tell,
): void {
  const { name, toStorage, fromStorage } = version
  const schema = declaredSchema(version)
  const place = `version ${name}`
  // The storage form of another type is not a version that clients use.
  const isNamed = !(storedAs && version === storage)
  if (isNamed && !versionForm.test(name))
    tell(place, `"${name}" is not a version name`, 'Use a name such as v1, v1beta1 or v2alpha1')
  checkKeys(version, 'version', place, tell)
  checkSchema(schema, place, seen, tell)
  if (version === storage || schema?.['properties'] === undefined) return
  const isConvertedElsewhere = conversion !== undefined
  const needsConversion =
    Boolean(toStorage) !== Boolean(fromStorage) ||
    (!isConvertedElsewhere && !isSameShape(schema, declaredSchema(storage)))
  if (needsConversion && !(toStorage && fromStorage)) {
    const lacking = [toStorage ? '' : 'toStorage', fromStorage ? '' : 'fromStorage'].filter(Boolean).join(' and ')
    tell(
      place,
      `the fields of ${kind} differ from those in ${storage.name}, and ${lacking} is missing`,
      `Add ${lacking}`,
    )
  }
}

function checkSchema(schema: TSchema | undefined, place: string, seen: WeakSet<object>, tell: Tell): void {
  const properties = schema?.['properties'] as Record<string, TSchema> | undefined
  if (!schema || !properties?.['metadata'])
    return tell(place, 'its schema is not a Kind(...)', 'Create it with Kind("name", { ... })')
  checkFields(schema, place, seen, tell)
}

function checkFields(schema: TSchema, place: string, seen: WeakSet<object>, tell: Tell): void {
  if (soundSchemas.has(schema)) return
  const mistakes = schemaMistakes(schema, seen)
  if (mistakes.length === 0) soundSchemas.add(schema)
  for (const { field, why, remedy } of mistakes) {
    tell(field === '' ? place : `${place}, field ${field}`, why, remedy)
  }
}
/** Schemas that passed the check, so that a process that starts many servers checks each of them once. */
const soundSchemas = new WeakSet<TSchema>()

function checkParts(definition: ResourceDefinition, seen: WeakSet<object>, tell: Tell): void {
  checkKeys(definition, 'resource', '', tell)
  for (const part of ['strategy', 'deletion', 'virtual', 'permission', 'afterRemoval', 'afterWrite'] as const) {
    if (definition[part]) checkKeys(definition[part], part, part, tell)
  }
  checkVerbs(definition.verbs ?? [], allVerbs, 'verbs', tell)
  checkColumns(definition, tell)
  const fields = Object.keys(storageFields(definition))
  for (const name of definition.generation === false ? [] : (definition.generation ?? [])) {
    if (!fields.includes(name)) tell('generation', `there is no field "${name}"`, 'Name a field other than metadata')
  }
  for (const [path, read] of Object.entries(definition.selectableFields ?? {})) {
    if (typeof read !== 'function')
      tell(`selectableFields, "${path}"`, 'it is not a function', 'Use a function that returns the value as a string')
  }
  for (const [name, subresource] of Object.entries(definition.subresources ?? {})) {
    const place = `subresource "${name}"`
    if (!nameForm.test(name)) tell(place, 'it cannot be part of a path', 'Use lower-case letters, digits and dashes')
    const { kind } = subresource
    if (kind !== 'update' && kind !== 'action' && kind !== 'connect') {
      tell(place, `its kind is ${JSON.stringify(kind)}`, "Use 'update', 'action' or 'connect'")
      continue
    }
    checkKeys(subresource, kind, place, tell)
    if (subresource.kind === 'update') {
      if (!subresource.strategy) tell(place, 'it has no strategy', 'Add strategy: { ... }')
      else checkKeys(subresource.strategy, 'strategy', `${place}, strategy`, tell)
      if (subresource.permission) checkKeys(subresource.permission, 'permission', `${place}, permission`, tell)
      checkVerbs(subresource.verbs ?? [], ['get', 'update', 'patch'], place, tell)
    } else {
      const { objectKind } = subresource
      if (!kindForm.test(objectKind)) tell(place, `"${objectKind}" is not a valid kind`, 'Begin it with a capital')
      if (subresource.kind === 'action') {
        const { version, handlers } = subresource
        if (!versionForm.test(version)) tell(place, `"${version}" is not a version name`, 'Use a name such as v1')
        checkVerbs(Object.keys(handlers ?? {}), ['get', 'create', 'update'], `${place}, handlers`, tell)
        checkSchema(declaredSchema(subresource), place, seen, tell)
      } else {
        if (typeof subresource.connect !== 'function')
          tell(place, 'it does not connect', 'Add connect(request) { ... }')
        checkVerbs(subresource.verbs ?? [], ['get', 'create', 'update', 'patch', 'delete'], place, tell)
        const schema = declaredSchema(subresource)
        if (schema?.['type'] === 'object') checkFields(schema, place, seen, tell)
        else tell(place, 'its schema is not a Struct(...)', 'Create it with Struct("name", { ... })')
      }
    }
  }
}

function storageFields({ versions }: ResourceDefinition): Record<string, TSchema> {
  const storage = versions.find(each => each.storage) ?? versions[0]
  return (storage && (declaredSchema(storage)?.['properties'] as Record<string, TSchema>)) ?? {}
}

function checkColumns({ columns = [] }: ResourceDefinition, tell: Tell): void {
  const names = columns.map(({ name }) => name)
  columns.forEach((column, at) => {
    const place = `column ${column.name ? `"${column.name}"` : at + 1}`
    checkKeys(column, 'column', place, tell)
    if (typeof column.name !== 'string' || column.name === '') tell(place, 'it has no name', 'Give it one')
    else if (names.indexOf(column.name) < at) tell(place, 'another column has the same name', 'Rename one')
    if (typeof column.cell !== 'function') tell(place, 'it has no cell', 'Add cell: object => ...')
    if (!columnTypes.includes(column.type))
      tell(place, `its type is "${column.type}"`, `Use one of ${columnTypes.join(', ')}`)
    if (column.priority !== undefined && !(Number.isInteger(column.priority) && column.priority >= 0)) {
      tell(place, `its priority is ${column.priority}`, 'Use a non-negative integer')
    }
  })
}

function checkVerbs(given: readonly string[], known: readonly string[], place: string, tell: Tell): void {
  for (const verb of given) {
    if (!known.includes(verb)) tell(place, `there is no verb "${verb}"`, `Use some of ${known.join(', ')}`)
  }
}

/** Reports unknown keys, and values that should be functions. */
function checkKeys(part: object, kind: keyof typeof knownKeys, place: string, tell: Tell): void {
  const known: Readonly<Record<string, string>> = knownKeys[kind]
  for (const key of Object.keys(part)) {
    if (!Object.hasOwn(known, key)) {
      const nearest = nearestName(key, Object.keys(known))
      tell(place, `there is no "${key}"`, nearest ? `Did you mean "${nearest}"` : 'Remove it')
    } else if (known[key] === 'function') {
      const value = (part as Readonly<Record<string, unknown>>)[key]
      if (value !== undefined && typeof value !== 'function')
        tell(place, `"${key}" is not a function`, 'Make it one or leave it out')
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: controls of different object types stand in one list
function checkControl(control: AdmissionDefinition<any, any>, tell: Tell): void {
  const { phase, sideEffects, review, whenSet } = control
  if (!['mutate', 'validate', 'both'].includes(phase)) tell('phase', `it is "${phase}"`, 'Use mutate, validate or both')
  if (!['none', 'noneOnDryRun', 'some'].includes(sideEffects)) {
    tell('sideEffects', `it is "${sideEffects}"`, 'Use none, noneOnDryRun or some')
  }
  if (
    whenSet !== undefined &&
    !(Array.isArray(whenSet) && whenSet.length > 0 && whenSet.every(name => typeof name === 'string'))
  )
    tell('whenSet', 'it is not a path', "Use a list of field names, such as ['metadata', 'ownerReferences']")
  if (typeof review !== 'function') tell('review', 'it is missing', 'Add review(request, services)')
  const matches = control.matches === undefined ? [] : [control.matches].flat()
  for (const { operations = [] } of matches as { operations?: string[] }[]) {
    checkVerbs(operations, ['create', 'update', 'delete', 'connect'], 'matches, operations', tell)
  }
}
