import type { ApiObject, Operation, ServedForms, UserInfo } from 'orch/sdk'
import type { AdmissionRecord, RecordedRequest } from '../admission/admission-record.js'
import { type ActionForm, RequestForms } from './served-forms.js'
import type { WriteTarget } from './write-target.js'

/**
 * A write as admission controls see it. There are two in every create and update, so what few controls ask for is made only
 * when they do.
 */
export class WriteRequest implements RecordedRequest {
  readonly #target: WriteTarget
  readonly #action: ActionForm | undefined
  #forms: ServedForms | undefined
  readonly operation: Operation
  readonly name: string
  readonly object: ApiObject
  readonly oldObject: ApiObject
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
  readonly letOthersWrite: () => void
  readonly warn: (text: string) => void
  readonly record: AdmissionRecord | undefined

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
    this.operation = operation
    this.name = name
    this.object = object as ApiObject
    this.oldObject = oldObject as ApiObject
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
    this.letOthersWrite = target.letOthersWrite
    this.warn = context.warn
    this.record = target.record
  }

  /** A function of its own, so that controls may take it out of the request. */
  get annotate(): RecordedRequest['annotate'] {
    const { context } = this.#target
    return (key, value, level) => context.annotate(key, value, level)
  }
  timeLeftMs(): number {
    return this.#target.context.timeLeftMs()
  }
  get options(): Record<string, unknown> {
    return this.#target.admissionOptions(this.operation)
  }
  get served(): ServedForms {
    const { services, context, type, version } = this.#target
    this.#forms ??= new RequestForms(services.types, context, type, version, this.object, this.oldObject, this.#action)
    return this.#forms
  }
}
