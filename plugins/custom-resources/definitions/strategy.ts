import { addAll, type DeleteStrategy, type FieldError, invalidValue, type Strategy } from 'orch/sdk'
import { withCondition } from 'orch/sdk/controllers'
import { sameJson } from 'orch/sdk/validation'
import { isKnownFormat } from '../../../libs/json-schema/index.js'
import type { Features } from '../features.js'
import type { CustomResourceNames, SchemaKeywords } from '../names.js'
import { isJsonObject } from '../schemas/coerce.js'
import { coerceObject } from '../schemas/embedded-objects.js'
import type { ValidationThread } from '../schemas/validation-thread.js'
import type { AcceptedBefore } from './definition-context.js'
import type { CustomResourceDefinition, DefinitionStatus } from './schema.js'
import { validateName, validateSpecInTurn, validateStatus, validateStoredVersions } from './validate-definition.js'
import { validateApproval } from './validate-names.js'
import { maxSelectableFields } from './validate-selectable-fields.js'

/** The versions in which objects of a definition are stored. */
export type VersionsInUse = (definition: string) => Promise<readonly string[]>

const noStatus = (): DefinitionStatus => ({
  conditions: null,
  acceptedNames: { plural: '', kind: '' },
  storedVersions: [],
})

/** Adds the storage version to `status.storedVersions`. */
function recordStorageVersion({ spec, status }: CustomResourceDefinition): void {
  const storage = spec.versions?.find(version => version.storage)?.name
  const stored = status.storedVersions ?? []
  if (storage !== undefined && !stored.includes(storage)) status.storedVersions = [...stored, storage]
}

export const isEstablished = ({ status }: CustomResourceDefinition): boolean =>
  status.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') ?? false

/** Normalizes the metadata of embedded objects in defaults. */
function coerceDefaults(schema: unknown, keyword: string): void {
  if (!isJsonObject(schema)) return
  const { default: value } = schema
  // Validation reports values of the wrong type.
  if (schema[keyword] === true && isJsonObject(value)) coerceObject(value, 'default')
  for (const [key, inner] of Object.entries(schema)) {
    if (key === 'default' || key === 'example' || key === 'enum' || !isJsonObject(inner)) continue
    // Each schema is visited once: treating the map of fields as a schema as well would visit a schema at depth n 2ⁿ
    // times.
    if (key === 'properties') for (const field of Object.values(inner)) coerceDefaults(field, keyword)
    else coerceDefaults(inner, keyword)
  }
}

function prepareSchemas({ spec }: CustomResourceDefinition, { keywords }: CustomResourceNames): void {
  for (const version of spec.versions ?? []) coerceDefaults(version.schema?.openAPIV3Schema, keywords.embeddedResource)
}

/** Properties of the stored definition that an update may keep although they are no longer accepted. */
function acceptedBefore({ spec }: CustomResourceDefinition, stored: CustomResourceDefinition): AcceptedBefore {
  const before = new Map((stored.spec.versions ?? []).map(version => [version.name, version]))
  const expressions: string[] = []
  for (const { schema } of before.values()) collectExpressions(schema?.openAPIV3Schema, expressions)
  const same = (spec.versions ?? []).filter(({ name }) => before.has(name))
  return {
    expressions,
    unchangedVersions: same
      .filter(({ name, schema }) => sameJson(schema, before.get(name)!.schema))
      .map(({ name }) => name),
    manySelectable: same
      .filter(({ name, selectableFields: fields = [] }) => {
        const known = before.get(name)!.selectableFields ?? []
        return known.length > maxSelectableFields && sameJson(fields, known)
      })
      .map(({ name }) => name),
    isEstablished: isEstablished(stored),
    caBundle: stored.spec.conversion?.webhook?.clientConfig?.caBundle ?? '',
  }
}

function collectExpressions(source: unknown, expressions: string[]): void {
  if (Array.isArray(source)) for (const each of source) collectExpressions(each, expressions)
  else if (isJsonObject(source))
    for (const [key, value] of Object.entries(source))
      if ((key === 'rule' || key === 'messageExpression') && typeof value === 'string') expressions.push(value)
      else collectExpressions(value, expressions)
}

/** Drops `optionalOldSelf` from rules while it is not supported. */
function dropOptionalOldSelf({ spec }: CustomResourceDefinition, { validations }: SchemaKeywords): void {
  const visit = (source: unknown): void => {
    if (Array.isArray(source)) for (const each of source) visit(each)
    else if (isJsonObject(source))
      for (const [key, value] of Object.entries(source)) {
        if (key !== validations || !Array.isArray(value)) visit(value)
        else for (const rule of value) if (isJsonObject(rule)) delete rule['optionalOldSelf']
      }
  }
  for (const { schema } of spec.versions ?? []) visit(schema?.openAPIV3Schema)
}
const hasOptionalOldSelf = ({ spec }: CustomResourceDefinition) =>
  JSON.stringify(spec.versions ?? []).includes('"optionalOldSelf":')

