import type { ListRequest, Revision, Store } from 'orch/sdk/host'
import { delegatingStore } from './delegating-store.js'

/** How far behind lists are. */
const behind = 5

const staleRevision = (store: Store): Revision => Math.max(store.currentRevision() - behind, store.compactedRevision())
const isNewest = ({ revision, prefix }: ListRequest) => revision === undefined && prefix.includes('configmaps')

/** Lists show the past with the correct revision: consistent, but stale for a client that has just written. */
export const staleListStore = (inner: Store): Store =>
  delegatingStore(inner, {
    list: request => inner.list(isNewest(request) ? { ...request, revision: staleRevision(inner) } : request),
  })

/** Lists show the past with the current revision: a watch from there misses events. */
export const mislabelledListStore = (inner: Store): Store =>
  delegatingStore(inner, {
    async list(request) {
      if (!isNewest(request)) return inner.list(request)
      const revision = await inner.latestRevision()
      const page = await inner.list({ ...request, revision: staleRevision(inner) })
      return { ...page, revision }
    },
  })
