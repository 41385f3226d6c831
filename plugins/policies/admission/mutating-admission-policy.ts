import { isDeepStrictEqual } from 'node:util'
import {
  type AdmissionRequest,
  ApiError,
  type ApiObject,
  defineAdmission,
  namespaceOfRequest,
  reinvoke,
  type ServedType,
  type Verdict,
} from 'orch/sdk'
import { denial } from '../evaluating/denial.js'
import { conditionsHold, evaluate, maxPolicyCost } from '../evaluating/evaluate-policy.js'
import { PolicyVariables, RequestObjects } from '../evaluating/policy-variables.js'
import { RequestAuthorizer } from '../evaluating/request-authorizer.js'
import { isNamespaced } from '../evaluating/validation-pass.js'
import { isMeant } from '../matching/matcher.js'
import { ConfigurationError, paramsFor } from '../matching/params.js'
import type { ActiveBinding, ActivePolicy, Candidate } from '../matching/policy-snapshot.js'
import { mutatingPolicies, type PolicyControl } from './policy-services.js'

/** A policy with one binding and one of its parameters. */
interface Invocation {
  readonly id: string
  readonly policy: ActivePolicy
  readonly binding: ActiveBinding
  readonly param: ApiObject | undefined
  readonly as: ServedType
}
/** What happened in the first round, for the second one. */
interface Round {
  /** Of one moment: what changes meanwhile counts for the next request. */
  readonly candidates: readonly Candidate[]
  /** Asked so far, and to be asked again if somebody after them changes the object. */
  readonly watching: Set<string>
  readonly askAgain: Set<string>
  result: ApiObject | undefined
}
const rounds = new WeakMap<AdmissionRequest, Round>()

/** Lets the mutating policies that match change the object, one after another; each sees what those before it made of it. */
export const mutatingAdmissionPolicy = defineAdmission()({
  name: 'MutatingAdmissionPolicy',
  stage: 'webhooks',
  before: ['MutatingAdmissionWebhook'],
  phase: 'mutate',
  sideEffects: 'none',
  matches: { subresource: '*' },
  needs: { control: mutatingPolicies },
  review(request, { control }) {
    const round = rounds.get(request)
    if (request.reinvoked && round) return new Changes(request, control, round).makeAgain()
    const start = (candidates: readonly Candidate[]) => {
      if (candidates.length === 0) return
      const first: Round = { candidates, watching: new Set(), askAgain: new Set(), result: undefined }
      rounds.set(request, first)
      return new Changes(request, control, first).make()
    }
    const found = control.candidates(request)
    return found instanceof Promise ? found.then(start) : start(found)
  },
})

/** The changes that policies make of one object, in one round. */
class Changes {
  readonly #request: AdmissionRequest
  readonly #control: PolicyControl
  readonly #round: Round
  readonly #authorizer: RequestAuthorizer
  readonly #errors: string[] = []
  #namespace: ApiObject | undefined
  #isChanged = false

  constructor(request: AdmissionRequest, control: PolicyControl, round: Round) {
    this.#request = request
    this.#control = control
    this.#round = round
    this.#authorizer = new RequestAuthorizer(control.services.authorizer, request)
  }

