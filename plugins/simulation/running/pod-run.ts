import type { ApiObject } from 'orch/sdk'
import { timestampOf } from 'orch/sdk'
import { isPodFinished, soonest } from 'orch/sdk/controllers'
import { type ContainerStatus, type Pod, type PodCondition, type PodStatus, qualityOfService } from 'orch/sdk/core'
import type { Behavior } from './behavior.js'
import { byName } from './container-facts.js'
import { type ContainerWorld, isRestarted, stepContainer, terminated, waitingContainer } from './container-run.js'
import { behaviorOf, msOf } from './find-behavior.js'

/** The node and the clock of a Pod. */
export interface PodWorld extends Pick<ContainerWorld, 'now' | 'exactly' | 'note'> {
  readonly hostIP: string
  /** An address of its own, taken when the first container starts. */
  takeAddress(): string
}

/** The status of a Pod, and when it will change by itself. */
export interface PodStep {
  readonly status: PodStatus
  readonly wakeAt?: number
}

/** How the container ended; undefined if it has not. */

const endOf = ({ state }: ContainerStatus) => state?.terminated

/** The status that a node agent would report for the Pod. */
export function stepPod(pod: ApiObject & Pod, behavior: Behavior, world: PodWorld): PodStep {
  const { spec, status: before = {}, metadata } = pod
  const { now } = world
  if (before.startTime === undefined) world.note('start')
  const startTime = before.startTime ?? timestampOf(now)
  const since = world.exactly('start', startTime)
  const { activeDeadlineSeconds } = spec
  const deadline = activeDeadlineSeconds === undefined ? undefined : since + activeDeadlineSeconds * 1000
  if (deadline !== undefined && deadline <= now) return { status: exceededDeadline(pod, now) }

  const startAt = since + msOf(behavior.startAfter)
  const containerWorld: ContainerWorld = {
    ...world,
    podUid: metadata.uid ?? '',
    podName: `${metadata.name}_${metadata.namespace}(${metadata.uid})`,
    restartPolicy: spec.restartPolicy ?? 'Always',
    backoffMs: msOf(behavior.restartBackoff ?? '10s'),
  }
  const hasStarted = startAt <= now
  const inits = hasStarted ? runInits(pod, behavior, containerWorld) : { statuses: pendingInits(pod), isDone: false }
  const main = runMain(pod, behavior, containerWorld, hasStarted && inits.isDone)
  const sidecars = sidecarsOf(pod)
  const hasFailedInit = inits.statuses.some(
    status =>
      !sidecars.has(status.name) &&
      endOf(status) &&
      endOf(status)?.exitCode !== 0 &&
      containerWorld.restartPolicy === 'Never',
  )
  const phase = hasFailedInit ? 'Failed' : phaseOf(main.statuses, containerWorld.restartPolicy)
  const isOver = isPodFinished({ status: { phase } })
  // Sidecars end with the last main container.
  const initStatuses = isOver ? inits.statuses.map(one => endedSidecar(one, sidecars, now)) : inits.statuses
  const counted = [...initStatuses.filter(({ name }) => sidecars.has(name)), ...main.statuses]
  const podIP = before.podIP ?? (hasStarted ? (spec.hostNetwork ? world.hostIP : world.takeAddress()) : undefined)
  const status: PodStatus = {
    phase,
    conditions: conditionsOf(pod, inits.isDone, counted, phase, now),
    hostIP: world.hostIP,
    ...(podIP === undefined ? {} : { podIP, podIPs: [{ ip: podIP }] }),
    startTime,
    ...(initStatuses.length > 0 ? { initContainerStatuses: initStatuses } : {}),
    containerStatuses: main.statuses,
    qosClass: before.qosClass ?? qualityOfService(spec),
  }
  if (isOver) return { status }
  const wakeAt = soonest([deadline, hasStarted ? undefined : startAt, inits.wakeAt, main.wakeAt])
  return wakeAt === undefined ? { status } : { status, wakeAt }
}

interface Run {
  readonly statuses: ContainerStatus[]
  readonly wakeAt?: number
}

const pendingInits = ({ spec }: Pod) =>
  (spec.initContainers ?? []).map(container => waitingContainer(container, 'PodInitializing'))

/** Names of the init containers that keep running beside the main containers. */
const sidecarsOf = ({ spec }: Pod): ReadonlySet<string> =>
  new Set((spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name))

const endedSidecar = (status: ContainerStatus, sidecars: ReadonlySet<string>, now: number): ContainerStatus =>
  sidecars.has(status.name) && status.state?.running
    ? terminated(status, now, { exitCode: 0, reason: 'Completed' })
    : status

