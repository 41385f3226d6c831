import { replicasIn } from '../../kernel/index.js'
import type { OpenReplica } from '../host/store-replica.js'

/** Replicas in a folder, as a server gives them to the storage engine under test. */
export const replicasFor = (folder: string, warn: (message: string) => void = () => {}): OpenReplica =>
  replicasIn(folder, Date.now, warn)
