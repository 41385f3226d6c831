import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiError, defineAdmission, definePlugin, type Plugin, reject } from 'orch/sdk'
import { fakeClock, startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { quotas } from '../plugin.js'
import { acme, countWidgets, emptyNamespaces, QuotaWorld } from '../testing/quota-world.js'

const ledger = suite('quotas of a running server')

/** Delays every request after it is charged and before it is stored. */
const slowStore = definePlugin({
  name: 'slow-store',
  register(to) {
    const review = () => new Promise<void>(resolve => setTimeout(resolve, 300))
    const matches = { group: 'acme.test' }
    to.admission(
      defineAdmission()({ name: 'Slow', phase: 'validate', sideEffects: 'none', stage: 'last', matches, review }),
    )
  },
})

/** Refuses every request after it is charged. */
const refusal = definePlugin({
  name: 'refusal',
  register(to) {
    const review = () => reject('no')
    const matches = { group: 'acme.test' }
    to.admission(
      defineAdmission()({ name: 'Refusal', phase: 'validate', sideEffects: 'none', stage: 'last', matches, review }),
    )
  },
})

/** Runs a test against a server of its own. */
const withServer =
  (test: (world: QuotaWorld) => Promise<void>, more: Plugin[] = []) =>
  async () => {
    const server = await startServer({ plugins: [emptyNamespaces, acme, quotas, ...more] })
    try {
      await test(new QuotaWorld(server.client))
    } finally {
      await server.stop()
    }
  }
/** The code of the failure, or 201. */
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 201,
    (error: ApiError) => error.code,
  )
