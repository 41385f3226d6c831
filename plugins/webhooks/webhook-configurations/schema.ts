import {
  Bytes,
  field,
  Int32,
  inlined,
  Kind,
  kept,
  LabelSelector,
  ListOf,
  needed,
  type Static,
  Struct,
  Text,
  type TSchema,
} from 'orch/sdk'

/** The fields in which the versions differ. */
interface Particular<Effects extends TSchema, Versions extends TSchema> {
  readonly failurePolicy: string
  readonly matchPolicy: string
  readonly timeoutSeconds: number
  readonly sideEffects: Effects
  readonly admissionReviewVersions: Versions
}

/** The schemas of a version. */
function schemasOf<Effects extends TSchema, Versions extends TSchema>(
  version: string,
  particular: Particular<Effects, Versions>,
) {
  const named = (name: string) => `admissionregistration.${version}.${name}`
  const ServiceReference = Struct(named('ServiceReference'), {
    namespace: needed(1, Text()),
    name: needed(2, Text()),
    path: kept(3, Text()),
    port: kept(4, Int32(), { default: 443 }),
  })
  const WebhookClientConfig = Struct(named('WebhookClientConfig'), {
    url: kept(3, Text()),
    service: kept(1, ServiceReference),
    caBundle: field(2, Bytes()),
  })
  const Rule = Struct(named('Rule'), {
    apiGroups: field(1, ListOf(Text())),
    apiVersions: field(2, ListOf(Text())),
    resources: field(3, ListOf(Text())),
    scope: kept(4, Text(), { default: '*' }),
  })
  const RuleWithOperations = Struct(named('RuleWithOperations'), {
    operations: field(1, ListOf(Text())),
    ...inlined(2, Rule),
  })
  /** The number of the object selector is the only one that the two kinds of webhook do not share. */
  const webhookFields = (objectSelectorNumber: number) => ({
    name: needed(1, Text()),
    clientConfig: needed(2, WebhookClientConfig),
    rules: field(3, ListOf(RuleWithOperations)),
    failurePolicy: kept(4, Text(), { default: particular.failurePolicy }),
    matchPolicy: kept(9, Text(), { default: particular.matchPolicy }),
    namespaceSelector: kept(5, LabelSelector, { default: {} }),
    objectSelector: kept(objectSelectorNumber, LabelSelector, { default: {} }),
    sideEffects: particular.sideEffects,
    timeoutSeconds: kept(7, Int32(), { default: particular.timeoutSeconds }),
    admissionReviewVersions: particular.admissionReviewVersions,
  })
  const MutatingWebhook = Struct(named('MutatingWebhook'), {
    ...webhookFields(11),
    reinvocationPolicy: kept(10, Text(), { default: 'Never' }),
  })
  const ValidatingWebhook = Struct(named('ValidatingWebhook'), webhookFields(10))
  const merging = { patchStrategy: 'merge', patchMergeKey: 'name' } as const
  return {
    ServiceReference,
    WebhookClientConfig,
    RuleWithOperations,
    MutatingWebhook,
    ValidatingWebhook,
    MutatingWebhookConfiguration: Kind(named('MutatingWebhookConfiguration'), {
      webhooks: field(2, ListOf(MutatingWebhook, merging)),
    }),
    ValidatingWebhookConfiguration: Kind(named('ValidatingWebhookConfiguration'), {
      webhooks: field(2, ListOf(ValidatingWebhook, merging)),
    }),
  }
}

export const v1 = schemasOf('v1', {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  timeoutSeconds: 10,
  sideEffects: needed(6, Text(), { nullable: true }),
  admissionReviewVersions: needed(8, ListOf(Text())),
})
export const v1beta1 = schemasOf('v1beta1', {
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  timeoutSeconds: 30,
  sideEffects: kept(6, Text(), { default: 'Unknown' }),
  admissionReviewVersions: field(8, ListOf(Text()), { default: ['v1beta1'] }),
})

export type ServiceReference = Static<typeof v1.ServiceReference>
export type WebhookClientConfig = Static<typeof v1.WebhookClientConfig>
export type RuleWithOperations = Static<typeof v1.RuleWithOperations>
export type MutatingWebhook = Static<typeof v1.MutatingWebhook>
export type ValidatingWebhook = Static<typeof v1.ValidatingWebhook>
