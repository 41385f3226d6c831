import type { ApiObject } from 'orch/sdk'
import type { KindInfo } from 'orch/sdk/client'
import { parseQuantity, quantityValue } from 'orch/sdk/validation'
import type { FlagDefinition } from '../arguments/flags.js'
import { allNamespacesFlag, fieldSelectorFlag, labelSelectorFlag } from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { kindNamed } from '../objects/targets.js'
import { TextTable } from '../output/text-table.js'

interface Usage {
  readonly cpu?: string
  readonly memory?: string
  readonly swap?: string
}
interface NodeMetrics extends ApiObject {
  usage?: Usage
}
interface PodMetrics extends ApiObject {
  containers?: readonly { readonly name: string; readonly usage?: Usage }[]
}
interface Node extends ApiObject {
  status?: { allocatable?: Usage; capacity?: Usage }
}
/** Usage in millicores and bytes. */
interface Measured {
  readonly cpu: number
  readonly memory: number
  readonly swap: number
}

const topFlags: readonly FlagDefinition[] = [
  {
    name: 'sort-by',
    kind: 'text',
    value: 'WHAT',
    description: 'cpu or memory, most first',
    choices: ['cpu', 'memory'],
  },
  { name: 'no-headers', kind: 'switch', description: 'leave out the header' },
  labelSelectorFlag,
]
const swapFlag: FlagDefinition = { name: 'show-swap', kind: 'switch', description: 'a column with the used swap space' }

const amountOf = (text: string | undefined, scale: number) =>
  text === undefined ? 0 : Number(quantityValue(parseQuantity(text), scale))
const measured = (usage: Usage = {}): Measured => ({
  cpu: amountOf(usage.cpu, -3),
  memory: amountOf(usage.memory, 0),
  swap: amountOf(usage.swap, 0),
})
const inMebibytes = (bytes: number) => `${Math.floor(bytes / 2 ** 20)}Mi`
const cells = ({ cpu, memory }: Measured) => [`${cpu}m`, inMebibytes(memory)]
const share = (part: number, whole: number) => (whole > 0 ? `${Math.floor((100 * part) / whole)}%` : '<unknown>')

/** The type of the metrics API, which a metrics server provides. */
async function metricsKind({ session }: Call, resource: string): Promise<KindInfo> {
  const connected = await session()
  const kind = (await connected.kinds()).findResource((await connected.vendor()).group('metrics'), resource)
  if (!kind) throw new Error('Metrics API not available')
  return kind
}

interface Row {
  readonly names: readonly string[]
  readonly used: Measured
  readonly cells: readonly string[]
}
function printRows({ flags, terminal }: Call, header: readonly string[], rows: readonly Row[]): void {
  const by = flags.choice('sort-by', ['cpu', 'memory'])
  const name = ({ names }: Row) => names.join(' ')
  const sorted = [...rows].sort((left, right) =>
    by === undefined ? (name(left) < name(right) ? -1 : 1) : right.used[by] - left.used[by],
  )
  const showsSwap = flags.is('show-swap')
  const table = new TextTable(showsSwap ? [...header, 'SWAP(bytes)'] : header, terminal.paint, { exact: true })
  terminal.write(
    table.print(
      sorted.map(row => [...row.names, ...row.cells, ...(showsSwap ? [inMebibytes(row.used.swap)] : [])]),
      !flags.is('no-headers'),
    ),
  )
  if (!flags.is('sum') || rows.length === 0) return
  const total = (of: keyof Measured) => rows.reduce((sum, { used }) => sum + used[of], 0)
  const sums = [`${total('cpu')}m`, inMebibytes(total('memory')), ...(showsSwap ? [inMebibytes(total('swap'))] : [])]
  const blank = (sorted[0]?.names ?? []).map(() => '')
  terminal.write(
    table.print(
      [
        [...blank, ...sums.map(() => '________')],
        [...blank, ...sums],
      ],
      false,
    ),
  )
}