  async make(): Promise<Verdict> {
    await this.#run(() => true)
    if (this.#isChanged) return reinvoke
  }

  /** The second round: only policies that ask for it, and only if others changed the object after them. */
  async makeAgain(): Promise<Verdict> {
    const { watching, askAgain, result } = this.#round
    if (watching.size > 0 && !isDeepStrictEqual(result, this.#request.object)) this.#alert()
    await this.#run(({ id }) => askAgain.has(id))
  }

  async #run(isWanted: (invocation: Invocation) => boolean): Promise<void> {
    const { candidates, watching } = this.#round
    this.#namespace = await namespaceOfRequest(this.#request, this.#control.services)
    for (const invocation of candidates.flatMap(candidate => this.#invocations(candidate))) {
      if (!isWanted(invocation)) continue
      if (await this.#invoke(invocation)) {
        this.#isChanged = true
        this.#alert()
      }
      if (invocation.policy.spec.reinvocationPolicy === 'IfNeeded') watching.add(invocation.id)
    }
    if (watching.size > 0) this.#round.result = structuredClone(this.#request.object)
    const [first] = this.#errors
    // As the reference has it: the reason is the policy's, the code that of a refusal.
    if (first !== undefined) throw denial(this.#request, this.#errors, 'Invalid', 403)
  }

  /** Everyone asked so far has not seen the object as it is now. */
  #alert(): void {
    const { watching, askAgain } = this.#round
    for (const id of watching) askAgain.add(id)
    watching.clear()
  }

  #invocations({ policy, match, bindings }: Candidate): Invocation[] {
    if (!isMeant(policy.matcher, match, this.#request, this.#namespace)) return []
    if ('problem' in policy.compiled) {
      this.#fail(policy, undefined, `failed to configure policy: ${policy.compiled.problem}`)
      return []
    }
    return bindings.flatMap(({ binding, match: ofBinding }) => {
      if (binding.matcher && !isMeant(binding.matcher, ofBinding, this.#request, this.#namespace)) return []
      try {
        const params = paramsFor(policy.spec.paramKind, binding.spec.paramRef, this.#request, this.#control.services)
        return params.map(param => {
          const { namespace = '', name = '' } = param?.metadata ?? {}
          return { id: `${policy.name}/${binding.name}/${namespace}/${name}`, policy, binding, param, as: match.as }
        })
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error
        this.#fail(policy, binding, `failed to configure binding: ${error.message}`)
        return []
      }
    })
  }

  /** Returns whether the policy changed the object. */
  async #invoke(invocation: Invocation): Promise<boolean> {
    const { policy, binding, as } = invocation
    const { compiled } = policy
    if ('problem' in compiled) return false
    await this.#request.served.prepare(as)
    const holds = await this.#settled(invocation, variables => conditionsHold(compiled, variables))
    if (holds === false) {
      this.#control.tell(policy.name, binding.name, 'skipped', [], [])
      return false
    }
    if (holds !== true) {
      this.#fail(policy, binding, holds.error)
      return false
    }
    let isChanged = false
    let isFailed = false
    for (const { rule, text, expression } of compiled.mutations) {
      // Without an object there is nothing to change.
      if (!this.#request.object) break
      const startedAt = performance.now()
      const outcome = await this.#settled(invocation, variables =>
        evaluate(expression, text, variables, { left: maxPolicyCost }),
      )
      const error =
        'error' in outcome
          ? outcome.error
          : await this.#apply(rule.patchType, as, outcome.value).then(changed => void (isChanged ||= changed), reasonOf)
      const seconds = (performance.now() - startedAt) / 1000
      if (error !== undefined) {
        this.#control.metrics.observe(policy.name, binding.name, 'deny', true, seconds)
        this.#fail(policy, binding, error)
        // As in the reference: those after it are made all the same, which counts where failures are ignored.
        isFailed = true
        continue
      }
      this.#control.metrics.observe(policy.name, binding.name, 'allow', false, seconds)
    }
    if (isChanged || !isFailed)
      this.#control.tell(policy.name, binding.name, isChanged ? 'changed' : 'unchanged', [], [])
    return isChanged
  }

  async #apply(patchType: string, as: ServedType, change: unknown): Promise<boolean> {
    const { served } = this.#request
    if (patchType !== 'JSONPatch') return served.mergeObject(as, change as Record<string, unknown>)
    try {
      return await served.patchObject(as, change as unknown[])
    } catch (error) {
      // A patch whose test fails is not to be applied; that is what tests are for.
      if (error instanceof ApiError && isFailedTest(error.message)) return false
      throw error
    }
  }

  /** Evaluates until everybody has answered whom the expressions ask about rights. */
  async #settled<T>({ as, param }: Invocation, run: (variables: PolicyVariables) => T): Promise<T> {
    for (;;) {
      const objects = new RequestObjects(this.#request, as)
      const shown = isNamespaced(this.#request) ? this.#namespace : undefined
      const outcome = run(new PolicyVariables(objects, shown, param, this.#authorizer))
      const waiting = this.#authorizer.takeWaiting()
      if (waiting.length === 0) return outcome
      await Promise.all(waiting)
    }
  }

  #fail(policy: ActivePolicy, binding: ActiveBinding | undefined, why: string): void {
    const actions = policy.isFailureIgnored ? [] : ['Deny']
    this.#control.tell(policy.name, binding?.name ?? '', 'failed', [why], actions)
    if (policy.isFailureIgnored) return
    this.#errors.push(
      binding
        ? `policy '${policy.name}' with binding '${binding.name}' denied request: ${why}`
        : `policy ${JSON.stringify(policy.name)} denied request: ${why}`,
    )
  }
}

const isFailedTest = (message: string) => message.includes('testing path ') && message.endsWith(' failed')

/** A change that does not fit the object is a failure of the policy; anything else is none of its business. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError && (error.code === 400 || error.code === 422 || error.code === 500))
    return error.message
  throw error
}
