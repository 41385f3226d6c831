import type { AdmissionMatch, ApiObject } from 'orch/sdk'
import type { PodSecurityNames } from '../names.js'
import type { PodLike } from '../standards/check.js'

/** The types that make Pods from a template, whoever serves them. */
export const templateMatches = ({ appsGroup, batchGroup }: PodSecurityNames): readonly AdmissionMatch[] =>
  [
    { group: '', resource: ['podtemplates', 'replicationcontrollers'] },
    { group: appsGroup, resource: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'] },
    { group: batchGroup, resource: ['cronjobs', 'jobs'] },
  ].map(match => ({ ...match, operations: ['create', 'update'] as const }))

interface Template {
  readonly metadata?: PodLike['metadata']
  readonly spec?: PodLike['spec']
}
interface Controller {
  /** Of a PodTemplate. */
  readonly template?: Template
  readonly spec?: {
    readonly template?: Template
    /** Of a CronJob. */
    readonly jobTemplate?: { readonly spec?: { readonly template?: Template } }
  }
}

/** The Pods that an object will make; undefined when it does not say. */
export function templateOf(object: ApiObject): PodLike | undefined {
  const { template, spec } = object as Controller
  const { metadata, spec: podSpec } = template ?? spec?.template ?? spec?.jobTemplate?.spec?.template ?? {}
  return podSpec ? { metadata, spec: podSpec } : undefined
}
