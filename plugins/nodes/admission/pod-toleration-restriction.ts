import { defineAdmission, ownValue, type Rejection, reject } from 'orch/sdk'
import { type Namespace, type Pod, type PodSpec, qualityOfService, type Toleration } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'
import { findObject, lookupNeeds } from './find-object.js'
import { mergeTolerations, TolerationSet } from './merge-tolerations.js'
import { tolerationSettings } from './pod-toleration-restriction/settings.js'

type Test = (value: unknown) => boolean
const isText: Test = value => typeof value === 'string'
const fields: Readonly<Record<string, Test>> = {
  key: isText,
  operator: isText,
  value: isText,
  effect: isText,
  tolerationSeconds: Number.isInteger,
}

/** Parses a list of tolerations in JSON; undefined if it is invalid. An empty text is an empty list. */
function parseTolerations(text: string): readonly Toleration[] | undefined {
  if (text === '') return []
  try {
    const list: unknown = JSON.parse(text) ?? []
    return isTolerations(list) ? list.map(withoutNulls) : undefined
  } catch {
    return undefined
  }
}

/** Null counts as unset. */
const withoutNulls = (toleration: Toleration): Toleration =>
  Object.fromEntries(Object.entries(toleration).filter(([key, value]) => value !== null && Object.hasOwn(fields, key)))

/** Unknown keys are ignored. */
const isTolerations = (value: unknown): value is readonly Toleration[] =>
  Array.isArray(value) &&
  value.every(
    one =>
      typeof one === 'object' &&
      one !== null &&
      Object.entries(one).every(([key, part]) => part === null || (ownValue(fields, key)?.(part) ?? true)),
  )

type Tolerations = readonly Toleration[]

/** Adds the default tolerations of the namespace to Pods, and restricts Pods to the tolerations that it allows. */
export const podTolerationRestriction = (names: NodeNames) =>
  defineAdmission<Pod>()({
    name: 'PodTolerationRestriction',
    after: ['DefaultTolerationSeconds'],
    phase: 'both',
    sideEffects: 'none',
    enabledByDefault: false,
    matches: { group: '', resource: 'pods', operations: ['create', 'update'] },
    needs: { ...lookupNeeds, settings: tolerationSettings },
    async review({ object: { spec }, namespace, operation }, { settings, ...lookup }, phase) {
      const collection = { group: '', resource: 'namespaces' }
      const found = await findObject<Namespace>(collection, '', namespace, lookup)
      if (phase === 'mutate') {
        const ofNamespace = operation === 'create' ? listOf(found, names.defaultTolerations) : []
        if (ofNamespace && 'rejected' in ofNamespace) return ofNamespace
        addDefaults(spec, ofNamespace ?? settings.defaultTolerations, names.taints.memoryPressure)
      }
      const ownList = listOf(found, names.allowedTolerations)
      if (ownList && 'rejected' in ownList) return ownList
      return check(spec.tolerations ?? [], ownList ?? settings.allowed, ownList ? 'namespace' : 'cluster')
    },
  })

/** The tolerations in an annotation of the namespace; undefined without one. */
function listOf(namespace: Namespace | undefined, annotation: string): Tolerations | Rejection | undefined {
  const text = namespace?.metadata?.annotations?.[annotation]
  if (text === undefined) return undefined
  // A 500, because the client that creates the Pod is not at fault.
  return (
    parseTolerations(text) ??
    reject(`annotation ${annotation} of namespace "${namespace?.metadata?.name}" is not a list of tolerations`, 500)
  )
}

function addDefaults(spec: PodSpec, defaults: Tolerations, memoryPressure: string): void {
  const own = spec.tolerations ?? []
  let merged: Tolerations = defaults.length > 0 ? mergeTolerations(own, defaults) : own
  // A Pod with requests is not affected by memory pressure.
  if (qualityOfService(spec) !== 'BestEffort')
    merged = mergeTolerations(merged, [{ key: memoryPressure, operator: 'Exists', effect: 'NoSchedule' }])
  if (merged.length > 0) spec.tolerations = [...merged]
}

function check(tolerations: Tolerations, allowed: Tolerations, whose: string): Rejection | undefined {
  if (allowed.length === 0) return undefined
  const permitted = new TolerationSet()
  for (const toleration of allowed) permitted.add(toleration)
  return tolerations.every(toleration => permitted.covers(toleration))
    ? undefined
    : reject(
        `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${whose} whitelist`,
      )
}
