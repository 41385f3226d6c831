import { parseArgs } from 'node:util'
import { flagsOf } from '../golden/server-flags.js'
import { startOrch } from '../support/start-orch.js'
import type { RequestExtras } from './connection.js'
import { ConnectionPool } from './connection-pool.js'
import { compare, costLines, type Variant } from './paired.js'

/**
 * `node dist/test/bench/compression-cost.js [--rounds 5] [--objects 400]`
 *
 * The CPU cost of gzip and the bytes that it saves: lists of ConfigMaps of 1 KiB for a client that accepts it, and for one that does not.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, objects: { type: 'string', default: '400' } },
})
const path = '/api/v1/namespaces/default/configmaps'
const server = await startOrch({ flags: await flagsOf('base') })
const target = { url: server.url, token: 'admintoken', pids: [server.pid] }
const pool = new ConnectionPool(target)
const list = (extras: RequestExtras) => pool.request('GET', path, extras)
const variantOf = (name: string, extras: RequestExtras): Variant => ({
  name,
  pids: target.pids,
  run: async () => void (await list(extras)),
})
const gzip = { headers: 'Accept-Encoding: gzip\r\n' }
try {
  for (let n = 0; n < Number(values.objects); n++) {
    const text = Array.from(
      { length: 40 },
      (_, line) => `key-${line} = value ${(n * 7919 + line * 104_729) % 99_991}\n`,
    )
    await pool.post(path, JSON.stringify({ metadata: { name: `c-${n}` }, data: { text: text.join('') } }))
  }
  const [plain, compressed] = [await list({}), await list(gzip)]
  process.stdout.write(`${plain.bytes >> 10} KiB as it is, ${compressed.bytes >> 10} KiB compressed\n`)
  const variants = [variantOf('as it is', {}), variantOf('gzip', gzip)]
  process.stdout.write(costLines(await compare(variants, Number(values.rounds))))
} finally {
  pool.close()
  await server.stop()
}
