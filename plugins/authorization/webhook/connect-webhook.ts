import {
  type Clock,
  defineService,
  defineStartTask,
  type Logger,
  type Metrics,
  parseDuration,
  services,
  type Vendor,
} from 'orch/sdk'
import { ReviewWebhook } from 'orch/sdk/client'
import type { AuthorizationNames } from '../names.js'
import type { AuthorizationOptions } from '../options.js'
import { AuthorizationWebhook, authorizationWebhook } from './authorization-webhook.js'

const needs = { clock: services.clock, logger: services.logger, metrics: services.metrics }

/** The webhook of the options. */
export const webhookService = (options: AuthorizationOptions, vendor: Vendor, names: AuthorizationNames) =>
  defineService({
    token: authorizationWebhook,
    needs,
    create: given => connectWebhook(options, vendor, names, given),
  })

export const connectWebhook = (
  options: AuthorizationOptions,
  vendor: Vendor,
  names: AuthorizationNames,
  { clock, logger, metrics }: { clock: Clock; logger: Logger; metrics?: Metrics },
): AuthorizationWebhook =>
  new AuthorizationWebhook({
    server: new ReviewWebhook({ path: options.authorizationWebhookConfigFile ?? '', vendor, clock, logger, metrics }),
    group: names.reviewGroup,
    version: options.authorizationWebhookVersion,
    allowedTtlMs: parseDuration(options.authorizationWebhookCacheAuthorizedTtl),
    refusedTtlMs: parseDuration(options.authorizationWebhookCacheUnauthorizedTtl),
    clock,
    logger,
  })

/** A wrong config file stops the boot instead of failing every request. */
export const checkWebhookConfig = defineStartTask({
  name: 'authorization webhook',
  needs: { webhook: authorizationWebhook },
  async run({ webhook }) {
    await webhook.connect()
    return () => webhook.close()
  },
})

/** A Webhook mode without a webhook is a mistake in the options. */
export function checkWebhookOptions(options: AuthorizationOptions): void {
  const isListed = options.authorizationMode.includes('Webhook')
  if (isListed && options.authorizationWebhookConfigFile === undefined)
    throw new Error('--authorization-mode=Webhook requires --authorization-webhook-config-file')
  if (!isListed && options.authorizationWebhookConfigFile !== undefined)
    throw new Error('--authorization-webhook-config-file requires Webhook in --authorization-mode')
}
