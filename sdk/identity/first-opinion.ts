import { addAll } from '../resource/field-errors.js'
import { isPromise } from '../server/and-then.js'
import type { AccessAttributes, AccessDecision, RulesOfUser } from './authorization.js'
import type { UserInfo } from './user.js'

/** One authorizer of a chain. */
export interface AskedAuthorizer {
  authorize(access: AccessAttributes): AccessDecision | Promise<AccessDecision>
  /** Undefined when it cannot list them. */
  rulesFor(user: UserInfo, namespace: string): RulesOfUser | undefined | Promise<RulesOfUser | undefined>
}

const noOpinion: AccessDecision = { decision: 'noOpinion' }

/** The reasons and errors of authorizers without an opinion. */
class NoOpinionCollector {
  readonly #reasons: string[] = []
  readonly #errors: string[] = []

  add({ reason, evaluationError }: AccessDecision): void {
    if (reason) this.#reasons.push(reason)
    if (evaluationError) this.#errors.push(evaluationError)
  }
  conclusion(): AccessDecision {
    if (this.#reasons.length === 0 && this.#errors.length === 0) return noOpinion
    const evaluationError = allErrors(this.#errors)
    return {
      decision: 'noOpinion',
      ...(this.#reasons.length > 0 ? { reason: this.#reasons.join('\n') } : {}),
      ...(evaluationError === undefined ? {} : { evaluationError }),
    }
  }
}

/** One error as it is, several as a list. */
function allErrors(errors: readonly string[]): string | undefined {
  const different = [...new Set(errors)]
  return different.length > 1 ? `[${different.join(', ')}]` : different[0]
}

/** Asks the authorizers in order until one has an opinion. Synchronous when they are. */
export const firstOpinion = (
  asked: readonly AskedAuthorizer[],
  access: AccessAttributes,
): AccessDecision | Promise<AccessDecision> => askFrom(0, asked, access, new NoOpinionCollector())

function askFrom(
  start: number,
  asked: readonly AskedAuthorizer[],
  access: AccessAttributes,
  undecided: NoOpinionCollector,
): AccessDecision | Promise<AccessDecision> {
  for (let at = start; at < asked.length; at++) {
    const decision = asked[at]!.authorize(access)
    if (isPromise(decision))
      return decision.then(later => {
        if (later.decision !== 'noOpinion') return later
        undecided.add(later)
        return askFrom(at + 1, asked, access, undecided)
      })
    if (decision.decision !== 'noOpinion') return decision
    undecided.add(decision)
  }
  return undecided.conclusion()
}

/** What a user may do according to all of them, as far as they can list it. */
export async function rulesOfAll(
  asked: readonly AskedAuthorizer[],
  user: UserInfo,
  namespace: string,
): Promise<RulesOfUser> {
  const resourceRules: RulesOfUser['resourceRules'][number][] = []
  const nonResourceRules: RulesOfUser['nonResourceRules'][number][] = []
  let incomplete = false
  const errors: string[] = []
  for (const one of asked) {
    const rules = await one.rulesFor(user, namespace)
    if (!rules) {
      incomplete = true
      continue
    }
    addAll(resourceRules, rules.resourceRules)
    addAll(nonResourceRules, rules.nonResourceRules)
    incomplete ||= rules.incomplete
    if (rules.evaluationError) errors.push(rules.evaluationError)
  }
  const evaluationError = allErrors(errors)
  return {
    resourceRules,
    nonResourceRules,
    incomplete,
    ...(evaluationError === undefined ? {} : { evaluationError }),
  }
}
