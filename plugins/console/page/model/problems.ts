import type { Anything, ApiObject } from './api.js'
import { quantity } from './quantity.js'
import type { ResourceType } from './resource-type.js'

/** The problems of an object, from its status. */

export interface Problem {
  readonly severity: 'bad' | 'warn'
  readonly type: ResourceType
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly reason: string
  readonly message: string
  /** In ms since the epoch; 0 if unknown. */
  readonly since: number
}
type Finding = Pick<Problem, 'severity' | 'reason' | 'message'> & { readonly since?: string | undefined }

/** Conditions that are healthy when they are true … */
const wanted = new Set([
  ...['Ready', 'Available', 'Established', 'NamesAccepted', 'Healthy', 'Synced', 'Progressing', 'Accepted'],
  ...['Programmed', 'ResolvedRefs', 'ScalingActive', 'AbleToScale', 'PodScheduled', 'Succeeded', 'Complete'],
])
/** … and those that are healthy when they are not. */
const unwanted =
  /(?:^|[a-z])(?:Failed|Failure|Degraded|Pressure|Unavailable|Stalled|Error|Denied|NonStructuralSchema)$|^NonStructuralSchema$/

/** Is the condition healthy? Unknown conditions are healthy if they are true. */
export function conditionTone(type: string, status: string): 'good' | 'warn' | 'bad' | '' {
  if (status === 'Unknown') return 'warn'
  if (unwanted.test(type)) return status === 'True' ? 'bad' : 'good'
  return status === 'True' ? 'good' : wanted.has(type) ? 'bad' : ''
}

function ofCondition(condition: Anything): Finding | undefined {
  const { type, status, reason, message, lastTransitionTime } = condition
  const isBad = unwanted.test(type)
    ? status === 'True'
    : wanted.has(type) && (status === 'False' || (type === 'Ready' && status === 'Unknown'))
  if (!isBad) return undefined
  return {
    severity: unwanted.test(type) || status === 'Unknown' ? 'bad' : type === 'PodScheduled' ? 'warn' : 'bad',
    reason: reason || (unwanted.test(type) ? type : `not ${type}`),
    message: message || `${type} is ${status}`,
    since: lastTransitionTime,
  }
}

/** Reasons of a container that is starting. */
const beginning = new Set(['ContainerCreating', 'PodInitializing'])
/** A Pod without a node for this long counts as pending. */
const patienceMs = 15_000

function ofPod(pod: Anything): Finding[] {
  const { phase, reason, message, conditions = [] } = pod.status ?? {}
  if (phase === 'Succeeded') return []
  if (phase === 'Failed') return [{ severity: 'bad', reason: reason || 'Failed', message: message || exitOf(pod) }]
  const containers: Anything[] = [
    ...(pod.status?.initContainerStatuses ?? []),
    ...(pod.status?.containerStatuses ?? []),
  ]
  const waiting = containers.find(({ state }) => state?.waiting && !beginning.has(state.waiting.reason))
  if (waiting) {
    const { reason: why = 'Waiting', message: words = '' } = waiting.state.waiting
    return [
      { severity: 'bad', reason: why, message: words || `container ${waiting.name} is waiting`, since: undefined },
    ]
  }
  const found = (conditions as Anything[]).map(ofCondition).filter(each => each !== undefined)
  const unscheduled = (conditions as Anything[]).find(
    ({ type, status }) => type === 'PodScheduled' && status === 'False',
  )
  if (unscheduled) return found.filter(({ reason: why }) => why === (unscheduled.reason || 'not PodScheduled'))
  const age = Date.now() - Date.parse(pod.metadata.creationTimestamp)
  if (phase === 'Pending')
    return age > patienceMs
      ? [{ severity: 'warn', reason: 'Pending', message: 'It has no node yet, or its containers have not started.' }]
      : []
  return age > patienceMs ? found.slice(0, 1) : []
}
function exitOf(pod: Anything): string {
  const ended = (pod.status?.containerStatuses ?? []).find((each: Anything) => each.state?.terminated?.exitCode)
  return ended ? `container ${ended.name} ended with code ${ended.state.terminated.exitCode}` : 'The Pod has failed.'
}

