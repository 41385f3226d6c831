import { type ApiObject, isRecord } from 'orch/sdk'

/** References between objects: the path of the name, with `[]` for each item of a list, and the kind that is referenced. */
const references: readonly (readonly [string, string])[] = [
  ['volumes[].configMap.name', 'ConfigMap'],
  ['volumes[].projected.sources[].configMap.name', 'ConfigMap'],
  ['volumes[].projected.sources[].secret.name', 'Secret'],
  ['volumes[].secret.secretName', 'Secret'],
  ['volumes[].persistentVolumeClaim.claimName', 'PersistentVolumeClaim'],
  ...['containers', 'initContainers'].flatMap(list => [
    [`${list}[].env[].valueFrom.configMapKeyRef.name`, 'ConfigMap'] as const,
    [`${list}[].env[].valueFrom.secretKeyRef.name`, 'Secret'] as const,
    [`${list}[].envFrom[].configMapRef.name`, 'ConfigMap'] as const,
    [`${list}[].envFrom[].secretRef.name`, 'Secret'] as const,
  ]),
  ['imagePullSecrets[].name', 'Secret'],
  ['serviceAccountName', 'ServiceAccount'],
  ['priorityClassName', 'PriorityClass'],
]
const ofKinds: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  ServiceAccount: [
    ['secrets[].name', 'Secret'],
    ['imagePullSecrets[].name', 'Secret'],
  ],
  Ingress: [
    ['spec.tls[].secretName', 'Secret'],
    ['spec.ingressClassName', 'IngressClass'],
    ['spec.defaultBackend.service.name', 'Service'],
    ['spec.rules[].http.paths[].backend.service.name', 'Service'],
  ],
  StatefulSet: [['spec.serviceName', 'Service']],
  HorizontalPodAutoscaler: [['spec.scaleTargetRef.name', '']],
  RoleBinding: [['roleRef.name', '']],
  ClusterRoleBinding: [['roleRef.name', '']],
  PersistentVolumeClaim: [
    ['spec.storageClassName', 'StorageClass'],
    ['spec.volumeName', 'PersistentVolume'],
  ],
}

/** Calls `change` with the parent of every value at a path. An empty kind stands for that of the parent. */
function visit(
  value: unknown,
  [word = '', ...rest]: readonly string[],
  change: (parent: Record<string, unknown>, key: string) => void,
): void {
  if (!isRecord(value)) return
  const fields = value as Record<string, unknown>
  if (rest.length === 0 && !word.endsWith('[]')) {
    if (typeof fields[word] === 'string') change(fields, word)
    return
  }
  const next = fields[word.replace('[]', '')]
  if (word.endsWith('[]')) for (const item of Array.isArray(next) ? next : []) visit(item, rest, change)
  else visit(next, rest, change)
}

/** Updates references to renamed objects, in place. `renamed` returns the new name for a kind and an old name. */
export function renameReferences(
  objects: readonly ApiObject[],
  renamed: (kind: string, name: string) => string | undefined,
  podSpecOf: (object: ApiObject) => unknown,
  namespace: string | undefined,
): void {
  for (const object of objects) {
    const rename = (kind: string) => (parent: Record<string, unknown>, key: string) => {
      const name = renamed(kind || String(parent['kind']), String(parent[key]))
      if (name !== undefined) parent[key] = name
    }
    for (const [path, kind] of references) visit(podSpecOf(object), path.split('.'), rename(kind))
    for (const [path, kind] of ofKinds[object.kind ?? ''] ?? []) visit(object, path.split('.'), rename(kind))
    for (const subject of (object['subjects'] as { kind?: string; name?: string; namespace?: string }[]) ?? []) {
      if (subject.kind !== 'ServiceAccount') continue
      const name = renamed('ServiceAccount', subject.name ?? '')
      if (name === undefined) continue
      subject.name = name
      if (namespace !== undefined) subject.namespace = namespace
    }
  }
}
