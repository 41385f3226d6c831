import { readFileSync } from 'node:fs'
import {
  defineService,
  defineStartTask,
  type Needs,
  type ServiceDefinition,
  type StartTask,
  services,
  serviceToken,
  type Vendor,
} from 'orch/sdk'
import { expressions } from 'orch/sdk/expressions'
import { type AuthorizerDefinition, defineAuthorizer } from 'orch/sdk/identity'
import { authorizerOf } from '../modes/authorizers.js'
import type { AuthorizationNames } from '../names.js'
import { type AuthorizationMode, type AuthorizationOptions, usualModes } from '../options.js'
import { readAuthorizationConfiguration } from './authorization-configuration.js'
import { ConfiguredAuthorizers } from './configured-authorizers.js'

/** One authorizer and its dependencies. */
interface Link {
  // biome-ignore lint/suspicious/noExplicitAny: authorizers with different needs stand in one list
  readonly authorizer: AuthorizerDefinition<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly service?: ServiceDefinition<any, any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly start?: StartTask<any>
}

/** The authorizers in the order they are consulted: one for each mode, or a single one for all that the file names. */
export function chainOf(options: AuthorizationOptions, vendor: Vendor, names: AuthorizationNames): readonly Link[] {
  const { authorizationConfig: path } = options
  if (path === undefined) return options.authorizationMode.map(mode => ({ authorizer: authorizerOf(mode) }))
  return [configuredChain(path, vendor, names)]
}

/**
 * The authorizers of the file. It is read when the plugin registers, because its modes determine which services are
 * needed; they stay the same while the server runs.
 */
function configuredChain(path: string, vendor: Vendor, names: AuthorizationNames): Link {
  const parse = (text: string) => readAuthorizationConfiguration(text, names.configurationKinds)
  let entries: ReturnType<typeof parse>
  try {
    entries = parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`--authorization-config ${path}: ${(error as Error).message}`, { cause: error })
  }
  const modes = entries.flatMap(({ type }) => (type === 'Webhook' ? [] : [type]))
  // A webhook may get conditions while the server runs. Only they need the expression language, and so the plugin that
  // provides it.
  const hasWebhooks = entries.some(({ type }) => type === 'Webhook')
  const token = serviceToken<ConfiguredAuthorizers>('authorization.configured')
  const needs: Needs = {
    ...Object.fromEntries(modes.flatMap(needsOf)),
    ...(hasWebhooks ? { language: expressions } : {}),
  }
  const service = defineService({
    token,
    needs: { clock: services.clock, logger: services.logger, metrics: services.metrics, ...needs },
    create: ({ clock, logger, metrics, ...given }) =>
      new ConfiguredAuthorizers({
        path,
        parse,
        modes: new Map(modes.map(mode => [mode, resolvedAuthorizer(mode, given)])),
        language: (given as Record<string, unknown>)['language'] as never,
        vendor,
        group: names.reviewGroup,
        clock,
        logger,
        metrics,
      }),
  })
  return {
    authorizer: defineAuthorizer({
      mode: 'authorization configuration',
      standsFor: entries.map(({ type }) => type),
      knowsLoopRoles: modes.some(mode => authorizerOf(mode).knowsLoopRoles),
      needs: { configured: token },
      authorize: (access, { configured }) => configured.authorize(access),
      rulesFor: (user, namespace, { configured }) => configured.rulesFor(user, namespace),
    }),
    service,
    start: defineStartTask({
      name: 'authorization configuration',
      needs: { configured: token },
      async run({ configured }) {
        await configured.start()
        return () => configured.stop()
      },
    }),
  }
}

/** The needs of a mode, under names that are unique across modes. */
const needsOf = (mode: AuthorizationMode) =>
  Object.entries(authorizerOf(mode).needs ?? {}).map(([name, token]) => [`${mode}.${name}`, token] as const)

function resolvedAuthorizer(mode: AuthorizationMode, given: Readonly<Record<string, unknown>>) {
  const definition = authorizerOf(mode)
  const own = Object.keys(definition.needs ?? {}).map(name => [name, given[`${mode}.${name}`]] as const)
  const resolved = Object.fromEntries(own)
  return {
    authorize: (access: Parameters<typeof definition.authorize>[0]) => definition.authorize(access, resolved),
    rulesFor: (...[user, namespace]: [Parameters<NonNullable<typeof definition.rulesFor>>[0], string]) =>
      definition.rulesFor?.(user, namespace, resolved),
  }
}

/** The file replaces the other flags. */
export function checkConfigurationOptions(options: AuthorizationOptions): void {
  if (options.authorizationConfig === undefined) return
  const isUsual = options.authorizationMode.join() === usualModes.join()
  if (!isUsual || options.authorizationWebhookConfigFile !== undefined)
    throw new Error('--authorization-config cannot be combined with --authorization-mode or the flags of the webhook')
}
