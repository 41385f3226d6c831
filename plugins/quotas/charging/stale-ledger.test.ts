import { type Caches, conflict, notFound, type StoreReader } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { objectCounter } from '../counting/count-objects.js'
import type { StoredQuota } from '../counting/resource-quota.js'
import { QuotaLedger } from './quota-ledger.js'

const counted = 'count/widgets.acme.test'
const quota = (name: string, used: number, resourceVersion: string): StoredQuota => ({
  metadata: { name, namespace: 'town', resourceVersion },
  spec: { hard: { [counted]: '2' } },
  status: { hard: { [counted]: '2' }, used: { [counted]: String(used) } },
})
const charge = {
  evaluator: objectCounter({ group: 'acme.test', resource: 'widgets' }),
  object: { metadata: { name: 'x' } },
  stored: undefined,
  now: 0,
}

/** A ledger with `cached` in its cache and `stored` in the store; the first `conflicts` writes fail with a conflict. */
function aLedger(cached: StoredQuota[], stored: StoredQuota[], conflicts = 0) {
  const written: string[] = []
  const collection = {
    in: () => collection,
    updateSubresource: async (subresource: string, { metadata, status }: StoredQuota) => {
      const subject = { group: '', resource: 'resourcequotas', name: metadata.name ?? '' }
      const current = stored.find(({ metadata: { name } }) => name === metadata.name)
      if (!current) throw notFound(subject)
      if (conflicts-- > 0 || current.metadata.resourceVersion !== metadata.resourceVersion)
        throw conflict(subject, 'modified')
      written.push(`${subresource} ${metadata.name} ${status?.used?.[counted]}`)
      const newer = { ...current, status, metadata: { ...metadata, resourceVersion: `${metadata.resourceVersion}+` } }
      stored.splice(stored.indexOf(current), 1, newer)
      cached.splice(0, cached.length, ...stored)
    },
  }
  const ledger = new QuotaLedger({
    caches: { of: () => ({ isReady: true, list: () => cached }) } as unknown as Caches,
    reader: { list: async () => stored } as unknown as StoreReader,
    client: { resource: () => collection } as unknown as Client,
    limited: [],
  })
  return { ledger, written }
}

const stale = suite('quota ledger of one process among several')

stale('writes usage only if it has not changed', async () => {
  const { ledger, written } = aLedger([quota('q', 0, '1')], [quota('q', 0, '1')])
  assert.is(await ledger.charge('town', charge, false), undefined)
  assert.equal(written, ['status q 1'])
})

stale('checks again by the stored usage after a conflict', async () => {
  const { ledger, written } = aLedger([quota('q', 0, '1')], [quota('q', 1, '2')])
  assert.is(await ledger.charge('town', charge, false), undefined)
  assert.equal(written, ['status q 2'])
})

stale('rejects when another process took the last unit', async () => {
  const { ledger, written } = aLedger([quota('q', 1, '1')], [quota('q', 2, '2')])
  assert.match((await ledger.charge('town', charge, false)) ?? '', /exceeded quota: q/)
  assert.equal(written, [])
})

stale('does not reject because of a stale cache', async () => {
  const { ledger, written } = aLedger([quota('q', 2, '1')], [quota('q', 0, '2')])
  assert.is(await ledger.charge('town', charge, false), undefined)
  assert.equal(written, ['status q 1'])
})

stale('does not charge a quota twice because another one has to be charged again', async () => {
  const { ledger, written } = aLedger(
    [quota('a', 0, '1'), quota('b', 0, '1')],
    [quota('a', 0, '1'), quota('b', 1, '2')],
  )
  assert.is(await ledger.charge('town', charge, false), undefined)
  assert.equal(written, ['status a 1', 'status b 2'])
})

stale('admits a request when its quota was deleted', async () => {
  const { ledger } = aLedger([quota('q', 0, '1')], [])
  assert.is(await ledger.charge('town', charge, false), undefined)
})

stale('charges all requests that arrive during a write with the next one', async () => {
  const { ledger, written } = aLedger([quota('q', -5, '1')], [quota('q', -5, '1')])
  const answers = await Promise.all(Array.from({ length: 9 }, () => ledger.charge('town', charge, false)))
  assert.is(answers.filter(answer => answer === undefined).length, 7)
  assert.equal(written, ['status q -4', 'status q 2'])
})

stale('fails with a conflict after too many attempts', async () => {
  const { ledger } = aLedger([quota('q', 0, '1')], [quota('q', 0, '1')], Number.POSITIVE_INFINITY)
  const error = await ledger.charge('town', charge, false).catch((failure: unknown) => failure as { code: number })
  assert.is((error as { code: number }).code, 409)
})

stale.run()
