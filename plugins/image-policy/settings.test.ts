import type { AdmissionConfiguration } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSettings } from './settings.js'

const settings = suite('settings of the image policy')
const configured = (imagePolicy: unknown): AdmissionConfiguration => ({
  of: () => (imagePolicy === undefined ? undefined : { imagePolicy }),
  pathFor: (_, file) => `/etc/${file}`,
})
const read = (changes: object = {}) => readSettings(configured({ kubeConfigFile: 'backend.yaml', ...changes }))

settings('are undefined if nothing is configured', () => assert.is(readSettings(configured(undefined)), undefined))
settings('have defaults', () =>
  assert.equal(read(), {
    path: '/etc/backend.yaml',
    allowTtlMs: 300_000,
    denyTtlMs: 30_000,
    retryBackoffMs: 500,
    isAllowedByDefault: false,
  }),
)
settings('count times to live in seconds and the backoff in milliseconds', () => {
  const { allowTtlMs, denyTtlMs, retryBackoffMs } = read({ allowTTL: 7, denyTTL: 8, retryBackoff: 9 }) ?? {}
  assert.equal([allowTtlMs, denyTtlMs, retryBackoffMs], [7000, 8000, 9])
})
settings('turn a time off with -1', () => assert.is(read({ allowTTL: -1 })?.allowTtlMs, 0))
for (const [title, changes] of Object.entries({
  'a time beyond its bounds': { allowTTL: 1801 },
  'a negative time': { denyTTL: -2 },
  'a backoff beyond its bounds': { retryBackoff: 300_001 },
  'a time in words': { allowTTL: '5m' },
  'no file': { kubeConfigFile: '' },
}))
  settings(`refuse ${title}`, () => assert.throws(() => read(changes), /the configuration of ImagePolicyWebhook/))

settings.run()
