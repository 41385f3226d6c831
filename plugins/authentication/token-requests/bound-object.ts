import { badRequest, conflict, notFound, type Stored, type StoreReader } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import type { BoundClaims } from '../account-tokens/bound-claims.js'
import type { AuthenticationNames } from '../names.js'
import type { BoundObjectReference } from './schema.js'

/** Finds the object that a token is to be bound to, and refuses one that is not the account's business. */
export async function findBoundObject(
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
