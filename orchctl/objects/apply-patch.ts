import { isRecord } from 'orch/sdk'
import { applyJsonPatch, applyMergePatch, JsonPatchError } from '../../libs/json-patch/index.js'
import { type MergeRules, StrategicMergeError, strategicMerge } from '../../libs/strategic-merge/index.js'
import { UsageError } from '../usage-error.js'

/** Applies a JSON patch (RFC 6902) to a copy of the object. `origin` names the source of the patch in errors. */
export const jsonPatched = <T>(object: T, patch: unknown, origin: string): T =>
  reportPatchErrors(origin, () => applyJsonPatch(object, patch) as T)

/** Applies a JSON merge patch (RFC 7386). */
export const mergedBy = <T>(patch: unknown, object: T): T => applyMergePatch(object, patch) as T

/** Applies a strategic merge patch, with the merge keys of Pods and objects that contain Pod templates. */
export const strategicMerged = <T extends object>(object: T, patch: unknown, origin: string): T =>
  reportPatchErrors(origin, () => strategicMerge(object as Record<string, unknown>, patch, rules, undefined) as T)

function reportPatchErrors<T>(origin: string, apply: () => T): T {
  try {
    return apply()
  } catch (error) {
    if (!(error instanceof JsonPatchError || error instanceof StrategicMergeError)) throw error
    throw new UsageError(`${origin}: ${error.message}`, { cause: error })
  }
}

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
const keysOf = (list: string | undefined) =>
  list !== undefined && Object.hasOwn(mergeKeys, list) ? mergeKeys[list] : undefined

/** Fields are identified by name alone, whatever object contains them. */
const rules: MergeRules<string> = {
  field: (_, name) => ({ place: name }),
  list(place, patch) {
    const items = patch.filter(isRecord)
    const mergeKey = keysOf(place)?.find(key => items.some(item => key in item || '$patch' in item))
    return mergeKey === undefined || items.length < patch.length ? undefined : { mergeKey, item: undefined }
  },
  mergeKey: place => keysOf(place)?.[0],
  // As in kustomize, new containers are appended and other new items are prepended.
  arrange: (place, kept, added) =>
    place === 'containers' || place === 'initContainers' ? [...kept, ...added] : [...added, ...kept],
}
