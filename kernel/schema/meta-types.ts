import {
  Bool,
  embedded,
  field,
  Int32,
  Int64,
  inlined,
  kept,
  ListOf,
  ObjectMeta,
  Raw,
  required,
  type ServedLevel,
  Struct,
  Text,
  type TSchema,
} from 'orch/sdk'
import { notOnTheWire } from 'orch/sdk/host'
import { SchemaCutter } from './cut-schema.js'
import { buildTypeModel, type StructNode } from './type-model.js'

/** The types of the API itself, as opposed to the resources of plugins. */
const ShardInfo = Struct('meta.v1.ShardInfo', { selector: required(1, Text()) })
const ListMeta = Struct('meta.v1.ListMeta', {
  selfLink: field(1, Text()),
  resourceVersion: field(2, Text()),
  continue: field(3, Text()),
  remainingItemCount: kept(4, Int64()),
  shardInfo: field(5, ShardInfo, { since: '1.36' }),
})

const StatusCause = Struct('meta.v1.StatusCause', {
  reason: field(1, Text()),
  message: field(2, Text()),
  field: field(3, Text()),
})
const StatusDetails = Struct('meta.v1.StatusDetails', {
  name: field(1, Text()),
  group: field(2, Text()),
  kind: field(3, Text()),
  uid: field(6, Text()),
  causes: field(4, ListOf(StatusCause)),
  retryAfterSeconds: field(5, Int32()),
})
const Status = Struct('meta.v1.Status', {
  metadata: embedded(1, ListMeta),
  status: field(2, Text()),
  message: field(3, Text()),
  reason: field(4, Text()),
  details: field(5, StatusDetails),
  code: field(6, Int32()),
})

const Preconditions = Struct('meta.v1.Preconditions', { uid: kept(1, Text()), resourceVersion: kept(2, Text()) })
const DeleteOptions = Struct('meta.v1.DeleteOptions', {
  gracePeriodSeconds: kept(1, Int64()),
  preconditions: kept(2, Preconditions),
  orphanDependents: kept(3, Bool()),
  propagationPolicy: kept(4, Text()),
  dryRun: field(5, ListOf(Text())),
  ignoreStoreReadErrorWithClusterBreakingPotential: kept(6, Bool(), { since: '1.32' }),
})
const CreateOptions = Struct('meta.v1.CreateOptions', {
  dryRun: field(1, ListOf(Text())),
  fieldManager: field(3, Text()),
  fieldValidation: field(4, Text()),
})
const UpdateOptions = Struct('meta.v1.UpdateOptions', {
  dryRun: field(1, ListOf(Text())),
  fieldManager: field(2, Text()),
  fieldValidation: field(3, Text()),
})
const PatchOptions = Struct('meta.v1.PatchOptions', {
  dryRun: field(1, ListOf(Text())),
  force: kept(2, Bool()),
  fieldManager: field(3, Text()),
  fieldValidation: field(4, Text()),
})

const PartialObjectMetadata = Struct('meta.v1.PartialObjectMetadata', { metadata: embedded(1, ObjectMeta) })
const PartialObjectMetadataList = Struct('meta.v1.PartialObjectMetadataList', {
  metadata: embedded(1, ListMeta),
  items: required(2, ListOf(PartialObjectMetadata)),
})
const WatchEvent = Struct('meta.v1.WatchEvent', { type: required(1, Text()), object: required(2, Raw()) })

const ServerAddress = Struct('meta.v1.ServerAddressByClientCIDR', {
  clientCIDR: required(1, Text()),
  serverAddress: required(2, Text()),
})
const GroupVersion = Struct('meta.v1.GroupVersionForDiscovery', {
  groupVersion: required(1, Text()),
  version: required(2, Text()),
})
const APIVersions = Struct('meta.v1.APIVersions', {
  versions: required(1, ListOf(Text())),
  serverAddressByClientCIDRs: required(2, ListOf(ServerAddress)),
})
const APIGroup = Struct('meta.v1.APIGroup', {
  name: required(1, Text()),
  versions: required(2, ListOf(GroupVersion)),
  preferredVersion: embedded(3, GroupVersion),
  serverAddressByClientCIDRs: field(4, ListOf(ServerAddress)),
})
const APIGroupList = Struct('meta.v1.APIGroupList', { groups: required(1, ListOf(APIGroup)) })
/** A list whose merge behaviour Kubernetes does not publish. */
const withoutListType = <S extends TSchema>(list: S): S => ({ ...list, hidesListType: true })

