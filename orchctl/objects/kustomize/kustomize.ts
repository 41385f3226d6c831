import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiObject, isRecord } from 'orch/sdk'
import { RE2JS } from 're2js'
import { parseYamlDocuments } from '../../output/yaml-text.js'
import { readFile, reading } from '../../read-file.js'
import { UsageError } from '../../usage-error.js'
import { jsonPatched, strategicMerged } from '../apply-patch.js'
import { podSpecOf, podSpecPath, withValueAt } from '../pod-template.js'
import { contentHash, type GeneratorArgs, type GeneratorOptions, generated } from './generated.js'
import { type ImageChange, withImages } from './images.js'
import { renameReferences } from './references.js'

interface Target {
  readonly group?: string
  readonly version?: string
  readonly kind?: string
  readonly name?: string
  readonly namespace?: string
  readonly labelSelector?: string
}
interface Kustomization {
  readonly resources?: readonly string[]
  readonly bases?: readonly string[]
  readonly namespace?: string
  readonly namePrefix?: string
  readonly nameSuffix?: string
  readonly commonLabels?: Record<string, string>
  readonly labels?: readonly { pairs: Record<string, string>; includeSelectors?: boolean; includeTemplates?: boolean }[]
  readonly commonAnnotations?: Record<string, string>
  readonly images?: readonly ImageChange[]
  readonly replicas?: readonly { name: string; count: number }[]
  readonly patches?: readonly { path?: string; patch?: string; target?: Target }[]
  readonly patchesStrategicMerge?: readonly string[]
  readonly patchesJson6902?: readonly { path?: string; patch?: string; target: Target }[]
  readonly configMapGenerator?: readonly GeneratorArgs[]
  readonly secretGenerator?: readonly GeneratorArgs[]
  readonly generatorOptions?: GeneratorOptions
}
const fields = [
  ...['resources', 'bases', 'namespace', 'namePrefix', 'nameSuffix', 'commonLabels', 'labels', 'commonAnnotations'],
  ...['images', 'replicas', 'patches', 'patchesStrategicMerge', 'patchesJson6902', 'configMapGenerator'],
  ...['secretGenerator', 'generatorOptions', 'apiVersion', 'kind', 'metadata'],
]
const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']
/** Cluster-scoped kinds that are common in manifests. */
const clusterWide =
  /^(Namespace|Node|PersistentVolume|ClusterRole|ClusterRoleBinding|CustomResourceDefinition|StorageClass|PriorityClass|IngressClass|RuntimeClass|CSIDriver|CSINode|VolumeAttachment|APIService|FlowSchema|PriorityLevelConfiguration|.*WebhookConfiguration|CertificateSigningRequest|PodSecurityPolicy)$/
/** Kinds whose names get no prefix or suffix. */
const keepsName = /^(Namespace|CustomResourceDefinition|APIService)$/

/** An object during the build. */
interface Resource {
  readonly object: ApiObject
  /** The name in the files, by which others refer to it. */
  readonly original: string
  /** The name before the prefix and suffix of the last kustomization. */
  readonly named: string
  readonly hashed: boolean
}

/** The objects of a folder with a kustomization, as `kubectl kustomize` builds them. */
export function kustomize(folder: string): ApiObject[] {
  const resources = build(folder, [])
  const finals = resources.map(one => {
    const { name } = one.object.metadata
    const final = one.hashed ? `${name}-${contentHash(one.object)}` : (name ?? '')
    return { ...one, final, object: structuredClone(withName(one.object, final)) }
  })
  const renamed = (kind: string, name: string) =>
    finals.find(one => one.object.kind === kind && (one.named === name || one.original === name))?.final
  for (const { object } of finals) renameReferences([object], renamed, podSpecOf, object.metadata.namespace)
  return finals
    .map(({ object }) => object)
    .map((object, index) => ({ object, index }))
    .sort((left, right) => rankOf(left.object) - rankOf(right.object) || left.index - right.index)
    .map(({ object }) => object)
}

/** Objects that others depend on come first. */
const order = [
  ...['Namespace', 'ResourceQuota', 'StorageClass', 'CustomResourceDefinition', 'ServiceAccount', 'PodSecurityPolicy'],
  ...['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding', 'ConfigMap', 'Secret', 'Endpoints', 'Service'],
  ...['LimitRange', 'PriorityClass', 'PersistentVolume', 'PersistentVolumeClaim', 'Deployment', 'StatefulSet'],
  ...['CronJob', 'PodDisruptionBudget'],
]
const last = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']
function rankOf({ kind = '' }: ApiObject): number {
  const at = order.indexOf(kind)
  if (at >= 0) return at
  return last.includes(kind) ? order.length + 1 : order.length
}