/** Formats in a definition that no value is checked against. */
function unknownFormats({ spec }: CustomResourceDefinition, features: Features): string[] {
  const found: string[] = []
  const visit = (schema: unknown): void => {
    if (!isJsonObject(schema)) return
    const { type = '', format } = schema
    const isJudged = type === 'string' || features.formatWarningsOfAllTypes
    if (isJudged && typeof format === 'string' && format !== '' && !isKnownFormat(String(type), format, features))
      found.push(format)
    for (const [key, inner] of Object.entries(schema)) {
      if (key === 'default' || key === 'example' || key === 'enum') continue
      if (schemaMaps.has(key)) for (const each of Object.values(isJsonObject(inner) ? inner : {})) visit(each)
      else if (Array.isArray(inner)) for (const each of inner) visit(each)
      else visit(inner)
    }
  }
  for (const { schema } of spec.versions ?? []) visit(schema?.openAPIV3Schema)
  return found
}
const schemaMaps = new Set(['properties', 'patternProperties', 'definitions', 'dependencies'])

export const mainStrategy = (
  names: CustomResourceNames,
  features: Features,
  thread: ValidationThread,
): Strategy<CustomResourceDefinition> => ({
  prepareForCreate(draft) {
    draft.status = noStatus()
    recordStorageVersion(draft)
    prepareSchemas(draft, names)
    if (!features.ratchets && hasOptionalOldSelf(draft)) dropOptionalOldSelf(draft, names.keywords)
  },
  prepareForUpdate(draft, stored) {
    draft.status = { ...stored.status }
    recordStorageVersion(draft)
    prepareSchemas(draft, names)
    if (!features.ratchets && hasOptionalOldSelf(draft) && !hasOptionalOldSelf(stored))
      dropOptionalOldSelf(draft, names.keywords)
  },
  validate: async definition => [
    ...validateName(definition),
    ...(await validateSpecInTurn(definition.spec, { names, features }, thread)),
    ...validateStatus(definition.status),
    ...validateStoredVersions(definition),
    ...validateApproval(definition, undefined, names),
  ],
  validateUpdate: async (definition, stored) => [
    ...(await validateSpecInTurn(
      definition.spec,
      { names, features, accepted: acceptedBefore(definition, stored) },
      thread,
    )),
    ...validateUnchanged(definition, stored),
    ...validateStatus(definition.status),
    ...validateStoredVersions(definition),
    ...validateApproval(definition, stored, names),
  ],
  warnings(definition, stored) {
    if (!features.formatWarnings) return []
    const known = new Set(stored ? unknownFormats(stored, features) : [])
    return unknownFormats(definition, features)
      .filter(format => !known.has(format))
      .map(format => `unrecognized format ${JSON.stringify(format)}`)
  },
  resetFields: ['status'],
  unconditionalUpdate: false,
  metadataChecks: { change: 1, object: 0 },
})

function validateUnchanged({ spec }: CustomResourceDefinition, stored: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = []
  const keep = (field: string, value: string, before: string) => {
    if (value !== before) errors.push(invalidValue(`spec.${field}`, value, 'field is immutable'))
  }
  if (isEstablished(stored)) {
    keep('scope', spec.scope, stored.spec.scope)
    keep('names.kind', spec.names.kind, stored.spec.names.kind)
  }
  keep('group', spec.group, stored.spec.group)
  keep('names.plural', spec.names.plural, stored.spec.names.plural)
  return errors
}

export const statusStrategy = (
  features: Features,
  versionsInUse: VersionsInUse,
): Strategy<CustomResourceDefinition> => ({
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  async validateUpdate(definition, stored) {
    const errors: FieldError[] = []
    addAll(errors, validateStatus(definition.status))
    const before = stored.status.storedVersions ?? []
    const after = definition.status.storedVersions ?? []
    const kept = new Set(after)
    const lost = before.filter(version => !kept.has(version))
    if (lost.length === 0) return errors
    const used = await versionsInUse(definition.metadata.name ?? '')
    for (const version of lost)
      if (used.includes(version))
        errors.push(
          invalidValue(
            'status.storedVersions',
            after,
            `must include ${version}, because objects are still stored in it`,
          ),
        )
    return errors
  },
  // A new observedGeneration is stored even while its gate is off; only a write of the definition drops it.
  keepsGatedFields: true,
  resetFields: features.definitionStatusOwnsMetadata ? ['spec'] : ['metadata', 'spec'],
  unconditionalUpdate: false,
})

/** A definition is removed once its objects are gone. */
export const deletion = ({ cleanupFinalizer }: CustomResourceNames): DeleteStrategy<CustomResourceDefinition> => ({
  onDeletionStart(draft, now) {
    const { metadata, status } = draft
    // A definition has no grace period, and deletion does not change its desired state: undo the increment of the
    // generation.
    delete metadata.deletionGracePeriodSeconds
    if (metadata.generation !== undefined) metadata.generation--
    if (!metadata.finalizers?.includes(cleanupFinalizer))
      metadata.finalizers = [...(metadata.finalizers ?? []), cleanupFinalizer]
    const pending = {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'objects are still to be deleted',
    }
    status.conditions = withCondition(status.conditions, pending, now)
  },
})
