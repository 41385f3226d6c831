import { managerFromUserAgent } from '../apply/field-manager.js'
import { memoize } from '../schema/derive.js'

/** Real clients are few; made-up ones must not fill the memory. */
const rememberedAgents = 1000
const managerOfAgent = memoize(managerFromUserAgent, rememberedAgents)

/** The field manager of a write: the one that the client names, or its user agent. */
export const managerOf = (fieldManager: string, userAgent: string | undefined): string =>
  fieldManager === '' ? managerOfAgent(userAgent ?? '') : fieldManager
