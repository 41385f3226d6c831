// A compiled plugin may have to name types that it never imported (the result of a service): the compiler finds them in entry points that it has read.
/// <reference path="./admission/index.ts" preserve="true" />
/// <reference path="./client/index.ts" preserve="true" />
/// <reference path="./controllers/index.ts" preserve="true" />
/// <reference path="./expressions/index.ts" preserve="true" />
/// <reference path="./identity/index.ts" preserve="true" />
/// <reference path="./server/index.ts" preserve="true" />
/// <reference path="./validation/index.ts" preserve="true" />
/** What every plugin author needs. More specialized names have entry points of their own (see README.md). */
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
} from './admission/admission.js'
export type { Authorizer } from './identity/authorization.js'
export type { UserInfo } from './identity/user.js'
export type { Clock, Counter, Gauge, Histogram, Logger, Metrics } from './plugin/basic-services.js'
export type { Cache, CacheChange, Caches, GroupResource } from './plugin/caches.js'
export type { CommandContext, CommandDefinition } from './plugin/command.js'
export {
  defineConfig,
  type OrchConfig,
  type PluginEntry,
  type ServerOptions,
  type TypedConfig,
} from './plugin/config.js'
export type { ConformanceSamples } from './plugin/conformance-samples.js'
export {
  type ControllerDefinition,
  type ControllerRule,
  type DeclaredController,
  defineController,
  UnavailableHere,
} from './plugin/controller.js'
export { ExpiringCache } from './plugin/expiring-cache.js'
export type { FeatureGate, IsGateEnabled } from './plugin/gates.js'
export {
  type IsolationSettings,
  isolationGrades,
  type PluginPermissions,
} from './plugin/isolation.js'
export { type Difference, defineDifference, type Lifespan, ServedLevel, type VersionName } from './plugin/level.js'
export { definePermission, type PermissionRequest } from './plugin/permission.js'
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
} from './plugin/plugin.js'
export { type Needs, type Resolved, type ServiceToken, serviceToken } from './plugin/service-token.js'
export { type ServerFacts, services } from './plugin/services.js'
export type { StoreReader } from './plugin/store-reader.js'
export {
  kubernetesProfile,
  orchProfile,
  profileAtVersion,
  Vendor,
  type VendorProfile,
  vendorProfiles,
} from './plugin/vendor.js'
export {
  ApiError,
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  internalError,
  invalid,
  methodNotSupported,
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
} from './resource/api-errors.js'
export {
  ageColumn,
  ageOf,
  type Cell,
  type Column,
  humanDuration,
  nameColumn,
  pathColumn,
  type RowCondition,
} from './resource/columns.js'
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
} from './resource/field-errors.js'
export {
  type ApiObject,
  Condition,
  Kind,
  LabelSelector,
  LabelSelectorRequirement,
  ObjectMeta,
  OwnerReference,
  type Stored,
} from './resource/meta.js'
export { isRecord, type JsonObject, ownValue } from './resource/own-value.js'
export {
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
} from './resource/resource.js'
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
} from './resource/schema.js'
export {
  type DeleteStrategy,
  type Strategy,
  type StrategyContext,
  strategyForSpec,
  strategyForStatus,
} from './resource/strategy.js'
export {
  type ActionRequest,
  type ActionSubresource,
  type ConnectRequest,
  type ConnectSubresource,
  type ConnectSwitch,
  type ConnectUpgrade,
  defineAction,
  defineVirtual,
  type ScalePaths,
  type SubresourceDefinition,
} from './resource/subresources.js'
export { microTimestampOf, timestampOf } from './resource/timestamp.js'
export { andThen, isPromise } from './server/and-then.js'
export { isDuration, parseDuration } from './validation/duration.js'
