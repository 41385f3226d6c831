import type { FieldError } from 'orch/sdk'
import { schemaErrors } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allUsages } from '../signing/key-usages.js'
import { acmeNames, stored } from '../testing/acme.js'
import { aRequest, withForeignKey } from '../testing/made-requests.js'
import { CertificateSigningRequest, type CertificateSigningRequestSpec } from './schema.js'
import { validateRequest } from './validation.js'

const validation = suite('validation of new requests')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const described = ({ field, type }: FieldError) => `${field} ${type.slice('FieldValue'.length)}`

async function causes(spec: Partial<CertificateSigningRequestSpec> = {}): Promise<string[]> {
  const request = base64((await aRequest()).pem)
  const object = stored({}, { request, ...spec })
  return [...schemaErrors(CertificateSigningRequest, object), ...(await validateRequest(object, acmeNames))].map(
    described,
  )
}

validation('a request that follows the rules is accepted', async () => {
  assert.equal(await causes(), [])
  assert.equal(await causes({ expirationSeconds: 600, usages: [...allUsages] }), [])
})
const cases: Record<string, [Partial<CertificateSigningRequestSpec>, string[]]> = {
  'an empty request': [{ request: '' }, ['spec.request Invalid']],
  'a request that is not PEM': [{ request: base64('x') }, ['spec.request Invalid']],
  'no usages': [{ usages: [] }, ['spec.usages Required']],
  'an unknown usage': [{ usages: ['any', 'Client Auth'] }, ['spec.usages[1] NotSupported']],
  'a usage named like a property of objects': [{ usages: ['constructor'] }, ['spec.usages[0] NotSupported']],
  'a usage twice': [{ usages: ['any', 'any', 'any'] }, ['spec.usages[1] Duplicate', 'spec.usages[2] Duplicate']],
  'an unknown usage twice': [
    { usages: ['x', 'x'] },
    ['spec.usages[0] NotSupported', 'spec.usages[1] NotSupported', 'spec.usages[1] Duplicate'],
  ],
  'no signer': [{ signerName: '' }, ['spec.signerName Required']],
  'the legacy signer': [{ signerName: 'acme.test/legacy-unknown' }, ['spec.signerName Invalid']],
  'less than ten minutes': [{ expirationSeconds: 599 }, ['spec.expirationSeconds Invalid']],
  'no time at all': [{ expirationSeconds: 0 }, ['spec.expirationSeconds Invalid']],
  'everything at once': [
    { request: '', usages: [], signerName: 'x', expirationSeconds: -1 },
    ['spec.expirationSeconds Invalid', 'spec.request Invalid', 'spec.usages Required', 'spec.signerName Invalid'],
  ],
}
for (const [title, [spec, expected]] of Object.entries(cases))
  validation(`${title} is refused`, async () => assert.equal(await causes(spec), expected))

validation('a missing request is rejected with a message about the API', async () => {
  const [error] = await validateRequest(stored({}, { request: null as never }), acmeNames)
  assert.match(error?.detail ?? '', 'CERTIFICATE REQUEST')
})
validation('a request whose signature does not match its key is refused', async () => {
  const request = base64(await withForeignKey((await aRequest()).pem))
  assert.equal(await causes({ request }), ['spec.request Invalid'])
})
validation.run()
