import {
  Bytes,
  field,
  Int32,
  inlined,
  Kind,
  kept,
  LabelSelector,
  ListOf,
  MapList,
  required,
  type Static,
  Struct,
  Text,
  type TSchema,
} from 'orch/sdk'

const operations: readonly string[] = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const scopes: readonly string[] = ['*', 'Cluster', 'Namespaced']
const failurePolicies: readonly string[] = ['Fail', 'Ignore']
const matchPolicies: readonly string[] = ['Equivalent', 'Exact']
const reinvocationPolicies: readonly string[] = ['IfNeeded', 'Never']

/** The fields in which the versions differ. */
interface Particular<Effects extends TSchema, Versions extends TSchema> {
  readonly failurePolicy: string
  readonly matchPolicy: string
  readonly timeoutSeconds: number
  readonly sideEffects: Effects
  readonly admissionReviewVersions: Versions
}

const MatchCondition = Struct('admissionregistration.v1.MatchCondition', {
  name: required(1, Text(), 'Name of the condition.'),
  expression: required(2, Text(), 'An expression that must be true for the webhook to be called.'),
})
const conditionsField = (number: number) =>
  field(number, MapList(MatchCondition, 'name'), {
    description: 'Conditions on requests, all of which must be true for the webhook to be called.',
    since: '1.27',
    gate: 'AdmissionWebhookMatchConditions',
    patchStrategy: 'merge',
    patchMergeKey: 'name',
  })

/** The schemas of a version. */
function schemasOf<Effects extends TSchema, Versions extends TSchema>(
  version: string,
  particular: Particular<Effects, Versions>,
) {
  const named = (name: string) => `admissionregistration.${version}.${name}`
  const ServiceReference = Struct(named('ServiceReference'), {
    namespace: required(1, Text(), 'Namespace of the Service.'),
    name: required(2, Text(), 'Name of the Service.'),
    path: kept(3, Text(), 'Path of the URL at the Service.'),
    port: kept(4, Int32(), { description: 'Port of the Service. 443 by default.', default: 443 }),
  })
  const WebhookClientConfig = Struct(named('WebhookClientConfig'), {
    url: kept(3, Text(), 'Address of the webhook, as an https:// URL. Excludes service.'),
    service: kept(1, ServiceReference, 'The Service of the webhook. Excludes url.'),
    caBundle: field(2, Bytes(), "PEM certificates that the webhook's certificate is checked against."),
  })
  const Rule = Struct(named('Rule'), {
    apiGroups: field(1, ListOf(Text()), 'API groups; * means all.'),
    apiVersions: field(2, ListOf(Text()), 'API versions; * means all.'),
    resources: field(3, ListOf(Text()), 'Resources, or resource/subresource; * means all.'),
    scope: kept(4, Text({ enum: scopes }), { description: 'Cluster, Namespaced or * for both.', default: '*' }),
  })
  const RuleWithOperations = Struct(named('RuleWithOperations'), {
    operations: field(1, ListOf(Text({ enum: operations })), 'CREATE, UPDATE, DELETE, CONNECT or * for all.'),
    ...inlined(2, Rule),
  })
  /** The number of the object selector is the only one that the two kinds of webhook do not share. */
  const webhookFields = (objectSelectorNumber: number, conditionsNumber: number) => ({
    matchConditions: conditionsField(conditionsNumber),
    name: required(1, Text(), 'Name of the webhook, of the form a.b.c.'),
    clientConfig: required(2, WebhookClientConfig, 'Address of the webhook, and the CA that it is verified with.'),
    rules: field(3, ListOf(RuleWithOperations), 'The requests that the webhook is called for.'),
    failurePolicy: kept(4, Text({ enum: failurePolicies }), {
      description: 'What happens if a call fails: Fail (the default in v1) or Ignore.',
      default: particular.failurePolicy,
    }),
    matchPolicy: kept(9, Text({ enum: matchPolicies }), {
      description:
        'Whether requests to other versions of the same resource match: Exact or Equivalent (the default in v1).',
      default: particular.matchPolicy,
    }),
    namespaceSelector: kept(5, LabelSelector, {
      description: 'Selects the namespaces whose objects the webhook is called for.',
      default: {},
    }),
    objectSelector: kept(objectSelectorNumber, LabelSelector, {
      description: 'Selects the objects that the webhook is called for.',
      default: {},
    }),
    sideEffects: particular.sideEffects,
    timeoutSeconds: kept(7, Int32({ minimum: 1, maximum: 30 }), {
      description: 'How long the webhook may take: 1 to 30 seconds, 10 by default.',
      default: particular.timeoutSeconds,
    }),
    admissionReviewVersions: particular.admissionReviewVersions,
  })
  const MutatingWebhook = Struct(named('MutatingWebhook'), {
    ...webhookFields(11, 12),
    reinvocationPolicy: kept(10, Text({ enum: reinvocationPolicies }), {
      description:
        'Whether the webhook is called again if the object changes after it: Never (the default) or IfNeeded.',
      default: 'Never',
    }),
  })
  const ValidatingWebhook = Struct(named('ValidatingWebhook'), webhookFields(10, 11))
  const merging = { patchStrategy: 'merge', patchMergeKey: 'name' } as const
  return {
    ServiceReference,
    WebhookClientConfig,
    RuleWithOperations,
    MutatingWebhook,
    ValidatingWebhook,
    MutatingWebhookConfiguration: Kind(named('MutatingWebhookConfiguration'), {
      webhooks: field(
        2,
        ListOf(MutatingWebhook, merging),
        'The webhooks, called in this order; configurations in the order of their names.',
      ),
    }),
    ValidatingWebhookConfiguration: Kind(named('ValidatingWebhookConfiguration'), {
      webhooks: field(
        2,
        ListOf(ValidatingWebhook, merging),
        'The webhooks, called in this order; configurations in the order of their names.',
      ),
    }),
  }
}

export const v1 = schemasOf('v1', {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  timeoutSeconds: 10,
  sideEffects: required(6, Text(), {
    description: 'Whether calls have side effects: None, NoneOnDryRun, and in older versions Some or Unknown.',
    nullable: true,
  }),
  admissionReviewVersions: required(
    8,
    ListOf(Text()),
    'Versions of AdmissionReview that the webhook understands, the preferred one first.',
  ),
})
export const v1beta1 = schemasOf('v1beta1', {
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  timeoutSeconds: 30,
  sideEffects: kept(6, Text(), {
    description: 'Whether calls have side effects: None, NoneOnDryRun, and in older versions Some or Unknown.',
    default: 'Unknown',
  }),
  admissionReviewVersions: field(8, ListOf(Text()), {
    description: 'Versions of AdmissionReview that the webhook understands, the preferred one first.',
    default: ['v1beta1'],
  }),
})

export type ServiceReference = Static<typeof v1.ServiceReference>
export type WebhookClientConfig = Static<typeof v1.WebhookClientConfig>
export type RuleWithOperations = Static<typeof v1.RuleWithOperations>
export type MutatingWebhook = Static<typeof v1.MutatingWebhook>
export type ValidatingWebhook = Static<typeof v1.ValidatingWebhook>
