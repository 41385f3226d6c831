import {
  type ApiObject,
  andThen,
  type FieldError,
  forbidden,
  invalid,
  invalidValue,
  methodNotSupported,
  type ScalePaths,
  type Strategy,
} from 'orch/sdk'
import { validateScale } from 'orch/sdk/core'
import { areAnnotationsTooLarge, isKnownFinalizer, isQualifiedName, sameJson, writeJson } from 'orch/sdk/validation'
import { type SchemaNode, schemasWith } from '../../../libs/json-schema/index.js'
import type { Features } from '../features.js'
import type { SchemaKeywords } from '../names.js'
import { languageOfStoredRules } from '../rules/language.js'
import type { RunRules } from '../rules/run-rules.js'
import { copyValue } from '../schemas/prune.js'
import type { StructuralSchema } from '../schemas/structural-schema.js'
import type { ValidationThread } from '../schemas/validation-thread.js'
import { Work, WorkExceeded, workAtOnce } from '../schemas/work.js'

/** The schema and subresources of one version. */
export interface VersionRules {
  readonly structure: StructuralSchema
  readonly hasStatus: boolean
  readonly scale: ScalePaths | undefined
}

/** Errors after which rules are not checked. */
const blocking: ReadonlySet<string> = new Set([
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])
const rulesSkipped =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'

/** An object to validate. */
interface ValidationSubject {
  readonly version: string
  readonly groupVersion: string
  readonly kind: string
  readonly object: ApiObject
  /** The stored object on updates. */
  readonly stored?: ApiObject | undefined
  readonly ofStatus?: boolean
  /** Called with errors that are tolerated. */
  readonly warn?: ((text: string) => void) | undefined
}

/** Validates objects of a type. A request is validated against the schema of the version that it uses. */
export class ObjectRules {
  readonly #versionOf: (name: string) => VersionRules
  readonly #keywords: SchemaKeywords
  readonly #thread: ValidationThread
  readonly #rules = new Map<SchemaNode, RunRules | undefined>()
  readonly #preparing = new Map<SchemaNode, Promise<void>>()
  readonly features: Features

  constructor(
    versionOf: (name: string) => VersionRules,
    keywords: SchemaKeywords,
    features: Features,
    thread: ValidationThread,
  ) {
    this.#versionOf = versionOf
    this.#keywords = keywords
    this.features = features
    this.#thread = thread
  }

  version(name: string): VersionRules {
    return this.#versionOf(name)
  }

