/**
 * Writes to a store until it is killed, or until its standard input ends. Prints `ready`, waits for a line, then opens the store and writes.
 * Every acknowledged write is appended to a file before the next one of the same writer, so that a kill loses none of them. So is
 * every deletion before it starts, and one that was refused: a short history cannot show whether an unfinished one happened.
 *
 *   node crash-writer.js <dataDir> <file of acknowledged writes> <historyMs>
 */
import { openSync, writeSync } from 'node:fs'
import { openLmdbStore } from '../../kernel/storage/lmdb/lmdb-storage.js'

const writers = 16
const keys = 40
const [dataDir = '', ackedPath = '', historyMs = ''] = process.argv.slice(2)

process.stdout.write('ready\n')
await new Promise(resolve => process.stdin.once('data', resolve))
const store = await openLmdbStore({ dataDir, historyMs: Number(historyMs) })
const acked = openSync(ackedPath, 'a')
let isStopping = false
let values = 0

async function writeOn(writer: number): Promise<void> {
  for (let turn = writer; !isStopping; turn++) {
    const key = `/k${(turn * 7 + writer * 3) % keys}`
    const value = `${process.pid}-${values++}`
    const isDelete = turn % 5 === 0
    // Sizes from one page to several, so that kills also hit overflow pages.
    const padding = '.'.repeat((turn % 4) * 2500)
    const body = Buffer.from(`{"metadata":{"name":"${value}"},"data":"${padding}"}`)
    const expect = turn % 3 === 0 ? undefined : ((await store.get(key))?.modRevision ?? 0)
    if (isDelete) writeSync(acked, `0 begun ${key}\n`)
    const result = await store.write({ key, body: isDelete ? undefined : body, expect })
    if (isDelete && !result.ok) writeSync(acked, `0 refused ${key}\n`)
    if (result.ok) writeSync(acked, `${result.revision} ${isDelete ? 'delete' : value} ${key}\n`)
  }
}

process.stdin.once('end', () => {
  isStopping = true
})
process.stdin.resume()
await Promise.all(Array.from({ length: writers }, (_, writer) => writeOn(writer)))
await store.close()
process.exit(0)
