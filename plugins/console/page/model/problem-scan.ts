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

/** Current problems in all objects that the user may see. */

export interface Scan {
  readonly problems: readonly Problem[]
  readonly at: number
  /** Nodes, which have a place of their own. */
  readonly nodes: { readonly all: number; readonly ready: number } | undefined
  /** Types of which only the first objects were read. */
  readonly partly: readonly string[]
}
export const scan = signal<Scan | undefined>(undefined)

/** Types whose status tells how they are. Of other types of the server it does not, and custom types are all looked at. */
const telling = new Set([
  ...['pods', 'nodes', 'namespaces', 'persistentvolumeclaims', 'persistentvolumes', 'resourcequotas'],
  ...['deployments', 'statefulsets', 'daemonsets', 'jobs', 'replicationcontrollers', 'horizontalpodautoscalers'],
  ...['certificatesigningrequests', 'customresourcedefinitions', 'apiservices', 'flowschemas', 'plugins'],
])
/** Most types are read in one answer. */
const pageObjects = 1000
const maxPages = 2
const requestsAtOnce = 8
const leastPauseMs = 4000
/** The maximum share of time spent on scanning. */
const pauseFactor = 3

let early: { readonly namespace: string; readonly found: Promise<Found | undefined> } | undefined
/** Looks through everything as soon as the types are known, while the page is still being put together. */
export function askForProblems(namespace: string, areTypesRead: Promise<void>): void {
  void countsOfServer(namespace)
  const found = areTypesRead.then(() => look(namespace)).catch(() => undefined)
  early = { namespace, found }
  void found.then(show)
}

function show(found: Found | undefined): void {
  if (!found) return
  scan.value = found.scan
  // Somebody waits for what fails. Counts stand beside every type, so that drawing them takes longer.
  setTimeout(() => setCounts(found.counted))
}

/** Looks through everything again and again, until the returned function is called. */
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
/** Undefined if the server does not answer, or if nobody wants to know any more. */
async function look(namespace: string, ended = new AbortController().signal): Promise<Found | undefined> {
  // Most of many types have no objects: those need not be asked.
  const counted = new Map(await countsOfServer(namespace))
  if (ended.aborted) return undefined
  const queue = listableTypes.value
    .filter(type => isCustom(type) || (telling.has(type.resource) && purposeOf(type) !== undefined))
    .filter(type => counted.get(typeKey(type)) !== 0 && mayWith('list', type, namespace) !== false)
    // Those of the server are most often what somebody wants to know of first.
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
        // What is not permitted, or whose server is away, is missing in other places too.
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
