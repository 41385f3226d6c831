import { managerFromUserAgent } from '../apply/field-manager.js'

/** Who a write is attributed to: the manager the client names, or its user agent. */
export const managerOf = (fieldManager: string, userAgent: string | undefined): string =>
  fieldManager === '' ? managerFromUserAgent(userAgent) : fieldManager
