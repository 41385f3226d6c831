import {
  badRequest,
  conflict,
  defineAction,
  type FieldError,
  invalid,
  invalidValue,
  notFound,
  type Stored,
  type StoreReader,
  services,
} from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { accountKeys } from '../account-tokens/account-keys.js'
import { type BoundClaims, boundPayload, type TokenTimes } from '../account-tokens/bound-claims.js'
import type { AccountTokenSettings } from '../account-tokens/settings.js'
import { signToken } from '../account-tokens/sign-token.js'
import type { AuthenticationNames } from '../names.js'
import { type BoundObjectReference, TokenRequest, type TokenRequestSpec } from './schema.js'

/** Finds the object that a token is to be bound to, and refuses one that is not the account's business. */
async function findBoundObject(
  { kind = '', apiVersion = '', name = '', uid }: BoundObjectReference,
  account: { readonly namespace: string; readonly name: string },
  { pods, secrets }: AuthenticationNames,
  reader: StoreReader,
): Promise<Pick<BoundClaims, 'pod' | 'secret'>> {
  const isCore = !apiVersion.includes('/')
  if (!isCore || (kind !== 'Pod' && kind !== 'Secret'))
    throw badRequest(`cannot bind token to object of type ${apiVersion}, Kind=${kind}`)
  if (name === '') throw badRequest('Name parameter required.')
  const collection = kind === 'Pod' ? pods : secrets
  const found = await reader.get<Stored<Partial<Pod>>>(collection, account.namespace, name)
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
  return kind === 'Pod' ? { pod: bound } : { secret: bound }
}

const shortestSeconds = 600
const longestSeconds = 2 ** 32

function validateTokenRequest({ spec }: TokenRequest): FieldError[] {
  const { expirationSeconds = 0 } = spec
  const field = 'spec.expirationSeconds'
  if (expirationSeconds < shortestSeconds)
    return [invalidValue(field, expirationSeconds, 'may not specify a duration less than 10 minutes')]
  if (expirationSeconds > longestSeconds)
    return [invalidValue(field, expirationSeconds, 'may not specify a duration larger than 2^32 seconds')]
  return []
}

/** What the automatic volume of a Pod asks for: an odd number, so that it is known from what people write. */
export const volumeTokenSeconds = 3607
const extendedSeconds = 365 * 24 * 3600

/** `serviceaccounts/{name}/token`: a token that expires, for given audiences, bound to a Pod or Secret if wanted. */
export const tokenSubresource = (settings: AccountTokenSettings, names: AuthenticationNames) =>
  defineAction({
    needs: { reader: services.reader, keys: accountKeys },
    group: names.group,
    version: 'v1',
    objectKind: 'TokenRequest',
    schema: TokenRequest,
    sensitive: true,
    check(request: TokenRequest) {
      const errors = validateTokenRequest(request)
      if (errors.length > 0) throw invalid({ group: names.group, kind: 'TokenRequest' }, '', errors)
    },
    handlers: {
      async create({ body, target, namespace, name, now, warn }, { reader, keys }) {
        const request = body as unknown as TokenRequest
        const { boundObjectRef } = request.spec
        const bound = boundObjectRef ? await findBoundObject(boundObjectRef, { namespace, name }, names, reader) : {}
        const spec = allowedSpec(request.spec, settings, warn)
        const claims = { namespace, account: { name, uid: target?.metadata.uid ?? '' }, ...bound }
        const times = timesOf(spec, 'pod' in bound, settings, now)
        const payload = boundPayload(claims, times, settings.issuer, spec.audiences, names)
        const token = await signToken(payload, keys().signing)
        const expiresAt = times.issuedAt + (spec.expirationSeconds ?? 0)
        const expirationTimestamp = new Date(expiresAt * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
        return { object: { ...request, spec, status: { token, expirationTimestamp } } }
      },
    },
  })

/** The request with what it left out, and no longer than allowed. */
function allowedSpec(
  spec: TokenRequestSpec,
  { audiences, maxSeconds }: AccountTokenSettings,
  warn: (text: string) => void,
): TokenRequestSpec {
  const { expirationSeconds: asked = 0 } = spec
  // A list that must be written is null when nobody filled it.
  const wanted = (spec.audiences as string[] | null) ?? []
  const isTooLong = maxSeconds > 0 && asked > maxSeconds
  if (isTooLong) warn(`requested expiration of ${asked} seconds shortened to ${maxSeconds} seconds`)
  return {
    audiences: wanted.length > 0 ? wanted : [...audiences],
    expirationSeconds: isTooLong ? maxSeconds : asked,
    boundObjectRef: spec.boundObjectRef ?? (null as never),
  }
}

/** Programs from before tokens expired never read theirs again: that of the automatic volume may be used far longer. */
function timesOf(
  { audiences, expirationSeconds = 0 }: TokenRequestSpec,
  isForPod: boolean,
  settings: AccountTokenSettings,
  now: number,
): TokenTimes {
  const issuedAt = Math.floor(now / 1000)
  // A token that others take as well is theirs to trust no longer than it says.
  const isForServer = audiences.every(audience => settings.audiences.includes(audience))
  const isExtended = settings.extendsVolumeTokens && isForPod && isForServer && expirationSeconds === volumeTokenSeconds
  return isExtended
    ? { issuedAt, expiresAt: issuedAt + extendedSeconds, warnAfter: issuedAt + expirationSeconds }
    : { issuedAt, expiresAt: issuedAt + expirationSeconds }
}
