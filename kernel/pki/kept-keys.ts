/**
 * Keys that are never replaced automatically: every client config trusts the CA, and tokens of service accounts are signed with the
 * serving key. If one of them is missing, the operator may have a backup.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BootError, errorMessage, problem } from '../contracts/boot-errors.js'
import type { Identity } from './issue-certificate.js'
import { readIfThere } from './private-files.js'

const newAuthority =
  'Restore it from a backup of the folder; or create a new CA with orch certs new-ca, which every client config must then trust'
const expiredAuthority =
  'Check the clock of this machine first; if it is right, create a new CA with orch certs new-ca, which every client config must then trust'
const newServingKey =
  'Restore it from a backup of the folder; or create a new one with orch certs new-serving-key, after which tokens of service accounts that it signed are no longer valid'

/** The CA of a folder, or undefined if it has to be created. `isUsed`: whether a server has been started in the folder. */
export function keptAuthority(folder: string, isUsed: boolean, now: number): Identity | undefined {
  const [certificatePath, keyPath] = [join(folder, 'ca.crt'), join(folder, 'ca.key')]
  const refuse = refuserWith(newAuthority)
  const certificatePem = read(certificatePath, refuse)
  const keyPem = read(keyPath, refuse)
  // An interrupted first start leaves at most a key, which no client trusts yet.
  const isFirst = !isUsed && !['serving.crt', 'admin.crt'].some(name => existsSync(join(folder, name)))
  if (certificatePem === undefined && isFirst) return undefined
  if (certificatePem === undefined) throw refuse(certificatePath, 'it is missing')
  if (keyPem === undefined) throw refuse(keyPath, 'it is missing')
  const certificate = parse(certificatePath, () => new X509Certificate(certificatePem), refuse)
  const key = parse(keyPath, () => createPrivateKey(keyPem), refuse)
  if (!certificate.checkPrivateKey(key)) throw refuse(keyPath, 'it is not the key of ca.crt')
  if (!certificate.ca) throw refuse(certificatePath, 'it is not the certificate of an authority')
  const validTo = Date.parse(certificate.validTo)
  if (validTo < now)
    throw refuserWith(expiredAuthority)(certificatePath, `it expired on ${iso(validTo)}, and it is ${iso(now)} here`)
  return { certificatePem, keyPem }
}

/** Throws if the serving key has been lost. A lost certificate is issued again for the same key. */
export function checkServingKey(folder: string): void {
  const [certificatePath, keyPath] = [join(folder, 'serving.crt'), join(folder, 'serving.key')]
  const refuse = refuserWith(newServingKey)
  const keyPem = read(keyPath, refuse)
  const certificatePem = read(certificatePath, refuse)
  if (keyPem === undefined && certificatePem === undefined) return
  if (keyPem === undefined) throw refuse(keyPath, 'it is missing')
  const key = parse(keyPath, () => createPrivateKey(keyPem), refuse)
  const certificate = certificateOf(certificatePem)
  if (certificate && !certificate.checkPrivateKey(key)) throw refuse(keyPath, 'it is not the key of serving.crt')
}

/** Throws if the key of service accounts is needed and cannot be read. */
export function checkSigningKey(path: string, keyPem: string): void {
  const refuse = refuserWith(`Restore it from a backup of the folder; or remove it to get a new one`)
  parse(path, () => createPrivateKey(keyPem), refuse)
}

const iso = (time: number): string => new Date(time).toISOString()

type Refuse = (path: string, why: string) => BootError
const refuserWith =
  (remedy: string): Refuse =>
  (path, why) =>
    new BootError([problem('ORCH_PKI_UNUSABLE', { path, why, remedy })])

function read(path: string, refuse: Refuse): string | undefined {
  try {
    return readIfThere(path)
  } catch (error) {
    throw refuse(path, errorMessage(error))
  }
}
function parse<T>(path: string, make: () => T, refuse: Refuse): T {
  try {
    return make()
  } catch {
    throw refuse(path, 'it is damaged')
  }
}
function certificateOf(pem: string | undefined): X509Certificate | undefined {
  try {
    return pem === undefined ? undefined : new X509Certificate(pem)
  } catch {
    return undefined
  }
}
