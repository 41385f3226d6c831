import { resolve } from 'node:path'
import { Environment, type EnvironmentOptions, storePath } from './environment.js'

interface Opened {
  readonly environment: Environment
  users: number
  closing: Promise<void> | undefined
}

/**
 * A process must not open one LMDB file twice: the second opening waits on the main thread for the write lock, while the
 * transaction that holds it waits for the main thread. So all users in a process share one environment.
 */
const opened = new Map<string, Opened>()

/** How often this process has the store open. */
export const usersHere = (dataDir: string): number => opened.get(resolve(storePath(dataDir)))?.users ?? 0

/** An environment and the function that releases it. The options of the first user apply. */
export async function openEnvironment(options: EnvironmentOptions): Promise<[Environment, () => Promise<void>]> {
  const path = resolve(storePath(options.dataDir))
  const known = opened.get(path)
  if (known?.closing !== undefined) {
    await known.closing
    return openEnvironment(options)
  }
  const entry = known ?? { environment: new Environment(options), users: 0, closing: undefined }
  opened.set(path, entry)
  entry.users++
  let isReleased = false
  const release = async (): Promise<void> => {
    if (isReleased) return
    isReleased = true
    if (--entry.users > 0) return
    entry.closing = entry.environment.close().finally(() => opened.delete(path))
    await entry.closing
  }
  return [entry.environment, release]
}
