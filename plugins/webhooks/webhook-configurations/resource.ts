import { defineResource } from 'orch/sdk'
import type { WebhookNames } from '../names.js'
import { columns } from './columns.js'
import { v1, v1beta1 } from './schema.js'
import { mainStrategy } from './strategy.js'

/** What the two kinds share. Both versions have the same fields; they differ in defaults and in what they insist on. */
const configurations = <
  K extends string,
  V1 extends typeof v1.MutatingWebhookConfiguration | typeof v1.ValidatingWebhookConfiguration,
>(
  { group, servesWithdrawnVersions }: WebhookNames,
  kind: K,
  schema: V1,
  betaSchema: typeof v1beta1.MutatingWebhookConfiguration | typeof v1beta1.ValidatingWebhookConfiguration,
) =>
  defineResource({
    group,
    kind,
    resource: `${kind.toLowerCase()}s`,
    categories: ['api-extensions'],
    namespaced: false,
    versions: [
      { name: 'v1', schema, storage: true },
      {
        name: 'v1beta1',
        schema: betaSchema,
        ...(servesWithdrawnVersions ? {} : { served: false }),
        deprecated: {
          warning: `${group}/v1beta1 ${kind} is deprecated in v1.16+, unavailable in v1.22+; use ${group}/v1 ${kind}`,
          removedRelease: '1.22',
          replacement: `${group}/v1 ${kind}`,
        },
      },
    ],
    strategy: mainStrategy,
    columns,
  })

export const mutatingWebhookConfigurations = (names: WebhookNames) =>
  configurations(
    names,
    'MutatingWebhookConfiguration',
    v1.MutatingWebhookConfiguration,
    v1beta1.MutatingWebhookConfiguration,
  )

export const validatingWebhookConfigurations = (names: WebhookNames) =>
  configurations(
    names,
    'ValidatingWebhookConfiguration',
    v1.ValidatingWebhookConfiguration,
    v1beta1.ValidatingWebhookConfiguration,
  )
