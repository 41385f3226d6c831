import { type Static, Type } from 'orch/sdk'

export const WebhookOptions = Type.Object({
  webhookServiceOverride: Type.Record(Type.String(), Type.String(), {
    default: {},
    description:
      'Actual address of the Service of a webhook, as namespace/name=host:port or namespace/name:port=host:port; for webhooks outside the cluster. The certificate is still verified against the name of the Service.',
  }),
})
export type WebhookOptions = Static<typeof WebhookOptions>
