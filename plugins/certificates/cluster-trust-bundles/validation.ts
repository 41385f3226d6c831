import { X509Certificate } from 'node:crypto'
import { type FieldError, invalidValue, tooLong } from 'orch/sdk'
import { nameIsDnsSubdomain, validateSignerName } from 'orch/sdk/validation'
import { pemBlocks } from '../signing/pem-blocks.js'
import type { ClusterTrustBundle } from './schema.js'

const maxBundleBytes = 1024 * 1024
const path = 'spec.trustBundle'

/**
 * The name of a bundle begins with its signer, so that permissions for bundles of one signer can be granted by name.
 */
export function validateBundleName({ metadata, spec: { signerName = '' } }: ClusterTrustBundle): FieldError[] {
  const name = metadata.name ?? ''
  const wrong = (texts: readonly string[]) => texts.map(text => invalidValue('metadata.name', name, text))
  if (signerName === '')
    return name.includes(':')
      ? wrong(['ClusterTrustBundle without signer name must not have ":" in its name'])
      : wrong(nameIsDnsSubdomain(name, false))
  const prefix = `${signerName.replaceAll('/', ':')}:`
  return name.startsWith(prefix)
    ? wrong(nameIsDnsSubdomain(name.slice(prefix.length), false))
    : wrong([`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`])
}

/** Certificates of CAs only, without duplicates. */
export function validateAnchors(text: string): FieldError[] {
  if (Buffer.byteLength(text) > maxBundleBytes) return [tooLong(path, maxBundleBytes)]
  const wrong = (detail: string) => invalidValue(path, '<value omitted>', detail)
  const indicesOf = new Map<string, number[]>()
  const errors: FieldError[] = []
  for (const [i, { label, hasHeaders, bytes }] of pemBlocks(text).entries()) {
    const problem = problemOf(label, hasHeaders, bytes)
    if (problem) errors.push(wrong(`entry ${i} ${problem}`))
    const key = bytes.toString('latin1')
    indicesOf.set(key, [...(indicesOf.get(key) ?? []), i])
  }
  if (errors.length > 0) return errors
  if (indicesOf.size === 0) return [wrong('at least one trust anchor must be provided')]
  return [...indicesOf.values()]
    .filter(indices => indices.length > 1)
    .map(indices => wrong(`duplicate trust anchor (indices [${indices.join(' ')}])`))
}

function problemOf(label: string, hasHeaders: boolean, bytes: Buffer): string | undefined {
  if (label !== 'CERTIFICATE') return `has bad block type: ${label}`
  if (hasHeaders) return 'has PEM block headers'
  try {
    return new X509Certificate(bytes).ca ? undefined : 'does not have the CA bit set'
  } catch {
    return 'does not parse as X.509'
  }
}

const validateSigner = ({ spec: { signerName } }: ClusterTrustBundle): FieldError[] =>
  signerName ? validateSignerName(signerName, 'spec.signerName') : []

export const validateBundle = (bundle: ClusterTrustBundle): FieldError[] => [
  ...validateBundleName(bundle),
  ...validateSigner(bundle),
  ...validateAnchors(bundle.spec.trustBundle),
]

/** Unchanged anchors are not parsed again: a stricter parser must not block other changes. */
export const validateBundleUpdate = (sent: ClusterTrustBundle, stored: ClusterTrustBundle): FieldError[] => [
  ...validateBundleName(sent),
  ...validateSigner(sent),
  ...(sent.spec.trustBundle === stored.spec.trustBundle ? [] : validateAnchors(sent.spec.trustBundle)),
  ...((sent.spec.signerName ?? '') === (stored.spec.signerName ?? '')
    ? []
    : [invalidValue('spec.signerName', sent.spec.signerName ?? '', 'field is immutable')]),
]
