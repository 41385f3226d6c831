import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anAuthority } from '../testing/made-authorities.js'
import type { ClusterTrustBundle } from './schema.js'
import { validateBundle, validateBundleUpdate } from './validation.js'

const bundles = suite('bundles of trust anchors')
const fieldsOf = (errors: readonly { field: string }[]) => errors.map(({ field }) => field)
const aBundle = (trustBundle: string, signerName = '', name = 'b'): ClusterTrustBundle => ({
  metadata: { name },
  spec: { trustBundle, ...(signerName === '' ? {} : { signerName }) },
})

bundles('certificates of authorities, each once', async () => {
  const { certificatePem } = await anAuthority()
  const { certificatePem: leaf } = await anAuthority({ isCa: false })
  assert.equal(validateBundle(aBundle(certificatePem)), [])
  for (const text of ['', certificatePem.repeat(2), leaf, certificatePem.replaceAll('CERTIFICATE', 'KEY')])
    assert.equal(fieldsOf(validateBundle(aBundle(text))), ['spec.trustBundle'], text)
})

bundles('the name begins with the signer', async () => {
  const { certificatePem } = await anAuthority()
  assert.equal(validateBundle(aBundle(certificatePem, 'example.com/x', 'example.com:x:b')), [])
  assert.equal(fieldsOf(validateBundle(aBundle(certificatePem, 'example.com/x'))), ['metadata.name'])
  assert.equal(fieldsOf(validateBundle(aBundle(certificatePem, '', 'a:b'))), ['metadata.name'])
})

bundles('the signer is immutable, and unchanged anchors are not validated again', async () => {
  const { certificatePem } = await anAuthority()
  assert.equal(validateBundleUpdate(aBundle('unreadable'), aBundle('unreadable')), [])
  const moved = validateBundleUpdate(
    aBundle(certificatePem, 'example.com/y', 'example.com:y:b'),
    aBundle(certificatePem, 'example.com/x'),
  )
  assert.equal(fieldsOf(moved), ['spec.signerName'])
})

bundles.run()
