import { timestampOf } from 'orch/sdk'
import type { Container, ContainerStatus } from 'orch/sdk/core'
import type { ContainerBehavior } from './behavior.js'
import { msOf } from './find-behavior.js'

const longestBackoffMs = 300_000
const shortestBackoffMs = 1000

/** What determines the next state of a container, apart from its own behavior. */
export interface ContainerWorld {
  readonly podUid: string
  readonly podName: string
  readonly restartPolicy: string
  readonly backoffMs: number
  readonly now: number
  /** The exact time of a timestamp with a resolution of one second, if it is remembered. */
  exactly(what: string, timestamp: string | undefined): number
  /** Records the current time. */
  note(what: string): void
}

/** The state of a container, and when it will change by itself. */
export interface ContainerStep {
  readonly status: ContainerStatus
  readonly wakeAt?: number
}

/** A container that does not run yet. */
export const waitingContainer = ({ name, image }: Container, reason: string, message?: string): ContainerStatus => ({
  name,
  state: { waiting: { reason, ...(message ? { message } : {}) } },
  lastState: {},
  ready: false,
  restartCount: 0,
  image: image ?? '',
  imageID: '',
  started: false,
})

/** The current state of the container: started, ready, ended, waiting for its next restart. */
export function stepContainer(
  container: Container,
  before: ContainerStatus | undefined,
  behavior: ContainerBehavior,
  world: ContainerWorld,
): ContainerStep {
  if (behavior.waiting && !before?.containerID)
    return { status: waitingContainer(container, behavior.waiting.reason, behavior.waiting.message) }
  let status = before?.containerID ? before : startContainer(container, before, world)
  // Each iteration handles one transition; overdue ones are handled at once.
  for (let turn = 0; turn < 3; turn++) {
    const step = status.state?.running
      ? stepRunning(status, behavior, world)
      : stepEnded(container, status, behavior, world)
    if (step.status === status || step.wakeAt !== undefined) return step
    status = step.status
  }
  return { status, wakeAt: world.now }
}

function startContainer(
  { name, image = '' }: Container,
  before: ContainerStatus | undefined,
  world: ContainerWorld,
): ContainerStatus {
  const restartCount = before?.containerID ? before.restartCount + 1 : 0
  const terminated = before?.state?.terminated ?? before?.lastState?.terminated
  world.note(`${name}/${restartCount}`)
  return {
    name,
    state: { running: { startedAt: timestampOf(world.now) } },
    lastState: terminated ? { terminated } : {},
    ready: false,
    restartCount,
    image,
    imageID: `simulated://${image}`,
    containerID: `simulated://${world.podUid}/${name}/${restartCount}`,
    started: true,
  }
}

function stepRunning(status: ContainerStatus, behavior: ContainerBehavior, world: ContainerWorld): ContainerStep {
  const startedAt = status.state?.running?.startedAt
  const since = world.exactly(`${status.name}/${status.restartCount}`, startedAt)
  const ends = behavior.runFor !== undefined && status.restartCount < (behavior.restarts ?? Number.POSITIVE_INFINITY)
  const endAt = ends ? since + msOf(behavior.runFor) : Number.POSITIVE_INFINITY
  if (endAt <= world.now) return { status: endContainer(status, behavior, world) }
  const readyAt = behavior.ready === false ? Number.POSITIVE_INFINITY : since + msOf(behavior.readyAfter)
  const ready = readyAt <= world.now
  const wakeAt = Math.min(endAt, ready ? Number.POSITIVE_INFINITY : readyAt)
  return {
    status: status.ready === ready ? status : { ...status, ready },
    ...(Number.isFinite(wakeAt) ? { wakeAt } : {}),
  }
}

function endContainer(status: ContainerStatus, behavior: ContainerBehavior, world: ContainerWorld): ContainerStatus {
  const { exitCode = 0, message } = behavior
  world.note(`${status.name}/${status.restartCount}/end`)
  return terminated(status, world.now, {
    exitCode,
    reason: behavior.reason ?? (exitCode === 0 ? 'Completed' : 'Error'),
    ...(message ? { message } : {}),
  })
}

/** The container after its end. */
export function terminated(
  status: ContainerStatus,
  now: number,
  end: { readonly exitCode: number; readonly reason: string; readonly message?: string },
): ContainerStatus {
  const { containerID } = status
  const startedAt = status.state?.running?.startedAt
  return {
    ...status,
    ready: false,
    started: false,
    state: {
      terminated: {
        ...end,
        ...(startedAt ? { startedAt } : {}),
        finishedAt: timestampOf(now),
        ...(containerID ? { containerID } : {}),
      },
    },
  }
}

/** Whether a container that ended with this code is started again. */
export const isRestarted = (exitCode: number, restartPolicy: string): boolean =>
  restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0)

/** The container has ended, or waits for its next start. */
function stepEnded(
  container: Container,
  status: ContainerStatus,
  _behavior: ContainerBehavior,
  world: ContainerWorld,
): ContainerStep {
  const end = status.state?.terminated ?? status.lastState?.terminated
  if (!end || !isRestarted(end.exitCode, world.restartPolicy)) return { status }
  const { name, restartCount } = status
  const first = Math.max(world.backoffMs, shortestBackoffMs)
  const backoffMs = restartCount === 0 ? 0 : Math.min(first * 2 ** (restartCount - 1), longestBackoffMs)
  const wakeAt = world.exactly(`${name}/${restartCount}/end`, end.finishedAt) + backoffMs
  if (wakeAt <= world.now) return { status: startContainer(container, status, world) }
  if (status.state?.waiting) return { status, wakeAt }
  const message = `back-off ${backoffMs / 1000}s restarting failed container=${name} pod=${world.podName}`
  return {
    status: {
      ...status,
      state: { waiting: { reason: 'CrashLoopBackOff', message } },
      lastState: { terminated: end },
    },
    wakeAt,
  }
}