  /**
   * Prepares the rules of a version, once, however many requests wait for it. Returns a promise only if the schema has
   * rules, because CEL is loaded on first use.
   */
  prepare(version: string): Promise<void> | undefined {
    const { schema } = this.#versionOf(version).structure
    if (this.#rules.has(schema)) return undefined
    const marked = schemasWith(schema.source, this.#keywords.validations)
    if (marked.size === 0) {
      this.#rules.set(schema, undefined)
      return undefined
    }
    let preparing = this.#preparing.get(schema)
    if (!preparing) {
      const language = languageOfStoredRules(this.features)
      preparing = import('../rules/run-rules.js')
        .then(
          ({ compileRunRulesLazily }) => void this.#rules.set(schema, compileRunRulesLazily(schema, language, marked)),
        )
        .finally(() => this.#preparing.delete(schema))
      this.#preparing.set(schema, preparing)
    }
    return preparing
  }

  /** All errors of an object. An expensive validation runs in the thread. */
  validate(subject: ValidationSubject): FieldError[] | Promise<FieldError[]> {
    const { version, object, stored, groupVersion, kind, ofStatus = false, warn = () => {} } = subject
    const preparing = this.prepare(version)
    if (preparing) return preparing.then(() => this.validate(subject))
    const { structure, scale } = this.#versionOf(version)
    const whole = { apiVersion: groupVersion, kind, ...object }
    const before = stored && { apiVersion: groupVersion, kind, ...stored }
    const ratchets = (ofStatus ? this.features.statusRatchets : this.features.ratchets) && before !== undefined
    const correlation = ratchets ? structure.correlate(whole, before) : undefined
    const withOthers = (found: readonly FieldError[]): FieldError[] | Promise<FieldError[]> => {
      const errors = [...found, ...validateNumbers(object, scale, ofStatus)]
      const run = this.#rules.get(structure.schema)
      if (!run) return errors
      // The cost estimate of rules relies on types and limits, so an object that violates them is not checked.
      const { name, annotations = {} } = object.metadata
      if (!name || areAnnotationsTooLarge(annotations) || errors.some(error => this.#isBlocking(error)))
        return [...errors, invalidValue('<nil>', null, rulesSkipped)]
      const broken = run(whole, before, correlation && { correlation, warn })
      return andThen(broken, more => [...errors, ...more])
    }
    const { maxWork } = this.#thread.limits
    try {
      const work = new Work(Math.min(workAtOnce, maxWork))
      return withOthers(structure.validate(whole, { before, correlation, ofStatus, work }))
    } catch (error) {
      if (!(error instanceof WorkExceeded)) throw error
    }
    const task = {
      kind: 'object',
      schema: structure.text,
      keywords: this.#keywords,
      options: this.features,
      ratchets,
      ofStatus,
      object: writeJson(whole),
      before: before && writeJson(before),
      maxWork,
    } as const
    return this.#thread.run(task).then(withOthers)
  }

  #isBlocking({ type }: FieldError): boolean {
    return blocking.has(type) || (this.features.enumsBlockRules && type === 'FieldValueNotSupported')
  }
}

/** Validates the values that the scale subresource shows. A write of the status is not judged by the desired number. */
function validateNumbers(object: ApiObject, scale: ScalePaths | undefined, ofStatus: boolean): FieldError[] {
  if (!scale) return []
  return validateScale(object, scale).filter(({ field }) => !ofStatus || field !== scale.specReplicasPath)
}

export interface Subject {
  readonly group: string
  readonly kind: string
  readonly resource: string
  /** Whether the definition is being deleted, so that no objects can be created. */
  readonly isTerminating?: () => boolean
}

/** Whether two objects are equal apart from metadata, and from status if it is a subresource. */
function isSameContent(object: ApiObject, other: ApiObject, hasStatus: boolean): boolean {
  const content = ({ apiVersion: _, kind: __, metadata: ___, ...rest }: ApiObject) => {
    if (hasStatus) delete rest['status']
    return rest
  }
  return sameJson(content(object), content(other))
}

const terminatingError = (type: { group: string; resource: string }, { metadata }: ApiObject) =>
  forbidden(
    { ...type, ...(metadata.name ? { name: metadata.name } : {}) },
    'create not allowed while custom resource definition is terminating',
  )

/** Warnings about added finalizers, which are accepted nevertheless. */
function finalizerProblems({ metadata }: ApiObject, stored: ApiObject | undefined, vendorName: string): string[] {
  const known = new Set(stored?.metadata.finalizers ?? [])
  const added = [...new Set(metadata.finalizers ?? [])].filter(name => !known.has(name)).sort()
  return added.flatMap(name => {
    const at = `metadata.finalizers: ${JSON.stringify(name)}`
    const problems = isQualifiedName(name).map(problem => `${at}: ${problem}`)
    if (isKnownFinalizer(name, vendorName)) return problems
    const wanted = name.includes('.')
      ? 'a domain-qualified finalizer name including a path (/)'
      : 'a domain-qualified finalizer name'
    return [...problems, `${at}: prefer ${wanted} to avoid accidental conflicts with other finalizer writers`]
  })
}

/** The object itself, without status if that is a subresource. Every change increments the generation. */
export const mainStrategy = (
  rules: ObjectRules,
  { group, kind, resource, isTerminating }: Subject,
  hasStatus: boolean,
): Strategy => ({
  prepareForCreate(draft, { requestVersion }) {
    if (isTerminating?.())
      throw rules.features.refusesWhileEnding
        ? terminatingError({ group, resource }, draft)
        : methodNotSupported({ group, resource }, 'create')
    if (rules.version(requestVersion).hasStatus) delete draft['status']
    draft.metadata.generation = 1
  },
  prepareForUpdate(draft, stored, { requestVersion }) {
    const { hasStatus } = rules.version(requestVersion)
    if (hasStatus) {
      if (Object.hasOwn(stored, 'status')) draft['status'] = copyValue(stored['status'])
      else delete draft['status']
    }
    if (!isSameContent(draft, stored, hasStatus)) draft.metadata.generation = (stored.metadata.generation ?? 0) + 1
  },
  validate: (object, { requestVersion: version }) =>
    rules.validate({ version, groupVersion: `${group}/${version}`, kind, object }),
  validateUpdate: (object, stored, { requestVersion: version, warn }) =>
    rules.validate({ version, groupVersion: `${group}/${version}`, kind, object, stored, warn }),
  warnings: (object, stored, { vendor }) =>
    rules.features.finalizerWarnings ? finalizerProblems(object, stored, vendor.name) : [],
  ...(hasStatus ? { resetFields: ['status'] } : {}),
  unconditionalUpdate: false,
  metadataChecks: { change: 1, object: 0 },
})

/** The status subresource: only status can be changed. */
export const statusStrategy = (rules: ObjectRules, { group, kind }: Subject): Strategy => ({
  prepareForUpdate(draft, stored) {
    const { status } = draft
    const hadStatus = Object.hasOwn(draft, 'status')
    const { managedFields, resourceVersion } = draft.metadata
    for (const name of Object.keys(draft)) if (name !== 'metadata') delete draft[name]
    const { metadata, ...rest } = copyValue(stored) as ApiObject
    Object.assign(draft, rest)
    draft.metadata = { ...metadata, ...(resourceVersion ? { resourceVersion } : {}) }
    if (managedFields) draft.metadata.managedFields = managedFields
    else delete draft.metadata.managedFields
    if (hadStatus) draft['status'] = status
    else delete draft['status']
  },
  validateUpdate: (object, stored, { requestVersion: version, warn }) =>
    rules.validate({ version, groupVersion: `${group}/${version}`, kind, object, stored, ofStatus: true, warn }),
  resetFields: rules.features.statusKeepsMetadataOwners ? ['metadata', 'spec'] : ['spec'],
  unconditionalUpdate: false,
})

/** Validates an object that was changed through its scale subresource and updates its generation. */
export async function completeScaled(
  rules: ObjectRules,
  { group, kind }: Subject,
  version: string,
  draft: ApiObject,
  before: ApiObject,
): Promise<void> {
  const errors = await rules.validate({
    version,
    groupVersion: `${group}/${version}`,
    kind,
    object: draft,
    stored: before,
  })
  if (errors.length > 0) throw invalid({ group, kind }, draft.metadata.name ?? '', errors)
  const { hasStatus } = rules.version(version)
  if (!isSameContent(draft, before, hasStatus)) draft.metadata.generation = (before.metadata.generation ?? 0) + 1
}