const withName = (object: ApiObject, name: string): ApiObject => ({ ...object, metadata: { ...object.metadata, name } })

function readKustomization(folder: string): Kustomization {
  if (/^(https?|git|ssh):|\?ref=/.test(folder)) throw new UsageError(`${folder}: remote folders are not supported`)
  if (!reading(folder, () => statSync(folder)).isDirectory()) throw new UsageError(`${folder} is not a folder`)
  const file = fileNames.map(name => join(folder, name)).find(path => existsSync(path))
  if (file === undefined) throw new UsageError(`there is no kustomization.yaml in ${folder}`)
  const [document = {}] = parseYamlDocuments(readFile(file).toString('utf8'), file)
  if (!isRecord(document)) throw new UsageError(`${file} must be an object`)
  const unknown = Object.keys(document).find(key => !fields.includes(key))
  if (unknown !== undefined)
    throw new UsageError(`${file}: "${unknown}" is not supported here; build it with kustomize and use -f -`)
  return document as Kustomization
}

function build(folder: string, above: readonly string[]): Resource[] {
  if (above.includes(folder)) throw new UsageError(`${folder} is a resource of itself`)
  const k = readKustomization(folder)
  const resources: Resource[] = []
  for (const path of [...(k.resources ?? []), ...(k.bases ?? [])]) {
    if (/^(https?|git|ssh):|\?ref=/.test(path))
      throw new UsageError(`${folder}: ${path}: remote resources are not supported`)
    const full = join(folder, path)
    if (reading(full, () => statSync(full)).isDirectory()) resources.push(...build(full, [...above, folder]))
    else
      for (const object of objectsIn(full))
        resources.push({
          object,
          original: object.metadata.name ?? '',
          named: object.metadata.name ?? '',
          hashed: false,
        })
  }
  addGenerated(resources, folder, k)
  return resources.map(one => transformed(one, folder, k)).filter(one => one !== undefined)
}

function objectsIn(file: string): ApiObject[] {
  return parseYamlDocuments(readFile(file).toString('utf8'), file).flatMap(document => {
    if (!isRecord(document) || typeof document['kind'] !== 'string' || typeof document['apiVersion'] !== 'string')
      throw new UsageError(`${file}: every document needs apiVersion and kind`)
    if (document['kind'] === 'List') return document['items'] as ApiObject[]
    if (!isRecord(document['metadata'])) throw new UsageError(`${file}: ${document['kind']} needs metadata.name`)
    return [document as ApiObject]
  })
}

function addGenerated(resources: Resource[], folder: string, k: Kustomization): void {
  const lists = [
    ['ConfigMap', k.configMapGenerator ?? []],
    ['Secret', k.secretGenerator ?? []],
  ] as const
  for (const [kind, list] of lists)
    for (const args of list) {
      const object = generated(kind, folder, args, k.generatorOptions ?? {})
      const at = resources.findIndex(one => one.object.kind === kind && one.original === args.name)
      const { behavior = 'create' } = args
      if (behavior === 'create') {
        if (at >= 0)
          throw new UsageError(`${folder}: there is already a ${kind} ${args.name}; set behavior to merge or replace`)
        const keeps = args.options?.disableNameSuffixHash ?? k.generatorOptions?.disableNameSuffixHash ?? false
        resources.push({ object, original: args.name, named: args.name, hashed: !keeps })
        continue
      }
      const before = resources[at]
      if (before === undefined) throw new UsageError(`${folder}: there is no ${kind} ${args.name} to ${behavior}`)
      const data =
        behavior === 'merge' ? { ...(before.object['data'] as object), ...(object['data'] as object) } : object['data']
      const { name } = before.object.metadata
      resources[at] = {
        ...before,
        object: { ...before.object, data, metadata: { ...before.object.metadata, ...object.metadata, name } },
      }
    }
}

