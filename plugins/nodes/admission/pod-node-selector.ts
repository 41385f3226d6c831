import { defineAdmission, forbidden, type ObjectMeta, ownValue, type Rejection, type Resolved, reject } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'
import { findObject, lookupNeeds } from './find-object.js'
import { parseNodeSelector } from './pod-node-selector/node-selector-text.js'
import { nodeSelectorSettings } from './pod-node-selector/settings.js'

const needs = { ...lookupNeeds, settings: nodeSelectorSettings }
type Labels = Readonly<Record<string, string>>

/** Restricts the Pods of a namespace to the nodes that its annotation, or the cluster's default, selects. */
export const podNodeSelector = ({ nodeSelectorAnnotation }: NodeNames) =>
  defineAdmission<Pod>()({
    name: 'PodNodeSelector',
    after: ['PodSecurity', 'PodSecurityPolicy'],
    phase: 'both',
    sideEffects: 'none',
    enabledByDefault: false,
    matches: { group: '', resource: 'pods', operations: ['create'] },
    needs,
    async review({ object: { metadata, spec }, namespace }, given, phase) {
      // The error of a Pod whose name is not generated yet has no name.
      const refusal = (why: string) => forbidden({ group: '', resource: 'pods', name: metadata?.name ?? '' }, why)
      const wanted = await selectorOf(namespace, nodeSelectorAnnotation, given)
      if ('rejected' in wanted) return wanted
      const own = spec.nodeSelector ?? {}
      if (Object.entries(wanted.labels).some(([key, value]) => (ownValue(own, key) ?? value) !== value))
        throw refusal('pod node label selector conflicts with its namespace node label selector')
      const merged = { ...wanted.labels, ...own }
      const allowed = given.settings.allowed.get(namespace)
      if (allowed && Object.entries(merged).some(([key, value]) => allowed[key] !== value))
        throw refusal('pod node label selector labels conflict with its namespace whitelist')
      if (phase === 'mutate' && Object.keys(merged).length > 0) spec.nodeSelector = merged
    },
  })

async function selectorOf(
  namespace: string,
  annotation: string,
  { settings, ...lookup }: Resolved<typeof needs>,
): Promise<Rejection | { readonly labels: Labels }> {
  const collection = { group: '', resource: 'namespaces' }
  const found = await findObject<{ metadata?: ObjectMeta }>(collection, '', namespace, lookup)
  const text = found?.metadata?.annotations?.[annotation]
  if (text === undefined) return { labels: settings.defaultSelector }
  const labels = parseNodeSelector(text)
  // A 500, because the client that creates the Pod is not at fault.
  return labels
    ? { labels }
    : reject(`annotation ${annotation} of namespace "${namespace}" is not a node selector`, 500)
}
