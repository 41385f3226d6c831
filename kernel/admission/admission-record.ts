import type { AdmissionRequest, Vendor } from 'orch/sdk'
import type { RequestContext } from '../contracts/request-context.js'

/** A request as the chain needs it. One that is audited carries the record of what admission made of it. */
export interface RecordedRequest extends AdmissionRequest {
  readonly record?: AdmissionRecord | undefined
  /** From now on its objects are frozen for whoever asks for them. */
  beginValidation?(): void
}

/** What admission decided, for the audit event: let through or not, by whom not, and who changed the object. */
export class AdmissionRecord {
  readonly #context: RequestContext
  readonly #prefix: string
  readonly #changedBy: string[] = []
  /** Finding changes costs a comparison per control: it is done where bodies are recorded, too. */
  readonly seesChanges: boolean

  constructor(context: RequestContext, vendor: Vendor) {
    this.#context = context
    this.#prefix = vendor.group('admission')
    this.seesChanges = context.auditBodies !== undefined
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

  /** A write that starts over is decided anew: the last word counts. */
  #set(name: string, value: string): void {
    this.#context.replaceAnnotation(`${this.#prefix}/${name}`, value)
  }
}
