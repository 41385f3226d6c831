import type { CommittedLog } from './committed-log.js'
import { type ListOperation, operationText } from './operation.js'
import { isSameVersion, type Version, versionText } from './version.js'
import { type Violation, violation } from './violation.js'

/** Every list, and the pages of one list together, must be the state at their revision, in order of key. */
export function checkLists(log: CommittedLog, lists: readonly ListOperation[]): Violation[] {
  const violations: Violation[] = []
  const stateAt = log.statesInOrder()
  const last = log.events.at(-1)?.revision ?? log.start
  for (const list of [...lists].sort((one, other) => one.revision - other.revision)) {
    if (list.revision < log.start || list.revision > last) {
      violations.push(violation('the revision of a list is in the log', operationText(list), `the log ends at ${last}`))
      continue
    }
    const difference = firstDifference(list, stateAt(list.revision))
    if (difference)
      violations.push(violation('a list is the state at its revision', operationText(list), ...difference))
  }
  return violations
}

function firstDifference({ items, isWhole }: ListOperation, state: readonly Version[]): string[] | undefined {
  const length = isWhole ? Math.max(items.length, state.length) : items.length
  for (let index = 0; index < length; index++) {
    const [listed, expected] = [items[index], state[index]]
    if (listed && expected && isSameVersion(listed, expected)) continue
    const text = (version: Version | undefined) => (version ? versionText(version) : 'nothing')
    return [`item ${index} is ${text(listed)}`, `it should be ${text(expected)}`]
  }
  return undefined
}
