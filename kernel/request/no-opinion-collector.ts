import type { AccessDecision } from 'orch/sdk'

const noOpinion: AccessDecision = { decision: 'noOpinion' }

/** What the modes without an opinion said: why, and what kept them from having one. */
export class NoOpinionCollector {
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
export function allErrors(errors: readonly string[]): string | undefined {
  const different = [...new Set(errors)]
  return different.length > 1 ? `[${different.join(', ')}]` : different[0]
}
