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
} from 'orch/sdk'

export const ServiceReference = Struct('admissionregistration.v1.ServiceReference', {
  namespace: needed(1, Text()),
  name: needed(2, Text()),
  path: kept(3, Text()),
  port: kept(4, Int32(), { default: 443 }),
})
export type ServiceReference = Static<typeof ServiceReference>

export const WebhookClientConfig = Struct('admissionregistration.v1.WebhookClientConfig', {
  url: kept(3, Text()),
  service: kept(1, ServiceReference),
  caBundle: field(2, Bytes()),
})
export type WebhookClientConfig = Static<typeof WebhookClientConfig>

export const Rule = Struct('admissionregistration.v1.Rule', {
  apiGroups: field(1, ListOf(Text())),
  apiVersions: field(2, ListOf(Text())),
  resources: field(3, ListOf(Text())),
  scope: kept(4, Text(), { default: '*' }),
})
export type Rule = Static<typeof Rule>

export const RuleWithOperations = Struct('admissionregistration.v1.RuleWithOperations', {
  operations: field(1, ListOf(Text())),
  ...inlined(2, Rule),
})
export type RuleWithOperations = Static<typeof RuleWithOperations>

export const MutatingWebhook = Struct('admissionregistration.v1.MutatingWebhook', {
  name: needed(1, Text()),
  clientConfig: needed(2, WebhookClientConfig),
  rules: field(3, ListOf(RuleWithOperations)),
  failurePolicy: kept(4, Text(), { default: 'Fail' }),
  matchPolicy: kept(9, Text(), { default: 'Equivalent' }),
  namespaceSelector: kept(5, LabelSelector, { default: {} }),
  objectSelector: kept(11, LabelSelector, { default: {} }),
  sideEffects: needed(6, Text(), { nullable: true }),
  timeoutSeconds: kept(7, Int32(), { default: 10 }),
  admissionReviewVersions: needed(8, ListOf(Text())),
  reinvocationPolicy: kept(10, Text(), { default: 'Never' }),
})
export type MutatingWebhook = Static<typeof MutatingWebhook>

export const ValidatingWebhook = Struct('admissionregistration.v1.ValidatingWebhook', {
  name: needed(1, Text()),
  clientConfig: needed(2, WebhookClientConfig),
  rules: field(3, ListOf(RuleWithOperations)),
  failurePolicy: kept(4, Text(), { default: 'Fail' }),
  matchPolicy: kept(9, Text(), { default: 'Equivalent' }),
  namespaceSelector: kept(5, LabelSelector, { default: {} }),
  objectSelector: kept(10, LabelSelector, { default: {} }),
  sideEffects: needed(6, Text(), { nullable: true }),
  timeoutSeconds: kept(7, Int32(), { default: 10 }),
  admissionReviewVersions: needed(8, ListOf(Text())),
})
export type ValidatingWebhook = Static<typeof ValidatingWebhook>

export const MutatingWebhookConfiguration = Kind('admissionregistration.v1.MutatingWebhookConfiguration', {
  webhooks: field(2, ListOf(MutatingWebhook, { patchStrategy: 'merge', patchMergeKey: 'name' })),
})
export type MutatingWebhookConfiguration = Static<typeof MutatingWebhookConfiguration>

export const ValidatingWebhookConfiguration = Kind('admissionregistration.v1.ValidatingWebhookConfiguration', {
  webhooks: field(2, ListOf(ValidatingWebhook, { patchStrategy: 'merge', patchMergeKey: 'name' })),
})
export type ValidatingWebhookConfiguration = Static<typeof ValidatingWebhookConfiguration>
