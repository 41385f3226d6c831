import type { AdmissionRequest, Vendor } from 'orch/sdk'
import type { RequestContext } from '../contracts/request-context.js'

/** A request as the chain needs it. If it is audited, it carries a record of the admission. */
export interface RecordedRequest extends AdmissionRequest {
  readonly record?: AdmissionRecord | undefined
  /** Freezes its objects from now on. */
  beginValidation?(): void
  /** Whether the object or the stored one has a value at this path. */
  isSet?(path: readonly string[]): boolean
}

/** The decision of admission for the audit event: allowed or not, the control that rejected it, and the controls that changed the object. */
export class AdmissionRecord {
  readonly #context: RequestContext
  readonly #prefix: string
  readonly #changedBy: string[] = []
  /** Detecting changes costs a comparison per control, so it is done only if bodies are recorded, too. */
  readonly seesChanges: boolean

  constructor(context: RequestContext, vendor: Vendor) {
    this.#context = context
    this.#prefix = vendor.group('admission')
    this.seesChanges = context.audit.bodies !== undefined
  }

  allowed(): void {
    this.#set('decision', 'allow')
  }
  refusedBy(control: string): void {
    this.#set('decision', 'forbid')
    this.#set('refused-by', control)
  }
  changedBy(control: string): void {
    if (this.#changedBy.includes(control)) return
    this.#changedBy.push(control)
    this.#set('changed-by', this.#changedBy.join(','))
  }

  /** A write that is retried is decided again; the last decision counts. */
  #set(name: string, value: string): void {
    this.#context.audit.replaceAnnotation(`${this.#prefix}/${name}`, value)
  }
}
