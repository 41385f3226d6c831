import { parseDuration } from 'orch/sdk'
import type { StorageDefinition, Store, StorePeers } from 'orch/sdk/host'

export interface EngineOptions {
  readonly storageEngine: string
  readonly dataDir: string
  readonly watchHistory: string
}

/** Opens the store that the options name. */
export function openEngine(
  engines: readonly { readonly definition: StorageDefinition }[],
  options: EngineOptions,
  now: () => number,
  warn: (message: string) => void,
  peers?: StorePeers,
): Promise<Store> {
  const engine = engines.find(({ definition }) => definition.name === options.storageEngine)
  if (!engine) throw new Error(`there is no storage engine "${options.storageEngine}"`)
  const { dataDir, watchHistory } = options
  return engine.definition.open({
    dataDir,
    historyMs: parseDuration(watchHistory),
    now,
    warn,
    ...(peers ? { peers } : {}),
  })
}
