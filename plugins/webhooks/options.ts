import { type Static, Type } from 'orch/sdk'

export const WebhookOptions = Type.Object({
  webhookServiceOverride: Type.Record(Type.String(), Type.String(), {
    default: {},
    description:
      'Where a Service of a webhook really is, as namespace/name=host:port or namespace/name:port=host:port; for webhooks that run outside the cluster. Its certificate is still checked for the name of the Service.',
  }),
})
export type WebhookOptions = Static<typeof WebhookOptions>
