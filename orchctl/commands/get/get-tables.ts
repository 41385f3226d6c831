import type { ApiObject } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import type { Call } from '../../command.js'
import { listPages } from '../../objects/list-pages.js'
import { sortBy } from '../../objects/sort-by.js'
import { objectName } from '../../output/print-objects.js'
import {
  asTable,
  cellsOf,
  headerOf,
  type ServerTable,
  type TableLayout,
  type TableRow,
} from '../../output/server-table.js'
import { TextTable } from '../../output/text-table.js'
import type { Session } from '../../session/session.js'
import { getNamed, getter, type Query, type Wanted, watchSelectors } from './query.js'

/** Prints collections as tables of the server, one after another. */
export async function getTables(call: Call, session: Session, query: Query): Promise<void> {
  const { flags, terminal } = call
  const includes = query.sortPath === undefined ? 'Metadata' : 'Object'
  const client = flags.is('server-print', true) ? await session.tables(includes) : session.client
  const isMixed = query.collections.length > 1
  const layoutOf = ({ kind }: Wanted): TableLayout => ({
    wide: query.format.form === 'wide',
    withNamespace: query.allNamespaces && kind.namespaced,
    namePrefix: isMixed || flags.is('show-kind') ? objectName(kind, '') : '',
    labelColumns: flags.list('label-columns').flatMap(labels => labels.split(',')),
    withLabels: flags.is('show-labels'),
  })
  if (query.watches) return watchTable(call, client, session, query, layoutOf)
  let shown = 0
  for (const wanted of query.collections) {
    const table = await tableOf(client, session, query, wanted)
    const rows = [...(table.rows ?? [])]
    if (rows.length === 0) continue
    sortBy(rows, query.sortPath, row => row.object)
    const printed = printer(call, table, layoutOf(wanted))
    terminal.write(`${shown++ > 0 ? '\n' : ''}${printed(rows, !flags.is('no-headers'))}`)
  }
  if (shown > 0 || query.ignoresMissing || query.failures.length > 0) return
  const isNamespaced = query.collections.some(({ kind }) => kind.namespaced)
  const where = isNamespaced && !query.allNamespaces ? ` in ${session.namespace} namespace` : ''
  terminal.log(`No resources found${where}.`)
}

function printer({ terminal }: Call, { columnDefinitions = [] }: ServerTable, layout: TableLayout) {
  const table = new TextTable(headerOf(columnDefinitions, layout), terminal.paint)
  return (rows: readonly TableRow[], withHeader: boolean) =>
    table.print(
      rows.map(row => cellsOf(row, columnDefinitions, layout)),
      withHeader,
    )
}

/** Fetches all pages, or all named objects, as one table. */
async function tableOf(client: Client, session: Session, query: Query, wanted: Wanted): Promise<ServerTable> {
  const collection = session.collection<ApiObject>(wanted.kind, wanted.namespace, client)
  const answers: readonly unknown[] =
    wanted.names.length === 0
      ? await listPages(collection, query.selectors, query.chunk)
      : await getNamed(collection, wanted.names, query, getter(client, wanted, query))
  const tables = answers.map(answer => asTable(answer, Date.now()))
  const columnDefinitions = tables.find(one => one.columnDefinitions?.length)?.columnDefinitions ?? []
  return { columnDefinitions, rows: tables.flatMap(({ rows }) => rows ?? []), metadata: tables.at(-1)?.metadata }
}

async function watchTable(
  call: Call,
  client: Client,
  session: Session,
  query: Query,
  layoutOf: (wanted: Wanted) => TableLayout,
): Promise<void> {
  const { flags, terminal } = call
  const [wanted] = query.collections
  if (!wanted) return
  const withEvents = flags.is('output-watch-events')
  const selectors = watchSelectors(query, wanted)
  const collection = session.collection<unknown>(wanted.kind, wanted.namespace, client)
  const layout = layoutOf(wanted)
  let print: ((rows: readonly TableRow[], withHeader: boolean) => string) | undefined
  const show = (table: ServerTable, event: string) => {
    // Later tables of a watch may omit the columns.
    const isFirst = print === undefined && (table.columnDefinitions?.length ?? 0) > 0
    if (isFirst) print = printer(call, withEvents ? eventColumn(table) : table, layout)
    const rows = table.rows ?? []
    if (rows.length === 0 || !print) return
    // Later rows use the column widths of the first, so these leave room for the longest value.
    const word = event.padEnd('MODIFIED'.length)
    const shown = withEvents ? rows.map(row => ({ ...row, cells: [word, ...row.cells] })) : rows
    terminal.write(print(shown, isFirst && !flags.is('no-headers')))
  }
  const listed = await tableOf(client, session, { ...query, selectors }, wanted)
  if (!flags.is('watch-only') && (listed.rows?.length ?? 0) > 0) show(listed, 'ADDED')
  const start = listed.metadata?.resourceVersion
  for await (const event of collection.watchWithResume({
    ...selectors,
    resourceVersion: start,
    signal: terminal.signal,
  }))
    if (event.type === 'RELISTED') show(await tableOf(client, session, { ...query, selectors }, wanted), 'ADDED')
    else show(asTable(event.object, Date.now()), event.type)
}

const eventColumn = (table: ServerTable): ServerTable => ({
  ...table,
  columnDefinitions: [{ name: 'Event' }, ...(table.columnDefinitions ?? [])],
})
