import type { Event, Strategy } from 'orch/sdk'
import type { NodeNames } from '../names.js'
import { type EventRules, validateEvent, validateEventUpdate } from './validation.js'

/** The core group takes events as they always were; the events group wants them new and complete, from v1 on. */
export function mainStrategy(names: NodeNames, group: 'core' | 'events') {
  const rulesFor = (requestVersion: string): EventRules => ({
    isStrict: group === 'events' && requestVersion === 'v1',
    systemNamespace: names.systemNamespace,
  })
  return {
    validate: (event, { requestVersion }) => validateEvent(event, rulesFor(requestVersion)),
    validateUpdate: (sent, stored, { requestVersion }) => validateEventUpdate(sent, stored, rulesFor(requestVersion)),
    createOnUpdate: true,
  } satisfies Strategy<Event>
}
