import { type Anything, ApiFailure, type ApiObject } from './api.js'
import { applyPatch, changeObject } from './change-object.js'
import { appliedObject, changesBetween, ownersByPath, type Path, pathText } from './field-sets.js'
import { objectPath } from './paths.js'
import type { ResourceType } from './resource-type.js'
import type { TypeSchema } from './schemas.js'
import { shownObject } from './yaml-text.js'

/** Who the console is as a manager of fields. */
export const fieldManager = 'console'

/** A field that somebody else claims. */
export interface Conflict {
  readonly field: string
  readonly manager: string
}
/** An edit, ready to be tried and made. */
export interface Edit {
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** Those that can be known before the server is asked. */
  readonly conflicts: readonly Conflict[]
  send(options: { isDryRun: boolean; isForced: boolean }): Promise<ApiObject>
}

/**
 * Changed fields are applied, so that the server says who else claims them. Applying cannot take away what others set, so an
 * edit that removes fields replaces the object; whose fields are lost is then read from what the server keeps of their managers.
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

/** The conflicts of an apply that the server refused; undefined for another failure. */
export function conflictsOf(failure: unknown): Conflict[] | undefined {
  if (!(failure instanceof ApiFailure) || failure.code !== 409) return undefined
  const causes = failure.causes.filter(({ reason }) => reason === 'FieldManagerConflict')
  if (causes.length === 0) return undefined
  return causes.map(({ field = '', message = '' }) => ({
    field: field.replace(/^\./, ''),
    manager: /conflict with "([^"]*)"/.exec(message)?.[1] ?? message,
  }))
}
