import type { GroupResource } from 'orch/sdk'
import type { QuotaNames } from '../names.js'
import { claimCounter } from './count-claims.js'
import { countedType, objectCounter } from './count-objects.js'
import { podCounter } from './count-pods.js'
import { serviceCounter } from './count-services.js'
import type { Evaluator } from './evaluator.js'

/** The evaluator of every type: a few types have their own, all others are counted by number. */
export class Evaluators {
  readonly #special: readonly Evaluator[]
  readonly #simple = new Map<string, Evaluator>()
  constructor(names: QuotaNames) {
    this.#special = [podCounter(names.isNative), serviceCounter, claimCounter(names)]
  }
  of({ group, resource }: GroupResource): Evaluator {
    const special = group === '' ? this.#special.find(one => one.resource === resource) : undefined
    if (special) return special
    const id = `${resource}.${group}`
    const known = this.#simple.get(id) ?? objectCounter({ group, resource })
    this.#simple.set(id, known)
    return known
  }
  /** The evaluators that count any of these resources. */
  counting(resourceNames: readonly string[]): readonly Evaluator[] {
    const found = new Set(this.#special.filter(one => resourceNames.some(name => one.counts(name))))
    for (const name of resourceNames) {
      const type = countedType(name)
      if (type) found.add(this.of(type))
    }
    return [...found]
  }
}
