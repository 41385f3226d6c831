import type { ControllerDefinition, HealthCheckDefinition, Registrar, StartTask } from 'orch/sdk'
import { services } from 'orch/sdk'
import type { PluginDefinition } from 'orch/sdk/host'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import type { OpenReviews } from './open-reviews.js'
import type { PluginCalls } from './plugin-calls.js'
import type { DescribedAuthenticator, DescribedAuthorizer } from './plugin-messages.js'
import { remoteAuthenticator, remoteAuthorizer } from './remote-access.js'
import { type Ask, remoteAdmission } from './remote-admission.js'
import { remoteType } from './remote-types.js'
import type { ServiceUser } from './service-calls.js'
import { textsIn, UnreadableAnswer } from './unreadable-answer.js'

/** The contributions of a plugin in another process, as ordinary contributions. */
export interface Contributions {
  readonly serviceUser: ServiceUser
  /** The start tasks that have run, by index: a new process runs them again. */
  readonly startedTasks: ReadonlySet<number>
  /** Names of `orch/sdk/proposed` that it uses. */
  readonly proposed: readonly string[]
  registerAt(to: Registrar): void
}

/** The account of a plugin's code outside of control loops. */
const accountOf = (plugin: string): string => `plugin-${plugin}`

/**
 * Reads what the process registered. Registration validates the definitions like those of any plugin; this only checks
 * that the parts exist.
 */
export function contributionsFrom(
  described: unknown,
  { name, permissions }: PluginDefinition,
  ask: Ask,
  calls: PluginCalls,
  reviews: OpenReviews,
): Contributions {
  if (!isObject(described)) throw new UnreadableAnswer('no contributions')
  const admissions = listOf(described, 'admission').map((each, index) =>
    remoteAdmission(withPhase(each), index, ask, reviews),
  )
  const loops = listOf(described, 'controller').map((each, index) => remoteLoop(withName(each), index, ask, calls))
  const types = listOf(described, 'resource').map(each => remoteType(each, ask))
  const authenticators = listOf(described, 'authenticator').map((each, index) =>
    remoteAuthenticator(withKind(each), index, ask),
  )
  const authorizers = listOf(described, 'authorizer').map((each, index) => remoteAuthorizer(withMode(each), index, ask))
  const checks = listOf(described, 'healthCheck').map((each, index) => remoteCheck(withName(each), index, ask))
  const startedTasks = new Set<number>()
  const tasks = listOf(described, 'startTask').map((each, index) =>
    remoteTask(withName(each), index, ask, startedTasks),
  )
  const rules = permissions?.resources ?? []
  calls.account = rules.length === 0 ? '' : accountOf(name)
  return {
    startedTasks,
    proposed: textsIn(described['proposed']),
    serviceUser: {
      account: calls.account,
      permissions: permissions ?? {},
      uses: textsIn(described['uses']),
      controls: admissions.map(control => control.name),
    },
    registerAt(to) {
      to.resource(...types)
      to.admission(...admissions)
      to.controller(...loops)
      to.onStart(...tasks)
      to.authenticator(...authenticators)
      to.authorizer(...authorizers)
      to.healthCheck(...checks)
      // Roles are granted to loops, so the permissions of the plugin's other code belong to a loop that does nothing.
      if (rules.length > 0)
        to.controller({ name: accountOf(name), rules, needs: { client: services.client }, start: () => async () => {} })
    },
  }
}

function listOf(described: JsonObject, kind: string): readonly JsonObject[] {
  const list = described[kind] ?? []
  if (!Array.isArray(list) || !list.every(isObject)) throw new UnreadableAnswer(`no contributions (${kind})`)
  return list
}

const phases = ['mutate', 'validate', 'both'] as const
const effects = ['none', 'noneOnDryRun', 'some'] as const
function withPhase(described: JsonObject) {
  const { phase, sideEffects } = described
  const known = phases.find(each => each === phase)
  const effect = effects.find(each => each === sideEffects)
  if (!known || !effect) throw new UnreadableAnswer('an admission control without a phase or side effects')
  return { ...withName(described), phase: known, sideEffects: effect }
}
const kinds = ['bearer', 'request', 'anonymous'] as const
function withKind(described: JsonObject): DescribedAuthenticator {
  const kind = kinds.find(each => each === described['kind'])
  if (!kind) throw new UnreadableAnswer('an authenticator without a kind')
  const { name } = withName(described)
  return { name, kind, ...(described['audienceAware'] === true ? { audienceAware: true } : {}) }
}
function withMode({ mode, standsFor, knowsLoopRoles, hasRules }: JsonObject): DescribedAuthorizer {
  if (typeof mode !== 'string') throw new UnreadableAnswer('an authorizer without a mode')
  return {
    mode,
    hasRules: hasRules === true,
    ...(standsFor === undefined ? {} : { standsFor: textsIn(standsFor) }),
    ...(knowsLoopRoles === true ? { knowsLoopRoles } : {}),
  }
}
function withName(described: JsonObject) {
  const { name, ...rest } = described
  if (typeof name !== 'string') throw new UnreadableAnswer('a contribution without a name')
  return { ...rest, name }
}

/** A control loop that runs in the plugin process. */
function remoteLoop(
  described: { readonly name: string },
  loop: number,
  ask: Ask,
  calls: PluginCalls,
): ControllerDefinition {
  const definition: Omit<ControllerDefinition, 'start'> = described
  return {
    ...definition,
    // Declares that the loop makes requests, under the same account that it would have in this process.
    needs: { client: services.client },
    async start() {
      calls.started(loop, definition.account ?? definition.name)
      try {
        await ask('startLoop', { loop }, () => undefined)
      } catch (thrown) {
        calls.stopped(loop)
        throw thrown
      }
      return async () => {
        await ask('stopLoop', { loop }, () => undefined).catch(() => {})
        calls.stopped(loop)
      }
    },
  }
}

/** Work at start that is done in the plugin process. */
function remoteTask(described: { readonly name: string }, task: number, ask: Ask, started: Set<number>): StartTask {
  const definition: Omit<StartTask, 'run'> = described
  return {
    ...definition,
    async run() {
      await ask('startTask', { task }, () => undefined)
      started.add(task)
      return async () => {
        started.delete(task)
        await ask('stopTask', { task }, () => undefined).catch(() => {})
      }
    },
  }
}

/** A health check that is made in the plugin process. */
function remoteCheck(described: { readonly name: string }, check: number, ask: Ask): HealthCheckDefinition {
  const definition: Omit<HealthCheckDefinition, 'check'> = described
  return { ...definition, check: () => ask('check', { check }, () => undefined) }
}
