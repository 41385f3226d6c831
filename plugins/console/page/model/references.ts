import type { Anything, ApiObject } from './api.js'
import { listableTypes, types } from './catalogue.js'
import { type Gaps, lookThrough } from './look-through.js'
import type { ResourceType } from './resource-type.js'

/** References of objects by name or selector, other than to owners, in both directions. */

export interface Reference {
  /** The referring field: `spec.volumes.configMap`. */
  readonly field: string
  readonly type: ResourceType
  readonly namespace: string
  readonly name: string
}
/** Pods that a selector matches. */
export interface Selection {
  readonly field: string
  readonly pods: ResourceType
  readonly namespace: string
  /** In the syntax of list requests. */
  readonly selector: string
}
export interface Referrer {
  readonly field: string
  readonly type: ResourceType
  readonly object: ApiObject
}

// Kubernetes and most custom types use the same field names: the kind that an object with a name refers to …
const kindOfObject: Readonly<Record<string, string>> = {
  configMap: 'ConfigMap',
  configMapRef: 'ConfigMap',
  configMapKeyRef: 'ConfigMap',
  secret: 'Secret',
  secretRef: 'Secret',
  secretKeyRef: 'Secret',
  imagePullSecrets: 'Secret',
  secrets: 'Secret',
  service: 'Service',
}
// … and the kind that a string refers to.
const kindOfText: Readonly<Record<string, string>> = {
  secretName: 'Secret',
  serviceAccountName: 'ServiceAccount',
  claimName: 'PersistentVolumeClaim',
  storageClassName: 'StorageClass',
  nodeName: 'Node',
  serviceName: 'Service',
  priorityClassName: 'PriorityClass',
  runtimeClassName: 'RuntimeClass',
  ingressClassName: 'IngressClass',
}

/** Without a group any type of that kind, preferably in the core group. */
const typeOf = (kind: string, group?: string): ResourceType | undefined =>
  types.value.find(type => type.kind === kind && type.group === (group ?? '')) ??
  (group === undefined ? types.value.find(type => type.kind === kind) : undefined)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

export function referencesOf(object: ApiObject): Reference[] {
  const own = object.metadata.namespace ?? ''
  const found = new Map<string, Reference>()
  const add = (field: string, type: ResourceType | undefined, name: unknown, namespace: unknown) => {
    if (!type || !isText(name)) return
    const within = type.isNamespaced ? (isText(namespace) ? namespace : own) : ''
    found.set(`${field} ${type.kind} ${within}/${name}`, { field, type, namespace: within, name })
  }
  const visit = (value: Anything, path: string, field: string): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, path, field)
    else if (isText(value)) {
      const kind = path === 'spec.volumeName' ? 'PersistentVolume' : kindOfText[field]
      if (kind) add(path, typeOf(kind), value, undefined)
    } else if (value !== null && typeof value === 'object') {
      const { kind, name, namespace, apiGroup, apiVersion } = value
      // References that contain the kind: roleRef, subjects, scaleTargetRef, claimRef.
      if (isText(kind) && isText(name)) {
        const group = isText(apiVersion) ? (apiVersion.includes('/') ? apiVersion.split('/')[0] : '') : apiGroup
        add(path, typeOf(kind, isText(group) || isText(apiVersion) ? group : undefined), name, namespace)
        return
      }
      const meant = kindOfObject[field]
      if (meant) add(path, typeOf(meant), name, namespace)
      for (const [key, inner] of Object.entries(value)) visit(inner, `${path}.${key}`, key)
    }
  }
  for (const [key, value] of Object.entries(object))
    if (!['metadata', 'status', 'kind', 'apiVersion'].includes(key)) visit(value, key, key)
  return [...found.values()]
}

/** Fields with Pod selectors. In other types, fields of these names have another meaning. */
const selectorFields = ['selector', 'podSelector']
const selectingKinds = [
  ...['Service', 'ReplicationController', 'ReplicaSet', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job'],
  ...['PodDisruptionBudget', 'NetworkPolicy'],
]

export function selectionsOf(type: ResourceType, object: ApiObject): Selection[] {
  const pods = typeOf('Pod', '')
  if (!pods || !selectingKinds.includes(type.kind)) return []
  return selectorFields.flatMap(name => {
    const value = object['spec']?.[name]
    if (value === null || typeof value !== 'object') return []
    const { matchLabels, matchExpressions } = value
    const labels: Readonly<Record<string, unknown>> = matchLabels ?? (matchExpressions ? {} : value)
    const parts = [
      ...Object.entries(labels).map(([key, each]) => `${key}=${each}`),
      ...((matchExpressions ?? []) as Anything[]).map(expressionText),
    ]
    return [{ field: `spec.${name}`, pods, namespace: object.metadata.namespace ?? '', selector: parts.join(',') }]
  })
}
const expressionText = ({ key, operator, values = [] }: Anything): string =>
  operator === 'Exists'
    ? key
    : operator === 'DoesNotExist'
      ? `!${key}`
      : `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`

/** Does a selector of `selectionsOf` match these labels? */
function matches(selector: string, labels: Readonly<Record<string, string>>): boolean {
  if (selector === '') return true
  // Commas inside parentheses separate values.
  return selector.split(/,(?![^(]*\))/).every(part => {
    const [, key = '', operator, list = ''] = /^(\S+) (in|notin) \((.*)\)$/.exec(part) ?? []
    if (operator) return list.split(',').includes(labels[key] ?? '') === (operator === 'in')
    if (part.startsWith('!')) return labels[part.slice(1)] === undefined
    const at = part.indexOf('=')
    return at < 0 ? labels[part] !== undefined : labels[part.slice(0, at)] === part.slice(at + 1)
  })
}

const mostOfType = 500

/** Searches all types that the user may list. Secrets are not read. */
export async function referrersOf(
  type: ResourceType,
  object: ApiObject,
): Promise<Gaps & { readonly referrers: readonly Referrer[] }> {
  const { name, namespace = '', labels = {} } = object.metadata
  const isMeant = (reference: Reference) =>
    reference.name === name &&
    reference.namespace === namespace &&
    reference.type.kind === type.kind &&
    reference.type.group === type.group
  const isPod = type.kind === 'Pod' && type.group === ''
  const candidates = listableTypes.value.filter(
    ({ resource, verbs }) => verbs.includes('get') && !['events', 'secrets'].includes(resource),
  )
  const referrers: Referrer[] = []
  const gaps = await lookThrough(candidates, namespace || undefined, { most: mostOfType }, (looked, items) => {
    for (const each of items as readonly ApiObject[]) {
      for (const reference of referencesOf(each))
        if (isMeant(reference)) referrers.push({ field: reference.field, type: looked, object: each })
      if (!isPod || each.metadata.namespace !== namespace) continue
      for (const { field, selector } of selectionsOf(looked, each))
        if (matches(selector, labels)) referrers.push({ field, type: looked, object: each })
    }
  })
  return { ...gaps, referrers }
}
