import { field, Kind, StringMap } from 'orch/sdk'
import { Histogram, Registry } from 'prom-client'
import { HistogramChild } from '../../kernel/observe/histogram.js'
import { compileProtobuf } from '../../kernel/representation/protobuf/codec.js'
import { buildTypeModel, type StructNode } from '../../kernel/schema/type-model.js'
import { compileAttributeFilter, encodeAttributes } from '../../kernel/storage/attributes.js'
import type { EventEncoder } from '../../kernel/watch/event-encoder.js'
import { selectEvent } from '../../kernel/watch/watch-event.js'
import { type WatchGroupKey, WatchGroups } from '../../kernel/watch/watch-group.js'
import { copyJson } from '../../libs/json/index.js'
import { median } from './process-figures.js'

/**
 * `node dist/test/bench/structure-cost.js`
 *
 * CPU of structures that exist for speed, compared with straightforward code, in turn. One that is not faster by its
 * factor is no longer justified, and the program fails.
 */
interface Comparison {
  readonly name: string
  readonly fast: () => unknown
  readonly plain: () => unknown
  /** How many times faster it has to be. */
  readonly least: number
}

const object = {
  metadata: { name: 'a', namespace: 'default', uid: '0'.repeat(36), labels: { app: 'bench', tier: 'web' } },
  data: Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`key-${index}`, 'x'.repeat(100)])),
}
const text = Buffer.from(JSON.stringify(object))
const codec = compileProtobuf(buildTypeModel(Kind('bench.v1.Thing', { data: field(2, StringMap()) })) as StructNode)
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const own = new HistogramChild({ verb: 'GET', code: '200' }, seconds)
const library = new Histogram({
  name: 'a',
  help: 'a',
  labelNames: ['verb', 'code'],
  buckets: seconds,
  registers: [new Registry()],
})

/** Watches of the Pods of one node each, and an event of a Pod on one of them. */
const watches = Array.from({ length: 1000 }, (_, node): WatchGroupKey => {
  const onNode = { kind: 'f', name: 'spec.nodeName', operator: 'in', values: [`node-${node}`] } as const
  const filter = compileAttributeFilter([onNode])
  const encoder = {} as EventEncoder
  return { id: `${node}`, typeKey: '/pods', namespace: '', onlyKey: undefined, filter, encoder }
})
const groups = new WatchGroups()
for (const watch of watches) groups.of(watch)
const attributes = encodeAttributes({
  version: 'v1',
  labels: { app: 'bench', tier: 'web' },
  fields: { 'metadata.name': 'a', 'metadata.namespace': 'default', 'spec.nodeName': 'node-700' },
})
const event = {
  revision: 2,
  type: 'update',
  key: '/pods/default/a',
  body: text,
  attributes,
  previousAttributes: attributes,
  previousBody: () => text,
} as const

const comparisons: readonly Comparison[] = [
  {
    name: 'Transcoder (kernel/representation/protobuf/transcode.ts)',
    fast: () => codec.transcode(text),
    plain: () => codec.encode(JSON.parse(text.toString())),
    least: 1.1,
  },
  {
    name: 'HistogramChild (kernel/observe/histogram.ts)',
    fast: () => own.observe(0.003),
    plain: () => library.observe({ verb: 'GET', code: '200' }, 0.003),
    least: 3,
  },
  {
    name: 'copyJson (libs/json/copy-json.ts)',
    fast: () => copyJson(object),
    plain: () => structuredClone(object),
    least: 3,
  },
  {
    name: 'WatchGroups with 1,000 selectors (kernel/watch/watch-group.ts)',
    fast: () => groups.visit(event, () => {}),
    plain: () => watches.filter(({ filter }) => selectEvent(event, filter)),
    least: 20,
  },
]

const [rounds, times] = [15, 10_000]
function costOf(run: () => unknown): number {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) run()
  return process.cpuUsage(before).user / times
}

for (const { name, fast, plain, least } of comparisons) {
  const costs: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const [first, second] = round % 2 === 0 ? [fast, plain] : [plain, fast]
    const measured = [costOf(first), costOf(second)]
    if (round % 2 === 1) measured.reverse()
    costs[0].push(measured[0]!)
    costs[1].push(measured[1]!)
  }
  const [ownCost, plainCost] = [median(costs[0]), median(costs[1])]
  const factor = plainCost / ownCost
  console.log(
    `${name}: ${ownCost.toFixed(2)} µs, without it ${plainCost.toFixed(2)} µs: ${factor.toFixed(1)} times, at least ${least}`,
  )
  if (factor < least) process.exitCode = 1
}
