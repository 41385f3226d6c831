import { createPrivateKey } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anAuthority } from '../testing/made-authorities.js'
import { checkAuthority } from './authority.js'

const authorities = suite('authorities')

authorities('a certificate with its key is accepted, in every format of the key', async () => {
  const authority = await anAuthority()
  assert.not.throws(() => checkAuthority(authority))
  const keyPem = createPrivateKey(authority.keyPem).export({ type: 'sec1', format: 'pem' }) as string
  assert.not.throws(() => checkAuthority({ ...authority, keyPem }))
})
authorities('the key of another one is refused', async () => {
  const { certificatePem } = await anAuthority()
  const { keyPem } = await anAuthority({ key: 'P-384' })
  assert.throws(() => checkAuthority({ certificatePem, keyPem }), /does not belong/)
})
authorities('a certificate without the CA bit is refused', async () => {
  const authority = await anAuthority({ isCa: false })
  assert.throws(() => checkAuthority(authority), /CA bit/)
})
authorities('a bundle is rejected because it is ambiguous', async () => {
  const { certificatePem, keyPem } = await anAuthority()
  assert.throws(() => checkAuthority({ certificatePem: certificatePem.repeat(2), keyPem }), /exactly one/)
})
authorities('a key that cannot be read is not shown', async () => {
  const { certificatePem } = await anAuthority()
  assert.throws(
    () => checkAuthority({ certificatePem, keyPem: 'my secret' }),
    (error: Error) => /cannot be read/.test(error.message) && !error.message.includes('secret'),
  )
})
authorities.run()
