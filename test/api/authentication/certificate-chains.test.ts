// @peculiar/x509 is built on tsyringe, which needs this first.
import 'reflect-metadata'
import { webcrypto, X509Certificate } from 'node:crypto'
import { BasicConstraintsExtension, cryptoProvider, X509CertificateGenerator } from '@peculiar/x509'
import { testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyClientChain } from '../../../plugins/authentication/x509/verify-chain.js'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const minuteMs = 60_000

/** Authorities of one name and one key, so that each could have signed every other one. */
async function interchangeableAuthorities(count: number): Promise<X509Certificate[]> {
  cryptoProvider.set(webcrypto)
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const validity = { notBefore: new Date(Date.now() - minuteMs), notAfter: new Date(Date.now() + minuteMs) }
  const certificates = Array.from({ length: count }, (_, i) =>
    X509CertificateGenerator.createSelfSigned({
      serialNumber: `0${i + 1}`,
      name: 'CN=loop',
      ...validity,
      keys,
      signingAlgorithm: algorithm,
      extensions: [new BasicConstraintsExtension(true, undefined, true)],
    }),
  )
  return (await Promise.all(certificates)).map(certificate => new X509Certificate(certificate.toString('pem')))
}

const chains = suite('chains of client certificates')

chains('the search ends early where many certificates could have signed each other', async () => {
  const presented = await interchangeableAuthorities(8)
  const trusted = new X509Certificate((await testAuthority()).caPem)
  assert.throws(() => verifyClientChain(presented, [trusted], Date.now()), /too many possible issuers/)
  const ends = verifyClientChain(presented, [presented[7]!], Date.now())
  assert.is(ends.validUntil, Date.parse(presented[0]!.validTo))
})

chains.run()