function transformed(resource: Resource, folder: string, k: Kustomization): Resource | undefined {
  const patched = patchedBy(resource, folder, k)
  if (patched === undefined) return undefined
  let object = patched
  const { kind = '' } = object
  if (k.namespace !== undefined && !clusterWide.test(kind))
    object = { ...object, metadata: { ...object.metadata, namespace: k.namespace } }
  if (k.namespace !== undefined && kind === 'Namespace') object = withName(object, k.namespace)
  const fixed = (name: string) => (keepsName.test(kind) ? name : `${k.namePrefix ?? ''}${name}${k.nameSuffix ?? ''}`)
  const named = object.metadata.name ?? ''
  object = withName(object, fixed(named))
  if (k.commonLabels) object = labelled(object, k.commonLabels, true, true)
  for (const { pairs, includeSelectors = false, includeTemplates = false } of k.labels ?? [])
    object = labelled(object, pairs, includeSelectors, includeSelectors || includeTemplates)
  if (k.commonAnnotations) object = withEntries(object, 'annotations', k.commonAnnotations, true)
  for (const { name, count } of k.replicas ?? [])
    if (name === resource.original && isRecord(object['spec']) && podSpecOf(object) && kind !== 'Pod')
      object = withValueAt(object, ['spec', 'replicas'], count)
  object = withImages(object, k.images ?? [])
  return { ...resource, object, named }
}

function patchedBy({ object, original }: Resource, folder: string, k: Kustomization): ApiObject | undefined {
  const all = [
    ...(k.patchesStrategicMerge ?? []).map(text => (text.includes('\n') ? { patch: text } : { path: text })),
    ...(k.patches ?? []),
    ...(k.patchesJson6902 ?? []),
  ] as readonly { path?: string; patch?: string; target?: Target }[]
  let result: ApiObject | undefined = object
  for (const { path, patch, target } of all) {
    const origin = path === undefined ? `a patch of ${folder}` : join(folder, path)
    const text = path === undefined ? (patch ?? '') : readFile(origin).toString('utf8')
    for (const document of parseYamlDocuments(text, origin)) {
      if (result === undefined) return undefined
      if (Array.isArray(document)) {
        if (target === undefined) throw new UsageError(`${origin}: a JSON patch needs a target`)
        if (isTarget(result, original, target)) result = jsonPatched(result, document, origin)
        continue
      }
      const { apiVersion, kind, metadata } = document as ApiObject
      const own = { kind, name: metadata?.name, ...versionOf(apiVersion) }
      if (!isTarget(result, original, target ?? own)) continue
      if ((document as { $patch?: string }).$patch === 'delete') result = undefined
      else {
        const name: string = result.metadata.name ?? ''
        result = withName(strategicMerged(result, document, origin), name)
      }
    }
  }
  return result
}

const versionOf = (apiVersion = '') => {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  return version ? { group, version } : {}
}

/** Names and kinds of a target are regular expressions of Go that must match the whole string. */
function isTarget({ apiVersion, kind = '', metadata }: ApiObject, original: string, target: Target): boolean {
  const matches = (pattern: string | undefined, text: string) =>
    pattern === undefined || RE2JS.compile(pattern).matches(text)
  const own = versionOf(apiVersion)
  const labels = (target.labelSelector ?? '').split(',').filter(one => one !== '')
  return (
    matches(target.kind, kind) &&
    (matches(target.name, original) || matches(target.name, metadata.name ?? '')) &&
    matches(target.namespace, metadata.namespace ?? '') &&
    (target.group === undefined || target.group === (own.group ?? '')) &&
    (target.version === undefined || target.version === own.version) &&
    labels.every(one => metadata.labels?.[one.split('=')[0] ?? ''] === one.split('=').at(-1))
  )
}

function withEntries(
  object: ApiObject,
  field: 'labels' | 'annotations',
  entries: Record<string, string>,
  inTemplate: boolean,
): ApiObject {
  let result = withValueAt(object, ['metadata', field], { ...object.metadata[field], ...entries })
  const path = podSpecPath(object)
  if (inTemplate && path !== undefined && path.length > 1) {
    const meta = [...path.slice(0, -1), 'metadata', field]
    const before = meta.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), object)
    result = withValueAt(result, meta, { ...(before as object | undefined), ...entries })
  }
  return result
}

/** Adds labels to selectors of workloads and Services. */
function labelled(
  object: ApiObject,
  labels: Record<string, string>,
  inSelectors: boolean,
  inTemplate: boolean,
): ApiObject {
  const result = withEntries(object, 'labels', labels, inTemplate)
  const selector = isRecord(object['spec']) ? object['spec']['selector'] : undefined
  if (!inSelectors) return result
  if (object.kind === 'Service' || object.kind === 'ReplicationController')
    return isRecord(selector) ? withValueAt(result, ['spec', 'selector'], { ...selector, ...labels }) : result
  const selects = ['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet'].includes(object.kind ?? '')
  if (!selects) return result
  const matchLabels = isRecord(selector) && isRecord(selector['matchLabels']) ? selector['matchLabels'] : {}
  return withValueAt(result, ['spec', 'selector', 'matchLabels'], { ...matchLabels, ...labels })
}
