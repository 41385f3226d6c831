import { signal } from '@preact/signals'
import { mayWith } from './access.js'
import { type Anything, ApiFailure, requestJson } from './api.js'
import { listableTypes } from './catalogue.js'
import { countsOfServer, setCounts } from './counts.js'
import { collectionPath } from './paths.js'
import { typeKey } from './preferences.js'
import { type Problem, problemsOf } from './problems.js'
import { isCustom, purposeOf } from './purposes.js'
import type { ResourceType } from './resource-type.js'

/** Finds current problems in all objects that the user may list. */

export interface Scan {
  readonly problems: readonly Problem[]
  readonly at: number
  /** Undefined if nodes cannot be listed. */
  readonly nodes: { readonly all: number; readonly ready: number } | undefined
  /** Types of which only the first objects were read. */
  readonly partly: readonly string[]
}
export const scan = signal<Scan | undefined>(undefined)

/** Built-in types whose status may show a problem. All custom types are read as well. */
const typesWithStatus = new Set([
  ...['pods', 'nodes', 'namespaces', 'persistentvolumeclaims', 'persistentvolumes', 'resourcequotas'],
  ...['deployments', 'statefulsets', 'daemonsets', 'jobs', 'replicationcontrollers', 'horizontalpodautoscalers'],
  ...['certificatesigningrequests', 'customresourcedefinitions', 'apiservices', 'flowschemas', 'plugins'],
])
/** Large enough to read most types in one page. */
const pageObjects = 1000
const maxPages = 2
const requestsAtOnce = 8
const leastPauseMs = 4000
/** Pauses last this many times as long as a scan, which therefore takes a quarter of the time at most. */
const pauseFactor = 3

let early: { readonly namespace: string; readonly found: Promise<Found | undefined> } | undefined
/** Starts the first scan as soon as the types are known, before the overview is mounted. */
export function askForProblems(namespace: string, areTypesRead: Promise<void>): void {
  void countsOfServer(namespace)
  const found = areTypesRead.then(() => look(namespace)).catch(() => undefined)
  early = { namespace, found }
  void found.then(show)
}

function show(found: Found | undefined): void {
  if (!found) return
  scan.value = found.scan
  // Problems are shown first: rendering the counts of all types takes longer.
  setTimeout(() => setCounts(found.counted))
}

/** Scans repeatedly, until the returned function is called. */
export function followProblems(namespace: string): () => void {
  const ending = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const lookAgain = async () => {
    const begunAt = performance.now()
    const begun = early?.namespace === namespace ? await early.found : undefined
    early = undefined
    if (!begun && !document.hidden) show(await look(namespace, ending.signal))
    if (ending.signal.aborted) return
    timer = setTimeout(lookAgain, Math.max(leastPauseMs, (performance.now() - begunAt) * pauseFactor))
  }
  void lookAgain()
  return () => {
    clearTimeout(timer)
    ending.abort()
    scan.value = undefined
  }
}

interface Found {
  readonly scan: Scan
  readonly counted: ReadonlyMap<string, number>
}
/** Undefined if the server does not respond, or if the scan was ended. */
async function look(namespace: string, ended = new AbortController().signal): Promise<Found | undefined> {
  // Types without objects are skipped: on most servers that is most of them.
  const counted = new Map(await countsOfServer(namespace))
  if (ended.aborted) return undefined
  const queue = listableTypes.value
    .filter(type => isCustom(type) || (typesWithStatus.has(type.resource) && purposeOf(type) !== undefined))
    .filter(type => counted.get(typeKey(type)) !== 0 && mayWith('list', type, namespace) !== false)
    // Built-in types first.
    .sort((left, right) => Number(isCustom(left)) - Number(isCustom(right)))
  const problems: Problem[] = []
  const partly: string[] = []
  const nodesCounted = counted.get('nodes.')
  let nodes: Scan['nodes'] = nodesCounted === 0 ? { all: 0, ready: 0 } : undefined
  const work = async () => {
    for (let next = queue.shift(); next && !ended.aborted; next = queue.shift()) {
      const type = next
      let count = 0
      const take = (items: readonly Anything[]) => {
        count += items.length
        for (const object of items) for (const problem of problemsOf(type, object)) problems.push(problem)
        if (type.kind === 'Node' && type.group === '')
          nodes = { all: (nodes?.all ?? 0) + items.length, ready: (nodes?.ready ?? 0) + items.filter(isReady).length }
      }
      const isWhole = await read(type, type.isNamespaced ? namespace : '', take, ended).catch((failure: unknown) => {
        // A type that cannot be listed, or whose server is unavailable, is skipped: the sidebar shows that.
        if (failure instanceof ApiFailure && failure.code === 0) throw failure
        return undefined
      })
      if (isWhole === false) partly.push(type.resource)
      else if (isWhole) counted.set(typeKey(type), count)
    }
  }
  try {
    await Promise.all(Array.from({ length: requestsAtOnce }, work))
  } catch {
    return undefined
  }
  return ended.aborted ? undefined : { scan: { problems, at: Date.now(), nodes, partly }, counted }
}

const isReady = ({ status }: Anything) =>
  (status?.conditions ?? []).some((each: Anything) => each.type === 'Ready' && each.status === 'True')

/** False if there are more objects than were read. */
async function read(
  type: ResourceType,
  namespace: string,
  take: (items: readonly Anything[]) => void,
  signal: AbortSignal,
): Promise<boolean> {
  let next = ''
  for (let page = 0; page < maxPages; page++) {
    const more = next && `&continue=${encodeURIComponent(next)}`
    const list: Anything = await requestJson(`${collectionPath(type, namespace)}?limit=${pageObjects}${more}`, {
      signal,
      priority: isCustom(type) ? 'low' : 'auto',
    })
    take(list.items ?? [])
    next = list.metadata.continue ?? ''
    if (next === '') return true
  }
  return false
}
