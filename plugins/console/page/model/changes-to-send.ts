import { type Anything, ApiFailure, type ApiObject } from './api.js'
import { applyPatch, changeObject } from './change-object.js'
import { appliedObject, changesBetween, ownersByPath, type Path, pathText } from './field-sets.js'
import { objectPath } from './paths.js'
import type { ResourceType } from './resource-type.js'
import type { TypeSchema } from './schemas.js'
import { shownObject } from './yaml-text.js'

/** The field manager of the console. */
export const fieldManager = 'console'

/** A field that another manager owns. */
export interface Conflict {
  readonly field: string
  readonly manager: string
}
/** An edit, ready for a dry run and for sending. */
export interface Edit {
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** The conflicts that are known before a request is sent. */
  readonly conflicts: readonly Conflict[]
  send(options: { isDryRun: boolean; isForced: boolean }): Promise<ApiObject>
}

/**
 * Changed fields are applied, so that the server reports conflicts with other managers. Applying cannot remove fields of others, so an
 * edit that removes fields replaces the object; the owners of lost fields are then read from managedFields.
 */
export function editOf(type: ResourceType, base: ApiObject, edited: Anything, schema: TypeSchema | undefined): Edit {
  const keysOf = (path: Path) => schema?.listKeys(path)
  const { set, removed } = changesBetween(shownObject(base), edited, keysOf)
  const path = objectPath(type, base.metadata.namespace, base.metadata.name)
  const whole = { ...edited, metadata: { ...edited?.metadata, managedFields: base.metadata.managedFields } }
  return {
    changed: set.map(pathText),
    removed: removed.map(pathText),
    conflicts: removed.length > 0 ? claimsOf(base, [...set, ...removed]) : [],
    send: ({ isDryRun, isForced }) =>
      removed.length > 0
        ? changeObject(path, { method: 'PUT', body: edited, query: { fieldManager }, isDryRun })
        : changeObject(path, {
            method: 'PATCH',
            body: withoutServerFields(appliedObject(whole, fieldManager, set)),
            contentType: applyPatch,
            query: { fieldManager, ...(isForced ? { force: 'true' } : {}) },
            isDryRun,
          }),
  }
}

function withoutServerFields(object: Anything): Anything {
  const {
    resourceVersion: _,
    uid: __,
    generation: ___,
    creationTimestamp: ____,
    managedFields: _____,
    ...metadata
  } = object.metadata
  return { ...object, metadata }
}

/** Managers that applied a field, or one inside it. */
function claimsOf(base: ApiObject, paths: readonly Path[]): Conflict[] {
  const owners = ownersByPath(base)
  return paths.flatMap(path => {
    const text = pathText(path)
    const inside = [...owners].filter(
      ([field]) => field === text || field.startsWith(`${text}.`) || field.startsWith(`${text}[`),
    )
    const managers = new Set(
      inside
        .flatMap(([, entries]) => entries)
        .filter(({ manager, operation }) => operation === 'Apply' && manager !== fieldManager)
        .map(({ manager }) => manager),
    )
    return [...managers].map(manager => ({ field: text, manager }))
  })
}

/** The conflicts of a rejected apply; undefined for another failure. */
export function conflictsOf(failure: unknown): Conflict[] | undefined {
  if (!(failure instanceof ApiFailure) || failure.code !== 409) return undefined
  const causes = failure.causes.filter(({ reason }) => reason === 'FieldManagerConflict')
  if (causes.length === 0) return undefined
  return causes.map(({ field = '', message = '' }) => ({
    field: field.replace(/^\./, ''),
    manager: /conflict with "([^"]*)"/.exec(message)?.[1] ?? message,
  }))
}
