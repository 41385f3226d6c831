import { join } from 'node:path'
import { parseDuration } from 'orch/sdk'
import type {
  OpenReplica,
  StorageDefinition,
  Store,
  StoreLayerContext,
  StoreLayerDefinition,
  StorePeers,
} from 'orch/sdk/host'

export interface EngineOptions {
  readonly storageEngine: string
  readonly dataDir: string
  readonly watchHistory: string
}

/** What an engine receives only in a server. */
export interface ServerSide {
  readonly info: (message: string) => void
  readonly peers?: StorePeers | undefined
  /** How many processes this server has, if this one has to remove leftovers of further ones. */
  readonly processes?: number | undefined
}

/** Opens the store that the options name. */
export function openEngine(
  engines: readonly { readonly definition: StorageDefinition }[],
  options: EngineOptions,
  now: () => number,
  warn: (message: string) => void,
  server?: ServerSide,
): Promise<Store> {
  const engine = engines.find(({ definition }) => definition.name === options.storageEngine)
  if (!engine) throw new Error(`there is no storage engine "${options.storageEngine}"`)
  const { dataDir, watchHistory } = options
  return engine.definition.open({
    dataDir,
    historyMs: parseDuration(watchHistory),
    now,
    warn,
    ...(server ? { info: server.info, openReplica: replicasIn(dataDir, now, warn, server.processes) } : {}),
    ...(server?.peers ? { peers: server.peers } : {}),
  })
}

/** The store with the layers of plugins on top. The engine is closed when one of them fails. */
export async function throughLayers(
  engine: Store,
  layers: readonly { readonly definition: StoreLayerDefinition }[],
  context: StoreLayerContext,
): Promise<Store> {
  let store = engine
  try {
    for (const { definition } of layers) store = await definition.wrap(store, context)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Replicas of a data folder. Loaded only if an engine uses one, since other engines do not need LMDB. */
export const replicasIn =
  (dataDir: string, now: () => number, warn: (message: string) => void, processes?: number): OpenReplica =>
  async source => {
    const { openReplica, removeReplicasFrom } = await import('./lmdb/open-replica.js')
    const folder = join(dataDir, 'replica')
    if (processes !== undefined) await removeReplicasFrom(folder, processes)
    return openReplica({ folder, source, now, warn })
  }
