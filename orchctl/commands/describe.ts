import { ApiError, type ApiObject } from 'orch/sdk'
import {
  allNamespacesFlag,
  chunkSizeFlag,
  fieldSelectorFlag,
  fileFlags,
  labelSelectorFlag,
} from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { forEach } from '../objects/for-each.js'
import { selectObjects } from '../objects/select-objects.js'
import { withSizes } from '../output/hide-secrets.js'
import type { Session } from '../session/session.js'
import { describeEvents, type EventObject } from './describe/describe-events.js'
import { describeObject } from './describe/describe-object.js'

export const describe: Command = {
  name: 'describe',
  summary: 'Show objects in detail, with their events. Values of Secrets are hidden.',
  usage: '(TYPE [NAME...] | TYPE/NAME... | -f FILE) [flags]',
  examples: [
    ['One object', 'describe configmap settings'],
    ['All nodes', 'describe nodes'],
    ['Those with a label', 'describe pods -l app=web'],
  ],
  flags: [
    labelSelectorFlag,
    fieldSelectorFlag,
    allNamespacesFlag,
    ...fileFlags,
    chunkSizeFlag,
    { name: 'show-events', kind: 'switch', description: 'also show events (the default)' },
  ],
  async run(call) {
    const { flags, terminal } = call
    const session = await call.session()
    const selected = await selectObjects(call, session, call.args, true)
    if (selected.length === 0) terminal.log('No resources found.')
    let shown = 0
    return forEach(selected, terminal, async ({ collection, name }) => {
      const object = await collection.get(name)
      const events = flags.is('show-events', true) ? await eventsOf(call, session, object) : undefined
      const text = describeObject(withSizes(object), terminal.paint)
      terminal.write(`${shown++ > 0 ? '\n\n' : ''}${text}${events ?? ''}`)
    })
  },
}

/** Events of this object; undefined if the server has none or denies access. */
async function eventsOf({ terminal }: Call, session: Session, { metadata }: ApiObject): Promise<string | undefined> {
  const kind = (await session.kinds()).findResource('', 'events')
  if (!kind || !metadata.uid) return undefined
  const events: EventObject[] = []
  try {
    const all = session.collection<EventObject>(kind, metadata.namespace ?? '')
    for await (const event of all.each({ fieldSelector: `involvedObject.uid=${metadata.uid}` })) events.push(event)
  } catch (error) {
    if (error instanceof ApiError && error.code < 500) return undefined
    throw error
  }
  return describeEvents(events, Date.now(), terminal.paint)
}
