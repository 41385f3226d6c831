import { batch, computed, signal } from '@preact/signals'
import { requestJson } from './api.js'
import { discover, typesOf } from './discovery.js'
import type { ResourceType } from './resource-type.js'
import { coreGroup, view } from './route.js'
import { settings } from './session.js'
import { follow } from './watch.js'

export const types = signal<readonly ResourceType[]>([])
/** Of every group, in the version that it prefers; and types that only other versions have, too. */
export const areTypesKnown = signal(false)
export const areAllVersionsKnown = signal(false)
/** Groups whose server does not answer. */
export const missingGroups = signal<readonly string[]>([])

/** Those that can be looked at. */
export const listableTypes = computed(() => types.value.filter(({ verbs }) => verbs.includes('list')))

/** As it stands in addresses of views, where the group without a name has one. */
export const groupPart = (group: string): string => group || coreGroup
export const typeView = ({ group, version, resource }: Pick<ResourceType, 'group' | 'version' | 'resource'>): string =>
  `/r/${groupPart(group)}/${version}/${resource}`

/** The namespace that tables begin with, from the last one that was chosen. */
export const chosenNamespace = signal('')
/** The table of a type, in that namespace. */
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
/** Reads the types before there is anything to show them. */
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
  // What is known stays until all of the new state is known.
  if (!areTypesKnown.value) show(await preferred())
  const { types: found, missing } = await all()
  take(reading, found, missing)
}

function take(reading: number, found: readonly ResourceType[], missing: readonly string[]): void {
  // A later look has answered already.
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
  // Views are drawn again only for something new.
  if (JSON.stringify(found) !== JSON.stringify(types.value)) types.value = found
  areTypesKnown.value = true
}

/** The types of the version that the address names, so that its view need not wait for all others. */
async function readWanted(): Promise<void> {
  if (!('resource' in view.value)) return
  const { group, version } = view.value
  const found = await typesOf(group, version, 'high').catch(() => [])
  if (!areTypesKnown.value) types.value = found
}

const pollMs = 15_000
const retryMs = 2000
/** A definition is established some moments after it changed. */
const settleDelaysMs = [0, 150, 600, 2000]

/** Reads the types, and again whenever definitions change. Whoever may not watch those asks now and then. */
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
      // Whatever happened while nobody listened.
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
