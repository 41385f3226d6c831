import { ApiError, type ApiObject } from 'orch/sdk'
import { allNamespacesFlag, fieldSelectorFlag, fileFlags, labelSelectorFlag } from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { forEach } from '../objects/for-each.js'
import { selectObjects } from '../objects/select-objects.js'
import { withSizes } from '../output/hide-secrets.js'
import type { Session } from '../session/session.js'
import { describeEvents, type EventObject } from './describe/describe-events.js'
import { describeObject } from './describe/describe-object.js'

export const describe: Command = {
  name: 'describe',
  summary: 'Tell all about objects, with what happened to them. Values of Secrets stay hidden.',
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
    { name: 'show-events', kind: 'switch', means: 'also what happened to them (the default)' },
  ],
  async run(call) {
    const { flags, world } = call
    const session = await call.session()
    const selected = await selectObjects(call, session, call.words, true)
    if (selected.length === 0) world.tell('No resources found.')
    let shown = 0
    return forEach(selected, world, async ({ collection, name }) => {
      const object = await collection.get(name)
      const events = flags.is('show-events', true) ? await eventsOf(call, session, object) : undefined
      const text = describeObject(withSizes(object), world.paint)
      world.write(`${shown++ > 0 ? '\n\n' : ''}${text}${events ?? ''}`)
    })
  },
}

/** Events about this very object; nothing where the server has none or does not show them. */
async function eventsOf({ world }: Call, session: Session, { metadata }: ApiObject): Promise<string | undefined> {
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
  return describeEvents(events, Date.now(), world.paint)
}
