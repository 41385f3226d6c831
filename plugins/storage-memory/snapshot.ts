/** A store as one JSON file: all objects, without history. It contains secrets in plain text, so only its owner may read it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { moveDurably, type Revision, StorageError, unfinishedIn, withoutVersion, withVersion } from 'orch/sdk/host'
import { Memory } from './memory.js'

const format = 1

interface Snapshot {
  readonly format: number
  readonly revision: Revision
  /** Key, revision, body without its revision, attributes in base64. */
  readonly objects: readonly (readonly [string, Revision, string, string])[]
}

/** Loads a file; empty if it does not exist. */
export function readSnapshot(path: string): Memory {
  const memory = new Memory()
  const snapshot = parse(path)
  if (!snapshot) return memory
  for (const [key, revision, body, attributes] of snapshot.objects) {
    const shown = withVersion(Buffer.from(body), revision)
    memory.load(key, { revision, body: shown, attributes: Buffer.from(attributes, 'base64') })
  }
  memory.advanceTo(snapshot.revision)
  return memory
}

function parse(path: string): Snapshot | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StorageError('unavailable', `${path} cannot be read`, { cause: error })
  }
  try {
    const snapshot = JSON.parse(text) as Snapshot
    if (snapshot.format === format && Number.isSafeInteger(snapshot.revision)) return snapshot
  } catch {
    // Invalid JSON is reported like an unknown format.
  }
  throw new StorageError('corrupt', `${path} is not a snapshot of an in-memory store that this version can read`)
}

/** Writes the file atomically. */
export function writeSnapshot(path: string, memory: Memory): void {
  const unfinished = unfinishedIn(dirname(resolve(path)))
  writeFileSync(unfinished, snapshotText(memory), { mode: 0o600 })
  moveDurably(unfinished, path)
}

function snapshotText(memory: Memory): string {
  const objects: Snapshot['objects'][number][] = []
  for (const key of memory.keys('')) {
    const version = memory.at(key)
    if (version?.body === undefined) continue
    const { body } = withoutVersion(version.body)
    objects.push([key, version.revision, body.toString('utf8'), version.attributes.toString('base64')])
  }
  return JSON.stringify({ format, revision: memory.revision, objects } satisfies Snapshot)
}
