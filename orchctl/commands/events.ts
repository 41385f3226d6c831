import { allNamespacesFlag, chunkSizeFlag, labelSelectorFlag, printFlags } from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { defaultChunk, listPages } from '../objects/list-pages.js'
import { kindNamed, readTargets } from '../objects/targets.js'
import { formatOf } from '../output/format.js'
import { ObjectPrinter } from '../output/print-objects.js'
import { TextTable } from '../output/text-table.js'
import { UsageError } from '../usage-error.js'
import { type EventObject, eventAge, timeOfEvent } from './describe/describe-events.js'

export const events: Command = {
  name: 'events',
  summary: 'Show events, oldest first.',
  usage: '[--for TYPE/NAME] [--types TYPE,...] [-w] [flags]',
  examples: [
    ['In this namespace', 'events'],
    ['Of one object, including new ones', 'events --for deployment/web --watch'],
    ['Only warnings, in all namespaces', 'events --types=Warning -A'],
  ],
  flags: [
    { name: 'for', kind: 'text', value: 'TYPE/NAME', description: 'only events of this object' },
    { name: 'types', kind: 'list', value: 'TYPE,...', description: 'only events of these types: Normal, Warning' },
    { name: 'watch', short: 'w', kind: 'switch', description: 'keep watching for new events' },
    { name: 'no-headers', kind: 'switch', description: 'leave out the header' },
    labelSelectorFlag,
    allNamespacesFlag,
    chunkSizeFlag,
    ...printFlags,
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal, args } = call
    if (args.length > 0) throw new UsageError(`name the object with --for: orchctl events --for ${args.join('/')}`)
    const session = await call.session()
    const kinds = await session.kinds()
    const everywhere = flags.is('all-namespaces')
    const kind = kindNamed('events.v1', kinds)
    const collection = session.collection<EventObject>(kind, everywhere ? '' : session.namespace)
    const target = flags.text('for')
    const [wanted] = target === undefined ? [] : readTargets([target], kinds)
    if (target !== undefined && wanted?.name === undefined)
      throw new UsageError(`--for needs TYPE/NAME, not "${target}"`)
    const selectors = {
      ...(wanted
        ? { fieldSelector: `involvedObject.kind=${wanted.kind.kind},involvedObject.name=${wanted.name}` }
        : {}),
      ...(flags.has('selector') ? { labelSelector: flags.text('selector') } : {}),
    }
    const types = flags.items('types').map(type => type.toLowerCase())
    const isWanted = ({ type = '' }: EventObject) => types.length === 0 || types.includes(type.toLowerCase())
    const pages = await listPages(collection, selectors, flags.number('chunk-size') ?? defaultChunk)
    const found = pages
      .flatMap(({ items }) => items)
      .filter(isWanted)
      .sort((left, right) => (timeOfEvent(left) < timeOfEvent(right) ? -1 : 1))
    const format = formatOf(flags)
    const printer = new ObjectPrinter(terminal, format, { managedFields: flags.is('show-managed-fields') })
    const header = ['Last Seen', 'Type', 'Reason', 'Object', 'Message']
    const table = new TextTable(everywhere ? ['Namespace', ...header] : header, terminal.paint)
    const isTable = format.form === 'table' || format.form === 'wide'
    const show = (shown: readonly EventObject[], isFirst: boolean) => {
      if (isTable)
        terminal.write(
          table.print(
            shown.map(event => rowOf(event, everywhere)),
            isFirst && !flags.is('no-headers'),
          ),
        )
      else if (flags.is('watch')) printer.printEach(shown.map(object => ({ object, kind })))
      else
        printer.print(
          shown.map(object => ({ object, kind })),
          true,
        )
    }
    if (found.length > 0 || !isTable) show(found, true)
    else if (!flags.is('watch'))
      terminal.log(everywhere ? 'No events found.' : `No events found in ${session.namespace} namespace.`)
    if (!flags.is('watch')) return
    const resourceVersion = pages.at(-1)?.metadata.resourceVersion
    let isFirst = found.length === 0
    for await (const event of collection.watchWithResume({ ...selectors, resourceVersion, signal: terminal.signal })) {
      if (event.type === 'DELETED') continue
      const changed = (event.type === 'RELISTED' ? event.items : [event.object]).filter(isWanted)
      if (changed.length === 0) continue
      show(changed, isFirst)
      isFirst = false
    }
  },
}

function rowOf(event: EventObject, withNamespace: boolean): string[] {
  const { kind = '', name = '' } = event.involvedObject ?? {}
  return [
    ...(withNamespace ? [event.metadata.namespace ?? ''] : []),
    eventAge(event, Date.now()),
    event.type ?? '',
    event.reason ?? '',
    `${kind}/${name}`,
    event.message?.trim() ?? '',
  ]
}
