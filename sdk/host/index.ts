/** For storage engines, and for the kernel: what a plugin that only declares types never needs. */
export { admissionStages, isAdmissionMatch, isFieldSet, type ServedForms } from '../admission/admission.js'
export { namespacesSegment } from '../client/request-path.js'
export type { AuthenticationAnswer } from '../identity/authentication.js'
export { constrainedSubject, userSubject } from '../identity/user.js'
export type {
  CommandHost,
  MigrationPlan,
  OpenedStore,
  ReadyServer,
  ServeObserver,
  ServerInspection,
  StorePlace,
  StorePurpose,
} from '../plugin/command.js'
export type { NamedPlugin } from '../plugin/config.js'
export { sdkDoors } from '../plugin/doors.js'
export type { GateEra, GateStage } from '../plugin/gates.js'
export type { PermissionDefinition } from '../plugin/permission.js'
export { type AddedSubresource, type PluginDefinition, sdkVersion, sdkVersionOf } from '../plugin/plugin.js'
export { serviceNameOf } from '../plugin/service-token.js'
export type { FrontProxy } from '../plugin/services.js'
export { type AuditRecordType, auditRecordType } from '../plugin/vendor.js'
export { proposedServices } from '../proposed/proposed-services.js'
export type { ErrorSubject } from '../resource/api-errors.js'
export { ManagedFieldsEntry } from '../resource/meta.js'
export { allVerbs, type RemovalHook, type ValueRules, type Verb, type WriteHook } from '../resource/resource.js'
export {
  type FieldMarkers,
  type FieldRevision,
  type ListMarkers,
  notOnTheWire,
  type Presence,
  type UnionMarker,
  type WireForms,
} from '../resource/schema.js'
export type { MetadataChecks } from '../resource/strategy.js'
export type { ActionHandler, UpdateSubresource, VirtualDefinition } from '../resource/subresources.js'
export type { DescribingObject } from '../server/described-objects.js'
export type { ChainLink, ServerInventory } from '../server/server-inventory.js'
export type { TypeSourceDefinition } from '../server/type-source.js'
export { canonicalQuantity } from '../validation/quantity.js'
export type { RepeatedKey, YamlLimits } from '../yaml/read-yaml.js'
export { type AtStep, moveDurably, syncPath, unfinishedIn } from './durable-files.js'
export { ForwardingStore } from './forwarding-store.js'
export { preventParserPause } from './parser-pause.js'
export type { ServedStore } from './served-store.js'
export { ShortLivedEntries } from './short-lived-entries.js'
export {
  type AttributeFilter,
  type AttributeLookup,
  bodyPrefix,
  type Claims,
  CompactedError,
  type Decide,
  type Decision,
  type KeyChange,
  type KeyState,
  type ListChunk,
  type ListPage,
  type ListRequest,
  type Revision,
  StorageError,
  type Store,
  type StoredObject,
  type StoreEvent,
  type StoreEventType,
  type StorePeers,
  type StoreStats,
  type TransactionResult,
  type TransactOptions,
  type Write,
  type WriteResult,
} from './storage.js'
export { defineStorage, type StorageDefinition } from './storage-engine.js'
export {
  type CollectionContents,
  changeContents,
  contentsKey,
  parseContents,
  readContents,
  requireKnownFormat,
  type StoreContents,
  storeFormat,
} from './store-contents.js'
export {
  defineStoreLayer,
  type LayerFinding,
  type StoreLayerContext,
  type StoreLayerDefinition,
} from './store-layer.js'
export type {
  BackupResult,
  MaintenanceProgress,
  RestorePoint,
  RestoreResult,
  StoreFileStats,
  StoreMaintenance,
  VerifyResult,
} from './store-maintenance.js'
export type { OpenReplica, ReplicatedChange, ReplicatedObject, StoreReplica } from './store-replica.js'
export { bodiesOf, withoutVersion, withVersion } from './stored-bodies.js'
export { Transactions } from './transactions.js'