async function measurements<T>(call: Call, kind: KindInfo, namespace: string): Promise<T[]> {
  const collection = (await call.session()).collection<T>(kind, namespace)
  if (call.args.length > 0) return Promise.all(call.args.map(name => collection.get(name)))
  return (
    await collection.list({
      labelSelector: call.flags.text('selector'),
      fieldSelector: call.flags.text('field-selector'),
    })
  ).items
}

export const topNode: Command = {
  name: 'top node',
  aliases: ['top nodes', 'top no'],
  summary: 'Show the resource usage of nodes. Requires a metrics server.',
  usage: '[NAME...] [flags]',
  examples: [['The busiest first', 'top node --sort-by=cpu']],
  flags: [
    ...topFlags,
    {
      name: 'show-capacity',
      kind: 'switch',
      description: 'percentages of the capacity of nodes instead of their allocatable resources',
    },
    swapFlag,
  ],
  completes: 'nothing',
  async run(call) {
    const found = await measurements<NodeMetrics>(call, await metricsKind(call, 'nodes'), '')
    const session = await call.session()
    const nodes = session.collection<Node>(kindNamed('nodes', await session.kinds()), '')
    const room = new Map<string, Measured>()
    const isWhole = call.flags.is('show-capacity')
    for await (const { metadata, status } of nodes.each())
      room.set(metadata.name ?? '', measured(isWhole ? status?.capacity : status?.allocatable))
    const rows = found.map(({ metadata, usage }): Row => {
      const used = measured(usage)
      const most = room.get(metadata.name ?? '') ?? { cpu: 0, memory: 0, swap: 0 }
      const [cpu = '', memory = ''] = cells(used)
      const shares = [cpu, share(used.cpu, most.cpu), memory, share(used.memory, most.memory)]
      return { names: [metadata.name ?? ''], used, cells: shares }
    })
    printRows(call, ['NAME', 'CPU(cores)', 'CPU%', 'MEMORY(bytes)', 'MEMORY%'], rows)
  },
}

export const topPod: Command = {
  name: 'top pod',
  aliases: ['top pods', 'top po'],
  summary: 'Show the resource usage of Pods. Requires a metrics server.',
  usage: '[NAME...] [flags]',
  examples: [
    ['Of this namespace', 'top pod'],
    ['By container', 'top pod web-1 --containers'],
  ],
  flags: [
    ...topFlags,
    { name: 'containers', kind: 'switch', description: 'show each container' },
    { name: 'sum', kind: 'switch', description: 'a last line with the sum' },
    swapFlag,
    fieldSelectorFlag,
    allNamespacesFlag,
  ],
  completes: 'nothing',
  async run(call) {
    const everywhere = call.flags.is('all-namespaces')
    const kind = await metricsKind(call, 'pods')
    const { namespace } = await call.session()
    const byContainer = call.flags.is('containers')
    const rows = (await measurements<PodMetrics>(call, kind, everywhere ? '' : namespace)).flatMap(
      ({ metadata, containers = [] }): Row[] => {
        const names = [...(everywhere ? [metadata.namespace ?? ''] : []), metadata.name ?? '']
        const each = containers.map(({ name, usage }) => ({ name, used: measured(usage) }))
        if (byContainer) return each.map(({ name, used }) => ({ names: [...names, name], used, cells: cells(used) }))
        const sum = (of: keyof Measured) => each.reduce((total, { used }) => total + used[of], 0)
        const used = { cpu: sum('cpu'), memory: sum('memory'), swap: sum('swap') }
        return [{ names, used, cells: cells(used) }]
      },
    )
    const first = byContainer ? ['POD', 'NAME'] : ['NAME']
    printRows(call, [...(everywhere ? ['NAMESPACE'] : []), ...first, 'CPU(cores)', 'MEMORY(bytes)'], rows)
  },
}
