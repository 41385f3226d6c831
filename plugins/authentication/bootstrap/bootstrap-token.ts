import { timingSafeEqual } from 'node:crypto'
import type { Secret } from 'orch/sdk/core'

const tokenForm = /^([a-z0-9]{6})\.([a-z0-9]{16})$/
const secretNamePrefix = 'bootstrap-token-'
const defaultGroup = 'system:bootstrappers'
const extraGroupForm = /^system:bootstrappers:[a-z0-9:-]*[a-z0-9]$/
const extraGroupMaxLength = `${defaultGroup}:`.length + 256

const text = ({ data = {} }: Secret, key: string): string =>
  Object.hasOwn(data, key) ? Buffer.from(data[key] ?? '', 'base64').toString() : ''

/** The id and the secret part of a token; undefined for anything else. */
export function parseBootstrapToken(token: string): { id: string; secret: string } | undefined {
  const [, id, secret] = tokenForm.exec(token) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

export const secretNameOf = (tokenId: string): string => `${secretNamePrefix}${tokenId}`

/** The complete token of a Secret; undefined when its parts are missing or do not match its name. */
export function tokenOf(secret: Secret): { id: string; token: string } | undefined {
  const id = text(secret, 'token-id')
  const token = `${id}.${text(secret, 'token-secret')}`
  return parseBootstrapToken(token) && secret.metadata?.name === secretNameOf(id) ? { id, token } : undefined
}

/** Compares in constant time. Both have the fixed length of the token form. */
export function isSecretPart(secret: Secret, sent: string): boolean {
  const kept = Buffer.from(text(secret, 'token-secret'))
  const given = Buffer.from(sent)
  return kept.length === given.length && timingSafeEqual(kept, given)
}

/** Whether the token may be used to authenticate, or to sign cluster information. */
export const isUsableFor = (secret: Secret, use: 'authentication' | 'signing'): boolean =>
  text(secret, `usage-bootstrap-${use}`) === 'true'

/** When the token expires, in ms since the epoch; an invalid time counts as long past. */
export function expirationOf(secret: Secret): number {
  const expiration = text(secret, 'expiration')
  if (expiration === '') return Number.POSITIVE_INFINITY
  const isRfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(expiration)
  const time = isRfc3339 ? Date.parse(expiration) : Number.NaN
  return Number.isNaN(time) ? 0 : time
}

/** The groups of the token's user; undefined if the token names a group that is not allowed. */
export function groupsOf(secret: Secret): string[] | undefined {
  const extra = text(secret, 'auth-extra-groups')
  const groups = extra === '' ? [] : extra.split(',')
  if (!groups.every(group => group.length <= extraGroupMaxLength && extraGroupForm.test(group))) return undefined
  return [...new Set([defaultGroup, ...groups])].sort()
}
