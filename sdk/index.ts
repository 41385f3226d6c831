/** What every plugin author needs. The other doors: core, client, controllers, host, testing (see README.md). */
export { isStrictCidr, warningsAboutCidr } from './address-forms.js'
export {
  type AdmissionConfiguration,
  type AdmissionDefinition,
  type AdmissionMatch,
  type AdmissionRequest,
  defineAdmission,
  type Operation,
  type Rejection,
  refusedName,
  reinvoke,
  reject,
  type ServedType,
  type Verdict,
} from './admission.js'
export {
  admissionRuleMatches,
  admissionRuleTarget,
  isNamespaceRequest,
  namespaceOfRequest,
  validateAdmissionRule,
} from './admission-rules.js'
export { andThen, isPromise } from './and-then.js'
export * from './api-delegation.js'
export {
  ApiError,
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  gone,
  internalError,
  invalid,
  methodNotAllowed,
  methodNotSupported,
  notAcceptable,
  notFound,
  pathNotFound,
  type StatusCause,
  type StatusDetails,
  serviceUnavailable,
  successStatus,
  timedOut,
  tooLarge,
  tooManyRequests,
  unauthorized,
  unsupportedMediaType,
} from './api-errors.js'
export {
  type AuthenticationSuccess,
  type AuthenticatorDefinition,
  apiAudiences,
  type Credentials,
  defineAuthenticator,
  type TokenAuthentication,
} from './authentication.js'
export {
  type AccessAttributes,
  type AccessDecision,
  type Authorizer,
  type AuthorizerDefinition,
  defineAuthorizer,
  type ResourceAccess,
  type RulesOfUser,
} from './authorization.js'
export type { Clock, Counter, Gauge, Histogram, Logger, Metrics } from './basic-services.js'
export type { Cache, CacheChange, Caches, GroupResource } from './caches.js'
export { ChangingFiles } from './changing-files.js'
// A compiled plugin names the types of the services that it needs by this door.
export type { Client } from './client/client.js'
export * from './columns.js'
export type { CommandContext, CommandDefinition } from './command.js'
export { defineConfig, type OrchConfig, type PluginEntry, type ServerOptions, type TypedConfig } from './config.js'
export type { ConformanceSamples } from './conformance-samples.js'
export { type ContributedConsolePage, defineConsolePage } from './console-page.js'
export * from './controller.js'
export { type DerValue, derValues } from './der-values.js'
export type { DescribedObjects } from './described-objects.js'
export { isDuration, parseDuration } from './duration.js'
export { ExpiringCache } from './expiring-cache.js'
export * from './expressions.js'
export {
  addAll,
  duplicate,
  type FieldError,
  fieldNotFound,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
  tooLong,
  tooMany,
} from './field-errors.js'
export { type FieldRequirement, parseFieldSelector } from './field-selectors.js'
export type { ChangingFilesOptions } from './file-contents.js'
export { type AskedAuthorizer, firstOpinion, rulesOfAll } from './first-opinion.js'
export { FollowedFiles } from './followed-files.js'
export type { FeatureGate } from './gates.js'
export {
  bytesOfIp,
  ipFromBytes,
  isInCidr,
  isValidCidr,
  isValidIp,
  isValidIpv4,
  isValidIpv6,
} from './ip-addresses.js'
export { parseLabelSelector } from './label-selector-text.js'
export * from './level.js'
export {
  type ApiObject,
  Condition,
  Kind,
  LabelSelector,
  LabelSelectorRequirement,
  ObjectMeta,
  OwnerReference,
  type Stored,
} from './meta.js'
export {
  dnsLabelMaxLength,
  dnsSubdomainMaxLength,
  isCIdentifier,
  isConfigMapKey,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isInRange,
  isPathSegmentName,
  isQualifiedName,
  isValidLabelValue,
  isValidPercent,
  isValidPortName,
  isValidPortNumber,
  isWildcardDns1123Subdomain,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
} from './object-names.js'
export { isRecord, ownValue } from './own-value.js'
export { definePermission, type PermissionRequest } from './permission.js'
export {
  defineHealthCheck,
  definePlugin,
  defineService,
  defineStartNotice,
  defineStartTask,
  type HealthCheckDefinition,
  type Plugin,
  type Registrar,
  type ServiceDefinition,
  type StartNotice,
  type StartTask,
} from './plugin.js'
export * from './policy-decisions.js'
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type QuantityAmount,
  quantityValue,
  roundUpQuantity,
  subtractQuantities,
} from './quantity.js'
export { ConfigurationReader, readConfiguration } from './read-configuration.js'
export { type RecordedChange, type RecordedRequest, type Recorder, recorder } from './recorder.js'
export { repeats } from './repeats.js'
export * from './request-conditions.js'
export { type LimitedRequest, type RequestLimiter, type RequestLimits, requestLimiter } from './request-limiter.js'
export * from './request-tracer.js'
export {
  type CatalogueChange,
  type ConvertObjects,
  type Deprecation,
  defineRemovalHook,
  defineResource,
  defineWriteHook,
  type ObjectOf,
  type ResourceCatalogue,
  type ResourceDefinition,
  type ResourceInfo,
  type SentObjectOf,
  type TypedResource,
  type VersionDefinition,
} from './resource.js'
export * from './route.js'
export {
  AtomicList,
  Bool,
  Bytes,
  Double,
  embedded,
  field,
  Int32,
  Int64,
  IntOrString,
  inlined,
  jsonOnly,
  KeyedList,
  kept,
  ListOf,
  MapList,
  MapOf,
  MicroTime,
  Quantity,
  Raw,
  required,
  SetList,
  type Static,
  StringMap,
  Struct,
  type TArray,
  type TBoolean,
  type TEmbedded,
  Text,
  type TInteger,
  Time,
  type TLiteral,
  type TNumber,
  type TObject,
  type TOptional,
  type TProperties,
  type TRecord,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
  Type,
  Unstructured,
} from './schema.js'
export {
  describeFieldErrors,
  formatLabelSelector,
  type LabelOperator,
  type Labels,
  labelKeyErrors,
  labelMatcher,
  labelSelectorMatcher,
  labelSelectorRequirements,
  type Requirement,
  validateLabelSelector,
  validateLabels,
} from './selectors.js'
export { type ServiceAddresses, type ServiceTarget, serviceAddresses } from './service-addresses.js'
export { type Needs, type Resolved, type ServiceToken, serviceToken } from './service-token.js'
export { type ServerFacts, services } from './services.js'
export type { SharedWork } from './shared-work.js'
export { staticFiles } from './static-files.js'
export type { StoreReader } from './store-reader.js'
export type { DeleteStrategy, Strategy, StrategyContext } from './strategy.js'
export { strategyForSpec, strategyForStatus } from './strategy.js'
export {
  type ActionRequest,
  type ActionSubresource,
  type ConnectRequest,
  type ConnectSubresource,
  defineAction,
  defineVirtual,
  type ScalePaths,
  type SubresourceDefinition,
} from './subresources.js'
export { pemBlocks, withoutTrailing } from './text-scanning.js'
export { defineTypeSource } from './type-source.js'
export {
  allAuthenticated,
  allUnauthenticated,
  anonymousUser,
  mastersGroup,
  nodeNameOf,
  serviceAccountUser,
  type UserInfo,
} from './user.js'
export { validateConditions } from './validate-conditions.js'
export {
  kubernetesProfile,
  orchProfile,
  profileAtVersion,
  Vendor,
  type VendorProfile,
  vendorProfiles,
} from './vendor.js'
export { compareApiVersions } from './version-order.js'
export {
  validateWebhookClientConfig,
  type WebhookClientConfig,
  type WebhookPosts,
  webhookPosts,
} from './webhook-client-config.js'
export { readYaml, YamlError } from './yaml/read-yaml.js'
export { writeYaml } from './yaml/write-yaml.js'
