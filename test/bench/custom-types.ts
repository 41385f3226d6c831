import { parseArgs } from 'node:util'
import { flagsOf } from '../golden/server-flags.js'
import { startOrch } from '../support/start-orch.js'
import { collectionPath } from './config-map-load.js'
import { ConnectionPool } from './connection-pool.js'
import { compareCollections } from './custom-object-cost.js'
import { configMapShape, customShape, definition, definitionsPath, objectsPath } from './custom-type-load.js'
import { firstObject, manyDefinitions } from './many-definitions.js'
import { costLines } from './paired.js'
import { tableHead, tableRows } from './table.js'

/**
 * `npm run bench:types -- [--only objects,first,500,5000] [--rounds 10]`
 *
 * Types of CustomResourceDefinitions: the cost of an operation on their objects compared with a ConfigMap of
 * the same size, how soon a type is served, and the cost of hundreds of them.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'objects,first,500,5000' },
    rounds: { type: 'string', default: '10' },
  },
})
const most = 1.3
const parts = values.only.split(',')
const flags = await flagsOf('base')

if (parts.includes('objects')) await measureObjects()
const counts = parts.map(Number).filter(count => count > 0)
if (counts.length > 0 || parts.includes('first')) console.log(tableHead)
const report = (name: string, metrics: Record<string, number>) => {
  for (const line of tableRows(name, [metrics])) console.log(line)
}
if (parts.includes('first')) report('first-object', await firstObject(flags, 50))
for (const count of counts) report(`definitions-${count}`, await manyDefinitions(flags, count))

async function measureObjects(): Promise<void> {
  const server = await startOrch({ flags, isBundled: true })
  const target = { url: server.url, token: 'admintoken', pids: [server.pid] }
  const pool = new ConnectionPool(target)
  try {
    await pool.post('/api/v1/namespaces', JSON.stringify({ metadata: { name: 'bench' } }))
    await pool.post(definitionsPath, definition(0))
    while ((await pool.request('GET', objectsPath('bench', 0))).status !== 200);
    const collections = [
      { name: 'ConfigMap', path: collectionPath('bench'), shape: configMapShape },
      { name: 'custom object', path: objectsPath('bench', 0), shape: customShape(0) },
    ]
    for await (const { operation, costs } of compareCollections(target, collections, Number(values.rounds)))
      process.stdout.write(`${operation}\n${costLines(costs)}`)
    process.stdout.write(`target: CPU × ${most}\n`)
  } finally {
    pool.close()
    await server.stop()
  }
}
