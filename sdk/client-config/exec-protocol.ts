import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Credential } from '../client/credentials.js'
import type { Vendor } from '../plugin/vendor.js'
import type { ClusterEntry, ExecEntry } from './config-file.js'

/** Whether a credential plugin uses standard input. */
export const interactiveModes: readonly string[] = ['Never', 'IfAvailable', 'Always']

/** The versions of the protocol of credential plugins. */
export const execApiVersions = (vendor: Vendor) => {
  const group = vendor.group('client.authentication')
  return { v1: `${group}/v1`, v1beta1: `${group}/v1beta1` }
}

/** The information about the server that a plugin gets on request. */
export function clusterForPlugin(
  cluster: ClusterEntry,
  caPem: string | undefined,
  vendor: Vendor,
): Record<string, unknown> {
  const extensionName = `${vendor.group('client.authentication')}/exec`
  const config = cluster.extensions?.find(({ name }) => name === extensionName)?.extension
  return {
    server: cluster.server,
    ...(cluster['tls-server-name'] ? { 'tls-server-name': cluster['tls-server-name'] } : {}),
    ...(cluster['insecure-skip-tls-verify'] ? { 'insecure-skip-tls-verify': true } : {}),
    ...(caPem ? { 'certificate-authority-data': Buffer.from(caPem).toString('base64') } : {}),
    ...(cluster['proxy-url'] ? { 'proxy-url': cluster['proxy-url'] } : {}),
    ...(config === undefined ? {} : { config }),
  }
}

/** The document that the plugin gets in its environment. */
export const execRequest = (apiVersion: string, isInteractive: boolean, cluster: unknown): string =>
  JSON.stringify({
    kind: 'ExecCredential',
    apiVersion,
    spec: { ...(cluster === undefined ? {} : { cluster }), interactive: isInteractive },
  })

/** A credential and its expiry, in ms since the epoch. */
export interface ExecAnswer {
  readonly credential: Credential
  readonly expiresAt: number | undefined
}

interface ExecCredential {
  readonly apiVersion?: unknown
  readonly kind?: unknown
  readonly status?: Readonly<Record<string, unknown>> | null
}

/** Parses the output of the plugin. Errors never quote it: it contains secrets. */
export function readExecAnswer(stdout: string, { apiVersion }: ExecEntry): ExecAnswer {
  const answer = parseObject(stdout)
  if (answer === undefined) throw new Error('decoding stdout: not a JSON object')
  if (answer.kind !== 'ExecCredential' || answer.apiVersion !== apiVersion)
    throw new Error(
      `plugin returned version ${String(answer.apiVersion)}, kind ${String(answer.kind)}, expected ${apiVersion}, kind ExecCredential`,
    )
  const { status } = answer
  if (typeof status !== 'object' || status === null) throw new Error("exec plugin didn't return a status field")
  const read = (field: string) => {
    const value = status[field] ?? ''
    if (typeof value !== 'string') throw new Error(`decoding stdout: status.${field} is not a string`)
    return value
  }
  const token = read('token')
  const certificate = read('clientCertificateData')
  const key = read('clientKeyData')
  if (token === '' && certificate === '' && key === '')
    throw new Error("exec plugin didn't return a token or cert/key pair")
  if ((certificate === '') !== (key === '')) throw new Error('exec plugin returned only certificate or key, not both')
  if (certificate !== '') checkPair(certificate, key)
  const expiry = read('expirationTimestamp')
  const expiresAt = expiry === '' ? undefined : rfc3339.test(expiry) ? Date.parse(expiry) : Number.NaN
  if (Number.isNaN(expiresAt)) throw new Error('decoding stdout: status.expirationTimestamp is not an RFC 3339 time')
  return {
    credential: {
      ...(token === '' ? {} : { token }),
      ...(certificate === '' ? {} : { clientCertificatePem: certificate, clientKeyPem: key }),
    },
    expiresAt,
  }
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** Checked here, where the error can name the plugin; a failed handshake would not show the cause. */
function checkPair(certificate: string, key: string): void {
  let belongTogether: boolean
  try {
    belongTogether = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  } catch {
    throw new Error('failed parsing client key/certificate: not PEM')
  }
  if (!belongTogether) throw new Error('failed parsing client key/certificate: the key is not that of the certificate')
}

function parseObject(text: string): ExecCredential | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as ExecCredential) : undefined
  } catch {
    return undefined
  }
}
