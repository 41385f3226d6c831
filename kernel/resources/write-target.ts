import {
  type ApiObject,
  type FieldError,
  invalid,
  type Operation,
  type Strategy,
  type StrategyContext,
  timedOut,
  type UserInfo,
} from 'orch/sdk'
import { type ErrorSubject, isFieldSet, type ServedForms } from 'orch/sdk/host'
import type { TraceStage } from 'orch/sdk/server'
import { copyJson } from '../../libs/json/index.js'
import type { AdmissionChain, ChainFor } from '../admission/admission-chain.js'
import { AdmissionRecord, type RecordedRequest } from '../admission/admission-record.js'
import type { RequestContext } from '../contracts/request-context.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'
import { readOnlyCopy } from './read-only-copy.js'
import type { ResourceServices } from './resource-services.js'
import { type ActionForm, RequestForms } from './served-forms.js'
import type { VerbRequest } from './verb.js'

/** The admission controls of a write, phase by phase. */
export class Admission {
  readonly #chain: AdmissionChain
  readonly #steps: ChainFor
  readonly request: WriteRequest

  constructor(chain: AdmissionChain, steps: ChainFor, request: WriteRequest) {
    this.#chain = chain
    this.#steps = steps
    this.request = request
  }
  get mutates(): boolean {
    return this.#steps.mutating.length > 0
  }
  mutate(): Promise<void> | void {
    if (this.mutates) return this.#chain.mutate(this.#steps, this.request)
  }
  validate(): Promise<void> | void {
    if (this.#steps.validating.length > 0) return this.#chain.validate(this.#steps, this.request)
  }
}

/** The target of a write: type, version and path. */
export class WriteTarget {
  readonly services: ResourceServices
  readonly context: RequestContext
  readonly type: ResourceType
  readonly version: CompiledVersion
  readonly subresource: string
  readonly strategy: Strategy
  readonly dryRun: boolean
  readonly now: number
  /** Ends this write's turn on the object; see `AdmissionRequest`. */
  releaseLock: () => void = () => {}
  /** The change does not increment the generation. */
  keepsGeneration = false
  #strategyContext: StrategyContext | undefined
  /** The options of the request, without dryRun. */
  #options: Readonly<Record<string, unknown>>
  /** Records the decisions of admission; undefined unless they are used. */
  readonly record: AdmissionRecord | undefined

  constructor(
    { services, context, type, version }: VerbRequest,
    subresource: string,
    { dryRun, ...options }: { dryRun: boolean } & Record<string, unknown>,
    strategy = strategyOf(type, version, subresource),
  ) {
    this.services = services
    this.context = context
    this.type = type
    this.version = version
    this.subresource = subresource
    this.dryRun = dryRun
    this.now = services.clock.now()
    this.strategy = strategy
    this.#options = options
    this.record = context.audit.level === 'None' ? undefined : new AdmissionRecord(context, services.vendor)
  }

  /** Admission may have waited. Nothing is written after the request has timed out. */
  throwIfTimedOut(): void {
    if (this.context.exchange.isAnswered) throw timedOut('request did not complete within the allotted timeout', {})
  }

  /** Fills in options that the client did not set. */
  fillOptions(options: Readonly<Record<string, unknown>>): void {
    this.#options = { ...this.#options, ...options }
  }

  subject(name: string): ErrorSubject {
    return { group: this.type.group, resource: this.type.resource, name }
  }

  /** The group of the kind in errors that name the kind instead of the resource. */
  get failureGroup(): string {
    return this.type.definition.formerGroup ?? this.type.group
  }
  /** `of` is the body of an action, if the errors are in that. */
  invalid(name: string, errors: readonly FieldError[], of = { group: this.failureGroup, kind: this.type.kind }) {
    return invalid({ group: of.group, kind: of.kind }, name, errors)
  }

  /** Whether something other than finalizers keeps the object from being removed. */
  blocksDeletion(object: ApiObject): boolean {
    return this.type.definition.deletion?.blocksDeletion?.(object as never) ?? false
  }

  /**
   * Errors by the limits of the storage schema, and of the version that the client used: a version may be stricter than what is
   * stored.
   */
  limitErrors(object: ApiObject): FieldError[] {
    const { type, version } = this
    if (type.definition.conversion !== undefined) return version.checkConstraints?.(object) ?? []
    const errors = type.storage.checkConstraints?.(object) ?? []
    if (version.isStorage || !version.checkConstraints) return errors
    const idOf = (error: FieldError) => `${error.type} ${error.field}`
    const reported = new Set(errors.map(idOf))
    const asSent = version.checkConstraints(type.fromStorage(copyJson(object), version))
    return [...errors, ...asSent.filter(error => !reported.has(idOf(error)))]
  }

