import {
  type AdmissionRequest,
  ApiError,
  andThen,
  badRequest,
  type Counter,
  forbidden,
  type Histogram,
  internalError,
  type Metrics,
  type Operation,
  type Rejection,
  refusedName,
  type Verdict,
} from 'orch/sdk'
import { isAdmissionMatch } from 'orch/sdk/host'
import { asStage, type TraceStage } from 'orch/sdk/server'
import { writeJson } from '../../libs/json/index.js'
import type { RootContainer } from '../container/root-container.js'
import type { Contribution } from '../registry/registry.js'
import { whenFilled } from '../watch/filled-caches.js'
import type { RecordedRequest } from './admission-record.js'
import type { AnyAdmission } from './chain-order.js'

type Phase = 'mutate' | 'validate'
type Labels = Readonly<Record<string, string>>

/** Metric labels of a phase that admits a request, and of one that rejects it. */
interface PhaseLabels {
  readonly passed: Labels
  readonly refused: Labels
}

/** Created once and frozen, so that instruments can look them up by identity. */
const labels = (type: string, operation: Operation): PhaseLabels => {
  const shared = { type, operation: operation.toUpperCase() }
  return {
    passed: Object.freeze({ ...shared, rejected: 'false' }),
    refused: Object.freeze({ ...shared, rejected: 'true' }),
  }
}
const ofOperations = (type: string): Readonly<Record<Operation, PhaseLabels>> => ({
  create: labels(type, 'create'),
  update: labels(type, 'update'),
  delete: labels(type, 'delete'),
  connect: labels(type, 'connect'),
})
const phases = { mutate: ofOperations('admit'), validate: ofOperations('validate') }

const labelsOfPhase = (phase: Phase, operation: Operation): PhaseLabels => phases[phase][operation]

interface Control {
  readonly definition: AnyAdmission
  readonly services: never
}
/** A control in one phase of one kind of request. */
interface Step extends Control {
  readonly phase: Phase
  /** Its metric labels, frozen so that instruments can look them up by identity. */
  readonly passed: Labels
  readonly refused: Labels
}

/** The controls of a request, in order; computed once per kind of request. */
export interface ChainFor {
  readonly mutating: readonly Step[]
  readonly validating: readonly Step[]
}

/** Runs admission. The services of controls are resolved on first use, so that the order of registration does not matter. */
export class AdmissionChain {
  readonly #controls: readonly Control[]
  readonly #found = new Map<string, ChainFor>()
  readonly #latency: Histogram
  readonly #stepLatency: Histogram
  readonly #rejections: Counter

