import { readFileSync } from 'node:fs'
import type { AuthorizerDefinition, ServiceDefinition, StartTask, Vendor } from 'orch/sdk'
import { authorizerOf } from '../modes/authorizers.js'
import type { AuthorizationNames } from '../names.js'
import { type AuthorizationOptions, usualModes } from '../options.js'
import { readAuthorizationConfiguration } from './authorization-configuration.js'
import { webhookParts } from './configured-webhook.js'

/** One authorizer, and what it brings along. */
interface Link {
  // biome-ignore lint/suspicious/noExplicitAny: authorizers with different needs stand in one list
  readonly authorizer: AuthorizerDefinition<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly service?: ServiceDefinition<any, any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly start?: StartTask<any>
}

/**
 * The authorizers in the order they are asked: those of the file, or of the modes. The file is read when the plugin registers,
 * for the order of authorizers is what it registers.
 */
export function chainOf(options: AuthorizationOptions, vendor: Vendor, names: AuthorizationNames): readonly Link[] {
  const { authorizationConfig: path } = options
  if (path === undefined) return options.authorizationMode.map(mode => ({ authorizer: authorizerOf(mode) }))
  try {
    return readAuthorizationConfiguration(readFileSync(path, 'utf8'), names.configurationKinds).map(entry =>
      entry.type === 'Webhook' ? webhookParts(entry.webhook, vendor, names) : { authorizer: authorizerOf(entry.type) },
    )
  } catch (error) {
    throw new Error(`--authorization-config ${path}: ${(error as Error).message}`, { cause: error })
  }
}

/** A file says all that the other flags say. */
export function checkConfigurationOptions(options: AuthorizationOptions): void {
  if (options.authorizationConfig === undefined) return
  const isUsual = options.authorizationMode.join() === usualModes.join()
  if (!isUsual || options.authorizationWebhookConfigFile !== undefined)
    throw new Error('--authorization-config cannot be given with --authorization-mode or flags of the webhook')
}
