import type { ContainerStateTerminated, ContainerStatus, Pod } from 'orch/sdk/core'

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
  const inits = status?.initContainerStatuses ?? []
  const place = inits.findIndex(({ state }) => state?.terminated?.exitCode !== 0)
  const blocking = inits[place]
  // Nobody looks behind the one that keeps the others waiting.
  const begun = blocking ? inits.slice(0, place + 1) : inits
  const isDeleted = pod.metadata?.deletionTimestamp != null
  const reason = blocking ? initReason(pod, blocking, place) : mainReason(pod, phase)
  return {
    reason: !isDeleted ? reason : status?.reason === 'NodeLost' ? 'Unknown' : 'Terminating',
    ready: blocking ? 0 : containers.filter(({ ready, state }) => ready && state?.running).length,
    restarts: restartsOf(blocking ? begun : containers),
    lastRestart: lastEnd(blocking ? begun : [...begun, ...containers]),
  }
}
