import crypto from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Credentials } from 'orch/sdk/identity'
import { fakeClock, fakeLogger, fakeMetrics } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSecretPart } from '../bootstrap/bootstrap-token.js'
import { staticTokens } from './static-tokens.js'

/** Counts the comparisons that take the same time whatever is compared, and how many bytes each had. */
async function comparisonsOf(work: () => unknown): Promise<number[]> {
  const real = crypto.timingSafeEqual
  const lengths: number[] = []
  crypto.timingSafeEqual = (one, other) => {
    lengths.push(one.byteLength)
    return real(one, other)
  }
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    crypto.timingSafeEqual = real
    syncBuiltinESMExports()
  }
  return lengths
}

const timing = suite('comparisons in constant time')

timing(
  'every static token is compared, as a hash of one length, wherever and however much the sent one fits',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orch-test-'))
    const file = join(folder, 'tokens.csv')
    writeFileSync(file, 'first,a,1\nsecond,b,2\nthird,c,3\n')
    const { authenticator } = staticTokens(file)
    const given = { clock: fakeClock(), logger: fakeLogger(), metrics: fakeMetrics() }
    const ask = (bearerToken: string) =>
      comparisonsOf(() => authenticator.authenticate({ bearerToken } as Credentials, given))
    try {
      for (const token of ['first', 'third', 'firsT', 'x', 'x'.repeat(1000)])
        assert.equal(await ask(token), [32, 32, 32], token)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

timing('the secret of a bootstrap token is compared as a whole', async () => {
  const data = { 'token-secret': Buffer.from('0123456789abcdef').toString('base64') }
  const secret = { metadata: {}, data }
  for (const sent of ['0123456789abcdef', '0123456789abcdeX', 'X123456789abcdef'])
    assert.equal(await comparisonsOf(() => isSecretPart(secret, sent)), [16], sent)
})

timing.run()
