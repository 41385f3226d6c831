import { StorageError, type Store, type StorePeers } from 'orch/sdk/host'
import { Memory } from './memory.js'
import { MemoryStore } from './memory-store.js'
import { readSnapshot, writeSnapshot } from './snapshot.js'

export interface MemoryEngineOptions {
  readonly historyMs: number
  readonly now: () => number
  readonly peers?: StorePeers
  readonly memorySnapshot?: string
  readonly memorySnapshotSave: boolean
}

export async function openMemoryStore(options: MemoryEngineOptions): Promise<Store> {
  const { historyMs, now, peers, memorySnapshot: file, memorySnapshotSave } = options
  if (peers) throw new StorageError('unavailable', 'a store in memory belongs to one process: --workers must be 1')
  const memory = file === undefined ? new Memory() : readSnapshot(file)
  const isSaved = file !== undefined && memorySnapshotSave
  return new MemoryStore(memory, {
    historyMs,
    now,
    ...(isSaved ? { whenClosed: () => writeSnapshot(file, memory) } : {}),
  })
}