const APIResource = Struct('meta.v1.APIResource', {
  name: required(1, Text()),
  singularName: required(6, Text()),
  namespaced: required(2, Bool()),
  group: field(8, Text()),
  version: field(9, Text()),
  kind: required(3, Text()),
  ...inlined(4, Struct('meta.v1.Verbs', { verbs: required(1, withoutListType(ListOf(Text()))) })),
  shortNames: field(5, ListOf(Text())),
  categories: field(7, ListOf(Text())),
  storageVersionHash: field(10, Text()),
})
const APIResourceList = Struct('meta.v1.APIResourceList', {
  groupVersion: required(1, Text()),
  resources: required(2, ListOf(APIResource)),
})

/** The body of /version. It is not sent in Protobuf. */
const VersionInfo = Struct('version.Info', {
  major: required(notOnTheWire, Text()),
  minor: required(notOnTheWire, Text()),
  emulationMajor: field(notOnTheWire, Text(), { since: '1.33' }),
  emulationMinor: field(notOnTheWire, Text(), { since: '1.33' }),
  minCompatibilityMajor: field(notOnTheWire, Text(), { since: '1.33' }),
  minCompatibilityMinor: field(notOnTheWire, Text(), { since: '1.33' }),
  gitVersion: required(notOnTheWire, Text()),
  gitCommit: required(notOnTheWire, Text()),
  gitTreeState: required(notOnTheWire, Text()),
  buildDate: required(notOnTheWire, Text()),
  goVersion: required(notOnTheWire, Text()),
  compiler: required(notOnTheWire, Text()),
  platform: required(notOnTheWire, Text()),
})

const GroupVersionKind = Struct('meta.v1.GroupVersionKind', {
  group: required(1, Text()),
  version: required(2, Text()),
  kind: required(3, Text()),
})
const APISubresourceDiscovery = Struct('apidiscovery.v2.APISubresourceDiscovery', {
  subresource: required(1, Text()),
  responseKind: kept(2, GroupVersionKind),
  acceptedTypes: field(3, ListOf(GroupVersionKind)),
  verbs: required(4, ListOf(Text())),
})
const APIResourceDiscovery = Struct('apidiscovery.v2.APIResourceDiscovery', {
  resource: required(1, Text()),
  responseKind: kept(2, GroupVersionKind),
  scope: required(3, Text()),
  singularResource: required(4, Text()),
  verbs: required(5, ListOf(Text())),
  shortNames: field(6, ListOf(Text())),
  categories: field(7, ListOf(Text())),
  subresources: field(8, ListOf(APISubresourceDiscovery)),
})
const APIVersionDiscovery = Struct('apidiscovery.v2.APIVersionDiscovery', {
  version: required(1, Text()),
  resources: field(2, ListOf(APIResourceDiscovery)),
  freshness: field(3, Text()),
})
const APIGroupDiscovery = Struct('apidiscovery.v2.APIGroupDiscovery', {
  metadata: embedded(1, ObjectMeta),
  versions: field(2, ListOf(APIVersionDiscovery)),
})
const APIGroupDiscoveryList = Struct('apidiscovery.v2.APIGroupDiscoveryList', {
  metadata: embedded(1, ListMeta),
  items: required(2, ListOf(APIGroupDiscovery)),
})

const schemas = {
  ListMeta,
  Status,
  DeleteOptions,
  CreateOptions,
  UpdateOptions,
  PatchOptions,
  PartialObjectMetadata,
  PartialObjectMetadataList,
  WatchEvent,
  APIVersions,
  APIGroup,
  APIGroupList,
  APIResource,
  APIResourceList,
  VersionInfo,
  APIGroupDiscoveryList,
} satisfies Record<string, TSchema>

export type MetaTypeName = keyof typeof schemas

/** The types of the API itself by level; each is built on first use. */
const models = new WeakMap<ServedLevel, Map<MetaTypeName, StructNode>>()

/** The model of a type of the API itself, at a level. */
export function metaType(name: MetaTypeName, level: ServedLevel): StructNode {
  let known = models.get(level)
  if (!known) models.set(level, (known = new Map()))
  let model = known.get(name)
  if (!model) known.set(name, (model = buildTypeModel(new SchemaCutter(level).cut(schemas[name])) as StructNode))
  return model
}

/** Whether a kind is one of the types above. */
export const isMetaType = (kind: string): kind is MetaTypeName => Object.hasOwn(schemas, kind)
