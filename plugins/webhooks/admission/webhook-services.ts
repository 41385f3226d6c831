import { defineStartTask, type GroupResource, type Resolved, services, serviceToken } from 'orch/sdk'
import { ConditionLanguage, conditionLanguage } from 'orch/sdk/expressions'
import { CallMetrics } from '../calling/call-metrics.js'
import { Connections } from '../calling/connections.js'
import { ServiceEndpoints } from '../calling/service-endpoints.js'
import { WebhookCaller } from '../calling/webhook-caller.js'
import { WebhookCredentials } from '../calling/webhook-credentials.js'
import { WebhookSource } from '../matching/webhook-source.js'
import type { WebhookNames } from '../names.js'
import type { WebhookOptions } from '../options.js'
import type { WebhookConfiguration } from '../webhook-configurations/validation.js'
import { Webhooks } from './webhooks.js'

export const mutatingWebhooks = serviceToken<Webhooks>('mutating webhooks')
export const validatingWebhooks = serviceToken<Webhooks>('validating webhooks')

const needs = {
  caches: services.caches,
  reader: services.reader,
  metrics: services.metrics,
  logger: services.logger,
  clock: services.clock,
  configuration: services.admissionConfiguration,
  language: conditionLanguage,
} as const

/** The plugin `policies` sets its compiler. */
export const conditionLanguageService = { token: conditionLanguage, create: () => new ConditionLanguage() }

const preparationDelayMs = 20

/** The webhooks of both kinds, each with its own connections and credentials. */
export const webhookServices = (names: WebhookNames, options: WebhookOptions) => {
  const serviceFor = (phase: 'mutate' | 'validate', controlName: string, resource: string) => ({
    token: phase === 'mutate' ? mutatingWebhooks : validatingWebhooks,
    needs,
    create({ caches, reader, metrics, logger, clock, configuration, language }: Resolved<typeof needs>) {
      const isMutating = phase === 'mutate'
      const collection: GroupResource = { group: names.group, resource }
      const connections = new Connections(new ServiceEndpoints(caches, options.webhookServiceOverride))
      const { settingsKinds } = names
      const credentials = new WebhookCredentials({ controlName, configuration, settingsKinds, clock, logger, metrics })
      const caller = new WebhookCaller(connections, credentials, {
        reviewGroup: names.reviewGroup,
        userAgent: names.userAgent,
        isMutating,
      })
      const source = new WebhookSource(
        caches.of<WebhookConfiguration>(collection),
        ({ webhooks }) => caller.retain(webhooks),
        // Delayed, so that the writer of the configuration does not wait for it.
        () => void clock.after(preparationDelayMs, () => connections.prepare()),
      )
      return new Webhooks({
        source,
        caller,
        metrics: new CallMetrics(metrics, isMutating),
        caches,
        reader,
        logger,
        language,
        configurationGroup: names.group,
        failedOpenAnnotation: names.failedOpenAnnotation[phase],
        start: () => credentials.start(),
        async close() {
          await credentials.stop()
          await connections.close()
        },
      })
    },
  })
  return [
    serviceFor('mutate', 'MutatingAdmissionWebhook', 'mutatingwebhookconfigurations'),
    serviceFor('validate', 'ValidatingAdmissionWebhook', 'validatingwebhookconfigurations'),
  ]
}

const warmUpNeeds = {
  caches: services.caches,
  mutating: mutatingWebhooks,
  validating: validatingWebhooks,
} as const

/** Fills the caches that requests read before the first request arrives, and closes connections at shutdown. */
export const warmUp = defineStartTask({
  name: 'webhooks',
  needs: warmUpNeeds,
  async run({ caches, mutating, validating }) {
    const lookedUp = ['namespaces', 'services', 'endpoints'].map(resource => caches.of({ group: '', resource }))
    await Promise.all([mutating, validating, ...lookedUp].map(each => each.ready()))
    return async () => {
      await Promise.all([mutating.close(), validating.close()])
    }
  },
})
