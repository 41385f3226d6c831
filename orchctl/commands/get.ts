import {
  allNamespacesFlag,
  fieldSelectorFlag,
  fileFlags,
  labelSelectorFlag,
  objectFormats,
  outputFlag,
  showManagedFieldsFlag,
  templateFlags,
} from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { reportFailure } from '../explain-failure.js'
import { defaultChunk, listPages } from '../objects/list-pages.js'
import { nameIn, readManifests, readsManifests } from '../objects/read-manifests.js'
import { sortBy } from '../objects/sort-by.js'
import { subresourceFlag } from '../objects/subresource.js'
import { kindOfObject, readTargets } from '../objects/targets.js'
import { formatOf } from '../output/format.js'
import { ObjectPrinter, type Printable } from '../output/print-objects.js'
import { rawFlag, rawRequest } from '../session/raw-request.js'
import type { Session } from '../session/session.js'
import { UsageError } from '../usage-error.js'
import { getTables } from './get/get-tables.js'
import { getNamed, getter, type Query, queryOf } from './get/query.js'
import { watchObjects } from './get/watch-objects.js'

export const get: Command = {
  name: 'get',
  summary: 'Show objects.',
  usage: '(TYPE [NAME...] | TYPE/NAME... | -f FILE) [flags]',
  examples: [
    ['All configmaps of the namespace as a table', 'get configmaps'],
    ['Several types, in all namespaces, with more columns', 'get pods,services -A -o wide'],
    ['One object as YAML', 'get configmap/settings -o yaml'],
    ['Values only', 'get pods -l app=web -o jsonpath=\'{range .items[*]}{.metadata.name}{"\\n"}{end}\''],
    ['Columns of your own', 'get pods -o custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[*].image'],
    ['Changes as they happen, until Ctrl-C', 'get pods -w'],
    ['Any path of the server', 'get --raw /healthz'],
  ],
  flags: [
    outputFlag(`wide, ${objectFormats}`),
    ...templateFlags,
    labelSelectorFlag,
    fieldSelectorFlag,
    allNamespacesFlag,
    ...fileFlags,
    { name: 'watch', short: 'w', kind: 'switch', description: 'show the current objects, then changes as they happen' },
    { name: 'watch-only', kind: 'switch', description: 'show only changes' },
    { name: 'output-watch-events', kind: 'switch', description: 'show the type of each event' },
    {
      name: 'chunk-size',
      kind: 'text',
      value: 'N',
      description: `objects per request (${defaultChunk}; 0 for all at once)`,
    },
    { name: 'sort-by', kind: 'text', value: 'PATH', description: 'sort by a field: .metadata.creationTimestamp' },
    { name: 'show-kind', kind: 'switch', description: 'show the type before each name, as with several types' },
    { name: 'show-labels', kind: 'switch', description: 'a column with all labels' },
    {
      name: 'label-columns',
      short: 'L',
      kind: 'list',
      value: 'LABELS',
      description: 'a column for each of these labels',
    },
    { name: 'no-headers', kind: 'switch', description: 'leave out the header' },
    { name: 'ignore-not-found', kind: 'switch', description: 'a missing object is not an error' },
    rawFlag('print the response to this path unchanged'),
    subresourceFlag('show this subresource of named objects: status, scale'),
    { name: 'server-print', kind: 'switch', description: 'let the server choose the columns (the default)' },
    showManagedFieldsFlag,
  ],
  async run(call) {
    const { flags, terminal } = call
    const raw = flags.text('raw')
    if (raw !== undefined) return rawRequest(call, 'GET', raw)
    const session = await call.session()
    const kinds = await session.kinds()
    const targets = readsManifests(flags)
      ? (await readManifests(flags, terminal)).map(manifest => ({
          kind: kindOfObject(manifest.object, kinds),
          name: nameIn(manifest),
          namespace: manifest.object.metadata.namespace,
        }))
      : readTargets(call.args, kinds)
    const format = formatOf(flags)
    const query = queryOf(call, session, targets, format)
    if (query.watches && query.collections.length > 1)
      throw new UsageError('a watch follows one type: name one, and at most one object of it')
    const isTable = format.form === 'table' || format.form === 'wide'
    if (isTable) await getTables(call, session, query)
    else if (query.watches) await watchObjects(call, query)
    else await getObjects(call, session, query)
    return Math.max(exitCodes.done, ...query.failures.map(failure => reportFailure(terminal, failure)))
  },
}

async function getObjects({ flags, terminal }: Call, session: Session, query: Query): Promise<void> {
  const printer = new ObjectPrinter(terminal, query.format, {
    managedFields: flags.is('show-managed-fields'),
    header: !flags.is('no-headers'),
  })
  const items: Printable[] = []
  for (const wanted of query.collections) {
    const { kind, names, collection } = wanted
    const isAll = names.length === 0
    const pages = isAll ? await listPages(collection, query.selectors, query.chunk) : []
    const objects = isAll
      ? pages.flatMap(page => page.items)
      : await getNamed(collection, names, query, getter(session.client, wanted, query))
    for (const object of objects) items.push({ object, kind })
  }
  sortBy(items, query.sortPath, ({ object }) => object)
  const isList = query.collections.some(({ names }) => names.length === 0) || items.length > 1
  if (isList || items.length > 0) printer.print(items, isList)
}
