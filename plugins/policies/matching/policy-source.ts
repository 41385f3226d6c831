import type { Cache } from 'orch/sdk'
import type { Expressions } from 'orch/sdk/expressions'
import { compilePolicy } from '../compiling/compile-policy.js'
import { type ActivePolicy, activePolicy, type Binding, type Policy, PolicySnapshot } from './policy-snapshot.js'

type Compiled = ActivePolicy['compiled']

/** The current policies of one kind. A policy is compiled once per generation, on first use. */
export class PolicySource {
  readonly #policies: Cache<Policy>
  readonly #bindings: Cache<Binding>
  readonly #expressions: Expressions
  #compiled = new Map<string, Compiled>()
  /** Policies that are being compiled: many requests may wait for one. */
  readonly #compiling = new Map<string, Promise<void>>()
  #snapshot: PolicySnapshot | undefined

  constructor(policies: Cache<Policy>, bindings: Cache<Binding>, expressions: Expressions) {
    this.#policies = policies
    this.#bindings = bindings
    this.#expressions = expressions
    const invalidate = () => {
      this.#snapshot = undefined
    }
    policies.onChange(invalidate)
    bindings.onChange(invalidate)
  }

  async ready(): Promise<void> {
    await Promise.all([this.#policies.ready(), this.#bindings.ready()])
  }

  /** A request uses one snapshot: policies that change meanwhile take effect with the next request. */
  current(): PolicySnapshot | Promise<PolicySnapshot> {
    if (this.#snapshot) return this.#snapshot
    const bound = this.#bound()
    const missing = bound.filter(({ policy }) => !this.#compiled.has(idOf(policy)))
    if (missing.length === 0) return this.#store(bound)
    // Others may have changed when these are ready.
    return Promise.all(missing.map(({ policy }) => this.#compileOnce(policy))).then(() => this.current())
  }

  /** Policies with at least one binding, sorted by name. */
  #bound(): { policy: Policy; bindings: Binding[] }[] {
    const byPolicy = new Map<string, Binding[]>()
    for (const binding of [...this.#bindings.list()].sort(byName)) {
      const name = binding.spec.policyName ?? ''
      byPolicy.set(name, [...(byPolicy.get(name) ?? []), binding])
    }
    return [...this.#policies.list()].sort(byName).flatMap(policy => {
      const bindings = byPolicy.get(policy.metadata.name ?? '')
      return bindings ? [{ policy, bindings }] : []
    })
  }

  #store(bound: readonly { policy: Policy; bindings: Binding[] }[]): PolicySnapshot {
    const compiled = new Map(bound.map(({ policy }) => [idOf(policy), this.#compiled.get(idOf(policy))!]))
    this.#compiled = compiled
    const active = bound.map(({ policy, bindings }) => activePolicy(policy, bindings, compiled.get(idOf(policy))!))
    this.#snapshot = new PolicySnapshot(active)
    return this.#snapshot
  }

  #compileOnce(policy: Policy): Promise<void> {
    const id = idOf(policy)
    const running = this.#compiling.get(id)
    if (running) return running
    const compiling = this.#compile(policy)
      .then(compiled => void this.#compiled.set(id, compiled))
      .finally(() => this.#compiling.delete(id))
    this.#compiling.set(id, compiling)
    return compiling
  }

  async #compile({ spec }: Policy): Promise<Compiled> {
    const problems: string[] = []
    const compiled = await compilePolicy(spec, this.#expressions, (field, _, why) =>
      problems.push(`${field}: ${why.message}`),
    )
    return problems.length === 0 ? compiled : { problem: `compilation failed: ${problems.join('; ')}` }
  }
}

const policyNameOf = ({ metadata }: Policy | Binding) => metadata.name ?? ''
const byName = (left: Policy | Binding, right: Policy | Binding) => (policyNameOf(left) < policyNameOf(right) ? -1 : 1)
/** Changes whenever the spec changes. */
const idOf = ({ metadata }: Policy) => `${metadata.uid}/${metadata.generation}`
