import {
  Bool,
  embedded,
  field,
  Int32,
  inlined,
  kept,
  ListOf,
  required,
  type Static,
  Struct,
  Text,
} from '../resource/schema.js'
import { EnvFromSource, EnvVar } from './environment.js'
import { portNumbers, protocols } from './port-limits.js'
import { Lifecycle, Probe } from './probe.js'
import { ResourceRequirements } from './resource-requirements.js'
import { SecurityContext } from './security-context.js'

/** When images are pulled. */
export const pullPolicies: readonly string[] = ['Always', 'IfNotPresent', 'Never']

/** A port a container listens on. */
export const ContainerPort = Struct(
  'core.v1.ContainerPort',
  {
    name: field(1, Text(), 'Name of the port, unique in the Pod. Services may refer to it.'),
    hostPort: field(2, Int32(portNumbers), 'Port of the host that is forwarded to it, 1 to 65535.'),
    containerPort: required(3, Int32({ ...portNumbers, minimum: 0 }), 'Number of the port, 1 to 65535.'),
    protocol: field(4, Text({ enum: protocols }), { description: 'TCP, UDP or SCTP. TCP by default.', default: 'TCP' }),
    hostIP: field(5, Text(), 'Address of the host that the host port is bound to.'),
  },
  { description: 'A port that a container listens on.' },
)
export type ContainerPort = Static<typeof ContainerPort>

/** Where a volume appears in the file system of a container. */
export const VolumeMount = Struct(
  'core.v1.VolumeMount',
  {
    name: required(1, Text(), 'Name of a volume of the Pod.'),
    readOnly: field(2, Bool(), 'Whether it is mounted read-only. False by default.'),
    mountPath: required(3, Text(), 'Path in the container. It may not contain a colon.'),
    subPath: field(4, Text(), 'Path within the volume that is mounted. Its root by default.'),
    mountPropagation: kept(
      5,
      Text(),
      'Whether later mounts are propagated: None (the default), HostToContainer or Bidirectional.',
    ),
    subPathExpr: field(6, Text(), 'Like subPath, with variables of the environment as $(NAME). Excludes subPath.'),
    recursiveReadOnly: kept(7, Text(), {
      description:
        'Whether nested mounts are read-only as well: Disabled (the default), IfPossible or Enabled. For read-only mounts.',
      since: '1.30',
      gate: 'RecursiveReadOnlyMounts',
    }),
  },
  { description: 'Where a volume is mounted in a container.' },
)
export type VolumeMount = Static<typeof VolumeMount>

/** Where a raw block volume appears in a container. */
export const VolumeDevice = Struct(
  'core.v1.VolumeDevice',
  {
    name: required(1, Text(), 'Name of a claim of the Pod.'),
    devicePath: required(2, Text(), 'Path of the device in the container.'),
  },
  { description: 'A volume that a container uses as a block device.' },
)
export type VolumeDevice = Static<typeof VolumeDevice>

/** What happens to a container when one of its resources is resized. */
export const ContainerResizePolicy = Struct(
  'core.v1.ContainerResizePolicy',
  {
    resourceName: required(1, Text(), 'The resource: cpu or memory.'),
    restartPolicy: required(2, Text(), 'NotRequired (the default), or RestartContainer.'),
  },
  { description: 'Whether a container is restarted when one of its resources changes.' },
)
export type ContainerResizePolicy = Static<typeof ContainerResizePolicy>

/** Exit codes that a restart rule is about. */
export const ContainerRestartRuleOnExitCodes = Struct(
  'core.v1.ContainerRestartRuleOnExitCodes',
  {
    operator: required(1, Text(), 'In or NotIn.'),
    values: field(2, ListOf(Int32(), { listType: 'set' }), 'The exit codes, at most 255.'),
  },
  { description: 'A set of exit codes, or its complement.' },
)
export type ContainerRestartRuleOnExitCodes = Static<typeof ContainerRestartRuleOnExitCodes>

/** What is done when a container ends in a certain way. */
export const ContainerRestartRule = Struct(
  'core.v1.ContainerRestartRule',
  {
    action: required(1, Text(), 'What to do: Restart, or RestartAllContainers.'),
    exitCodes: kept(2, ContainerRestartRuleOnExitCodes, 'The exit codes that the rule applies to.'),
  },
  { description: 'What is done when a container ends with certain exit codes.' },
)
export type ContainerRestartRule = Static<typeof ContainerRestartRule>

