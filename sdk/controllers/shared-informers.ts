import type { Client } from '../client/client.js'
import type { ApiObject } from '../resource/meta.js'
import { type Informer, type InformerOptions, startInformer } from './informer.js'

interface Shared {
  readonly informer: Informer
  users: number
}
/** Weak, so that the entries of a client are collected with it. */
const informersOf = new WeakMap<Client, Map<string, Shared>>()

/** A shared informer: one per client, collection and selector. `stop` ends it for the last user. */
export function shareInformer<T extends ApiObject = ApiObject>(options: InformerOptions): Informer<T> {
  const { resource, labelSelector = '', fieldSelector = '' } = options
  const client = options.client.follower ?? options.client
  const known = informersOf.get(client) ?? new Map<string, Shared>()
  informersOf.set(client, known)
  const key = JSON.stringify([resource.group, resource.version, resource.resource, labelSelector, fieldSelector])
  const shared = known.get(key) ?? { informer: startInformer({ ...options, client }), users: 0 }
  known.set(key, shared)
  shared.users++
  let isReleased = false
  return {
    cache: (shared.informer as unknown as Informer<T>).cache,
    async stop() {
      if (isReleased) return
      isReleased = true
      if (--shared.users > 0) return
      known.delete(key)
      await shared.informer.stop()
    },
  }
}