  constructor(chain: readonly Contribution<AnyAdmission>[], root: RootContainer, metrics: Metrics) {
    this.#latency = metrics.histogram(
      'apiserver_admission_controller_admission_duration_seconds',
      'Time spent in an admission control.',
      ['name', 'type', 'operation', 'rejected'],
      [0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5],
    )
    this.#stepLatency = metrics.histogram(
      'apiserver_admission_step_admission_duration_seconds',
      'Time spent in all admission controls of a phase.',
      ['type', 'operation', 'rejected'],
      [0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5],
    )
    this.#rejections = metrics.counter(
      'apiserver_admission_controller_rejections_total',
      'Requests that an admission control rejected or failed on.',
      ['name', 'type', 'operation'],
    )
    this.#controls = chain.map(({ plugin, definition }) => ({
      definition,
      services: root.scopeOf(plugin).resolve(definition.needs) as never,
    }))
  }

  for(group: string, resource: string, subresource: string, operation: Operation): ChainFor {
    const id = `${operation} ${group}/${resource}/${subresource}`
    let found = this.#found.get(id)
    if (!found) {
      const target = { group, resource, subresource, operation }
      const matching = this.#controls.filter(({ definition }) => isAdmissionMatch(definition.matches, target))
      const stepsOf = (phase: Phase, other: Phase) =>
        matching.filter(({ definition }) => definition.phase !== other).map(one => stepOf(one, phase, operation))
      found = { mutating: stepsOf('mutate', 'validate'), validating: stepsOf('validate', 'mutate') }
      this.#found.set(id, found)
    }
    return found
  }

  /** Runs the mutating controls, and all of them once more if one of them requests it. */
  async mutate(chain: ChainFor, request: RecordedRequest): Promise<void> {
    await this.#timed('mutate', request, async () => {
      if (!(await this.#runAll(chain.mutating, request))) return
      ;(request as { reinvoked: boolean }).reinvoked = true
      await this.#runAll(chain.mutating, request)
    })
    if (chain.validating.length === 0) request.record?.allowed()
  }
  /** Runs the validating controls, which cannot change the object. */
  async validate(chain: ChainFor, request: RecordedRequest): Promise<void> {
    request.beginValidation?.()
    await this.#timed('validate', request, () => this.#runAll(chain.validating, request))
    request.record?.allowed()
  }

  async #timed(phase: Phase, { operation }: RecordedRequest, run: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now()
    const { passed, refused } = labelsOfPhase(phase, operation)
    let labels: Labels = refused
    try {
      await run()
      labels = passed
    } finally {
      this.#stepLatency.observe((performance.now() - startedAt) / 1000, labels)
    }
  }

  /** Returns whether one of them requests another run. */
  async #runAll(steps: readonly Step[], request: RecordedRequest): Promise<boolean> {
    const isWatched = request.record?.seesChanges ?? false
    let isReinvoked = false
    for (const step of steps) {
      const { whenSet } = step.definition
      if (whenSet && request.isSet?.(whenSet) === false) continue
      const before = isWatched && step.phase === 'mutate' ? writeJson(request.object) : ''
      const wantsMore = this.#run(step, request)
      // A synchronous decision costs no turn of the event loop.
      if (typeof wantsMore === 'boolean' ? wantsMore : await wantsMore) isReinvoked = true
      if (before !== '' && writeJson(request.object) !== before) request.record?.changedBy(step.definition.name)
    }
    return isReinvoked
  }

  #run(step: Step, request: RecordedRequest): boolean | Promise<boolean> {
    const startedAt = performance.now()
    let verdict: Verdict | Promise<Verdict>
    try {
      if (request.dryRun && step.definition.sideEffects === 'some') throw dryRunRefused(step.definition)
      verdict = request.trace ? this.#traced(step, request, request.trace) : this.#review(step, request)
    } catch (thrown) {
      return this.#fail(step, request, startedAt, thrown)
    }
    return andThen(
      verdict,
      answer => this.#conclude(step, request, startedAt, answer),
      thrown => this.#fail(step, request, startedAt, thrown),
    )
  }

  #review({ definition, services, phase }: Step, request: RecordedRequest): Verdict | Promise<Verdict> {
    return whenFilled(() => definition.review(request, services, phase))
  }
  /** Controls of a request run one after another, so its stage is that of the one that runs. */
  #traced(step: Step, request: RecordedRequest, whole: TraceStage): Verdict | Promise<Verdict> {
    const within = (stage: TraceStage) => {
      ;(request as { trace: TraceStage }).trace = stage
      return this.#review(step, request)
    }
    const restore = () => {
      ;(request as { trace: TraceStage }).trace = whole
    }
    const restoreAndThrow = (thrown: unknown): never => {
      restore()
      throw thrown
    }
    const restoreAndReturn = (verdict: Verdict) => {
      restore()
      return verdict
    }
    try {
      const verdict = asStage(whole, 'admission', within, { phase: step.phase, control: step.definition.name })
      return andThen(verdict, restoreAndReturn, restoreAndThrow)
    } catch (thrown) {
      return restoreAndThrow(thrown)
    }
  }

  #conclude(step: Step, request: RecordedRequest, startedAt: number, verdict: Verdict): boolean {
    if (verdict && 'rejected' in verdict) {
      this.#refused(step, request, startedAt)
      throw rejectionError(request, verdict)
    }
    this.#latency.observe((performance.now() - startedAt) / 1000, step.passed)
    return verdict !== undefined
  }

  /** A control that throws anything but an ApiError is broken, and the error names it. */
  #fail(step: Step, request: RecordedRequest, startedAt: number, thrown: unknown): never {
    this.#refused(step, request, startedAt)
    if (thrown instanceof ApiError) throw thrown
    throw internalError(`admission control "${step.definition.name}" failed`, { cause: thrown })
  }

  #refused({ refused, definition }: Step, request: RecordedRequest, startedAt: number): void {
    this.#latency.observe((performance.now() - startedAt) / 1000, refused)
    this.#rejections.inc(refused)
    request.record?.refusedBy(definition.name)
  }
}

function stepOf(control: Control, phase: Phase, operation: Operation): Step {
  const { passed, refused } = labelsOfPhase(phase, operation)
  const { name } = control.definition
  return { ...control, phase, passed: Object.freeze({ name, ...passed }), refused: Object.freeze({ name, ...refused }) }
}

/** Its side effects cannot be undone, so a dry run that would call it is rejected. */
const dryRunRefused = ({ name }: AnyAdmission) => badRequest(`admission control "${name}" does not support dry run`)

function rejectionError(request: AdmissionRequest, { message, code = 403, reason }: Rejection): ApiError {
  const subject = { group: request.group, resource: request.resource, name: refusedName(request) }
  if (code === 403 && (reason === undefined || reason === 'Forbidden')) return forbidden(subject, message)
  return new ApiError(code, reason ?? '', message)
}
