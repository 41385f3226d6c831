import { isDeepStrictEqual } from 'node:util'
import { addAll, type DeleteStrategy, type FieldError, invalidValue, type Strategy } from 'orch/sdk'
import { withCondition } from '../control/conditions.js'
import type { CustomResourceNames } from '../names.js'
import { isJsonObject } from '../schemas/coerce.js'
import { coerceObject } from '../schemas/embedded-objects.js'
import type { ValidationThread } from '../schemas/validation-thread.js'
import type { CustomResourceDefinition, DefinitionStatus } from './schema.js'
import { validateName, validateSpecInTurn, validateStatus, validateStoredVersions } from './validate-definition.js'
import { validateApproval } from './validate-names.js'

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
  if (schema[keyword] === true && isJsonObject(value)) {
    try {
      coerceObject(value, 'default')
    } catch {
      // Validation reports the error.
    }
  }
  for (const [key, inner] of Object.entries(schema)) {
    if (key === 'default' || key === 'example' || key === 'enum' || !isJsonObject(inner)) continue
    // Once each: whoever takes the map of fields for a schema, too, visits what is n levels deep 2ⁿ times.
    if (key === 'properties') for (const field of Object.values(inner)) coerceDefaults(field, keyword)
    else coerceDefaults(inner, keyword)
  }
}

function prepareSchemas({ spec }: CustomResourceDefinition, { keywords }: CustomResourceNames): void {
  for (const version of spec.versions ?? []) coerceDefaults(version.schema?.openAPIV3Schema, keywords.embeddedResource)
}

export const mainStrategy = (
  names: CustomResourceNames,
  thread: ValidationThread,
): Strategy<CustomResourceDefinition> => ({
  prepareForCreate(draft) {
    draft.status = noStatus()
    recordStorageVersion(draft)
    prepareSchemas(draft, names)
  },
  prepareForUpdate(draft, stored) {
    draft.status = { ...stored.status }
    recordStorageVersion(draft)
    prepareSchemas(draft, names)
  },
  validate: async definition => [
    ...validateName(definition),
    ...(await validateSpecInTurn(definition.spec, names, thread)),
    ...validateStatus(definition.status),
    ...validateStoredVersions(definition),
    ...validateApproval(definition, undefined, names),
  ],
  validateUpdate: async (definition, stored) => [
    ...(await validateSpecInTurn(definition.spec, names, thread)),
    ...validateUnchanged(definition, stored),
    ...validateStatus(definition.status),
    ...validateStoredVersions(definition),
    ...validateApproval(definition, stored, names),
  ],
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

export const statusStrategy = (versionsInUse: VersionsInUse): Strategy<CustomResourceDefinition> => ({
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  async validateUpdate(definition, stored) {
    const errors: FieldError[] = []
    addAll(errors, validateStatus(definition.status))
    const before = stored.status.storedVersions ?? []
    const after = definition.status.storedVersions ?? []
    if (isDeepStrictEqual(before, after)) return errors
    addAll(errors, validateStoredVersions(definition))
    const lost = before.filter(version => !after.includes(version))
    if (lost.length === 0) return errors
    const used = await versionsInUse(definition.metadata.name ?? '')
    for (const version of lost)
      if (used.includes(version))
        errors.push(
          invalidValue('status.storedVersions', after, `must have ${version}, which objects are still stored in`),
        )
    return errors
  },
  resetFields: ['spec'],
  unconditionalUpdate: false,
})

/** A definition is removed once its objects are gone. */
export const deletion = ({ cleanupFinalizer }: CustomResourceNames): DeleteStrategy<CustomResourceDefinition> => ({
  onDeletionStart(draft, now) {
    const { metadata, status } = draft
    // A definition has no grace period, and deletion does not change its desired state: undo the increment of the generation.
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
