import { isDeepStrictEqual } from 'node:util'
import { addAll, type FieldError, forbiddenField, invalidValue, type Vendor } from 'orch/sdk'
import {
  type Container,
  compareAmountTexts,
  type Pod,
  type PodSpec,
  qualityOfService,
  type ResourceRequirements,
} from 'orch/sdk/core'
import {
  initResize,
  memoryLimitsOnlyGrow,
  podResourcesAreCheckedFirst,
  podResourcesCanBeResized,
} from './differences.js'
import { refuseMirrorPod } from './mirror-pods.js'
import { validatePod } from './validation.js'

/** A resize changes cpu and memory, nothing else, and not so much that the Pod gets another QoS class. */
export function validateResize(sent: Pod, stored: Pod, vendor: Vendor): FieldError[] {
  const { level } = vendor
  const ofPod = hasOwnResources(stored.spec) || hasOwnResources(sent.spec)
  const isBlocked = ofPod && !level.has(podResourcesCanBeResized)
  const notResizable = forbiddenField('[]', 'pods with pod-level resources cannot be resized')
  if (isBlocked && level.has(podResourcesAreCheckedFirst)) return [notResizable]
  const mirror = refuseMirrorPod(stored, vendor, 'static pods cannot be resized')
  if (mirror.length > 0) return mirror
  if (stored.spec.os?.name === 'windows') return [forbiddenField('[]', 'windows pods cannot be resized')]
  const errors = [...validatePod(sent, vendor, stored), ...checkServiceClass(sent, stored), ...checkNode(stored)]
  if (isBlocked) return [...errors, notResizable]
  if (ofPod) addAll(errors, checkPodResources(sent, stored))
  const order = checkOrder(sent, stored)
  if (order.length > 0) return [...errors, ...order]
  const inits = pairsOf(sent, stored, 'initContainers')
  const resizable = inits.filter(({ before }) => before.restartPolicy === 'Always' || level.has(initResize))
  const mains = pairsOf(sent, stored, 'containers')
  for (const pair of [...resizable, ...mains]) {
    addAll(errors, checkRemoved(pair.after, pair.before, `${pair.at}.resources`))
    if (level.has(memoryLimitsOnlyGrow)) addAll(errors, checkMemoryLimit(pair))
  }
  for (const { after, before } of mains)
    if (isChanged(after, before, resizableResources))
      errors.push(forbiddenField('spec', 'only cpu and memory resources are mutable'))
  for (const pair of inits) addAll(errors, level.has(initResize) ? checkInit(pair) : checkSidecar(pair))
  return errors
}

const hasOwnResources = ({ resources }: PodSpec): boolean =>
  Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0

const resizableResources = ['cpu', 'memory']

const checkServiceClass = (sent: Pod, { spec, status }: Pod): FieldError[] =>
  qualityOfService(sent.spec) === (status?.qosClass ?? qualityOfService(spec))
    ? []
    : [invalidValue('spec', sent.status?.qosClass, 'Pod QOS Class may not change as a result of resizing')]

/** Nodes that can resize report the resources of running containers. */
function checkNode({ status }: Pod): FieldError[] {
  const running = (status?.containerStatuses ?? []).find(({ state }) => state?.running)
  return running === undefined || running.resources !== undefined
    ? []
    : [forbiddenField('spec', 'Pod running on node without support for resize')]
}

function checkPodResources({ spec: sent }: Pod, { spec: stored }: Pod): FieldError[] {
  if (stored.resources && !sent.resources)
    return [forbiddenField('spec.resources', 'pod-level resources cannot be removed')]
  return [
    ...checkRemoved(sent, stored, 'spec.resources'),
    ...(isDeepStrictEqual(
      withoutResources(sent.resources, resizableResources),
      withoutResources(stored.resources, resizableResources),
    )
      ? []
      : [forbiddenField('spec', 'only cpu and memory resources are mutable at pod-level')]),
  ]
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

/** A container before and after; the order of containers has been checked. */
interface Pair {
  readonly at: string
  readonly before: Container
  readonly after: Container
}
const pairsOf = (sent: Pod, stored: Pod, list: 'containers' | 'initContainers'): Pair[] =>
  (stored.spec[list] ?? []).map((before, i) => ({
    at: `spec.${list}[${i}]`,
    before,
    after: sent.spec[list]?.[i] ?? before,
  }))

type Resizable = Pick<Container, 'resources'>
function checkRemoved(sent: Resizable, stored: Resizable, field: string): FieldError[] {
  return (['requests', 'limits'] as const).flatMap(kind => {
    const after = sent.resources?.[kind] ?? {}
    return Object.keys(stored.resources?.[kind] ?? {}).every(name => Object.hasOwn(after, name))
      ? []
      : [forbiddenField(`${field}.${kind}`, `resource ${kind} cannot be removed`)]
  })
}

function checkMemoryLimit({ at, before, after }: Pair): FieldError[] {
  const [limit, former] = [after, before].map(({ resources }) => resources?.limits?.['memory'])
  const policy = (after.resizePolicy ?? []).find(({ resourceName }) => resourceName === 'memory')?.restartPolicy
  const hasGrown = former !== undefined && limit !== undefined && compareAmountTexts(limit, former) >= 0
  return limit === undefined || hasGrown || policy === 'RestartContainer'
    ? []
    : [
        forbiddenField(
          `${at}.resources.limits[memory]`,
          'may be set or lowered only with resizePolicy RestartContainer',
        ),
      ]
}

function checkInit({ at, before, after }: Pair): FieldError[] {
  const errors: FieldError[] = []
  if (isChanged(after, before, resizableResources))
    errors.push(forbiddenField(at, 'only cpu and memory resources for init or sidecar containers are mutable'))
  if (before.restartPolicy === 'Always' || !isChanged(after, before)) return errors
  const restarts = (after.resizePolicy ?? []).filter(({ restartPolicy }) => restartPolicy === 'RestartContainer')
  return [
    ...errors,
    ...restarts.map(() =>
      forbiddenField(at, 'a resize policy of RestartContainer forbids to resize an init container that is no sidecar'),
    ),
  ]
}

/** Where only sidecars among the init containers can be resized. */
function checkSidecar({ before, after }: Pair): FieldError[] {
  if (before.restartPolicy !== 'Always')
    return isChanged(after, before)
      ? [forbiddenField('spec', 'resources for non-sidecar init containers are immutable')]
      : []
  return isChanged(after, before, resizableResources)
    ? [forbiddenField('spec', 'only cpu and memory resources for sidecar containers are mutable')]
    : []
}

/** Whether a container differs, apart from these resources. */
function isChanged(after: Container, before: Container, ignored: readonly string[] = []): boolean {
  // JSON, because undefined fields equal absent ones.
  const comparable = (container: Container): unknown =>
    JSON.parse(JSON.stringify({ ...container, resources: withoutResources(container.resources, ignored) }))
  return !isDeepStrictEqual(comparable(after), comparable(before))
}

function withoutResources(resources: Partial<ResourceRequirements> = {}, ignored: readonly string[]): unknown {
  const without = (list: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(list).filter(([name]) => !ignored.includes(name)))
  return { ...resources, limits: without(resources.limits), requests: without(resources.requests) }
}
