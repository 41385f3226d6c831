import {
  Bool,
  embedded,
  field,
  Int32,
  Int64,
  KeyedList,
  kept,
  ListOf,
  MapOf,
  Quantity,
  required,
  type Static,
  Struct,
  Text,
  Time,
} from '../resource/schema.js'
import { ResourceRequirements } from './resource-requirements.js'

/** A container that runs. */
export const ContainerStateRunning = Struct(
  'core.v1.ContainerStateRunning',
  {
    startedAt: embedded(1, Time(), 'When it was last started.'),
  },
  { description: 'A container that runs.' },
)
export type ContainerStateRunning = Static<typeof ContainerStateRunning>

/** A container that ended. */
export const ContainerStateTerminated = Struct(
  'core.v1.ContainerStateTerminated',
  {
    exitCode: required(1, Int32(), 'Exit code.'),
    signal: field(2, Int32(), 'Signal that ended it.'),
    reason: field(3, Text(), 'Machine-readable reason in one word.'),
    message: field(4, Text(), 'Human-readable message.'),
    startedAt: embedded(5, Time(), 'When it was started.'),
    finishedAt: embedded(6, Time(), 'When it ended.'),
    containerID: field(7, Text(), 'Id of the container, as type://id.'),
  },
  { description: 'A container that has ended.' },
)
export type ContainerStateTerminated = Static<typeof ContainerStateTerminated>

/** A container that has not started yet. */
export const ContainerStateWaiting = Struct(
  'core.v1.ContainerStateWaiting',
  {
    reason: field(1, Text(), 'Machine-readable reason in one word.'),
    message: field(2, Text(), 'Human-readable message.'),
  },
  { description: 'A container that has not started yet.' },
)
export type ContainerStateWaiting = Static<typeof ContainerStateWaiting>

/** What a container is doing: at most one is set. */
export const ContainerState = Struct(
  'core.v1.ContainerState',
  {
    waiting: kept(1, ContainerStateWaiting, 'It has not started yet.'),
    running: kept(2, ContainerStateRunning, 'It runs.'),
    terminated: kept(3, ContainerStateTerminated, 'It has ended.'),
  },
  { description: 'State of a container. At most one field is set; waiting if none.' },
)
export type ContainerState = Static<typeof ContainerState>

/** The health of a device or another resource of a container. */
export const ResourceHealth = Struct(
  'core.v1.ResourceHealth',
  {
    resourceID: required(1, Text(), 'Id of the resource.'),
    health: field(2, Text(), 'Healthy, Unhealthy or Unknown.'),
    message: kept(6, Text(), {
      description: 'Human-readable message.',
      since: '1.36',
      gate: 'ResourceHealthStatusMessage',
    }),
  },
  { description: 'Health of a device of a container.' },
)
export type ResourceHealth = Static<typeof ResourceHealth>

/** The health of the resources of one name. */
export const ResourceStatus = Struct(
  'core.v1.ResourceStatus',
  {
    name: required(1, Text(), 'Name of the resource, or claim:name/request of a claim of the Pod.'),
    resources: field(
      2,
      ListOf(ResourceHealth, { listType: 'map', listMapKeys: ['resourceID'] }),
      'Health of each unit of the resource.',
    ),
  },
  { description: 'Health of the resources of a container.' },
)
export type ResourceStatus = Static<typeof ResourceStatus>

/** The user and groups of the first process of a container on Linux. */
export const LinuxContainerUser = Struct(
  'core.v1.LinuxContainerUser',
  {
    uid: required(1, Int64(), 'The user.'),
    gid: required(2, Int64(), 'The group.'),
    supplementalGroups: field(3, ListOf(Int64(), { listType: 'atomic' }), 'Additional groups.'),
  },
  { description: 'The user and the groups of a container on Linux.' },
)
export type LinuxContainerUser = Static<typeof LinuxContainerUser>

/** The user of the first process of a container. */
export const ContainerUser = Struct(
  'core.v1.ContainerUser',
  {
    linux: kept(1, LinuxContainerUser, 'On Linux.'),
  },
  { description: 'User that a container runs as.' },
)
export type ContainerUser = Static<typeof ContainerUser>

/** The image of a volume. */
export const ImageVolumeStatus = Struct(
  'core.v1.ImageVolumeStatus',
  {
    imageRef: required(1, Text(), 'The image with its digest.'),
  },
  { description: 'The image of a volume.' },
)
export type ImageVolumeStatus = Static<typeof ImageVolumeStatus>

/** Observed state of a volume. */
export const VolumeStatus = Struct(
  'core.v1.VolumeStatus',
  {
    image: kept(1, ImageVolumeStatus, 'Status of a volume from an image.'),
  },
  { description: 'Observed state of a volume.' },
)
export type VolumeStatus = Static<typeof VolumeStatus>

/** How a volume is mounted. */
export const VolumeMountStatus = Struct(
  'core.v1.VolumeMountStatus',
  {
    name: required(1, Text(), 'Name of the volume.'),
    mountPath: required(2, Text(), 'Path in the container.'),
    readOnly: field(3, Bool(), 'Whether it is mounted read-only.'),
    recursiveReadOnly: kept(4, Text(), 'Whether nested mounts are read-only as well: Disabled or Enabled.'),
    volumeStatus: kept(5, VolumeStatus, {
      description: 'Observed state of the volume.',
      since: '1.36',
      gate: 'ImageVolumeWithDigest',
    }),
  },
  { description: 'How a volume is mounted in a container.' },
)
export type VolumeMountStatus = Static<typeof VolumeMountStatus>

/** The status of one container of a Pod. */
export const ContainerStatus = Struct(
  'core.v1.ContainerStatus',
  {
    name: required(1, Text(), 'Name of the container.'),
    state: embedded(2, ContainerState, 'Current state.'),
    lastState: embedded(3, ContainerState, 'State of the previous run.'),
    ready: required(4, Bool(), 'Whether it passes its readiness probe.'),
    restartCount: required(5, Int32(), 'How often it was restarted.'),
    image: required(6, Text(), 'Image that it runs.'),
    imageID: required(7, Text(), 'Id of the image.'),
    containerID: field(8, Text(), 'Id of the container, as type://id.'),
    started: kept(9, Bool(), 'Whether it has passed its startup probe.'),
    allocatedResources: field(10, MapOf(Quantity()), {
      description: 'Resources that the node has allocated to it.',
      since: '1.27',
      gate: 'InPlacePodVerticalScaling',
    }),
    resources: kept(11, ResourceRequirements, {
      description: 'Requests and limits that it runs with.',
      since: '1.27',
      gate: 'InPlacePodVerticalScaling',
    }),
    volumeMounts: field(12, KeyedList(VolumeMountStatus, 'mountPath'), {
      description: 'How its volumes are mounted.',
      since: '1.30',
      gate: 'RecursiveReadOnlyMounts',
    }),
    user: kept(13, ContainerUser, {
      description: 'User that it runs as.',
      since: '1.31',
      gate: 'SupplementalGroupsPolicy',
    }),
    allocatedResourcesStatus: field(14, KeyedList(ResourceStatus, 'name'), {
      description: 'Health of its devices.',
      since: '1.31',
      gate: 'ResourceHealthStatus',
    }),
    stopSignal: kept(15, Text(), { description: 'Signal that stops it.', since: '1.33' }),
  },
  { description: 'Status of a container of a Pod.' },
)
export type ContainerStatus = Static<typeof ContainerStatus>
