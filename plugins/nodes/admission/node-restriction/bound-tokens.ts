import type { AdmissionRequest, StoreReader } from 'orch/sdk'
import { readPod } from './own-pods.js'

/** What this check reads of a TokenRequest. */
export interface TokenRequest {
  readonly spec?: {
    readonly boundObjectRef?: {
      readonly apiVersion?: string
      readonly kind?: string
      readonly name?: string
      readonly uid?: string
    }
  }
}

/** A node gets tokens for the Pods it runs, which end with them. Returns why not. */
export async function checkToken(
  { object, namespace }: AdmissionRequest<TokenRequest>,
  nodeName: string,
  reader: StoreReader,
): Promise<string | undefined> {
  const { apiVersion, kind, name, uid } = object.spec?.boundObjectRef ?? {}
  if (apiVersion !== 'v1' || kind !== 'Pod' || !name) return 'node requested token not bound to a pod'
  if (!uid) return 'node requested token with a pod binding without a uid'
  const pod = await readPod(reader, namespace, name)
  if (pod.metadata?.uid !== uid)
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`
  return pod.spec.nodeName === nodeName
    ? undefined
    : 'node requested token bound to a pod scheduled on a different node'
}
