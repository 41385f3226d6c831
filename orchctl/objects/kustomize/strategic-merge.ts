import { isRecord } from 'orch/sdk'

type Fields = Record<string, unknown>

/** The merge keys of lists, by name of the list. Other lists are replaced. */
const mergeKeys: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  env: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  ports: ['containerPort', 'port'],
  hostAliases: ['ip'],
  imagePullSecrets: ['name'],
  topologySpreadConstraints: ['topologyKey'],
  secrets: ['name'],
  ownerReferences: ['uid'],
}

/** Applies a strategic merge patch: null removes a field, and lists with a merge key are merged. */
export function strategicMerged(object: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch
  if (patch['$patch'] === 'replace') return withoutDirectives(patch)
  const merged: Fields = isRecord(object) ? { ...object } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) continue
    if (value === null) delete merged[key]
    else if (Array.isArray(value)) merged[key] = mergedList(key, merged[key], value)
    else merged[key] = strategicMerged(merged[key], value)
  }
  return merged
}

function mergedList(name: string, before: unknown, patch: readonly unknown[]): unknown[] {
  const existing: readonly unknown[] = Array.isArray(before) ? before : []
  const items = patch.filter(isRecord) as Fields[]
  const key = mergeKeys[name]?.find(one => items.some(item => one in item))
  if (key === undefined || items.length !== patch.length) return [...patch]
  if (items.some(item => item['$patch'] === 'replace')) return items.filter(item => item['$patch'] !== 'replace')
  const patchOf = (item: unknown) => items.find(one => isRecord(item) && one[key] === item[key])
  const kept = existing.flatMap(item => {
    const change = patchOf(item)
    if (change === undefined) return [item]
    return change['$patch'] === 'delete' ? [] : [strategicMerged(item, change)]
  })
  const known = (item: Fields) => existing.some(one => isRecord(one) && one[key] === item[key])
  const added = items.filter(item => item['$patch'] !== 'delete' && !known(item))
  // As in kustomize, new containers are appended and other new items are prepended.
  return name === 'containers' || name === 'initContainers' ? [...kept, ...added] : [...added, ...kept]
}

function withoutDirectives(patch: Readonly<Fields>): Fields {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !key.startsWith('$')))
}