const many = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`)

ledger(
  'admit exactly as many concurrent requests as fit',
  withServer(async world => {
    await world.quota('q', { [countWidgets]: '7' })
    const codes = await Promise.all(many(40).map(name => outcome(world.widget(name))))
    assert.is(codes.filter(code => code === 201).length, 7)
    assert.is(codes.filter(code => code === 403).length, 33)
    assert.is((await world.widgets.list()).items.length, 7)
    assert.equal((await world.quotas.get('q')).status?.used, { [countWidgets]: '7' })
  }),
)

ledger(
  'count objects that are charged but not stored yet',
  withServer(
    async world => {
      await world.quota('q', { [countWidgets]: '2' })
      const first = Promise.all([outcome(world.widget('a')), outcome(world.widget('b'))])
      await world.waitForUse('q', '2')
      const late: number[] = []
      for (let i = 0; i < 4; i++) late.push(await outcome(world.widget(`late-${i}`)))
      assert.equal(
        [await first, late],
        [
          [201, 201],
          [403, 403, 403, 403],
        ],
      )
    },
    [slowStore],
  ),
)

ledger(
  'are enforced while objects are created and deleted under load',
  withServer(async world => {
    await world.quota('q', { [countWidgets]: '3' })
    let most = 0
    const watchers = many(6).map(async name => {
      for (let round = 0; round < 15; round++) {
        if ((await outcome(world.widget(`${name}-${round}`))) !== 201) continue
        most = Math.max(most, (await world.widgets.list()).items.length)
        await world.widgets.delete(`${name}-${round}`)
      }
    })
    await Promise.all(watchers)
    assert.ok(most <= 3, `${most} at once`)
    await world.waitForUse('q', '0')
  }),
)

ledger(
  'release usage soon after a deletion',
  withServer(async world => {
    await world.quota('q', { [countWidgets]: '1' })
    await world.widget('a')
    assert.is(await outcome(world.widget('b')), 403)
    await world.widgets.delete('a')
    await world.waitForUse('q', '0')
    assert.is(await outcome(world.widget('b')), 201)
  }),
)

ledger(
  'charge nothing for a name that is taken',
  withServer(async world => {
    await world.quota('q', { [countWidgets]: '5' })
    await world.widget('a')
    assert.is(await outcome(world.widget('a')), 409)
    await world.waitForUse('q', '1')
  }),
)

ledger('eventually release the charge of a request that was rejected later', async () => {
  const clock = fakeClock(Date.now())
  const server = await startServer({ plugins: [emptyNamespaces, acme, quotas, refusal], clock })
  try {
    const world = new QuotaWorld(server.client)
    await world.quota('q', { [countWidgets]: '5' })
    assert.is(await outcome(world.widget('a')), 403)
    await clock.advance(1_000)
    assert.is((await world.quotas.get('q')).status?.used?.[countWidgets], '1')
    await clock.advance(6_000)
    await world.waitForUse('q', '0')
  } finally {
    await server.stop()
  }
})

ledger(
  'check a dry run without charging it',
  withServer(async world => {
    await world.quota('q', { [countWidgets]: '1' })
    assert.is(await outcome(world.widget('a', true)), 201)
    assert.equal((await world.quotas.get('q')).status?.used, { [countWidgets]: '0' })
    await world.widget('a')
    assert.is(await outcome(world.widget('b', true)), 403)
  }),
)

ledger(
  'charge every quota of the namespace, or none',
  withServer(async world => {
    await world.quota('wide', { [countWidgets]: '9' })
    await world.quota('narrow', { [countWidgets]: '1' })
    await world.widget('a')
    const error = await world.widget('b').catch((failure: ApiError) => failure)
    assert.match((error as ApiError).message, /exceeded quota: narrow, requested: .*=1, used: .*=1, limited: .*=1/)
    assert.is((await world.quotas.get('wide')).status?.used?.[countWidgets], '1')
  }),
)

ledger(
  'count objects from before the quota, and apply changes of a quota',
  withServer(async world => {
    for (const name of many(3)) await world.widget(name)
    const quota = await world.quota('q', { [countWidgets]: '2' })
    assert.equal(quota.status, { hard: { [countWidgets]: '2' }, used: { [countWidgets]: '3' } })
    assert.is(await outcome(world.widget('x')), 403)
    await world.quotas.patch('q', { spec: { hard: { [countWidgets]: '4' } } })
    await world.quotas.waitFor('q', ({ status }) => status?.hard?.[countWidgets] === '4')
    assert.is(await outcome(world.widget('x')), 201)
  }),
)

ledger(
  'count quotas themselves, zero for unserved types of the vendor, and nothing for unknown types',
  withServer(async world => {
    const own = { 'count/jobs.batch': '1', 'count/gadgets.tools.orch.io': '1' }
    const quota = await world.quota('q', { resourcequotas: '1', ...own, 'count/gadgets.other.test': '1' })
    assert.equal(quota.status?.used, {
      resourcequotas: '1',
      'count/jobs.batch': '0',
      'count/gadgets.tools.orch.io': '0',
    })
    assert.is(await outcome(world.quota('second', {})), 403)
  }),
)

ledger(
  'ignore updates of counted objects and other namespaces',
  withServer(async world => {
    await world.quota('q', { [countWidgets]: '1' })
    await world.widget('a')
    await world.widgets.patch('a', { data: { changed: 'yes' } })
    assert.equal((await world.quotas.get('q')).status?.used, { [countWidgets]: '1' })
    const elsewhere = { apiVersion: 'acme.test/v1', kind: 'Widget', metadata: { name: 'b', namespace: 'village' } }
    assert.is(await outcome(world.widgets.in('village').create(elsewhere)), 201)
  }),
)

ledger('are not started with a configuration that cannot be read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-quotas-'))
  try {
    const file = join(folder, 'admission.json')
    const plugins = [{ name: 'ResourceQuota', configuration: { kind: 'Other' } }]
    const head = { apiVersion: 'apiserver.config.orch.io/v1', kind: 'AdmissionConfiguration' }
    writeFileSync(file, JSON.stringify({ ...head, plugins }))
    const started = startServer({
      plugins: [emptyNamespaces, acme, quotas],
      options: { admissionControlConfigFile: file },
    })
    const failure = await started.catch((error: Error) => error)
    assert.match((failure as Error).message, /Plugin "quotas" failed to start .*ResourceQuotaConfiguration/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

ledger.run()
