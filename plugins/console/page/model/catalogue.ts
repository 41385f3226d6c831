import { batch, computed, signal } from '@preact/signals'
import { requestJson } from './api.js'
import { discover, typesOf } from './discovery.js'
import type { ResourceType } from './resource-type.js'
import { coreGroup, view } from './route.js'
import { settings } from './session.js'
import { follow } from './watch.js'

export const types = signal<readonly ResourceType[]>([])
/** Have the types in the preferred version of every group been read? */
export const areTypesKnown = signal(false)
/** Have the types that exist only in other versions been read, too? */
export const areAllVersionsKnown = signal(false)
/** API groups whose server does not respond. */
export const missingGroups = signal<readonly string[]>([])

/** Types that have a table. */
export const listableTypes = computed(() => types.value.filter(({ verbs }) => verbs.includes('list')))

/** The group in the address of a view; the core group, whose name is empty, has one there. */
export const groupPart = (group: string): string => group || coreGroup
export const typeView = ({ group, version, resource }: Pick<ResourceType, 'group' | 'version' | 'resource'>): string =>
  `/r/${groupPart(group)}/${version}/${resource}`

/** The namespace chosen last, which tables start with. */
export const chosenNamespace = signal('')
/** The link to the table of a type, in the chosen namespace. */
export const typeLink = (type: ResourceType): string =>
  `#${typeView(type)}${type.isNamespaced && chosenNamespace.value ? `?ns=${encodeURIComponent(chosenNamespace.value)}` : ''}`

export const findType = (group: string, resource: string): ResourceType | undefined =>
  types.value.find(type => type.group === group && type.resource === resource)
export function findKind(apiVersion: string, kind: string): ResourceType | undefined {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return types.value.find(type => type.group === group && type.kind === kind)
}

export const apiVersionOf = ({ group, version }: Pick<ResourceType, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`

let early: Promise<void> | undefined
/** Starts reading the types before the views that show them are mounted. */
export function askForTypes(): Promise<void> {
  early = readTypes()
  early.catch(() => {})
  return early
}

let lastReading = 0
let lastAnswered = 0
/** Every type once, in the version that its group prefers. */
async function readTypes(): Promise<void> {
  const reading = ++lastReading
  const { isComplete, preferred, all } = await discover()
  if (isComplete) {
    const { types: found, missing } = await all()
    return take(reading, found, missing)
  }
  if (!areTypesKnown.value) void readWanted()
  // The previous types stay until all new ones have been read.
  if (!areTypesKnown.value) show(await preferred())
  const { types: found, missing } = await all()
  take(reading, found, missing)
}

function take(reading: number, found: readonly ResourceType[], missing: readonly string[]): void {
  // A reading that began later has finished already.
  if (reading < lastAnswered) return
  lastAnswered = reading
  batch(() => {
    show(found)
    missingGroups.value = missing
    areAllVersionsKnown.value = true
  })
}

function show(all: readonly ResourceType[]): void {
  const seen = new Map<string, ResourceType>()
  for (const type of all) {
    const key = `${type.resource}.${type.group}`
    if (!seen.has(key)) seen.set(key, type)
  }
  const found = [...seen.values()]
  // Avoids rendering all views again when nothing has changed.
  if (JSON.stringify(found) !== JSON.stringify(types.value)) types.value = found
  areTypesKnown.value = true
}

/** Reads the types of the version in the address, so that its view need not wait for all others. */
async function readWanted(): Promise<void> {
  if (!('resource' in view.value)) return
  const { group, version } = view.value
  const found = await typesOf(group, version, 'high').catch(() => [])
  if (!areTypesKnown.value) types.value = found
}

const pollMs = 15_000
const retryMs = 2000
/** A definition is established some time after it was changed. */
const settleDelaysMs = [0, 150, 600, 2000]

/** Reads the types again whenever definitions change; polls if the user may not watch those. */
export function followTypes(): () => void {
  let timers: ReturnType<typeof setTimeout>[] = []
  const read = () => {
    const reading = early ?? readTypes()
    early = undefined
    void reading.catch(() => {
      timers.push(setTimeout(read, retryMs))
    })
  }
  const readSoon = () => {
    for (const timer of timers) clearTimeout(timer)
    timers = settleDelaysMs.map(delay => setTimeout(read, delay))
  }
  read()
  const path = `/apis/${settings.value.groups.customTypes}/v1/customresourcedefinitions`
  const accept = `application/json;as=PartialObjectMetadataList;g=${settings.value.metaGroup};v=v1`
  let isReconnecting = false
  let poll: ReturnType<typeof setInterval> | undefined
  const stop = follow({
    async list(signal) {
      const list = await requestJson(`${path}?limit=1`, { headers: { Accept: accept }, signal })
      return list.metadata.resourceVersion
    },
    watchPath: `${path}?`,
    accept: accept.replace('MetadataList', 'Metadata'),
    event: readSoon,
    state(state) {
      if (state === 'failed') poll = setInterval(read, pollMs)
      // Definitions may have changed while there was no watch.
      if (state === 'live' && isReconnecting) read()
      isReconnecting = state === 'reconnecting'
    },
  })
  return () => {
    stop()
    clearInterval(poll)
    for (const timer of timers) clearTimeout(timer)
  }
}
