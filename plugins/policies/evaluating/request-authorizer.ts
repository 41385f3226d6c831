import { type AdmissionRequest, type Authorizer, isPromise } from 'orch/sdk'
import type { ExpressionAuthorizer, ExpressionQuestion } from 'orch/sdk/expressions'
import { type AccessDecision, serviceAccountUser } from 'orch/sdk/identity'
import { parseFieldSelector, parseLabelSelector } from 'orch/sdk/validation'

/** An invalid selector is ignored: without it the check requires more permissions. */
function read<T>(name: string, text: string | undefined, parse: (text: string) => readonly T[]): object {
  if (!text) return {}
  try {
    const requirements = parse(text)
    return requirements.length === 0 ? {} : { [name]: requirements }
  } catch {
    return {}
  }
}

/** Answers the authorization checks of expressions. Asynchronous answers are collected, and the expressions evaluated again with them. */
export class RequestAuthorizer implements ExpressionAuthorizer {
  readonly #authorizer: Authorizer
  readonly #request: AdmissionRequest
  readonly #answers = new Map<string, AccessDecision>()
  #pending: Promise<void>[] = []
  readonly requestResource: Omit<ExpressionQuestion, 'verb' | 'path'>

  constructor(authorizer: Authorizer, request: AdmissionRequest) {
    this.#authorizer = authorizer
    this.#request = request
    const { group, resource, subresource, namespace, name } = request
    this.requestResource = { group, resource, subresource, namespace, name }
  }

  check(question: ExpressionQuestion): AccessDecision {
    const id = JSON.stringify(question)
    const known = this.#answers.get(id)
    if (known) return known
    const asked = this.#ask(question)
    if (!isPromise(asked)) {
      this.#answers.set(id, asked)
      return asked
    }
    const failed = (error: unknown) => ({ decision: 'noOpinion', evaluationError: (error as Error).message }) as const
    this.#pending.push(asked.catch(failed).then(answer => void this.#answers.set(id, answer)))
    return { decision: 'noOpinion' }
  }

  /** Takes the answers that are still pending. If there are none, the result of the evaluation is final. */
  takePending(): Promise<void>[] {
    const taken = this.#pending
    this.#pending = []
    return taken
  }

  #ask({ path, verb, serviceAccount, ...about }: ExpressionQuestion): AccessDecision | Promise<AccessDecision> {
    const user = serviceAccount ? serviceAccountUser(serviceAccount.namespace, serviceAccount.name) : this.#request.user
    if (path !== undefined) return this.#authorizer.authorize({ user, verb, path })
    const { group = '', resource = '', subresource = '', namespace = '', name = '' } = about
    const selectors = {
      ...read('fieldSelector', about.fieldSelector, parseFieldSelector),
      ...read('labelSelector', about.labelSelector, parseLabelSelector),
    }
    return this.#authorizer.authorize({
      user,
      verb,
      group,
      version: '*',
      resource,
      subresource,
      namespace,
      name,
      ...selectors,
    })
  }
}
