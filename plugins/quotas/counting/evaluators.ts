import type { GroupResource } from 'orch/sdk'
import { quotasOfDevices } from '../differences.js'
import type { QuotaNames } from '../names.js'
import { claimCounter } from './count-claims.js'
import { deviceClaimCounter } from './count-device-claims.js'
import { countedType, objectCounter } from './count-objects.js'
import { podCounter } from './count-pods.js'
import { serviceCounter } from './count-services.js'
import type { Evaluator } from './evaluator.js'

/** The evaluator of every type: a few types have their own, all others are counted by number. */
export class Evaluators {
  readonly #special: readonly Evaluator[]
  readonly #simple = new Map<string, Evaluator>()
  constructor(names: QuotaNames) {
    const devices = names.vendor.level.has(quotasOfDevices) ? [deviceClaimCounter(names)] : []
    this.#special = [podCounter(names), serviceCounter, claimCounter(names), ...devices]
  }
  of({ group, resource }: GroupResource): Evaluator {
    const special = this.#special.find(one => one.resource === resource && one.group === group)
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