  strategyContext(): StrategyContext {
    this.#strategyContext ??= {
      user: this.context.user,
      now: this.now,
      namespace: this.context.info.namespace,
      subresource: this.subresource,
      dryRun: this.dryRun,
      vendor: this.services.vendor,
      requestVersion: this.version.name,
      warn: text => this.context.warn(text),
      limitErrors: object => this.limitErrors(object as ApiObject),
    }
    return this.#strategyContext
  }

  /** The admission of this write; undefined when no control matches. */
  admission(
    operation: Operation,
    name: string,
    object: ApiObject | undefined,
    oldObject: ApiObject | undefined,
    action?: ActionForm,
  ): Admission | undefined {
    const { admission } = this.services
    const chain = admission.for(this.type.group, this.type.resource, this.subresource, operation)
    if (chain.mutating.length + chain.validating.length === 0) return undefined
    return new Admission(admission, chain, new WriteRequest(this, operation, name, object, oldObject, action))
  }

  /** The options as admission sees them: their kind follows the operation, not the verb. */
  admissionOptions(operation: Operation): Record<string, unknown> {
    const options: Record<string, unknown> = {
      kind: optionsKinds[operation],
      apiVersion: `${this.services.vendor.metaGroup}/v1`,
    }
    if (this.dryRun) options['dryRun'] = ['All']
    for (const [name, value] of Object.entries(this.#options)) {
      if (value !== undefined && value !== null && value !== '') options[name] = value
    }
    return options
  }
}

function strategyOf({ definition }: ResourceType, { subresources }: CompiledVersion, subresource: string): Strategy {
  const sub = subresource === '' ? undefined : subresources[subresource]
  return ((sub?.kind === 'update' ? sub.strategy : definition.strategy) ?? {}) as Strategy
}

const optionsKinds: Readonly<Record<Operation, string>> = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  delete: 'DeleteOptions',
  connect: 'CreateOptions',
}

/** A write as admission controls see it. Every write creates one, so rarely used parts are created on demand. */
class WriteRequest implements RecordedRequest {
  readonly #target: WriteTarget
  readonly #action: ActionForm | undefined
  readonly #object: ApiObject | undefined
  readonly #oldObject: ApiObject | undefined
  #shown: ApiObject | undefined
  #shownOld: ApiObject | undefined
  #forms: ServedForms | undefined
  #isReadOnly = false
  readonly operation: Operation
  name: string
  readonly user: UserInfo
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly pathName: string
  readonly dryRun: boolean
  readonly requestVersion: string
  reinvoked = false
  readonly releaseLock: () => void
  readonly warn: (text: string) => void
  readonly record: AdmissionRecord | undefined
  trace: TraceStage | undefined

  constructor(
    target: WriteTarget,
    operation: Operation,
    name: string,
    object: ApiObject | undefined,
    oldObject: ApiObject | undefined,
    action: ActionForm | undefined,
  ) {
    const { type, context } = target
    this.#target = target
    this.#action = action
    this.#object = object
    this.#oldObject = oldObject
    this.operation = operation
    this.name = name
    this.user = context.user
    this.group = type.group
    this.version = type.storage.name
    this.kind = action?.kind.kind ?? type.kind
    this.resource = type.resource
    this.subresource = target.subresource
    this.namespace = type.namespaced ? context.info.namespace : ''
    this.pathName = context.info.name
    this.dryRun = target.dryRun
    this.requestVersion = target.version.name
    this.releaseLock = target.releaseLock
    this.warn = context.warn
    this.record = target.record
    this.trace = context.progress.trace
  }

  /**
   * Mutating controls change the object that will be stored. Validating ones see a copy; it is made when the first one
   * reads it, because most controls do not concern most objects.
   */
  get object(): ApiObject {
    if (!this.#isReadOnly || !this.#object) return this.#object as ApiObject
    return (this.#shown ??= readOnlyCopy(this.#object))
  }
  get oldObject(): ApiObject {
    if (this.#oldObject) this.#shownOld ??= readOnlyCopy(this.#oldObject)
    return this.#shownOld as ApiObject
  }
  isSet(path: readonly string[]): boolean {
    return isFieldSet(this.#object, path) || isFieldSet(this.#oldObject, path)
  }
  /** From now on the object is read-only. */
  beginValidation(): void {
    this.#isReadOnly = true
  }

  /** A function property, so that controls can destructure it. */
  get annotate(): RecordedRequest['annotate'] {
    const { context } = this.#target
    return (key, value, level) => context.annotate(key, value, level)
  }
  timeLeftMs(): number {
    return this.#target.context.progress.timeLeftMs()
  }
  get signal(): AbortSignal {
    return this.#target.context.signal
  }
  get options(): Record<string, unknown> {
    return this.#target.admissionOptions(this.operation)
  }
  get served(): ServedForms {
    this.#forms ??= new RequestForms({
      target: this.#target,
      draft: this.#object,
      stored: this.#oldObject,
      action: this.#action,
      isReadOnly: () => this.#isReadOnly,
    })
    return this.#forms
  }
}
