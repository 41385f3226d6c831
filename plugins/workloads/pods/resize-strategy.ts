import { isDeepStrictEqual } from 'node:util'
import { addAll, type FieldError, forbiddenField, invalidValue, type Strategy } from 'orch/sdk'
import { type Container, type Pod, podAnnotations, qualityOfService, type ResourceRequirements } from 'orch/sdk/core'
import { initResize } from './differences.js'
import { validatePod } from './validation.js'

const resizable = ['cpu', 'memory']

/** Changes the resources of containers and of the Pod; all other fields of the request are ignored. */
export const resizeStrategy = {
  prepareForUpdate(draft, stored) {
    const { resourceVersion, managedFields } = draft.metadata ?? {}
    const { spec: sent } = draft
    const lists = ['containers', 'initContainers'] as const
    const isSameLength = lists.every(list => (sent[list] ?? []).length === (stored.spec[list] ?? []).length)
    // Validation rejects added, removed and reordered containers.
    if (!isSameLength) return
    draft.spec = {
      ...stored.spec,
      containers: resized(sent.containers ?? [], stored.spec.containers ?? []),
      ...(sent.initContainers
        ? { initContainers: resized(sent.initContainers, stored.spec.initContainers ?? []) }
        : {}),
    }
    if (sent.resources) draft.spec.resources = sent.resources
    else delete draft.spec.resources
    draft.status = stored.status
    draft.metadata = { ...stored.metadata, resourceVersion, managedFields }
  },
  validateUpdate(sent, stored, { vendor }) {
    const annotations = stored.metadata?.annotations ?? {}
    const mayResize = ({ restartPolicy }: Container) => restartPolicy === 'Always' || vendor.level.has(initResize)
    if (annotations[podAnnotations(vendor).mirror] !== undefined)
      return [forbiddenField('[]', 'static pods cannot be resized')]
    if (stored.spec.os?.name === 'windows') return [forbiddenField('[]', 'windows pods cannot be resized')]
    const errors = validatePod(sent, vendor, stored)
    if (qualityOfService(sent.spec) !== (stored.status?.qosClass ?? qualityOfService(stored.spec)))
      errors.push(invalidValue('spec', sent.status?.qosClass, 'Pod QOS Class may not change as a result of resizing'))
    if (!isSupportedByNode(stored))
      errors.push(forbiddenField('spec', 'Pod running on node without support for resize'))
    addAll(errors, checkPodResources(sent, stored))
    const order = checkOrder(sent, stored)
    addAll(errors, order)
    if (order.length > 0) return errors
    for (const list of ['initContainers', 'containers'] as const)
      for (const { i, after, before } of pairsOf(sent, stored, list)) {
        if (list === 'initContainers' && !mayResize(before)) continue
        addAll(errors, checkRemoved(after, before, `spec.${list}[${i}].resources`))
      }
    for (const { after, before } of pairsOf(sent, stored, 'containers'))
      if (!isDeepStrictEqual(comparable(after), comparable(before)))
        errors.push(forbiddenField('spec', 'only cpu and memory resources are mutable'))
    for (const { i, after, before } of pairsOf(sent, stored, 'initContainers')) {
      if (!mayResize(before)) {
        if (!isDeepStrictEqual(plain(after), plain(before)))
          errors.push(forbiddenField('spec', 'resources for non-sidecar init containers are immutable'))
      } else if (!isDeepStrictEqual(comparable(after), comparable(before)))
        errors.push(
          forbiddenField(
            `spec.initContainers[${i}]`,
            'only cpu and memory resources for init or sidecar containers are mutable',
          ),
        )
    }
    return errors
  },
  metadataChecks: { change: 1, object: 1 },
} satisfies Strategy<Pod>

/** The containers before and after; their order has been checked. */
const pairsOf = (sent: Pod, stored: Pod, list: 'containers' | 'initContainers') =>
  (stored.spec[list] ?? []).map((before, i) => ({ i, before, after: sent.spec[list]?.[i] ?? before }))

/** The stored containers with the sent resources; the sent containers if their names differ. */
function resized(sent: readonly Container[], stored: readonly Container[]): Container[] {
  if (sent.some(({ name }, i) => name !== stored[i]?.name)) return [...sent]
  return stored.map((container, i) => {
    const { resources, resizePolicy } = sent[i]!
    const { resizePolicy: _, ...rest } = container
    return { ...rest, ...(resources ? { resources } : {}), ...(resizePolicy ? { resizePolicy } : {}) } as Container
  })
}

/** Nodes that can resize report the resources of running containers. */
function isSupportedByNode({ status }: Pod): boolean {
  const running = (status?.containerStatuses ?? []).find(({ state }) => state?.running)
  return running === undefined || running.resources !== undefined
}

function checkOrder(sent: Pod, stored: Pod): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap(list => {
    const after = sent.spec[list] ?? []
    const before = stored.spec[list] ?? []
    if (after.length !== before.length)
      return [forbiddenField(`spec.${list}`, `${list} may not be added or removed on resize`)]
    return after.flatMap(({ name }, i) =>
      name === before[i]?.name
        ? []
        : [forbiddenField(`spec.${list}[${i}].name`, `${list} may not be renamed or reordered on resize`)],
    )
  })
}

function checkPodResources({ spec: sent }: Pod, { spec: stored }: Pod): FieldError[] {
  if (!stored.resources) return []
  if (!sent.resources) return [forbiddenField('spec.resources', 'pod-level resources cannot be removed')]
  return checkRemoved(sent, stored, 'spec.resources')
}

function checkRemoved(sent: Resizable, stored: Resizable, field: string): FieldError[] {
  return (['requests', 'limits'] as const).flatMap(kind => {
    const after = sent.resources?.[kind] ?? {}
    return Object.keys(stored.resources?.[kind] ?? {}).every(name => Object.hasOwn(after, name))
      ? []
      : [forbiddenField(`${field}.${kind}`, `resource ${kind} cannot be removed`)]
  })
}

type Resizable = Pick<Container, 'resources'>

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** A container without its resizable resources. */
function comparable(container: Container): unknown {
  const without = (list: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(list).filter(([name]) => !resizable.includes(name)))
  const { limits, requests, ...rest } = (container.resources ?? {}) as ResourceRequirements
  return plain({ ...container, resources: { ...rest, limits: without(limits), requests: without(requests) } })
}
