import type { CommandContext, CommandDefinition } from 'orch/sdk'
import {
  bodiesOf,
  type ListChunk,
  type OpenedStore,
  readContents,
  requireKnownFormat,
  type StorageError,
  type Store,
  withoutVersion,
} from 'orch/sdk/host'

const maxConcurrentWrites = 64
/** Objects that change while they are rewritten are retried in the next pass. */
const passes = 5
const progressEveryMs = 2000
/** The number of objects that cannot be decrypted and are listed. */
const maxReported = 20

/** `orch storage reencrypt`: rewrites outdated objects as the current configuration says. Servers may keep running. */
export const reencryptCommand: CommandDefinition = {
  name: 'storage reencrypt',
  usage: 'storage reencrypt [--encryption-provider-config] [--data-dir] [flags of serve]',
  summary: 'Rewrite every object that is not stored as the encryption configuration says, such as with an older key.',
  run: (flags, context) =>
    context.host.withStore(flags, { what: 'orch storage reencrypt', role: 'reader' }, opened =>
      reencrypt(opened, context),
    ),
}

async function reencrypt({ store, stored }: OpenedStore, context: CommandContext): Promise<number> {
  requireKnownFormat((await readContents(stored)).contents)
  const { noteKeysInUse } = await import('./keys-in-use.js')
  const unreadable = new Map<string, StorageError>()
  let written = 0
  let left = 0
  for (let pass = 0; pass < passes; pass++) {
    unreadable.clear()
    const result = await onePass(store, progressOn(context), unreadable)
    written += result.written
    left = result.left
    if (left === 0) break
  }
  if (left === 0) await noteKeysInUse(stored)
  context.out(`Reencrypted ${written} objects.\n`)
  if (left > 0)
    context.err(`orch: ${left} objects changed meanwhile: run it again when all servers have the same configuration\n`)
  for (const { message } of [...unreadable.values()].slice(0, maxReported)) context.err(`orch: ${message}\n`)
  if (unreadable.size > 0)
    context.err(`orch: ${unreadable.size} objects could not be decrypted and are unchanged; restore their keys\n`)
  return left > 0 || unreadable.size > 0 ? 1 : 0
}

function progressOn({ err }: CommandContext): (done: number, all: number, written: number) => void {
  let next = Date.now() + progressEveryMs
  return (done, all, written) => {
    if (Date.now() < next) return
    next = Date.now() + progressEveryMs
    err(`Checked ${done} of ${all} objects, reencrypted ${written}\n`)
  }
}

async function onePass(
  store: Store,
  progress: (done: number, all: number, written: number) => void,
  unreadable: Map<string, StorageError>,
): Promise<{ written: number; left: number }> {
  const all = await store.count('')
  let done = 0
  let written = 0
  let left = 0
  const onUnreadable = (key: string, failure: StorageError) => unreadable.set(key, failure)
  const page = await store.list({ prefix: '', keys: true, isUsual: () => false, onUnreadable })
  for await (const chunk of page.items) {
    const waiting = [...outdatedOf(chunk)]
    const writeOn = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const { modRevision: expect, body } = withoutVersion(next.body)
        const { ok } = await store.write({ key: next.key, body, attributes: next.attributes, expect })
        if (ok) written++
        else left++
      }
    }
    await Promise.all(Array.from({ length: maxConcurrentWrites }, writeOn))
    done += chunk.count
    progress(done, all, written)
  }
  return { written, left }
}

function* outdatedOf(chunk: ListChunk): Iterable<{ key: string; body: Buffer; attributes: Buffer }> {
  let place = -1
  for (const body of bodiesOf(chunk)) {
    if (!chunk.converted?.has(++place)) continue
    yield { key: chunk.keys![place]!, body, attributes: chunk.otherAttributes?.get(place) ?? Buffer.alloc(0) }
  }
}
