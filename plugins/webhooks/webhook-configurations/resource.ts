import { ageColumn, type Column, defineResource, nameColumn, type ObjectMeta, type Strategy } from 'orch/sdk'
import type { WebhookNames } from '../names.js'
import { reviewConditions } from './review-conditions.js'
import { v1, v1beta1 } from './schema.js'
import { warnOfStaticName } from './static-names.js'
import { validateConfiguration, validateConfigurationUpdate, type WebhookConfiguration } from './validation.js'

/** A configuration of either kind; their webhooks differ in one optional field. */
type AnyConfiguration = WebhookConfiguration & { metadata?: ObjectMeta }

const mainStrategy = {
  validate: (configuration, { requestVersion, vendor }) =>
    validateConfiguration(configuration, requestVersion, vendor.level),
  validateUpdate: (configuration, stored, { requestVersion, vendor }) =>
    validateConfigurationUpdate(configuration, stored, requestVersion, vendor.level),
  warnings: ({ metadata }, _, { vendor }) => warnOfStaticName(metadata, vendor),
  unconditionalUpdate: false,
  metadataChecks: { change: 0, object: 1 },
} satisfies Strategy<AnyConfiguration>

const columns: readonly Column<WebhookConfiguration>[] = [
  nameColumn as Column<WebhookConfiguration>,
  {
    name: 'Webhooks',
    type: 'integer',
    description: 'Number of webhooks in this configuration.',
    cell: ({ webhooks = [] }) => webhooks.length,
  },
  ageColumn as Column<WebhookConfiguration>,
]

/** The definition of both kinds. Both versions have the same fields; they differ in defaults and validation. */
const configurations = <
  K extends string,
  V1 extends typeof v1.MutatingWebhookConfiguration | typeof v1.ValidatingWebhookConfiguration,
>(
  names: WebhookNames,
  kind: K,
  schema: V1,
  betaSchema: typeof v1beta1.MutatingWebhookConfiguration | typeof v1beta1.ValidatingWebhookConfiguration,
) =>
  defineResource({
    group: names.group,
    kind,
    resource: `${kind.toLowerCase()}s`,
    categories: ['api-extensions'],
    namespaced: false,
    plainFinalizers: true,
    versions: [
      { name: 'v1', schema, storage: true },
      {
        name: 'v1beta1',
        until: '1.21',
        schema: betaSchema,
        deprecated: {
          since: '1.16',
          removedRelease: '1.22',
          replacement: `${names.group}/v1`,
        },
      },
    ],
    generation: ['webhooks'],
    strategy: mainStrategy,
    permission: reviewConditions,
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
