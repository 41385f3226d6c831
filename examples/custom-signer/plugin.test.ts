import { KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Extension, JsonGeneralNames } from '@peculiar/x509'
import { authorization } from 'orch/plugins/authorization'
import { certificates } from 'orch/plugins/certificates'
import { orchProfile, Vendor } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serviceSigner } from './plugin.js'
import { hasCondition, type SigningRequest } from './signing-request.js'
import { x509 } from './x509.js'

const vendor = new Vendor(orchProfile)
const group = vendor.group('certificates')
const requests = { group, version: 'v1', resource: 'certificatesigningrequests' }
const usages = ['digital signature', 'server auth']
const web = { type: 'dns', value: 'web.svc.example.com' } as const

const newKeys = (curve: string) =>
  webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: curve }, true, [
    'sign',
    'verify',
  ]) as Promise<webcrypto.CryptoKeyPair>

async function makeAuthority(folder: string): Promise<X509Certificate> {
  const library = await x509()
  const keys = await newKeys('P-256')
  const certificate = await library.X509CertificateGenerator.createSelfSigned({
    name: 'CN=service-ca',
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [new library.BasicConstraintsExtension(true, undefined, true)],
  })
  writeFileSync(join(folder, 'ca.pem'), certificate.toString('pem'))
  writeFileSync(join(folder, 'ca-key.pem'), KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }))
  return new X509Certificate(certificate.toString('pem'))
}

async function withSigner(test: (server: TestServer, authority: X509Certificate) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'custom-signer-'))
  const authority = await makeAuthority(folder)
  const signer = serviceSigner({
    serviceSignerCertFile: join(folder, 'ca.pem'),
    serviceSignerKeyFile: join(folder, 'ca-key.pem'),
  })
  const server = await startServer({ plugins: [authorization, certificates, signer] })
  try {
    await test(server, authority)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

interface Wish {
  readonly names?: JsonGeneralNames
  readonly subject?: string
  readonly curve?: string
  readonly usages?: readonly string[]
  readonly expirationSeconds?: number
  readonly signerName?: string
}

/** Creates a request and approves it. */
async function ask(client: Client, name: string, wish: Wish = {}): Promise<void> {
  const library = await x509()
  const { names = [web], expirationSeconds } = wish
  const extensions: Extension[] = names.length > 0 ? [new library.SubjectAlternativeNameExtension(names)] : []
  const request = await library.Pkcs10CertificateRequestGenerator.create({
    name: wish.subject ?? 'CN=web.svc.example.com',
    keys: await newKeys(wish.curve ?? 'P-256'),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions,
  })
  const own = client.resource<SigningRequest>(requests)
  await own.create({
    apiVersion: `${group}/v1`,
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: Buffer.from(request.toString('pem')).toString('base64'),
      signerName: wish.signerName ?? 'example.com/service-tls',
      usages: wish.usages ?? usages,
      ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
    },
  })
  const conditions = [{ type: 'Approved', status: 'True', reason: 'Test' }]
  await own.patch(name, { status: { conditions } }, { subresource: 'approval' })
}
const settled = (client: Client, name: string) =>
  client
    .resource<SigningRequest>(requests)
    .waitFor(name, request => Boolean(request.status?.certificate) || hasCondition(request, 'Failed'))
const blocksOf = ({ status }: SigningRequest) =>
  (
    Buffer.from(status?.certificate ?? '', 'base64')
      .toString()
      .match(/-----BEGIN.+?-----END CERTIFICATE-----/gs) ?? []
  ).map(pem => new X509Certificate(pem))
const lifeHours = (certificate?: X509Certificate) =>
  Math.round((Date.parse(certificate?.validTo ?? '') - Date.now()) / 3_600_000)

const example = suite('the custom signer example')

example('issues a serving certificate with its chain, and publishes its CA', async () => {
  await withSigner(async ({ client, baseUrl, token }, authority) => {
    await ask(client, 'web')
    const [issued, second] = blocksOf(await settled(client, 'web'))
    assert.ok(issued?.checkIssued(authority))
    assert.ok(issued?.verify(authority.publicKey))
    assert.is(issued?.checkHost('web.svc.example.com'), 'web.svc.example.com')
    assert.equal([issued?.ca, issued?.keyUsage], [false, ['1.3.6.1.5.5.7.3.1']])
    assert.is(second?.fingerprint256, authority.fingerprint256)
    assert.is(lifeHours(issued), 168)
    const answer = await fetch(`${baseUrl}/service-signer/ca.pem`, { headers: { authorization: `Bearer ${token}` } })
    assert.is(new X509Certificate(await answer.text()).fingerprint256, authority.fingerprint256)
  })
})

example('issues certificates of shorter validity on request, but not longer', async () => {
  await withSigner(async ({ client }) => {
    await ask(client, 'short', { expirationSeconds: 7200 })
    assert.is(lifeHours(blocksOf(await settled(client, 'short'))[0]), 2)
    await ask(client, 'long', { expirationSeconds: 31_536_000 })
    assert.is(lifeHours(blocksOf(await settled(client, 'long'))[0]), 168)
  })
})

const broken: Readonly<Record<string, Wish>> = {
  'no DNS name': { names: [] },
  'a DNS name of another domain': { names: [web, { type: 'dns', value: 'example.com' }] },
  'a DNS name with the same suffix in another domain': { names: [{ type: 'dns', value: 'evilsvc.example.com' }] },
  'an address': { names: [web, { type: 'ip', value: '10.0.0.1' }] },
  'an organization': { subject: 'O=dev,CN=web.svc.example.com' },
  'another common name': { subject: 'CN=admin' },
  'client auth': { usages: [...usages, 'client auth'] },
  'no server auth': { usages: ['digital signature'] },
  'a key of a type that is not permitted': { curve: 'P-521' },
}
example('fails requests that break its rules, with a reason', async () => {
  await withSigner(async ({ client }) => {
    let count = 0
    for (const [title, wish] of Object.entries(broken)) {
      const name = `broken-${++count}`
      await ask(client, name, wish)
      const { status } = await settled(client, name)
      const failure = status?.conditions?.find(({ type }) => type === 'Failed')
      assert.equal([failure?.['reason'], status?.certificate], ['RuleBroken', undefined], title)
      assert.ok(failure?.['message'], title)
    }
  })
})

example('ignores the requests of other signers', async () => {
  await withSigner(async ({ client }) => {
    await ask(client, 'other', { signerName: 'example.com/other' })
    await ask(client, 'own')
    await settled(client, 'own')
    assert.is((await client.resource<SigningRequest>(requests).get('other')).status?.certificate, undefined)
  })
})
example.run()
