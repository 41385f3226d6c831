import { X509Certificate } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anAuthority } from '../testing/made-authorities.js'
import { aRequest, type KeyKind, type Wanted } from '../testing/made-requests.js'
import { issueCertificate } from './issue-certificate.js'
import { parseRequest } from './parse-request.js'

const issuing = suite('issuing certificates')
const now = Date.parse('2024-01-01T00:00:00Z')
const order = { usages: ['digital signature', 'client auth'], requestedSeconds: 3600, maxLifetimeMs: 86_400_000, now }

async function issued(wanted: Wanted = {}, usages = order.usages, key: KeyKind = 'P-256') {
  const authority = await anAuthority({ key, now })
  const request = await parseRequest(Buffer.from((await aRequest(wanted)).pem))
  const certificate = new X509Certificate(await issueCertificate(request, { ...order, usages }, authority))
  return { certificate, authority: new X509Certificate(authority.certificatePem), request }
}

for (const key of ['P-256', 'P-384', 'P-521', 'Ed25519', 'RSA-2048'] as KeyKind[])
  issuing(`an authority with a key of kind ${key} signs`, async () => {
    const { certificate, authority } = await issued({}, order.usages, key)
    assert.ok(certificate.checkIssued(authority))
    assert.ok(certificate.verify(authority.publicKey))
  })

issuing('subject, key and alternative names are those of the request', async () => {
  const names = [
    { type: 'dns' as const, value: 'a.example' },
    { type: 'ip' as const, value: '10.0.0.1' },
    { type: 'email' as const, value: 'j@example.com' },
    { type: 'url' as const, value: 'https://example.com/j' },
  ]
  const { certificate, request } = await issued({ organizations: ['dev', 'ops'], names, key: 'RSA-2048' })
  assert.is(certificate.subject, 'O=dev\nO=ops\nCN=jane')
  assert.is(
    certificate.subjectAltName,
    'DNS:a.example, IP Address:10.0.0.1, email:j@example.com, URI:https://example.com/j',
  )
  const key = certificate.publicKey.export({ type: 'spki', format: 'der' })
  assert.ok(key.equals(Buffer.from(request.source.publicKey.rawData)))
})

issuing('usages are those of the order', async () => {
  const extended = async (...usages: string[]) => (await issued({}, usages)).certificate.keyUsage ?? []
  assert.equal(await extended('digital signature', 'client auth'), ['1.3.6.1.5.5.7.3.2'])
  assert.equal(await extended('server auth', 'client auth'), ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  assert.equal(await extended('s/mime', 'email protection'), ['1.3.6.1.5.5.7.3.4'])
  assert.equal(await extended('digital signature'), [])
})

issuing('the CA bit is never set, even if it is requested', async () => {
  const { certificate } = await issued({ asksForCa: true }, ['cert sign', 'crl sign', 'client auth'])
  assert.is(certificate.ca, false)
})

issuing('an organization is issued as it was checked, even if it looks like an encoding of another', async () => {
  const text = '#0c0e73797374656d3a6d617374657273'
  const encoded = `#0c${text.length.toString(16)}${Buffer.from(text).toString('hex')}`
  const { certificate } = await issued({ subject: [{ O: [encoded] }, { CN: ['jane'] }] })
  assert.is(certificate.subject, `O=\\${text}\nCN=jane`)
})

issuing('no two certificates have the same number', async () => {
  const numbers = await Promise.all([1, 2, 3].map(async () => (await issued()).certificate.serialNumber))
  assert.is(new Set(numbers).size, 3)
})

issuing('it has the requested lifetime, and is valid from a few minutes earlier', async () => {
  const { certificate } = await issued()
  assert.is(Date.parse(certificate.validFrom), now - 5 * 60_000)
  assert.is(Date.parse(certificate.validTo), now + 3_600_000)
})
issuing.run()
