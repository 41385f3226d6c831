import {
  type Clock,
  httpTransport,
  type Logger,
  parseDuration,
  type ServiceDefinition,
  type StartTask,
  services,
} from 'orch/sdk'
import type { AuthorizationNames } from '../names.js'
import type { AuthorizationOptions } from '../options.js'
import { AuthorizationWebhook, authorizationWebhook } from './authorization-webhook.js'
import { readClientConfig } from './client-config.js'

const needs = { clock: services.clock, logger: services.logger }

/** The webhook of the options, ready to be asked. */
export const webhookService = (
  options: AuthorizationOptions,
  names: AuthorizationNames,
): ServiceDefinition<AuthorizationWebhook, typeof needs> => ({
  token: authorizationWebhook,
  needs,
  create: given => connectWebhook(options, names, given),
})

export function connectWebhook(
  options: AuthorizationOptions,
  names: AuthorizationNames,
  { clock, logger }: { clock: Clock; logger: Logger },
): AuthorizationWebhook {
  const config = readClientConfig(options.authorizationWebhookConfigFile ?? '', clock)
  return new AuthorizationWebhook({
    // The server of the file is the whole address: its path, if it has one, is not a prefix of another.
    path: new URL(config.server).pathname === '/' ? '/' : '',
    transport: httpTransport(config),
    group: names.reviewGroup,
    version: options.authorizationWebhookVersion,
    allowedTtlMs: parseDuration(options.authorizationWebhookCacheAuthorizedTtl),
    refusedTtlMs: parseDuration(options.authorizationWebhookCacheUnauthorizedTtl),
    clock,
    logger,
  })
}

const needsWebhook = { webhook: authorizationWebhook }

/** Asking for the service reads the config file, so that a wrong one stops the boot instead of the first request. */
export const checkWebhookConfig: StartTask<typeof needsWebhook> = {
  name: 'authorization webhook',
  needs: needsWebhook,
  run:
    ({ webhook }) =>
    () =>
      webhook.close(),
}

/** A Webhook mode without a webhook is a mistake in the options. */
export function checkWebhookOptions(options: AuthorizationOptions): void {
  const isListed = options.authorizationMode.includes('Webhook')
  if (isListed && options.authorizationWebhookConfigFile === undefined)
    throw new Error('--authorization-mode=Webhook needs --authorization-webhook-config-file')
  if (!isListed && options.authorizationWebhookConfigFile !== undefined)
    throw new Error('--authorization-webhook-config-file needs Webhook in --authorization-mode')
}
