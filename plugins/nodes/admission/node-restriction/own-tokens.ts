import type { AdmissionRequest, Authorizer, StoreReader } from 'orch/sdk'
import type { NodeNames } from '../../names.js'
import { readPod } from './own-pods.js'
import { isAudienceOfPod } from './pod-audiences.js'

/** The part of a TokenRequest that this check reads. */
export interface TokenRequest {
  readonly spec?: {
    readonly audiences?: readonly string[]
    readonly boundObjectRef?: {
      readonly apiVersion?: string
      readonly kind?: string
      readonly name?: string
      readonly uid?: string
    }
  }
}
export interface TokenServices {
  readonly reader: StoreReader
  readonly authorizer: Authorizer
}

/** A node may request only tokens that are bound to Pods it runs. Returns the reason for a denial. */
export async function checkToken(
  { object, namespace, name: account, user }: AdmissionRequest<TokenRequest>,
  nodeName: string,
  { restrictsAudiences, storageGroup }: NodeNames,
  { reader, authorizer }: TokenServices,
): Promise<string | undefined> {
  const { apiVersion, kind, name, uid } = object.spec?.boundObjectRef ?? {}
  if (apiVersion !== 'v1' || kind !== 'Pod' || !name) return 'node requested token not bound to a pod'
  if (!uid) return 'node requested token with a pod binding without a uid'
  const pod = await readPod(reader, namespace, name)
  if (pod.metadata?.uid !== uid)
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`
  if (pod.spec.nodeName !== nodeName) return 'node requested token bound to a pod scheduled on a different node'
  if (!restrictsAudiences) return undefined
  const [audience = '', ...others] = object.spec?.audiences ?? []
  if (others.length > 0) return 'node may only request 0 or 1 audiences'
  const found = await isAudienceOfPod(audience, pod, { reader, storageGroup })
  if (typeof found === 'string') return `error validating audience "${audience}": ${found}`
  // The audience takes the place of the resource.
  const target = { version: 'v1', resource: audience, namespace, name: account }
  if (found || (await authorizer.allows(user, 'request-serviceaccounts-token-audience', target))) return undefined
  return `audience "${audience}" not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`
}
