import {
  type AdmissionRequest,
  defineAdmission,
  type GroupResource,
  type Resolved,
  reject,
  type Verdict,
} from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'
import { type PriorityClass, priorityClassCollection } from '../priority-classes/schema.js'
import { systemClasses } from '../priority-classes/system-classes.js'
import { findObject, lookupNeeds } from './find-object.js'

type Lookup = Resolved<typeof lookupNeeds>
/** The priority of a Pod without a class. */
const noClass: PriorityClass = { value: 0, preemptionPolicy: 'PreemptLowerPriority' }

/** Sets the priority of a Pod from its class, and allows one default class only. */
export const priority = (names: NodeNames) => {
  const classes = priorityClassCollection(names)
  return defineAdmission<Pod | PriorityClass>()({
    name: 'Priority',
    after: ['PodNodeSelector'],
    phase: 'both',
    sideEffects: 'none',
    matches: [
      { group: '', resource: 'pods', operations: ['create', 'update'] },
      { ...classes, operations: ['create', 'update', 'delete'] },
    ],
    needs: lookupNeeds,
    review(request, lookup, phase) {
      const isPod = request.resource !== classes.resource
      if (request.operation === 'delete') return protectSystemClass(request.pathName)
      if (phase === 'validate')
        return isPod ? undefined : checkDefault(request as AdmissionRequest<PriorityClass>, classes, lookup)
      if (!isPod) return
      const { object, oldObject, operation } = request as AdmissionRequest<Pod>
      return operation === 'create' ? assignPriority(object, classes, lookup) : keepPriority(object, oldObject)
    },
  })
}

/** System components use these classes; deletecollection is not prevented, and the next start creates them again. */
const protectSystemClass = (name: string): Verdict =>
  systemClasses.some(one => one.name === name)
    ? reject('this is a system priority class and cannot be deleted')
    : undefined

async function assignPriority({ spec }: Pod, classes: GroupResource, lookup: Lookup): Promise<Verdict> {
  const wanted = spec.priorityClassName ?? ''
  const found =
    wanted === '' ? await defaultClass(classes, lookup) : await findObject<PriorityClass>(classes, '', wanted, lookup)
  if (!found) return reject(`no PriorityClass with name ${wanted} was found`)
  const { metadata, value, preemptionPolicy } = found
  const refuse = (what: string, given: unknown, computed: unknown) =>
    reject(
      `${what} (${given}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`,
    )
  if (spec.priority !== undefined && spec.priority !== value)
    return refuse('the integer value of priority', spec.priority, value)
  if (preemptionPolicy !== undefined && (spec.preemptionPolicy ?? preemptionPolicy) !== preemptionPolicy)
    return refuse('the string value of PreemptionPolicy', spec.preemptionPolicy, preemptionPolicy)
  if (metadata?.name !== undefined) spec.priorityClassName = metadata.name
  spec.priority = value
  if (preemptionPolicy !== undefined) spec.preemptionPolicy = preemptionPolicy
}

async function defaultClass(classes: GroupResource, { caches }: Lookup): Promise<PriorityClass> {
  const cache = caches.of<PriorityClass>(classes)
  if (!cache.isReady) await cache.ready()
  cache.addIndex('isDefault', ({ globalDefault = false }) => [String(globalDefault)])
  // If there are several in spite of the check, the lowest is used.
  const [lowest = noClass] = [...cache.indexed('isDefault', 'true')].sort((left, right) => left.value - right.value)
  return lowest
}

/** A client that leaves out assigned fields does not intend to change them. */
function keepPriority({ spec }: Pod, { spec: stored }: Pod): void {
  if (spec.priority === undefined && stored.priority !== undefined) spec.priority = stored.priority
  if (spec.preemptionPolicy === undefined && stored.preemptionPolicy !== undefined)
    spec.preemptionPolicy = stored.preemptionPolicy
}

async function checkDefault(
  { name, object, operation }: AdmissionRequest<PriorityClass>,
  classes: GroupResource,
  { reader }: Lookup,
): Promise<Verdict> {
  if (!object.globalDefault) return
  // From the store, because the cache may not have a default that was just created.
  const stored = await reader.list<PriorityClass>(classes)
  // A new class of the same name counts as a second one, too: the name conflict is detected later.
  const isOther = (one: PriorityClass) => operation === 'create' || one.metadata?.name !== name
  const other = stored.find(one => one.globalDefault && isOther(one))
  if (other)
    return reject(`PriorityClass ${other.metadata?.name} is already marked as default. Only one default can exist`)
}
