/** For controls that objects configure: rules that select requests, and calls to webhooks. */
export {
  admissionRuleMatches,
  admissionRuleTarget,
  isNamespaceRequest,
  namespaceOfRequest,
  validateAdmissionRule,
} from './admission-rules.js'
export { type PolicyDecision, type PolicyDecisions, policyDecisions } from './policy-decisions.js'
export { type ServiceAddresses, type ServiceTarget, serviceAddresses } from './service-addresses.js'
export {
  validateWebhookClientConfig,
  type WebhookClientConfig,
  type WebhookPosts,
  webhookPosts,
} from './webhook-client-config.js'
