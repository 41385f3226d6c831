import type { ApiObject } from '../resource/meta.js'
import type { GroupResource } from './caches.js'

/** Reads directly from the store, always current. For admission that must not decide on stale data. */
export interface StoreReader {
  get<T = ApiObject>(collection: GroupResource, namespace: string, name: string): Promise<T | undefined>
  list<T = ApiObject>(collection: GroupResource, namespace?: string): Promise<T[]>
}
