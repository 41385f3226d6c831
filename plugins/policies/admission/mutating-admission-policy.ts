import {
  type AdmissionRequest,
  ApiError,
  type ApiObject,
  andThen,
  defineAdmission,
  reinvoke,
  type ServedType,
  type Verdict,
} from 'orch/sdk'
import { namespaceOfRequest } from 'orch/sdk/admission'
import { copyJson, sameJson } from 'orch/sdk/validation'
import { denial } from '../evaluating/denial.js'
import { conditionsHold, evaluate, maxPolicyCost } from '../evaluating/evaluate-policy.js'
import { PolicyVariables, RequestObjects } from '../evaluating/policy-variables.js'
import { RequestAuthorizer } from '../evaluating/request-authorizer.js'
import { isNamespaced } from '../evaluating/validation-pass.js'
import { matchesObject } from '../matching/matcher.js'
import { ConfigurationError, paramsFor, typeOfParams } from '../matching/params.js'
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
/** State that the first round leaves for the second. */
interface Round {
  /** From one snapshot: policies that change meanwhile take effect with the next request. */
  readonly candidates: readonly Candidate[]
  /** Ids of invocations that have run and are to be reinvoked if the object changes after them. */
  readonly watching: Set<string>
  readonly reinvoked: Set<string>
  result: ApiObject | undefined
}
const rounds = new WeakMap<AdmissionRequest, Round>()

/** Runs the matching mutating policies one after another; each sees the changes of those before it. */
export const mutatingAdmissionPolicy = ({ isOn }: { readonly isOn: boolean }) =>
  defineAdmission()({
    name: 'MutatingAdmissionPolicy',
    since: '1.32',
    stage: 'webhooks',
    before: ['MutatingAdmissionWebhook'],
    phase: 'mutate',
    sideEffects: 'none',
    matches: { subresource: '*', operations: ['create', 'update', 'connect'] },
    needs: { control: mutatingPolicies },
    review(request, { control }) {
      if (!isOn) return
      const round = rounds.get(request)
      if (request.reinvoked && round) return new MutationRound(request, control, round).rerun()
      const start = (candidates: readonly Candidate[]) => {
        if (candidates.length === 0) return
        const first: Round = { candidates, watching: new Set(), reinvoked: new Set(), result: undefined }
        rounds.set(request, first)
        return new MutationRound(request, control, first).run()
      }
      return andThen(control.candidates(request), start)
    },
  })

/** One round of mutating policies over one object. */
class MutationRound {
  readonly #request: AdmissionRequest
  readonly #control: PolicyControl
  readonly #round: Round
  readonly #authorizer: RequestAuthorizer
  readonly #errors: string[] = []
  #namespace: ApiObject | undefined
  #isMutated = false

  constructor(request: AdmissionRequest, control: PolicyControl, round: Round) {
    this.#request = request
    this.#control = control
    this.#round = round
    this.#authorizer = new RequestAuthorizer(control.services.authorizer, request)
  }

