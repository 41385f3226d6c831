/**
 * A CA that succeeds another one, while certificates and clients of both keep working:
 *
 *   ca.crt        the new CA, then the older ones: certificates of clients that any of them signed are accepted
 *   ca-chain.crt  the key of the new CA, certified by the previous CA. The server sends it after its own certificate, so that a
 *                 client that trusts only an older CA can verify the chain
 */
import { randomBytes, X509Certificate } from 'node:crypto'
import { pemBlocks } from 'orch/sdk/files'
import { type Identity, issueCertificate } from './issue-certificate.js'

export const chainFile = 'ca-chain.crt'
/** The common name of a CA; that of a successor is unique, to distinguish it from the previous one. */
export const authorityName = 'data-folder-ca'

/** The certificates of a PEM text, each with a line feed at its end. */
export const certificatesIn = (pem: string): string[] =>
  pemBlocks(pem)
    .filter(({ label }) => label === 'CERTIFICATE')
    .map(({ text }) => `${text.trimEnd()}\n`)

/** The first certificate of a PEM text, which is the text itself when there is no other. */
export function firstCertificate(pem: string): string {
  const certificates = certificatesIn(pem)
  return certificates.length > 1 ? certificates[0]! : pem
}

/** The chain that a server sends after its certificate: empty, unless its CA succeeded one that is still valid. */
export function chainOf(chainPem: string | undefined, authorityPem: string, now: number): string {
  try {
    const chain = certificatesIn(chainPem ?? '')
    const [first] = chain
    // A chain to another CA is a leftover of one that was replaced without an overlap.
    const isOfAuthority = first !== undefined && isSameKey(first, authorityPem)
    return isOfAuthority ? chain.filter(each => isValidAt(each, now)).join('') : ''
  } catch {
    return ''
  }
}
const keyOf = (pem: string) => new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
const isSameKey = (one: string, other: string) => keyOf(one).equals(keyOf(other))
const isValidAt = (pem: string, now: number) => Date.parse(new X509Certificate(pem).validTo) > now

/** The files of a new CA that succeeds `before`, by name. */
export async function successorOf(
  before: Identity,
  chainBefore: string | undefined,
  { now, validForMs }: { readonly now: number; readonly validForMs: number },
): Promise<Readonly<Record<string, string>>> {
  const commonName = `${authorityName}-${randomBytes(4).toString('hex')}`
  const next = await issueCertificate({ commonName, use: 'authority', now, validForMs })
  const signsNow = firstCertificate(before.certificatePem)
  const endsMs = Date.parse(new X509Certificate(signsNow).validTo)
  const link = await issueCertificate(
    { commonName, use: 'authority', now, validForMs: endsMs - now, keyPem: next.keyPem },
    { ...before, certificatePem: signsNow },
  )
  const older = certificatesIn(before.certificatePem).filter(each => isValidAt(each, now))
  return {
    'ca.crt': [next.certificatePem, ...older].join(''),
    'ca.key': next.keyPem,
    [chainFile]: `${link.certificatePem}${chainOf(chainBefore, signsNow, now)}`,
  }
}
