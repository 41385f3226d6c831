import { orchProfile, Vendor } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { fakeClock, fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { namespaceNames } from './names.js'
import { systemNamespaces } from './system-namespaces.js'

const always = suite('namespaces that always exist')
const task = systemNamespaces(namespaceNames(new Vendor({ ...orchProfile, domain: 'acme.test' })))

always('are recreated when one is deleted, and are not checked any more after a stop during a check', async () => {
  const present = new Set<string>()
  const gate = { open: Promise.resolve() }
  const namespaces = {
    async find(name: string) {
      await gate.open
      return present.has(name) ? {} : undefined
    },
    create: async ({ metadata }: { metadata: { name: string } }) => void present.add(metadata.name),
  }
  const client = { resource: () => namespaces } as unknown as Client
  const clock = fakeClock()
  const stop = await task.run({ client, clock, logger: fakeLogger() })
  assert.ok(present.delete('default'))
  await clock.advance(60_000)
  assert.ok(present.has('default'))

  let openGate = () => {}
  gate.open = new Promise(resolve => {
    openGate = resolve
  })
  await clock.advance(60_000)
  await stop?.()
  openGate()
  await new Promise(resolve => setImmediate(resolve))
  assert.is(clock.pending, 0)
})

always.run()
