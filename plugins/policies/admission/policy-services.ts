import { type AdmissionRequest, andThen, defineStartTask, type Resolved, services, serviceToken } from 'orch/sdk'
import { type PolicyDecision, type PolicyDecisions, policyDecisions } from 'orch/sdk/admission'
import { expressions } from 'orch/sdk/expressions'
import { PolicyMetrics } from '../evaluating/policy-metrics.js'
import type { EvaluationServices } from '../evaluating/validation-pass.js'
import type { Binding, Candidate, Policy } from '../matching/policy-snapshot.js'
import { PolicySource } from '../matching/policy-source.js'
import type { PolicyNames } from '../names.js'

/** The policies of one kind: finds those that match a request, and has the services for their evaluation. */
export class PolicyControl {
  readonly services: EvaluationServices
  readonly metrics: PolicyMetrics
  readonly #source: PolicySource
  readonly #listeners: DecisionListeners
  readonly #phase: PolicyDecision['phase']
  readonly #exempt: PolicyNames['exempt']

  constructor(parts: {
    source: PolicySource
    services: EvaluationServices
    metrics: PolicyMetrics
    listeners: DecisionListeners
    phase: PolicyDecision['phase']
    exempt: PolicyNames['exempt']
  }) {
    this.#source = parts.source
    this.services = parts.services
    this.metrics = parts.metrics
    this.#listeners = parts.listeners
    this.#phase = parts.phase
    this.#exempt = parts.exempt
  }

  ready(): Promise<void> {
    return this.#source.ready()
  }

  /** Policies whose rules match, by name. Waits only when policies have changed and are still to be compiled. */
  candidates(request: AdmissionRequest): readonly Candidate[] | Promise<readonly Candidate[]> {
    if (this.#exempt.get(request.group)?.has(request.resource)) return nothing
    return andThen(this.#source.current(), snapshot => snapshot.candidates(request))
  }

  /** Whether there are listeners for decisions. */
  get isObserved(): boolean {
    return this.#listeners.isObserved
  }

  /** Notifies listeners of the decision of a policy. */
  report(
    policy: string,
    binding: string,
    outcome: PolicyDecision['outcome'],
    messages: readonly string[],
    actions: readonly string[],
  ): void {
    this.#listeners.notify(() => ({ policy, binding, phase: this.#phase, outcome, messages, actions }))
  }
}

const nothing: readonly Candidate[] = []

export const validatingPolicies = serviceToken<PolicyControl>('validating policies')
export const mutatingPolicies = serviceToken<PolicyControl>('mutating policies')
const listening = serviceToken<DecisionListeners>('policy listeners')

const needs = {
  caches: services.caches,
  reader: services.reader,
  resources: services.resources,
  authorizer: services.authorizer,
  metrics: services.metrics,
  language: expressions,
  listeners: listening,
} as const

/** The services for both kinds of policies. */
export const policyServices = (names: PolicyNames) => {
  const serviceFor = (kind: 'validating' | 'mutating') => ({
    token: kind === 'validating' ? validatingPolicies : mutatingPolicies,
    needs,
    create({ caches, reader, resources, authorizer, metrics, language, listeners }: Resolved<typeof needs>) {
      const { policies, bindings } = names[kind]
      return new PolicyControl({
        source: new PolicySource(caches.of<Policy>(policies), caches.of<Binding>(bindings), language),
        services: { caches, reader, resources, authorizer },
        metrics: new PolicyMetrics(metrics, kind),
        listeners,
        phase: kind === 'validating' ? 'validate' : 'mutate',
        exempt: names.exempt,
      })
    },
  })
  return [serviceFor('validating'), serviceFor('mutating')]
}

export const decisionListeners = { token: listening, create: () => new DecisionListeners() }
const offeredNeeds = { listeners: listening } as const
export const offeredDecisions = {
  token: policyDecisions,
  needs: offeredNeeds,
  create: ({ listeners }: Resolved<typeof offeredNeeds>) => listeners,
}

const warmUpNeeds = { caches: services.caches, validating: validatingPolicies, mutating: mutatingPolicies } as const

/** Fills the caches that requests read before the first request arrives. */
export const warmUp = defineStartTask({
  name: 'policies',
  needs: warmUpNeeds,
  async run({ caches, validating, mutating }) {
    await Promise.all([validating.ready(), mutating.ready(), caches.of({ group: '', resource: 'namespaces' }).ready()])
  },
})

/** Notifies listeners of the decisions of policies. */
class DecisionListeners implements PolicyDecisions {
  readonly #listeners = new Set<(decision: PolicyDecision) => void>()

  observe(listener: (decision: PolicyDecision) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  get isObserved(): boolean {
    return this.#listeners.size > 0
  }
  /** `make` is called only if there are listeners, because building a decision has a cost. */
  notify(make: () => PolicyDecision): void {
    if (this.#listeners.size === 0) return
    const decision = make()
    for (const listener of this.#listeners) listener(decision)
  }
}
