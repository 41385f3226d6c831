import { embedded, Flag, field, Int32, inlined, kept, ListOf, needed, type Static, Struct, Text } from '../schema.js'
import { EnvFromSource, EnvVar } from './environment.js'
import { Lifecycle, Probe } from './probe.js'
import { ResourceRequirements } from './resource-requirements.js'
import { SecurityContext } from './security-context.js'

/** A port a container listens on. */
export const ContainerPort = Struct('core.v1.ContainerPort', {
  name: field(1, Text()),
  hostPort: field(2, Int32()),
  containerPort: needed(3, Int32()),
  protocol: field(4, Text(), { default: 'TCP' }),
  hostIP: field(5, Text()),
})
export type ContainerPort = Static<typeof ContainerPort>

/** Where a volume appears in the file system of a container. */
export const VolumeMount = Struct('core.v1.VolumeMount', {
  name: needed(1, Text()),
  readOnly: field(2, Flag()),
  mountPath: needed(3, Text()),
  subPath: field(4, Text()),
  mountPropagation: kept(5, Text()),
  subPathExpr: field(6, Text()),
})
export type VolumeMount = Static<typeof VolumeMount>

/** Where a raw block volume appears in a container. */
export const VolumeDevice = Struct('core.v1.VolumeDevice', {
  name: needed(1, Text()),
  devicePath: needed(2, Text()),
})
export type VolumeDevice = Static<typeof VolumeDevice>

/** One container of a Pod. */
export const Container = Struct('core.v1.Container', {
  name: needed(1, Text()),
  image: field(2, Text()),
  command: field(3, ListOf(Text())),
  args: field(4, ListOf(Text())),
  workingDir: field(5, Text()),
  ports: field(
    6,
    ListOf(ContainerPort, {
      listType: 'map',
      listMapKeys: ['containerPort', 'protocol'],
      patchStrategy: 'merge',
      patchMergeKey: 'containerPort',
    }),
  ),
  envFrom: field(19, ListOf(EnvFromSource)),
  env: field(7, ListOf(EnvVar, { patchStrategy: 'merge', patchMergeKey: 'name' })),
  resources: embedded(8, ResourceRequirements),
  volumeMounts: field(9, ListOf(VolumeMount, { patchStrategy: 'merge', patchMergeKey: 'mountPath' })),
  volumeDevices: field(21, ListOf(VolumeDevice, { patchStrategy: 'merge', patchMergeKey: 'devicePath' })),
  livenessProbe: kept(10, Probe),
  readinessProbe: kept(11, Probe),
  startupProbe: kept(22, Probe),
  lifecycle: kept(12, Lifecycle),
  terminationMessagePath: field(13, Text(), { default: '/dev/termination-log' }),
  terminationMessagePolicy: field(20, Text(), { default: 'File' }),
  imagePullPolicy: field(14, Text()),
  securityContext: kept(15, SecurityContext),
  stdin: field(16, Flag()),
  stdinOnce: field(17, Flag()),
  tty: field(18, Flag()),
})
export type Container = Static<typeof Container>

/** The part of an ephemeral container that it shares with other containers. */
export const EphemeralContainerCommon = Struct('core.v1.EphemeralContainerCommon', Container.properties)
export type EphemeralContainerCommon = Static<typeof EphemeralContainerCommon>

/** A container added to a running Pod, for example to debug it. */
export const EphemeralContainer = Struct('core.v1.EphemeralContainer', {
  ...inlined(1, EphemeralContainerCommon),
  targetContainerName: field(2, Text()),
})
export type EphemeralContainer = Static<typeof EphemeralContainer>
