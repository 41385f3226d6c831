import { join } from 'node:path'
import { isObject, type JsonObject } from '../golden/json-paths.js'
import { loadRecordings } from '../golden/recordings.js'
import { loadScenarios, type Step } from '../golden/scenario.js'
import { goldenFolder } from '../golden/server-flags.js'

/** A recorded patch. */
export interface KnownPatch {
  readonly contentType: string
  readonly body: unknown
}
/** The recorded bodies for a type or subresource. */
export interface KnownBodies {
  /** Bodies that a server accepted. */
  readonly valid: JsonObject[]
  /** Bodies that a server rejected. */
  readonly refused: JsonObject[]
  readonly patches: KnownPatch[]
}

/** `apps/deployments`, `/pods/status`: the version is left out, because recordings of an older one are as good. */
export const bodiesKey = (root: string, resource: string, subresource: string): string =>
  [root.startsWith('/apis/') ? root.split('/')[2] : '', resource, subresource]
    .filter((part, at) => at < 2 || part)
    .join('/')

function keyOf(path: string): string | undefined {
  const parts = (path.split('?')[0] ?? '').split('/').filter(part => part !== '')
  if (parts[0] !== 'api' && parts[0] !== 'apis') return undefined
  const rootLength = parts[0] === 'api' ? 2 : 3
  const isInNamespace = parts[rootLength] === 'namespaces' && parts.length > rootLength + 2
  const [resource = '', , subresource = ''] = parts.slice(rootLength + (isInNamespace ? 2 : 0))
  return bodiesKey(`/${parts.slice(0, rootLength).join('/')}`, resource, subresource)
}

/** Names of variables that every conversation has. The values of others are not known here. */
const kept = /\{\{(?!(?:run|ns|id6)\}\})\w+\}\}/g

/** Everything that was sent in the recorded conversations of all versions, by type. */
export function loadKnownBodies(): ReadonlyMap<string, KnownBodies> {
  const known = new Map<string, KnownBodies>()
  const seen = new Set<string>()
  const add = ({ method = 'GET', path, body, headers, expect }: Step) => {
    const key = path === undefined ? undefined : keyOf(path)
    if (key === undefined || body === undefined || !['POST', 'PUT', 'PATCH'].includes(method)) return
    const contentType = headers?.['Content-Type'] ?? headers?.['content-type'] ?? 'application/json'
    const text = JSON.stringify(body).replaceAll(kept, 'a')
    const isPatch = method === 'PATCH'
    const identity = `${key} ${isPatch ? contentType : ''} ${text}`
    if (seen.has(identity)) return
    seen.add(identity)
    const bodies = known.get(key) ?? { valid: [], refused: [], patches: [] }
    known.set(key, bodies)
    const value: unknown = JSON.parse(text)
    if (isPatch) bodies.patches.push({ contentType, body: value })
    else if (isObject(value)) bodies[(expect?.status ?? 200) < 300 ? 'valid' : 'refused'].push(value)
  }
  for (const { steps } of loadScenarios(join(goldenFolder, 'scenarios'))) steps.forEach(add)
  for (const { scenario } of loadRecordings()) scenario.steps.forEach(add)
  return known
}