/** Init containers run one after the other; each must succeed. A sidecar must have started, and is restarted whenever it ends. */
function runInits(pod: Pod, behavior: Behavior, world: ContainerWorld): Run & { readonly isDone: boolean } {
  const restartPolicy = world.restartPolicy === 'Always' ? 'OnFailure' : world.restartPolicy
  const sidecars = sidecarsOf(pod)
  const statuses: ContainerStatus[] = []
  const wakes: (number | undefined)[] = []
  const soon = () => {
    const wakeAt = soonest(wakes)
    return wakeAt === undefined ? {} : { wakeAt }
  }
  const known = byName(pod.status?.initContainerStatuses)
  for (const container of pod.spec.initContainers ?? []) {
    const before = known.get(container.name)
    const isSidecar = sidecars.has(container.name)
    const own = isSidecar ? (behavior.containers?.[container.name] ?? {}) : behaviorOf(behavior, container.name, true)
    const policy = isSidecar ? 'Always' : restartPolicy
    const { status, wakeAt } = stepContainer(container, before, own, { ...world, restartPolicy: policy })
    wakes.push(wakeAt)
    statuses.push(endOf(status)?.exitCode === 0 && !isSidecar ? { ...status, ready: true } : status)
    if (isSidecar ? status.containerID : endOf(status)?.exitCode === 0) continue
    const later = (pod.spec.initContainers ?? []).slice(statuses.length)
    const waiting = later.map(one => waitingContainer(one, 'PodInitializing'))
    return { statuses: [...statuses, ...waiting], isDone: false, ...soon() }
  }
  return { statuses, isDone: true, ...soon() }
}

function runMain(pod: Pod, behavior: Behavior, world: ContainerWorld, mayStart: boolean): Run {
  const known = byName(pod.status?.containerStatuses)
  const steps = pod.spec.containers.map(container => {
    const before = known.get(container.name)
    const reason = pod.spec.initContainers?.length ? 'PodInitializing' : 'ContainerCreating'
    if (!mayStart) return { status: waitingContainer(container, reason), wakeAt: undefined }
    return stepContainer(container, before, behaviorOf(behavior, container.name, false), world)
  })
  const wakeAt = soonest(steps.map(step => step.wakeAt))
  return { statuses: steps.map(({ status }) => status), ...(wakeAt === undefined ? {} : { wakeAt }) }
}

function phaseOf(statuses: readonly ContainerStatus[], restartPolicy: string): string {
  if (statuses.some(({ containerID }) => !containerID)) return 'Pending'
  const ends = statuses.map(endOf)
  const areAllOver = ends.every(end => end && !isRestarted(end.exitCode, restartPolicy))
  if (!areAllOver) return 'Running'
  return ends.every(end => end?.exitCode === 0) ? 'Succeeded' : 'Failed'
}

function conditionsOf(
  { spec, status }: Pod,
  isInitialized: boolean,
  statuses: readonly ContainerStatus[],
  phase: string,
  now: number,
): PodCondition[] {
  const unready = statuses.filter(({ ready }) => !ready).map(({ name }) => name)
  const gates = (spec.readinessGates ?? []).map(({ conditionType }) => conditionType)
  const open = new Set((status?.conditions ?? []).flatMap(({ type, status: said }) => (said === 'True' ? type : [])))
  const closed = gates.filter(gate => !open.has(gate))
  const why = phase === 'Succeeded' ? { reason: 'PodCompleted' } : undefined
  const notReady = why ?? {
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.join(' ')}]`,
  }
  const notOpen = {
    reason: 'ReadinessGatesNotReady',
    message: `corresponding condition of pod readiness gate "${closed[0]}" does not exist.`,
  }
  const uninitialized = { reason: 'ContainersNotInitialized', message: 'containers with incomplete status' }
  const condition = (type: string, holds: boolean, otherwise: Partial<PodCondition>): PodCondition => {
    const said = holds ? 'True' : 'False'
    const known = status?.conditions?.find(one => one.type === type)
    const since = known?.status === said ? known.lastTransitionTime : undefined
    return {
      type,
      status: said,
      lastTransitionTime: since ?? timestampOf(now),
      ...(holds ? (type === 'Initialized' && why ? why : {}) : otherwise),
    }
  }
  const areReady = unready.length === 0
  return [
    condition('Initialized', isInitialized, uninitialized),
    condition('Ready', areReady && closed.length === 0, areReady ? notOpen : notReady),
    condition('ContainersReady', areReady, notReady),
    condition('PodScheduled', true, {}),
  ]
}

function exceededDeadline(pod: Pod, now: number): PodStatus {
  return {
    ...stopped(pod, now),
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  }
}

/** The status of a Pod whose containers were terminated. */
export function stopped(pod: Pod, now: number): PodStatus {
  const { status = {}, spec } = pod
  const end = { exitCode: 143, reason: 'Error' }
  const ended = (status.containerStatuses ?? []).map(one => (one.state?.running ? terminated(one, now, end) : one))
  const hasSucceeded = ended.length > 0 && ended.every(one => endOf(one)?.exitCode === 0)
  const phase = hasSucceeded ? 'Succeeded' : 'Failed'
  return {
    ...status,
    phase,
    containerStatuses: ended,
    conditions: conditionsOf({ spec, status }, true, ended, phase, now),
  }
}
