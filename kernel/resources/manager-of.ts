import { managerFromUserAgent } from '../apply/field-manager.js'

/** How many user agents are remembered; real clients are few, made-up ones must not grow this. */
const maxRemembered = 1000
const remembered = new Map<string, string>()

/** Who a write is attributed to: the manager the client names, or its user agent. */
export function managerOf(fieldManager: string, userAgent: string | undefined): string {
  if (fieldManager !== '') return fieldManager
  const agent = userAgent ?? ''
  let manager = remembered.get(agent)
  if (manager === undefined) {
    manager = managerFromUserAgent(agent)
    if (remembered.size < maxRemembered) remembered.set(agent, manager)
  }
  return manager
}
