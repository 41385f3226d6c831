import type { ApiObject } from 'orch/sdk'
import type { Call } from '../../command.js'
import { listPages } from '../../objects/list-pages.js'
import { ObjectPrinter } from '../../output/print-objects.js'
import { type Query, watchSelectors } from './query.js'

/** Watches a collection and prints one document per change. */
export async function watchObjects({ flags, terminal }: Call, query: Query): Promise<void> {
  const [wanted] = query.collections
  if (!wanted) return
  const { kind, collection } = wanted
  const selectors = watchSelectors(query, wanted)
  const withEvents = flags.is('output-watch-events')
  const printer = new ObjectPrinter(terminal, query.format, {
    managedFields: flags.is('show-managed-fields'),
    header: !flags.is('no-headers'),
  })
  const show = (type: string, object: ApiObject) => {
    // A watch event is not an object, but is printed like one. It has no name.
    const shown = withEvents && query.format.form !== 'name' ? ({ type, object } as unknown as ApiObject) : object
    printer.printEach([{ object: shown, kind }])
  }
  const pages = await listPages(collection, selectors, query.chunk)
  if (!flags.is('watch-only')) for (const page of pages) for (const object of page.items) show('ADDED', object)
  const start = pages.at(-1)?.metadata.resourceVersion
  for await (const event of collection.watchWithResume({
    ...selectors,
    resourceVersion: start,
    signal: terminal.signal,
  }))
    if (event.type === 'RELISTED') for (const object of event.items) show('ADDED', object)
    else show(event.type, event.object)
}
