import { isPromise } from 'orch/sdk'
import { fakeClock, fakeLogger, fakeMetrics } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type KmsPlugin, startKmsPlugin } from '../../testing/kms-plugin.js'
import { KmsKey } from './kms-key.js'

const kms = suite('keys of a KMS plugin')
const context = Buffer.from('/secrets/default/one')
const value = Buffer.from('a value')
const minuteMs = 60_000
const metrics = fakeMetrics()

const withPlugin =
  (use: (plugin: KmsPlugin, open: () => KmsKey, clock: ReturnType<typeof fakeClock>) => Promise<void>) => async () => {
    const plugin = await startKmsPlugin()
    const clock = fakeClock()
    const opened: KmsKey[] = []
    const { endpoint } = plugin
    const options = { prefix: 'p:', name: 'test', endpoint, timeoutMs: 10_000, clock, logger: fakeLogger(), metrics }
    const open = () => {
      const key = new KmsKey(options)
      opened.push(key)
      return key
    }
    try {
      await use(plugin, open, clock)
    } finally {
      for (const key of opened) key.close()
      await plugin.remove()
    }
  }

kms(
  'call the plugin once for a seed, however many values are encrypted and decrypted',
  withPlugin(async (plugin, open) => {
    const writer = open()
    await writer.start()
    const sealed = Array.from({ length: 50 }, () => writer.seal(value, context))
    for (const each of sealed) assert.ok(value.equals(writer.open(each, context) as Buffer))
    assert.equal(plugin.calls, { status: 1, encrypt: 1, decrypt: 0 })
    const reader = open()
    const both = await Promise.all(sealed.slice(0, 2).map(each => reader.open(each, context)))
    assert.ok(both.every(each => value.equals(each)))
    assert.ok(sealed.every(each => !isPromise(reader.open(each, context))))
    assert.is(plugin.calls.decrypt, 1)
    assert.throws(() => reader.open(sealed[0]!, Buffer.from('/secrets/default/two')))
    const answered = (method: string) =>
      metrics.valueOf('apiserver_envelope_encryption_kms_operations_latency_seconds', {
        provider_name: 'test',
        method_name: `/v2.KeyManagementService/${method}`,
        grpc_status_code: 'OK',
      })
    assert.equal(['Status', 'Encrypt', 'Decrypt'].map(answered), [1, 1, 1])
  }),
)

kms(
  'use a new key of the plugin, and decrypt values of older ones',
  withPlugin(async (plugin, open, clock) => {
    const key = open()
    await key.start()
    const old = key.seal(value, context)
    plugin.rotate()
    await clock.advance(minuteMs)
    await until(() => key.isOutdated(old))
    const young = key.seal(value, context)
    assert.not.ok(key.isOutdated(young))
    for (const sealed of [old, young]) assert.ok(value.equals(await key.open(sealed, context)))
  }),
)

kms(
  'keep encrypting while the plugin is unavailable for a short time, and fail with the reason after that',
  withPlugin(async (plugin, open, clock) => {
    const key = open()
    assert.throws(
      () => key.seal(value, context),
      /nothing can be encrypted: the KMS plugin "test" has not responded yet/,
    )
    await key.start()
    await plugin.stop()
    await clock.advance(minuteMs)
    await until(() => key.problem)
    const sealed = key.seal(value, context)
    await clock.advance(3 * minuteMs)
    assert.throws(() => key.seal(value, context), /the KMS plugin "test" does not answer/)
    assert.ok(value.equals(key.open(sealed, context) as Buffer))
  }),
)

kms(
  'distinguish an unavailable plugin from one that cannot decrypt, and do not cache a wrong response',
  withPlugin(async (plugin, open, clock) => {
    const writer = open()
    await writer.start()
    const sealed = writer.seal(value, context)
    const reader = open()
    const failure = async () => {
      try {
        return String(await reader.open(sealed, context))
      } catch (error) {
        return (error as Error).name
      }
    }
    plugin.answersWrong = true
    assert.is(await failure(), 'Error')
    plugin.answersWrong = false
    await plugin.stop()
    assert.is(await failure(), 'KeyUnavailable')
    await plugin.start()
    assert.is(await failure(), 'KeyUnavailable', 'the plugin is not called again at once')
    await until(async () => {
      await clock.advance(1000)
      return (await failure()) === String(value)
    })
  }),
)

async function until(condition: () => unknown): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('waited for a minute')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

kms.run()
