import type { ContainerStateTerminated, ContainerStatus, Pod } from 'orch/sdk'

/** The state of a Pod in the few words of a table. */
export interface PodSummary {
  readonly reason: string
  readonly ready: number
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

/** What keeps the Pod initializing, if anything does. */
function initReason({ spec, status }: Pod): string | undefined {
  for (const [i, { state }] of (status?.initContainerStatuses ?? []).entries()) {
    if (state?.terminated?.exitCode === 0) continue
    if (state?.terminated) return `Init:${ending(state.terminated)}`
    const waiting = state?.waiting?.reason ?? ''
    if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`
    return `Init:${i}/${(spec.initContainers ?? []).length}`
  }
  return undefined
}

function mainReason(pod: Pod, otherwise: string): string {
  let reason = otherwise
  let isRunning = false
  // The first container has the last word.
  for (const { state, ready } of [...(pod.status?.containerStatuses ?? [])].reverse()) {
    if (state?.waiting?.reason) reason = state.waiting.reason
    else if (state?.terminated) reason = ending(state.terminated)
    else if (ready && state?.running) isRunning = true
  }
  if (reason !== 'Completed' || !isRunning) return reason
  const isReady = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
  return isReady ? 'Running' : 'NotReady'
}

/** Sums up the containers of a Pod. */
export function podSummary(pod: Pod): PodSummary {
  const { status } = pod
  const containers = status?.containerStatuses ?? []
  const phase = status?.reason || status?.phase || ''
  const init = initReason(pod)
  const counted = init === undefined ? containers : (status?.initContainerStatuses ?? [])
  const isDeleted = pod.metadata?.deletionTimestamp != null
  const reason = init ?? mainReason(pod, phase)
  return {
    reason: !isDeleted ? reason : status?.reason === 'NodeLost' ? 'Unknown' : 'Terminating',
    ready: init === undefined ? containers.filter(({ ready, state }) => ready && state?.running).length : 0,
    restarts: restartsOf(counted),
    lastRestart: lastEnd(counted),
  }
}
