import { randomUUID } from 'node:crypto'
import {
  type ActionRequest,
  badRequest,
  conflict,
  defineAction,
  invalid,
  invalidValue,
  notFound,
  type ServedLevel,
  type Stored,
  type StoreReader,
  services,
  timestampOf,
} from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { isPathSegmentName } from 'orch/sdk/validation'
import { accountKeys } from '../account-tokens/account-keys.js'
import { credentialId } from '../account-tokens/account-user.js'
import { type BoundClaims, boundPayload, type TokenTimes } from '../account-tokens/bound-claims.js'
import type { AccountTokenSettings } from '../account-tokens/settings.js'
import { signToken } from '../account-tokens/sign-token.js'
import { identifiedTokenRequests, namedTokenRequests } from '../differences.js'
import type { AuthenticationGates } from '../gates.js'
import type { AuthenticationNames } from '../names.js'
import { type BoundObjectReference, TokenRequest, type TokenRequestSpec } from './schema.js'

/** Finds the object that a token is to be bound to; a Pod must run as the account. */
async function findBoundObject(
  { kind = '', apiVersion = '', name = '', uid }: BoundObjectReference,
  account: { readonly namespace: string; readonly name: string },
  { pods, secrets, nodes }: AuthenticationNames,
  reader: StoreReader,
  gates: AuthenticationGates,
): Promise<Pick<BoundClaims, 'pod' | 'secret' | 'node'>> {
  const [group, ...version] = apiVersion.split('/')
  // What is no version of a group is read as one of the core group.
  const isCore = group === '' || version.length !== 1
  const collections: Readonly<Record<string, typeof pods>> = { Pod: pods, Secret: secrets, Node: nodes }
  const collection = isCore && Object.hasOwn(collections, kind) ? collections[kind] : undefined
  if (!collection) throw badRequest(`cannot bind token to object of type ${apiVersion}, Kind=${kind}`)
  if (kind === 'Node' && !gates.ServiceAccountTokenNodeBinding)
    throw badRequest(
      'cannot bind token to a Node object as the "ServiceAccountTokenNodeBinding" feature-gate is disabled',
    )
  if (name === '') throw badRequest('Name parameter required.')
  const [wrong] = isPathSegmentName(name)
  if (wrong !== undefined) throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${wrong}`)
  const found = await reader.get<Stored<Partial<Pod>>>(collection, kind === 'Node' ? '' : account.namespace, name)
  if (!found) throw notFound({ group: '', resource: collection.resource, name })
  if (kind === 'Pod' && found.spec?.serviceAccountName !== account.name)
    throw badRequest(
      `cannot bind token for serviceaccount "${account.name}" to pod running with different serviceaccount name.`,
    )
  const storedUid = found.metadata.uid ?? ''
  if (uid && uid !== storedUid)
    throw conflict(
      { group: '', resource: kind, name },
      `the UID in the bound object reference (${uid}) does not match the UID in record (${storedUid}). The object might have been deleted and then recreated`,
    )
  const bound = { name, uid: storedUid }
  if (kind === 'Secret') return { secret: bound }
  if (kind === 'Node') return { node: bound }
  const nodeName = gates.ServiceAccountTokenPodNodeInfo ? found.spec?.nodeName : undefined
  if (!nodeName) return { pod: bound }
  const node = await reader.get<Stored<object>>(nodes, '', nodeName)
  return { pod: bound, node: { name: nodeName, uid: node?.metadata.uid } }
}

const minRequestedSeconds = 600
const maxRequestedSeconds = 2 ** 32

function validateLifetime({ spec }: TokenRequest, { group }: AuthenticationNames): void {
  const { expirationSeconds = 0 } = spec
  const refuse = (why: string) =>
    invalid({ group, kind: 'TokenRequest' }, '', [invalidValue('spec.expirationSeconds', expirationSeconds, why)])
  if (expirationSeconds < minRequestedSeconds) throw refuse('may not specify a duration less than 10 minutes')
  if (expirationSeconds > maxRequestedSeconds) throw refuse('may not specify a duration larger than 2^32 seconds')
}

/**
 * The lifetime that the automatic volume of a Pod requests: an unusual number, which distinguishes it from those that
 * people write.
 */
export const volumeTokenSeconds = 3607
const extendedSeconds = 365 * 24 * 3600

/**
 * `serviceaccounts/{name}/token`: a token that expires, for given audiences, bound to a Pod, Secret or Node if wanted.
 */
export const tokenSubresource = (
  settings: AccountTokenSettings,
  names: AuthenticationNames,
  level: ServedLevel,
  gates: AuthenticationGates,
) =>
  defineAction({
    needs: { reader: services.reader, keys: accountKeys },
    group: names.group,
    version: 'v1',
    objectKind: 'TokenRequest',
    schema: TokenRequest,
    sensitive: true,
    // Since then the UID of a request is compared with that of the account.
    keepsSystemFields: level.has(identifiedTokenRequests),
    check(request: TokenRequest, account: string) {
      // At versions where requests are named after their account, the account is looked up before the lifetime is
      // validated.
      if (level.has(namedTokenRequests)) validateName(request, account, names)
      else validateLifetime(request, names)
    },
    handlers: {
      async create({ body, target, namespace, name, now, warn, annotate }, { reader, keys }) {
        const request = body as TokenRequest
        const uid = target?.metadata.uid ?? ''
        if (level.has(identifiedTokenRequests)) validateUid(request, name, uid, gates, names, { warn, annotate })
        if (level.has(namedTokenRequests)) validateLifetime(request, names)
        const { boundObjectRef } = request.spec
        const bound = boundObjectRef
          ? await findBoundObject(boundObjectRef, { namespace, name }, names, reader, gates)
          : {}
        const spec = allowedSpec(request.spec, settings, warn)
        const id = gates.ServiceAccountTokenJTI ? randomUUID() : undefined
        const claims = { namespace, account: { name, uid }, ...bound, ...(id === undefined ? {} : { id }) }
        const times = timesOf(spec, 'pod' in bound, settings, now)
        const payload = boundPayload(claims, times, settings.issuer, spec.audiences, names)
        const token = await signToken(payload, keys().signing)
        const expiresAt = times.issuedAt + (spec.expirationSeconds ?? 0)
        if (id !== undefined) annotate(names.issuedCredentialNote, credentialId(id))
        const status = { token, expirationTimestamp: timestampOf(expiresAt * 1000) }
        const metadata = level.has(namedTokenRequests)
          ? {
              ...request.metadata,
              name,
              namespace,
              ...(level.has(identifiedTokenRequests) ? { uid: request.metadata?.uid || uid } : {}),
              creationTimestamp: timestampOf(now),
            }
          : request.metadata
        return { object: { ...request, metadata, spec, status } }
      },
    },
  })

/** A request may name its account, but no other. */
function validateName({ metadata }: TokenRequest, account: string, { group }: AuthenticationNames): void {
  const { name = '' } = metadata ?? {}
  if (name === '' || name === account) return
  const error = invalidValue('metadata.name', name, 'must match the service account name if specified')
  throw invalid({ group, kind: 'TokenRequest' }, account, [error])
}

function validateUid(
  { metadata }: TokenRequest,
  account: string,
  uid: string,
  gates: AuthenticationGates,
  { group, otherUidNote }: AuthenticationNames,
  { warn, annotate }: Pick<ActionRequest, 'warn' | 'annotate'>,
): void {
  const sent = metadata?.uid ?? ''
  if (sent === '' || sent === uid) return
  const text = `the UID in the token request (${sent}) does not match the UID of the service account (${uid})`
  if (gates.TokenRequestServiceAccountUIDValidation)
    throw conflict({ group, resource: 'TokenRequest', name: account }, text)
  annotate(otherUidNote, text)
  warn(
    `${text} but TokenRequestServiceAccountUIDValidation is not enabled. In the future, this will return a conflict error`,
  )
}

/** The spec with defaults, and with the lifetime shortened to the maximum. */
function allowedSpec(
  spec: TokenRequestSpec,
  { audiences, maxSeconds }: AccountTokenSettings,
  warn: (text: string) => void,
): TokenRequestSpec {
  const { expirationSeconds: asked = 0 } = spec
  // A required list is null if it was not set.
  const wanted = (spec.audiences as string[] | null) ?? []
  const isTooLong = maxSeconds > 0 && asked > maxSeconds
  if (isTooLong) warn(`requested expiration of ${asked} seconds shortened to ${maxSeconds} seconds`)
  return {
    audiences: wanted.length > 0 ? wanted : [...audiences],
    expirationSeconds: isTooLong ? maxSeconds : asked,
    boundObjectRef: spec.boundObjectRef ?? (null as never),
  }
}

/** Programs that predate expiring tokens never reload theirs: the token of the automatic volume is valid far longer. */
function timesOf(
  { audiences, expirationSeconds = 0 }: TokenRequestSpec,
  isForPod: boolean,
  settings: AccountTokenSettings,
  now: number,
): TokenTimes {
  const issuedAt = Math.floor(now / 1000)
  // Other audiences must not be made to accept a token for longer than requested.
  const isForServer = audiences.every(audience => settings.audiences.includes(audience))
  const isExtended = settings.extendsVolumeTokens && isForPod && isForServer && expirationSeconds === volumeTokenSeconds
  return isExtended
    ? { issuedAt, expiresAt: issuedAt + extendedSeconds, warnAfter: issuedAt + expirationSeconds }
    : { issuedAt, expiresAt: issuedAt + expirationSeconds }
}
