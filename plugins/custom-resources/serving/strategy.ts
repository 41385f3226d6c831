import { type ApiObject, type FieldError, invalid, methodNotSupported, type Strategy } from 'orch/sdk'
import type { ScalePaths } from '../definitions/schema.js'
import { compileRunRules, type RunRules } from '../expressions/run-rules.js'
import type { SchemaNode } from '../schemas/schema-node.js'
import type { StructuralSchema } from '../schemas/structural-schema.js'
import { canonical } from '../schemas/validate-value.js'
import { validateScale } from './scale.js'

/** What is done to the objects of one version. */
export interface VersionRules {
  readonly structure: StructuralSchema
  readonly hasStatus: boolean
  readonly scale: ScalePaths | undefined
}

/** The rules of all versions of a type: what a request is judged by is the version that it was sent in. */
export class ObjectRules {
  readonly #versionOf: (name: string) => VersionRules
  readonly #rules = new Map<SchemaNode, RunRules | undefined>()

  constructor(versionOf: (name: string) => VersionRules) {
    this.#versionOf = versionOf
  }

  version(name: string): VersionRules {
    return this.#versionOf(name)
  }

  validate(
    version: string,
    object: ApiObject,
    stored: ApiObject | undefined,
    groupVersion: string,
    kind: string,
  ): FieldError[] {
    const { structure, scale } = this.#versionOf(version)
    const whole = { apiVersion: groupVersion, kind, ...object }
    const before = stored && { apiVersion: groupVersion, kind, ...stored }
    const run = this.#runOf(structure.schema)
    return [
      ...structure.validate(whole),
      ...(scale ? validateScale(object, scale) : []),
      ...(run?.(whole, before) ?? []),
    ]
  }

  #runOf(schema: SchemaNode): RunRules | undefined {
    if (!this.#rules.has(schema)) this.#rules.set(schema, compileRunRules(schema))
    return this.#rules.get(schema)
  }
}

export interface Subject {
  readonly group: string
  readonly kind: string
  readonly resource: string
  /** Is the definition being deleted? Then there are no new objects. */
  readonly isEnding?: () => boolean
}

const content = (object: ApiObject, hasStatus: boolean): string => {
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = object
  if (hasStatus) delete rest['status']
  return canonical(rest)
}

/** The main path: all but status, where that is a path of its own. Every change of it begins a generation. */
export const mainStrategy = (
  rules: ObjectRules,
  { group, kind, resource, isEnding }: Subject,
  hasStatus: boolean,
): Strategy => ({
  prepareForCreate(draft, { requestVersion }) {
    if (isEnding?.()) throw methodNotSupported({ group, resource }, 'create')
    if (rules.version(requestVersion).hasStatus) delete draft['status']
    draft.metadata.generation = 1
  },
  prepareForUpdate(draft, stored, { requestVersion }) {
    const { hasStatus } = rules.version(requestVersion)
    if (hasStatus) {
      if (Object.hasOwn(stored, 'status')) draft['status'] = structuredClone(stored['status'])
      else delete draft['status']
    }
    if (content(draft, hasStatus) !== content(stored, hasStatus))
      draft.metadata.generation = (stored.metadata.generation ?? 0) + 1
  },
  validate: (object, { requestVersion }) =>
    rules.validate(requestVersion, object, undefined, `${group}/${requestVersion}`, kind),
  validateUpdate: (object, stored, { requestVersion }) =>
    rules.validate(requestVersion, object, stored, `${group}/${requestVersion}`, kind),
  ...(hasStatus ? { resetFields: ['status'] } : {}),
  unconditionalUpdate: false,
})

/** The status path: nothing but status. */
export const statusStrategy = (rules: ObjectRules, { group, kind }: Subject): Strategy => ({
  prepareForUpdate(draft, stored) {
    const { status } = draft
    const hadStatus = Object.hasOwn(draft, 'status')
    const { managedFields, resourceVersion } = draft.metadata
    for (const name of Object.keys(draft)) if (name !== 'metadata') delete draft[name]
    const { metadata, ...rest } = structuredClone(stored)
    Object.assign(draft, rest)
    draft.metadata = { ...metadata, ...(resourceVersion ? { resourceVersion } : {}) }
    if (managedFields) draft.metadata.managedFields = managedFields
    else delete draft.metadata.managedFields
    if (hadStatus) draft['status'] = status
    else delete draft['status']
  },
  validateUpdate: (object, stored, { requestVersion }) =>
    rules.validate(requestVersion, object, stored, `${group}/${requestVersion}`, kind),
  resetFields: ['spec'],
  unconditionalUpdate: false,
})

/** What scaling did to an object is judged like any other change of it. */
export function settleScaled(
  rules: ObjectRules,
  { group, kind }: Subject,
  version: string,
  draft: ApiObject,
  before: ApiObject,
): void {
  const errors = rules.validate(version, draft, before, `${group}/${version}`, kind)
  if (errors.length > 0) throw invalid({ group, kind }, draft.metadata.name ?? '', errors)
  const { hasStatus } = rules.version(version)
  if (content(draft, hasStatus) !== content(before, hasStatus))
    draft.metadata.generation = (before.metadata.generation ?? 0) + 1
}
