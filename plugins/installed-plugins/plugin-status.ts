import { hostname } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { type Condition, timestampOf } from 'orch/sdk'
import type { HostedPlugin } from 'orch/sdk/proposed'
import type { Installed } from './installed-state.js'
import type { Plugin, PluginStatus, ServerFailure } from './plugins/schema.js'

/** The result of handling an object in this process. */
export interface Outcome {
  readonly running: Installed | undefined
  /** Whether something was loaded or unloaded just now. */
  readonly hasChanged: boolean
  readonly contributes: readonly string[]
  /** The host's view of the plugin. */
  readonly hosted: HostedPlugin | undefined
  /** Why the running plugin is not the specified one. */
  readonly failure: unknown
  /** What is wrong with the running plugin. */
  readonly problems: readonly string[]
}

/** Identifies this process among others. */
const thisProcess = `${hostname()}/${process.pid}`

/**
 * The status of an object that several servers handle, updated with the result of this process; undefined if nothing
 * changes. The servers that loaded the plugin write the common fields, which are the same in all of them. A server
 * whose state differs adds an entry, and removes it when it no longer does. So servers need not coordinate, and
 * a healthy plugin costs one write.
 */
export function statusAfter(object: Plugin, outcome: Outcome, now: number): PluginStatus | undefined {
  const generation = object.metadata?.generation ?? 0
  const current: PluginStatus = object.status ?? {}
  const isFirst = current.observedGeneration !== generation
  const { plugin, version, integrity, contributes, isolation, permissions } = current
  const facts =
    isFirst || (outcome.hasChanged && outcome.failure === undefined)
      ? { ...(permissions === undefined ? {} : { permissions }), ...factsOf(outcome) }
      : {
          ...(plugin === undefined ? {} : { plugin }),
          ...(version === undefined ? {} : { version }),
          ...(integrity === undefined ? {} : { integrity }),
          ...(contributes === undefined ? {} : { contributes }),
          ...(isolation === undefined ? {} : { isolation }),
          ...(permissions === undefined ? {} : { permissions }),
        }
  const isCurrent = ({ name, observedGeneration }: ServerFailure) =>
    name !== thisProcess && observedGeneration === generation && mayBeAlive(name)
  const own = failureHere(outcome, facts.integrity, generation)
  const servers = [...(current.servers ?? []).filter(isCurrent), ...(own ? [own] : [])].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  const notLoaded = servers.find(({ reason }) => reason !== 'Unhealthy')
  const failed = notLoaded ?? servers[0]
  const conditions = [
    facts.plugin !== undefined
      ? (['Loaded', 'True', 'Loaded', `Plugin "${facts.plugin}" is loaded.`] as const)
      : (['Loaded', 'False', reasonNotLoaded(object), 'It is not loaded.'] as const),
    failed
      ? (['Healthy', 'False', failed.reason ?? 'Failed', failed.message] as const)
      : (['Healthy', 'True', 'AsAsked', healthyMessage(outcome)] as const),
  ].map(([type, status, reason, message]) =>
    conditionAfter(current.conditions, { type, status, reason, message, observedGeneration: generation }, now),
  )
  // Results for another package no longer apply.
  const conforming = current.integrity === facts.integrity ? current.conditions?.filter(isConforming) : []
  const status: PluginStatus = {
    observedGeneration: generation,
    ...facts,
    ...(current.checked === undefined ? {} : { checked: current.checked }),
    conditions: [...conditions, ...(conforming ?? [])],
    ...(notLoaded ? { lastError: { message: notLoaded.message, stack: notLoaded.stack ?? '' } } : {}),
    ...(failed ? { servers } : {}),
  }
  return isDeepStrictEqual(status, object.status) ? undefined : status
}

const isConforming = ({ type }: Condition): boolean => type === 'Conforming'

const reasonNotLoaded = ({ spec }: Plugin): string => (spec?.enabled === false ? 'Disabled' : 'NotLoaded')

/** A restarted plugin is healthy, but the restart stays visible in the message. */
const healthyMessage = ({ hosted }: Outcome): string =>
  hosted?.health && hosted.health.restarts > 0 ? hosted.health.message : 'The specified version is loaded.'

type Facts = Pick<PluginStatus, 'plugin' | 'version' | 'integrity' | 'contributes' | 'isolation' | 'permissions'>

function factsOf({ running, contributes, hosted }: Outcome): Facts {
  if (!running) return {}
  const { plugin, version, integrity } = running
  return {
    plugin,
    integrity,
    ...(version === '' ? {} : { version }),
    ...(contributes.length === 0 ? {} : { contributes: [...contributes] }),
    ...(hosted ? { isolation: hosted.isolation, permissions: [...hosted.permissions] } : {}),
  }
}

/** Why the plugin is not loaded in this process, or differs from that of the others. */
function failureHere(
  { running, failure, problems, hosted }: Outcome,
  integrity: string | undefined,
  observedGeneration: number,
): ServerFailure | undefined {
  const entry = { name: thisProcess, observedGeneration }
  if (failure !== undefined) return { ...entry, reason: 'Failed', message: messageOf(failure), stack: stackOf(failure) }
  const health = hosted?.health
  if (health && !health.isHealthy) return { ...entry, reason: 'Failed', message: `${health.reason}: ${health.message}` }
  if (!running || integrity === undefined || running.integrity === integrity) {
    const message = problems.join('; ').slice(0, maxText)
    return message === '' ? undefined : { ...entry, reason: 'Unhealthy', message }
  }
  const message = `the package in the plugin folder of this server differs: ${running.integrity}, not ${integrity}`
  return { ...entry, reason: 'Differs', message }
}

/** The condition; the transition time changes only with its status. */
function conditionAfter(
  before: readonly Condition[] | undefined,
  condition: Omit<Condition, 'lastTransitionTime'>,
  now: number,
): Condition {
  const same = before?.find(({ type, status }) => type === condition.type && status === condition.status)
  return { ...condition, lastTransitionTime: same?.lastTransitionTime ?? timestampOf(now) }
}

/**
 * Entries of processes of this machine that no longer run are dropped; nothing is known here about those of other
 * machines.
 */
function mayBeAlive(name: string): boolean {
  const slash = name.lastIndexOf('/')
  if (name.slice(0, slash) !== hostname()) return true
  try {
    process.kill(Number(name.slice(slash + 1)), 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Boot problems are written for the log and may be long. */
const maxText = 4096
const messageOf = (failure: unknown): string =>
  (failure instanceof Error ? failure.message : String(failure)).slice(0, maxText)

/** Where the author's own code threw, if it did; the host's error only wraps that. */
function stackOf(failure: unknown): string {
  let deepest = failure
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause
  return (deepest instanceof Error ? (deepest.stack ?? '') : '').slice(0, maxText)
}
