import { defineResource } from 'orch/sdk'
import type { WebhookNames } from '../names.js'
import { columns } from './columns.js'
import * as stable from './schema-v1.js'
import * as beta from './schema-v1beta1.js'
import { mainStrategy } from './strategy.js'

/** What the two kinds share. Both versions have the same fields; they differ in defaults and in what they insist on. */
const configurations = <
  K extends string,
  V1 extends typeof stable.MutatingWebhookConfiguration | typeof stable.ValidatingWebhookConfiguration,
>(
  { group, servesWithdrawnVersions }: WebhookNames,
  kind: K,
  schema: V1,
  betaSchema: typeof beta.MutatingWebhookConfiguration | typeof beta.ValidatingWebhookConfiguration,
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
    stable.MutatingWebhookConfiguration,
    beta.MutatingWebhookConfiguration,
  )

export const validatingWebhookConfigurations = (names: WebhookNames) =>
  configurations(
    names,
    'ValidatingWebhookConfiguration',
    stable.ValidatingWebhookConfiguration,
    beta.ValidatingWebhookConfiguration,
  )