  async run(): Promise<Verdict> {
    await this.#invokeAll(() => true)
    if (!this.#isMutated) return
    // As in Kubernetes, whether or not anything is different: those that want to be called again see the final object.
    this.#markForReinvocation()
    return reinvoke
  }

  /** The second round: only policies with `reinvocationPolicy: IfNeeded`, and only if the object has changed since they ran. */
  async rerun(): Promise<Verdict> {
    const { watching, reinvoked, result } = this.#round
    if (watching.size > 0 && !sameJson(result, this.#request.object)) this.#markForReinvocation()
    await this.#invokeAll(({ id }) => reinvoked.has(id))
  }

  async #invokeAll(isWanted: (invocation: Invocation) => boolean): Promise<void> {
    const { candidates, watching } = this.#round
    this.#namespace = await namespaceOfRequest(this.#request, this.#control.services)
    for (const invocation of candidates.flatMap(candidate => this.#invocations(candidate))) {
      if (!isWanted(invocation)) continue
      if (await this.#invoke(invocation)) {
        this.#markForReinvocation()
      }
      if (invocation.policy.spec.reinvocationPolicy === 'IfNeeded') watching.add(invocation.id)
    }
    if (watching.size > 0) this.#round.result = copyJson(this.#request.object)
    const [first] = this.#errors
    // As in Kubernetes: reason Invalid with code 403.
    if (first !== undefined) throw denial(this.#request, this.#errors, 'Invalid', 403)
  }

  /** Marks all invocations that ran so far for reinvocation: they have not seen the latest change. */
  #markForReinvocation(): void {
    const { watching, reinvoked } = this.#round
    for (const id of watching) reinvoked.add(id)
    watching.clear()
  }

  #invocations({ policy, match, bindings }: Candidate): Invocation[] {
    if (!matchesObject(policy.matcher, match, this.#request, this.#namespace)) return []
    if ('problem' in policy.compiled) {
      this.#fail(policy, undefined, `failed to configure policy: ${policy.compiled.problem}`)
      return []
    }
    const paramType = typeOfParams(policy.spec.paramKind, this.#control.services)
    if (typeof paramType === 'string') {
      this.#fail(policy, undefined, `failed to configure policy: ${paramType}`)
      return []
    }
    return bindings.flatMap(({ binding, match: ofBinding }) => {
      if (binding.matcher && !matchesObject(binding.matcher, ofBinding, this.#request, this.#namespace)) return []
      try {
        const params = paramsFor(policy.spec.paramKind, paramType, binding, this.#request, this.#control.services)
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
    const holds = await this.#evaluated(invocation, variables => conditionsHold(compiled, variables))
    if (holds === false) {
      this.#control.report(policy.name, binding.name, 'skipped', [], [])
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
      const outcome = await this.#evaluated(invocation, variables =>
        evaluate(expression, text, variables, { left: maxPolicyCost }),
      )
      const error =
        'error' in outcome
          ? outcome.error
          : await this.#apply(rule.patchType, as, outcome.value).then(
              changed => void (isChanged ||= changed),
              policyFailure,
            )
      const seconds = (performance.now() - startedAt) / 1000
      if (error !== undefined) {
        this.#control.metrics.observe(policy.name, binding.name, 'deny', true, seconds)
        this.#fail(policy, binding, error)
        // As in Kubernetes, later mutations still run, which matters if failures are ignored.
        isFailed = true
        continue
      }
      this.#isMutated = true
      this.#control.metrics.observe(policy.name, binding.name, 'allow', false, seconds)
    }
    if (isChanged || !isFailed)
      this.#control.report(policy.name, binding.name, isChanged ? 'changed' : 'unchanged', [], [])
    return isChanged
  }

  async #apply(patchType: string, as: ServedType, change: unknown): Promise<boolean> {
    const { served } = this.#request
    if (patchType !== 'JSONPatch') {
      // The type of the object cannot change.
      const { apiVersion: _, kind: __, ...fields } = change as Record<string, unknown>
      return served.mergeObject(as, fields)
    }
    try {
      return await served.patchObject(as, (change as object[]).map(withValue))
    } catch (error) {
      // A failed `test` operation means that the patch does not apply. It is not an error.
      if (error instanceof ApiError && isFailedTest(error.message)) return false
      throw error
    }
  }

  /** Evaluates repeatedly until all answers of the authorizer that the expressions need are there. */
  async #evaluated<T>({ as, param }: Invocation, run: (variables: PolicyVariables) => T): Promise<T> {
    for (;;) {
      const objects = new RequestObjects(this.#request, as)
      const shown = isNamespaced(this.#request) ? this.#namespace : undefined
      const outcome = run(new PolicyVariables(objects, shown, param, this.#authorizer))
      const waiting = this.#authorizer.takePending()
      if (waiting.length === 0) return outcome
      await Promise.all(waiting)
    }
  }

  #fail(policy: ActivePolicy, binding: ActiveBinding | undefined, why: string): void {
    const actions = policy.isFailureIgnored ? [] : ['Deny']
    this.#control.report(policy.name, binding?.name ?? '', 'failed', [why], actions)
    if (policy.isFailureIgnored) return
    this.#errors.push(
      binding
        ? `policy '${policy.name}' with binding '${binding.name}' denied request: ${why}`
        : `policy ${JSON.stringify(policy.name)} denied request: ${why}`,
    )
  }
}

/** Operations whose value is null if it is omitted. */
const valued: readonly unknown[] = ['add', 'replace', 'test']
const withValue = (operation: { op?: unknown; value?: unknown }): object =>
  operation.value === undefined && valued.includes(operation.op) ? { ...operation, value: null } : operation

const isFailedTest = (message: string) => message.includes('testing path ') && message.endsWith(' failed')

/** A change that cannot be applied to the object is a failure of the policy; any other error is rethrown. */
function policyFailure(error: unknown): string {
  if (error instanceof ApiError && (error.code === 400 || error.code === 422 || error.code === 500))
    return error.message
  throw error
}
