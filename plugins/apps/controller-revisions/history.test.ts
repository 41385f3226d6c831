import { alreadyExists } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NameTaken, type RevisedOwner, type StoredRevision, syncRevision } from './history.js'

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const ownerOf = (kind: string, uid: string, collisionCount = 0): RevisedOwner => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'web', namespace: 'town', uid },
  spec: { template },
  status: { collisionCount },
})

/** Revisions in memory; a name that is taken is refused as by the server. */
function keeper() {
  const stored = new Map<string, StoredRevision>()
  const revisions = {
    in: () => revisions,
    get: async (name: string) => stored.get(name),
    async create(revision: StoredRevision) {
      const name = revision.metadata.name ?? ''
      if (stored.has(name)) throw alreadyExists({ group: 'apps', resource: 'controllerrevisions', name })
      stored.set(name, revision)
      return revision
    },
  }
  return { revisions: revisions as unknown as ResourceClient<StoredRevision>, hashLabel: 'hash' }
}

const history = suite('revisions')

history('of two sets with the same name and template are distinct', async () => {
  const kept = keeper()
  const { current } = await syncRevision(kept, ownerOf('StatefulSet', 'one'), [])
  const again = await syncRevision(kept, ownerOf('StatefulSet', 'one'), [])
  assert.is(again.current, current, 'an existing one is found')
  const refused = await syncRevision(kept, ownerOf('DaemonSet', 'other'), []).catch((error: unknown) => error)
  assert.instance(refused, NameTaken)
  const other = await syncRevision(kept, ownerOf('DaemonSet', 'other', 1), [])
  assert.is.not(other.current.metadata.name, current.metadata.name)
})

history.run()
