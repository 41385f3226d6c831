import { type ApiObject, parseQuantity, quantityValue } from 'orch/sdk'
import type { KindInfo } from 'orch/sdk/client'
import type { FlagDefinition } from '../arguments/flags.js'
import { allNamespacesFlag, labelSelectorFlag } from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { kindNamed } from '../objects/targets.js'
import { TextTable } from '../output/text-table.js'

interface Usage {
  readonly cpu?: string
  readonly memory?: string
}
interface NodeMetrics extends ApiObject {
  usage?: Usage
}
interface PodMetrics extends ApiObject {
  containers?: readonly { readonly name: string; readonly usage?: Usage }[]
}
interface Node extends ApiObject {
  status?: { allocatable?: Usage }
}
/** Usage in millicores and bytes. */
interface Measured {
  readonly cpu: number
  readonly memory: number
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

const amountOf = (text: string | undefined, scale: number) =>
  text === undefined ? 0 : Number(quantityValue(parseQuantity(text), scale))
const measured = (usage: Usage = {}): Measured => ({ cpu: amountOf(usage.cpu, -3), memory: amountOf(usage.memory, 0) })
const cells = ({ cpu, memory }: Measured) => [`${cpu}m`, `${Math.floor(memory / 2 ** 20)}Mi`]
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
  const table = new TextTable(header, terminal.paint, { exact: true })
  terminal.write(
    table.print(
      sorted.map(row => [...row.names, ...row.cells]),
      !flags.is('no-headers'),
    ),
  )
}

async function measurements<T>(call: Call, kind: KindInfo, namespace: string): Promise<T[]> {
  const collection = (await call.session()).collection<T>(kind, namespace)
  if (call.args.length > 0) return Promise.all(call.args.map(name => collection.get(name)))
  return (await collection.list({ labelSelector: call.flags.text('selector') })).items
}

export const topNode: Command = {
  name: 'top node',
  aliases: ['top nodes', 'top no'],
  summary: 'Show the resource usage of nodes. Requires a metrics server.',
  usage: '[NAME...] [flags]',
  examples: [['The busiest first', 'top node --sort-by=cpu']],
  flags: topFlags,
  completes: 'nothing',
  async run(call) {
    const found = await measurements<NodeMetrics>(call, await metricsKind(call, 'nodes'), '')
    const session = await call.session()
    const nodes = session.collection<Node>(kindNamed('nodes', await session.kinds()), '')
    const room = new Map<string, Measured>()
    for await (const { metadata, status } of nodes.each()) room.set(metadata.name ?? '', measured(status?.allocatable))
    const rows = found.map(({ metadata, usage }): Row => {
      const used = measured(usage)
      const most = room.get(metadata.name ?? '') ?? { cpu: 0, memory: 0 }
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
  flags: [...topFlags, { name: 'containers', kind: 'switch', description: 'show each container' }, allNamespacesFlag],
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
        const used = { cpu: sum('cpu'), memory: sum('memory') }
        return [{ names, used, cells: cells(used) }]
      },
    )
    const first = byContainer ? ['POD', 'NAME'] : ['NAME']
    printRows(call, [...(everywhere ? ['NAMESPACE'] : []), ...first, 'CPU(cores)', 'MEMORY(bytes)'], rows)
  },
}
