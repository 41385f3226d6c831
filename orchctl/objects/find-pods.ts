import type { ApiObject } from 'orch/sdk'
import { isPodFinished } from 'orch/sdk/controllers'
import { labelSelectorMatcher } from 'orch/sdk/validation'
import type { Call } from '../command.js'
import type { Session } from '../session/session.js'
import { UsageError } from '../usage-error.js'
import { followObject } from './follow-object.js'
import { podSpecOf } from './pod-template.js'
import { kindNamed, readTargets } from './targets.js'

export interface Pod extends ApiObject {
  status?: {
    phase?: string
    conditions?: readonly { readonly type: string; readonly status: string }[]
    containerStatuses?: readonly { readonly name: string; readonly state?: { readonly running?: object } }[]
    ephemeralContainerStatuses?: readonly { readonly name: string; readonly state?: { readonly running?: object } }[]
  }
}

interface Selecting extends ApiObject {
  spec?: { selector?: Record<string, unknown> & { matchLabels?: Record<string, string> } }
}

export const podRunningTimeoutFlag = {
  name: 'pod-running-timeout',
  kind: 'text',
  value: 'TIME',
  description: 'how long to wait until a Pod runs (1m)',
} as const

/** The Pods of the namespace of the session. */
export const podsIn = async (session: Session) =>
  session.collection<Pod>(kindNamed('pods', await session.kinds()), session.namespace)

/** The Pods of `POD` or `TYPE/NAME`: those that a workload or service selects, running ones first. */
export async function podsOfTarget(session: Session, word: string): Promise<Pod[]> {
  const pods = await podsIn(session)
  if (!word.includes('/')) return [await pods.get(word)]
  const [target] = readTargets([word], await session.kinds())
  if (target?.name === undefined) throw new UsageError(`"${word}" is not TYPE/NAME`)
  const owner = await session.collection<Selecting>(target.kind, session.namespace).get(target.name)
  if (target.kind.resource === 'pods' && target.kind.group === '') return [owner]
  const { selector } = owner.spec ?? {}
  if (!selector) throw new UsageError(`${word} selects no Pods`)
  // A workload has a label selector, a Service or ReplicationController only labels.
  const isLabelSelector = 'matchLabels' in selector || 'matchExpressions' in selector
  const labels = (isLabelSelector ? (selector.matchLabels ?? {}) : selector) as Record<string, string>
  const isSelected = isLabelSelector ? labelSelectorMatcher(selector) : () => true
  const labelSelector = Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
  const items = (await pods.list({ labelSelector })).items.filter(({ metadata }) => isSelected(metadata.labels ?? {}))
  if (items.length === 0) throw new Error(`there are no Pods of ${word}`)
  const isRunning = ({ status }: Pod) => Number(status?.phase === 'Running')
  return items.sort((left, right) => isRunning(right) - isRunning(left))
}

/** The first Pod of a target, once it runs. */
export async function runningPod(call: Call, session: Session, word: string): Promise<Pod> {
  const [first] = await podsOfTarget(session, word)
  const { name = '' } = first?.metadata ?? {}
  if (first === undefined) throw new Error(`there are no Pods of ${word}`)
  if (isPodFinished(first)) throw new Error(`pod ${name} has already finished (${first.status?.phase})`)
  return waitForPod(call, session, name, ({ status }) => status?.phase === 'Running')
}

/** Waits until a Pod is ready, at most as long as `--pod-running-timeout`. */
export async function waitForPod(
  call: Call,
  session: Session,
  name: string,
  isReady: (pod: Pod) => boolean,
): Promise<Pod> {
  const { flags, terminal } = call
  const pods = await podsIn(session)
  const timeoutMs = flags.durationMs('pod-running-timeout') ?? 60_000
  let last: Pod | undefined
  const end = await followObject(
    pods,
    name,
    object => {
      last = object as Pod | undefined
      return object !== undefined && isReady(object as Pod)
    },
    { endsAt: Date.now() + timeoutMs, signal: terminal.signal },
  )
  if (end !== 'done' || last === undefined)
    throw new Error(`timed out waiting for pod ${name}; it is ${last?.status?.phase ?? 'not there'}`)
  return last
}

/** The container that `-c` names, that the annotation of the Pod names, or the first. */
export function containerOf({ flags, terminal }: Call, pod: Pod, defaultAnnotation: string): string {
  const { containers = [], initContainers = [] } = podSpecOf(pod) ?? {}
  const ephemeral =
    (pod['spec'] as { ephemeralContainers?: readonly { name: string }[] } | undefined)?.ephemeralContainers ?? []
  const all = [...initContainers, ...containers, ...ephemeral].map(({ name }) => name)
  const wanted = flags.text('container') ?? pod.metadata.annotations?.[defaultAnnotation]
  if (wanted !== undefined) {
    if (all.includes(wanted)) return wanted
    throw new Error(`container ${wanted} is not valid for pod ${pod.metadata.name}; it has ${all.join(', ')}`)
  }
  const [first] = containers
  if (first === undefined) throw new Error(`pod ${pod.metadata.name} has no containers`)
  if (containers.length > 1 && !flags.is('quiet'))
    terminal.log(`Defaulted container "${first.name}" out of: ${containers.map(({ name }) => name).join(', ')}`)
  return first.name
}