/** One container of a Pod. */
export const Container = Struct(
  'core.v1.Container',
  {
    name: required(1, Text(), 'Name of the container, unique in the Pod. It cannot be changed.'),
    image: field(2, Text(), 'Image of the container.'),
    command: field(
      3,
      ListOf(Text()),
      "Program to run, instead of the image's entry point. $(NAME) is replaced by the variable of that name.",
    ),
    args: field(
      4,
      ListOf(Text()),
      "Arguments of the program, instead of the image's. $(NAME) is replaced by the variable of that name.",
    ),
    workingDir: field(5, Text(), 'Working directory of the program. That of the image by default.'),
    ports: field(
      6,
      ListOf(ContainerPort, {
        listType: 'map',
        listMapKeys: ['containerPort', 'protocol'],
        patchStrategy: 'merge',
        patchMergeKey: 'containerPort',
      }),
      'Ports that the container listens on.',
    ),
    envFrom: field(
      19,
      ListOf(EnvFromSource),
      'Sources of variables. Later ones take precedence, and env over all of them.',
    ),
    env: field(7, ListOf(EnvVar, { patchStrategy: 'merge', patchMergeKey: 'name' }), 'Variables of the environment.'),
    resources: embedded(8, ResourceRequirements, 'Resource requests and limits of the container.'),
    resizePolicy: field(23, ListOf(ContainerResizePolicy, { listType: 'atomic' }), {
      description: 'Whether it is restarted when one of its resources changes. It cannot be changed.',
      since: '1.27',
      gate: 'InPlacePodVerticalScaling',
    }),
    restartPolicy: kept(24, Text(), {
      description:
        'When it is restarted: Always, OnFailure or Never. Always makes an init container a sidecar, which runs beside the others.',
      since: '1.28',
      gate: 'SidecarContainers',
    }),
    restartPolicyRules: field(25, ListOf(ContainerRestartRule, { listType: 'atomic' }), {
      description: 'Exceptions to its restart policy, by exit code. The first matching rule applies.',
      since: '1.34',
      gate: 'ContainerRestartRules',
    }),
    volumeMounts: field(
      9,
      ListOf(VolumeMount, { patchStrategy: 'merge', patchMergeKey: 'mountPath' }),
      'Volumes that are mounted in it.',
    ),
    volumeDevices: field(
      21,
      ListOf(VolumeDevice, { patchStrategy: 'merge', patchMergeKey: 'devicePath' }),
      'Volumes that it uses as block devices.',
    ),
    livenessProbe: kept(10, Probe, 'Liveness check; the container is restarted if it fails.'),
    readinessProbe: kept(11, Probe, 'Readiness check; the container receives no traffic while it fails.'),
    startupProbe: kept(22, Probe, 'Startup check; the other probes wait until it has passed.'),
    lifecycle: kept(12, Lifecycle, 'What is done after it starts and before it stops.'),
    terminationMessagePath: field(13, Text(), {
      description: 'File with the reason why the container ended. /dev/termination-log by default.',
      default: '/dev/termination-log',
    }),
    terminationMessagePolicy: field(20, Text(), {
      description: 'Source of the termination message: File (the default) or FallbackToLogsOnError.',
      default: 'File',
    }),
    imagePullPolicy: field(
      14,
      Text({ enum: pullPolicies }),
      'When the image is pulled: Always, IfNotPresent or Never.',
    ),
    securityContext: kept(15, SecurityContext, 'Security settings of the container. They override those of the Pod.'),
    stdin: field(16, Bool(), 'Whether the container has standard input. False by default.'),
    stdinOnce: field(17, Bool(), 'Whether standard input is closed after the first client. False by default.'),
    tty: field(18, Bool(), 'Whether the container has a terminal. False by default.'),
  },
  { description: 'A container of a Pod.' },
)
export type Container = Static<typeof Container>

/** The part of an ephemeral container that it shares with other containers. */
export const EphemeralContainerCommon = Struct('core.v1.EphemeralContainerCommon', Container.properties)
export type EphemeralContainerCommon = Static<typeof EphemeralContainerCommon>

/** A container added to a running Pod, for example to debug it. */
export const EphemeralContainer = Struct(
  'core.v1.EphemeralContainer',
  {
    ...inlined(1, EphemeralContainerCommon),
    targetContainerName: field(2, Text(), 'Container whose processes it sees.'),
  },
  { description: 'A container that is added to a running Pod for debugging.' },
)
export type EphemeralContainer = Static<typeof EphemeralContainer>
