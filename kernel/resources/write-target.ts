import {
  type ApiObject,
  type ErrorSubject,
  type FieldError,
  invalid,
  type Operation,
  type Strategy,
  type StrategyContext,
  timedOut,
} from 'orch/sdk'
import type { ChainFor } from '../admission/admission-chain.js'
import { AdmissionRecord, type RecordedRequest } from '../admission/admission-record.js'
import type { RequestContext } from '../request/request-context.js'
import type { ResourceServices } from './resource-services.js'
import type { CompiledVersion, ResourceType } from './resource-type.js'
import type { ActionForm } from './served-forms.js'
import { WriteRequest } from './write-request.js'

const nobody: ChainFor = { mutating: [], validating: [] }

/** One write on its way: what it writes to, through which version and which path. */
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
  letOthersWrite: () => void = () => {}
  /** An action passes admission as what it is: what it then does to its object is not asked about again. */
  isAdmitted = false
  /** The options of the request, without dryRun. */
  #options: Readonly<Record<string, unknown>>
  /** Where admission notes what it decides; undefined when nobody will read it. */
  readonly record: AdmissionRecord | undefined

  constructor(
    services: ResourceServices,
    context: RequestContext,
    type: ResourceType,
    version: CompiledVersion,
    subresource: string,
    { dryRun, ...options }: { dryRun: boolean } & Record<string, unknown>,
  ) {
    this.services = services
    this.context = context
    this.type = type
    this.version = version
    this.subresource = subresource
    this.dryRun = dryRun
    this.now = services.clock.now()
    const sub = subresource === '' ? undefined : type.definition.subresources?.[subresource]
    this.strategy = ((sub?.kind === 'update' ? sub.strategy : type.definition.strategy) ?? {}) as Strategy
    this.#options = options
    this.record = context.auditLevel === 'None' ? undefined : new AdmissionRecord(context, services.vendor)
  }

  /** Admission may wait for others. Nothing is written once the client has been told that it took too long. */
  refuseOverdue(): void {
    if (this.context.exchange.isAnswered) throw timedOut('request did not complete within the allotted timeout', {})
  }

  /** Fills in options that the client left open. */
  settleOptions(options: Readonly<Record<string, unknown>>): void {
    this.#options = { ...this.#options, ...options }
  }

  subject(name: string): ErrorSubject {
    return { group: this.type.group, resource: this.type.resource, name }
  }

  /** The group by which failures that name the kind, not the resource, name it. */
  get failureGroup(): string {
    return this.type.definition.formerGroup ?? this.type.group
  }
  invalid(name: string, errors: readonly FieldError[]) {
    return invalid({ group: this.failureGroup, kind: this.type.kind }, name, errors)
  }

  chainFor(operation: Operation): ChainFor {
    if (this.isAdmitted) return nobody
    return this.services.admission.for(this.type.group, this.type.resource, this.subresource, operation)
  }

  strategyContext(): StrategyContext {
    return {
      user: this.context.user,
      now: this.now,
      namespace: this.context.info.namespace,
      subresource: this.subresource,
      dryRun: this.dryRun,
      vendor: this.services.vendor,
      requestVersion: this.version.name,
    }
  }

  admissionRequest(
    operation: Operation,
    name: string,
    object: ApiObject | undefined,
    oldObject: ApiObject | undefined,
    action?: ActionForm,
  ): RecordedRequest {
    return new WriteRequest(this, operation, name, object, oldObject, action)
  }

  /** The options as admission sees them: of the kind that fits the operation, whatever verb was used. */
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

const optionsKinds: Readonly<Record<Operation, string>> = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  delete: 'DeleteOptions',
  connect: 'CreateOptions',
}
