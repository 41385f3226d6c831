import {
  type AdmissionRequest,
  ApiError,
  forbidden,
  internalError,
  isAdmissionMatch,
  type Metrics,
  type Operation,
  type Rejection,
  type Verdict,
} from 'orch/sdk'
import type { RootContainer } from '../container/root-container.js'
import type { Contribution } from '../registry/registry.js'
import type { RecordedRequest } from './admission-record.js'
import type { AnyAdmission } from './chain-order.js'

type Phase = 'mutate' | 'validate'
interface Control {
  readonly definition: AnyAdmission
  readonly services: never
  observe(phase: Phase, operation: Operation, startedAt: number, rejected: boolean): void
}

/** The controls a request passes, in order; found once per kind of request. */
export interface ChainFor {
  readonly mutating: readonly Control[]
  readonly validating: readonly Control[]
}

/** Runs admission. What a control needs is resolved when the chain is first used, so that registration order is free. */
export class AdmissionChain {
  readonly #controls: readonly Control[]
  readonly #found = new Map<string, ChainFor>()

  constructor(chain: readonly Contribution<AnyAdmission>[], root: RootContainer, metrics: Metrics) {
    const latency = metrics.histogram(
      'apiserver_admission_controller_admission_duration_seconds',
      'Time spent in an admission control.',
      ['name', 'type', 'operation', 'rejected'],
      [0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5],
    )
    const rejections = metrics.counter(
      'apiserver_admission_controller_rejections_total',
      'Requests that an admission control refused or failed on.',
      ['name', 'type', 'operation'],
    )
    this.#controls = chain.map(({ plugin, definition }) => ({
      definition,
      services: root.scopeOf(plugin).resolve(definition.needs) as never,
      observe: (phase, operation, startedAt, rejected) => {
        const labels = {
          name: definition.name,
          type: phase === 'mutate' ? 'admit' : 'validate',
          operation: operation.toUpperCase(),
        }
        latency.observe((performance.now() - startedAt) / 1000, { ...labels, rejected: String(rejected) })
        if (rejected) rejections.inc(labels)
      },
    }))
  }

  for(group: string, resource: string, subresource: string, operation: Operation): ChainFor {
    const id = `${operation} ${group}/${resource}/${subresource}`
    let found = this.#found.get(id)
    if (!found) {
      const target = { group, resource, subresource, operation }
      const matching = this.#controls.filter(({ definition }) => isAdmissionMatch(definition.matches, target))
      found = {
        mutating: matching.filter(({ definition }) => definition.phase !== 'validate'),
        validating: matching.filter(({ definition }) => definition.phase !== 'mutate'),
      }
      this.#found.set(id, found)
    }
    return found
  }

  /** Runs the mutating controls, and all of them once more when one asks for it. */
  async mutate(chain: ChainFor, request: RecordedRequest): Promise<void> {
    const runOne = request.record?.seesChanges ? runWatched : run
    let isReinvoked = false
    for (const control of chain.mutating) if (await runOne(control, request, 'mutate')) isReinvoked = true
    if (isReinvoked) {
      ;(request as { reinvoked: boolean }).reinvoked = true
      for (const control of chain.mutating) await runOne(control, request, 'mutate')
    }
    if (chain.validating.length === 0) request.record?.allowed()
  }
  async validate(chain: ChainFor, request: RecordedRequest): Promise<void> {
    for (const control of chain.validating) await run(control, request, 'validate')
    request.record?.allowed()
  }
}

/** Runs a control and records whether it changed the object. */
async function runWatched(control: Control, request: RecordedRequest, phase: Phase): Promise<boolean> {
  const before = JSON.stringify(request.object)
  const isReinvoked = await run(control, request, phase)
  if (JSON.stringify(request.object) !== before) request.record?.changedBy(control.definition.name)
  return isReinvoked
}

/** Returns whether the control wants the others to run again. */
function run(control: Control, request: RecordedRequest, phase: Phase): boolean | Promise<boolean> {
  const startedAt = performance.now()
  let verdict: Verdict | Promise<Verdict>
  try {
    verdict = control.definition.review(request, control.services, phase)
  } catch (thrown) {
    return fail(control, request, phase, startedAt, thrown)
  }
  if (!(verdict instanceof Promise)) return conclude(control, request, phase, startedAt, verdict)
  return verdict.then(
    later => conclude(control, request, phase, startedAt, later),
    thrown => fail(control, request, phase, startedAt, thrown),
  )
}

function conclude(
  control: Control,
  request: RecordedRequest,
  phase: Phase,
  startedAt: number,
  verdict: Verdict,
): boolean {
  const rejection = verdict && 'rejected' in verdict ? verdict : undefined
  control.observe(phase, request.operation, startedAt, rejection !== undefined)
  if (rejection) {
    request.record?.refusedBy(control.definition.name)
    throw rejectionError(request, rejection)
  }
  return verdict !== undefined
}

function rejectionError(request: AdmissionRequest, { message, code = 403, reason }: Rejection): ApiError {
  const subject = { group: request.group, resource: request.resource, name: request.name }
  if (code === 403 && (reason === undefined || reason === 'Forbidden')) return forbidden(subject, message)
  return new ApiError(code, reason ?? '', message)
}

/** A control that throws anything but an ApiError (or its own rejection) is broken: say which one. */
function fail(control: Control, request: RecordedRequest, phase: Phase, startedAt: number, thrown: unknown): never {
  control.observe(phase, request.operation, startedAt, true)
  request.record?.refusedBy(control.definition.name)
  if (thrown instanceof ApiError) throw thrown
  throw internalError(`admission control "${control.definition.name}" failed`, { cause: thrown })
}
