import type { ServedLevel } from 'orch/sdk'
import { isPodFinished } from 'orch/sdk/controllers'
import type { ContainerStateTerminated, ContainerStatus, Pod } from 'orch/sdk/core'
import { endedPodsInTables, sidecarsInTables } from './differences.js'

/** The state of a Pod for a table row. */
export interface PodSummary {
  readonly reason: string
  readonly ready: number
  readonly total: number
  readonly restarts: number
  /** When a container last ended, RFC 3339. */
  readonly lastRestart: string | undefined
}

const ending = ({ signal = 0, exitCode, reason = '' }: ContainerStateTerminated) =>
  reason !== '' ? reason : signal !== 0 ? `Signal:${signal}` : `ExitCode:${exitCode}`

const restartsOf = (statuses: readonly ContainerStatus[]) =>
  statuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0)
const lastEnd = (statuses: readonly ContainerStatus[]) =>
  statuses
    .flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? [])
    .sort()
    .at(-1)

/** Why the Pod is still initializing. */
function initReason({ spec }: Pod, blocking: ContainerStatus, place: number): string {
  const { terminated, waiting } = blocking.state ?? {}
  if (terminated) return `Init:${ending(terminated)}`
  const reason = waiting?.reason ?? ''
  if (reason !== '' && reason !== 'PodInitializing') return `Init:${reason}`
  return `Init:${place}/${(spec.initContainers ?? []).length}`
}

function mainReason(pod: Pod, otherwise: string): string {
  let reason = otherwise
  let isRunning = false
  // The first container takes precedence.
  for (const { state, ready } of [...(pod.status?.containerStatuses ?? [])].reverse()) {
    if (state?.waiting?.reason) reason = state.waiting.reason
    else if (state?.terminated) reason = ending(state.terminated)
    else if (ready && state?.running) isRunning = true
  }
  if (reason !== 'Completed' || !isRunning) return reason
  return holds(pod, 'Ready') ? 'Running' : 'NotReady'
}

/** Summarizes the containers of a Pod. Started sidecars count as containers. */
export function podSummary(pod: Pod, level: ServedLevel): PodSummary {
  const { spec, status } = pod
  const containers = status?.containerStatuses ?? []
  const inits = status?.initContainerStatuses ?? []
  const sidecars = new Set(
    (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  )
  const isPassed = ({ name, state, started }: ContainerStatus) =>
    state?.terminated?.exitCode === 0 || (sidecars.has(name) && started === true)
  const place = inits.findIndex(each => !isPassed(each))
  const blocking = inits[place]
  // Init containers after the blocking one have not started.
  const begun = blocking ? inits.slice(0, place + 1) : inits
  const passedSidecars = (blocking ? inits.slice(0, place) : inits).filter(
    ({ name, state }) => sidecars.has(name) && state?.terminated?.exitCode !== 0,
  )
  const usesConditions = level.has(sidecarsInTables)
  const isInitialized = !blocking || (usesConditions && holds(pod, 'Initialized'))
  const restarted = usesConditions ? begun.filter(({ name }) => sidecars.has(name)) : []
  const before = blocking ? initReason(pod, blocking, place) : phaseOf(pod)
  return {
    reason: deletedReason(pod, level) ?? (isInitialized ? mainReason(pod, before) : before),
    ready:
      passedSidecars.filter(({ ready }) => ready).length +
      (isInitialized ? containers.filter(isReadyAndRunning).length : 0),
    total: (spec.containers ?? []).length + sidecars.size,
    restarts: restartsOf(isInitialized ? [...restarted, ...containers] : begun),
    lastRestart: lastEnd(isInitialized ? [...(usesConditions ? restarted : begun), ...containers] : begun),
  }
}

const isReadyAndRunning = ({ ready, state }: ContainerStatus) =>
  ready && state?.running && !state.waiting?.reason && !state.terminated
const holds = ({ status }: Pod, wanted: string) =>
  status?.conditions?.some(({ type, status: is }) => type === wanted && is === 'True') ?? false

function phaseOf({ status }: Pod): string {
  const isGated = status?.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  )
  return isGated ? 'SchedulingGated' : status?.reason || status?.phase || ''
}

/** The state of a Pod that is being deleted, regardless of its containers. */
function deletedReason({ metadata, status }: Pod, level: ServedLevel): string | undefined {
  if (metadata?.deletionTimestamp == null) return undefined
  if (status?.reason === 'NodeLost') return 'Unknown'
  return isPodFinished({ status }) && level.has(endedPodsInTables) ? undefined : 'Terminating'
}