const fullShare = 0.9
function ofQuota({ status }: Anything): Finding[] {
  return Object.entries((status?.hard ?? {}) as Record<string, string>).flatMap(([what, hard]) => {
    const [used, most] = [quantity(status.used?.[what] ?? '0'), quantity(hard)]
    if (!(most > 0) || used / most < fullShare) return []
    const isFull = used >= most
    return [
      {
        severity: isFull ? ('bad' as const) : ('warn' as const),
        reason: isFull ? 'Quota is used up' : 'Quota is nearly full',
        message: `${what}: ${status.used?.[what]} of ${hard}`,
      },
    ]
  })
}

/** For types that count ready replicas instead of having conditions. */
function ofReplicas({ spec, status }: Anything, kind: string): Finding[] {
  const [want, have] =
    kind === 'DaemonSet'
      ? [status?.desiredNumberScheduled ?? 0, status?.numberReady ?? 0]
      : [spec?.replicas ?? 1, status?.readyReplicas ?? 0]
  if (have >= want) return []
  return [{ severity: 'warn', reason: 'Not all replicas are ready', message: `${have} of ${want} are ready` }]
}

const stuckMs = 5 * 60_000
function ofDeletion({ metadata }: ApiObject): Finding[] {
  const since = metadata.deletionTimestamp
  if (since === undefined || Date.now() - Date.parse(since) < stuckMs) return []
  const left = metadata.finalizers?.join(', ')
  return [{ severity: 'warn', reason: 'Stuck in Terminating', message: left ? `finalizers: ${left}` : '', since }]
}

function findingsOf(type: ResourceType, object: ApiObject): Finding[] {
  const { kind, group } = type
  const conditions: Anything[] = Array.isArray(object['status']?.conditions) ? object['status'].conditions : []
  const ofConditions = () => conditions.map(ofCondition).filter(each => each !== undefined)
  if (kind === 'Pod' && group === '') return ofPod(object)
  if (kind === 'ResourceQuota' && group === '') return ofQuota(object)
  if (kind === 'PersistentVolumeClaim' || kind === 'PersistentVolume') {
    const phase = object['status']?.phase
    if (phase === 'Lost' || phase === 'Failed')
      return [{ severity: 'bad', reason: phase, message: object['status'].message ?? '' }]
    const age = Date.now() - Date.parse(object.metadata.creationTimestamp)
    return kind === 'PersistentVolumeClaim' && phase === 'Pending' && age > patienceMs
      ? [{ severity: 'warn', reason: 'Pending', message: 'No volume is bound to this claim.' }]
      : []
  }
  if (kind === 'StatefulSet' || kind === 'DaemonSet')
    return [...ofConditions(), ...ofReplicas(object, kind)].slice(0, 1)
  return ofConditions()
}

export function problemsOf(type: ResourceType, object: ApiObject): Problem[] {
  const { namespace = '', name, uid } = object.metadata
  return [...findingsOf(type, object), ...ofDeletion(object)].map(({ severity, reason, message, since }) => ({
    severity,
    type,
    namespace,
    name,
    uid,
    reason: String(reason),
    message: String(message),
    since: Date.parse(since ?? object.metadata.creationTimestamp) || 0,
  }))
}

export interface ProblemGroup {
  readonly key: string
  readonly severity: Problem['severity']
  readonly type: ResourceType
  readonly reason: string
  readonly problems: readonly Problem[]
}
/** Groups problems by type and reason. The most severe come first. */
export function grouped(problems: readonly Problem[]): ProblemGroup[] {
  const groups = new Map<string, Problem[]>()
  for (const problem of problems) {
    const key = `${problem.type.kind}.${problem.type.group} ${problem.reason}`
    const group = groups.get(key)
    if (group) group.push(problem)
    else groups.set(key, [problem])
  }
  return [...groups]
    .map(([key, all]) => ({
      key,
      severity: all.some(({ severity }) => severity === 'bad') ? ('bad' as const) : ('warn' as const),
      type: all[0]!.type,
      reason: all[0]!.reason,
      problems: all.sort((left, right) => right.since - left.since),
    }))
    .sort(
      (left, right) =>
        Number(left.severity === 'warn') - Number(right.severity === 'warn') ||
        right.problems.length - left.problems.length,
    )
}
