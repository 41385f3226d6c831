/** For storage engines, and for the kernel: what a plugin that only declares types never needs. */
export { admissionStages, isAdmissionMatch, type ServedForms } from '../admission.js'
export { applyConflict, type ErrorSubject } from '../api-errors.js'
export type { AuthenticationAnswer, TokenAuthentication } from '../authentication.js'
export { namespacesSegment } from '../client/request-path.js'
export type {
  CommandHost,
  MigrationPlan,
  OpenedStore,
  ReadyServer,
  ServeObserver,
  ServerInspection,
  StorePlace,
  StorePurpose,
} from '../command.js'
export type { NamedPlugin } from '../config.js'
export type { DescribingObject } from '../described-objects.js'
export { tooMany } from '../field-errors.js'
export { type FieldRequirement, formatFieldSelector, parseFieldSelector } from '../field-selectors.js'
export { ForwardingStore } from '../forwarding-store.js'
export { type GateEra, readGateHistory } from '../gates.js'
export { parseLabelSelector } from '../label-selector-text.js'
export { ManagedFieldsEntry } from '../meta.js'
export { preventParserPause, restoreBackpressure } from '../parser-pause.js'
export type { PermissionDefinition } from '../permission.js'
export { type AddedSubresource, type PluginDefinition, sdkVersion, sdkVersionOf } from '../plugin.js'
export { canonicalQuantity } from '../quantity.js'
export { allVerbs, type RemovalHook, type ValueRules, type Verb, type WriteHook } from '../resource.js'
export {
  type FieldMarkers,
  type FieldRevision,
  type ListMarkers,
  notOnTheWire,
  type Presence,
  type UnionMarker,
  type WireForms,
} from '../schema.js'
export type { ServedStore } from '../served-store.js'
export type { ChainLink, ServerInventory } from '../server-inventory.js'
export { type ServiceToken, serviceNameOf } from '../service-token.js'
export type { FrontProxy } from '../services.js'
export { ShortLivedEntries } from '../short-lived-entries.js'
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
} from '../storage.js'
export { defineStorage, type StorageDefinition } from '../storage-engine.js'
export {
  defineStoreLayer,
  type LayerFinding,
  type StoreLayerContext,
  type StoreLayerDefinition,
} from '../store-layer.js'
export type {
  BackupResult,
  MaintenanceProgress,
  RestorePoint,
  RestoreResult,
  StoreFileStats,
  StoreMaintenance,
  VerifyResult,
} from '../store-maintenance.js'
export type { OpenReplica, ReplicatedChange, ReplicatedObject, StoreReplica } from '../store-replica.js'
export { bodiesOf, withoutVersion, withVersion } from '../stored-bodies.js'
export type { MetadataChecks } from '../strategy.js'
export type { ActionHandler, UpdateSubresource, VirtualDefinition } from '../subresources.js'
export type { TypeSourceDefinition } from '../type-source.js'
export { constrainedSubject, userSubject } from '../user.js'
export { type AuditRecordType, auditRecordType } from '../vendor.js'
export type { RepeatedKey, YamlLimits } from '../yaml/read-yaml.js'
export { type AtStep, moveDurably, syncPath, unfinishedIn } from './durable-files.js'
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
export { Transactions } from './transactions.js'
