import {
  field,
  Int32,
  Int64,
  IntOrString,
  inlined,
  kept,
  ListOf,
  required,
  type Static,
  Struct,
  Text,
} from '../resource/schema.js'

/** A command run inside a container. */
export const ExecAction = Struct(
  'core.v1.ExecAction',
  {
    command: field(1, ListOf(Text()), 'The program and its arguments. There is no shell.'),
  },
  { description: 'A command that is run in the container.' },
)
export type ExecAction = Static<typeof ExecAction>

/** A header of a probe request. */
export const HTTPHeader = Struct(
  'core.v1.HTTPHeader',
  {
    name: required(1, Text(), 'Name of the header.'),
    value: required(2, Text(), 'Value of the header.'),
  },
  { description: 'A header of a request.' },
)
export type HTTPHeader = Static<typeof HTTPHeader>

/** An HTTP GET request. */
export const HTTPGetAction = Struct(
  'core.v1.HTTPGetAction',
  {
    path: field(1, Text(), { description: 'Path of the URL.', default: '/' }),
    port: required(2, IntOrString(), 'Number or name of the port.'),
    host: field(3, Text(), 'Host to connect to. The address of the Pod by default.'),
    scheme: field(4, Text(), { description: 'HTTP (the default) or HTTPS.', default: 'HTTP' }),
    httpHeaders: field(5, ListOf(HTTPHeader), 'Headers of the request.'),
  },
  { description: 'A GET request to the container.' },
)
export type HTTPGetAction = Static<typeof HTTPGetAction>

/** An attempt to open a TCP connection. */
export const TCPSocketAction = Struct(
  'core.v1.TCPSocketAction',
  {
    port: required(1, IntOrString(), 'Number or name of the port.'),
    host: field(2, Text(), 'Host to connect to. The address of the Pod by default.'),
  },
  { description: 'A connection to the container.' },
)
export type TCPSocketAction = Static<typeof TCPSocketAction>

/** A gRPC health check. */
export const GRPCAction = Struct(
  'core.v1.GRPCAction',
  {
    port: required(1, Int32(), 'Number of the port.'),
    service: kept(2, Text(), { description: 'Name of the service in the check. Empty by default.', default: '' }),
  },
  { description: 'A gRPC health check of the container.' },
)
export type GRPCAction = Static<typeof GRPCAction>

/** What a probe does: exactly one is set. */
export const ProbeHandler = Struct(
  'core.v1.ProbeHandler',
  {
    exec: kept(1, ExecAction, 'A command; it passes if it exits with 0.'),
    httpGet: kept(2, HTTPGetAction, 'A request; it passes with a status from 200 to 399.'),
    tcpSocket: kept(3, TCPSocketAction, 'A connection; it passes when it is accepted.'),
    grpc: kept(4, GRPCAction, 'A gRPC health check.'),
  },
  { description: 'How a container is probed. Exactly one is given.' },
)
export type ProbeHandler = Static<typeof ProbeHandler>

/** A repeated check of a container. */
export const Probe = Struct(
  'core.v1.Probe',
  {
    ...inlined(1, ProbeHandler),
    initialDelaySeconds: field(2, Int32(), 'Seconds after the start before it begins.'),
    timeoutSeconds: field(3, Int32(), { description: 'Seconds that it may take. 1 by default.', default: 1 }),
    periodSeconds: field(4, Int32(), { description: 'Seconds between two checks. 10 by default.', default: 10 }),
    successThreshold: field(5, Int32(), {
      description: 'Successes in a row after which it passes. 1 by default.',
      default: 1,
    }),
    failureThreshold: field(6, Int32(), {
      description: 'Failures in a row after which it fails. 3 by default.',
      default: 3,
    }),
    terminationGracePeriodSeconds: kept(
      7,
      Int64(),
      'Grace period of the container after the probe failed. That of the Pod by default.',
    ),
  },
  { description: 'A periodic check of a container.' },
)
export type Probe = Static<typeof Probe>

/** Waiting for some time. */
export const SleepAction = Struct(
  'core.v1.SleepAction',
  {
    seconds: required(1, Int64(), 'How many seconds.'),
  },
  { description: 'Waiting for some time.' },
)
export type SleepAction = Static<typeof SleepAction>

/** An action at a point in the lifecycle of a container: exactly one is set. */
export const LifecycleHandler = Struct(
  'core.v1.LifecycleHandler',
  {
    exec: kept(1, ExecAction, 'A command that is run in it.'),
    httpGet: kept(2, HTTPGetAction, 'A request that is sent to it.'),
    tcpSocket: kept(3, TCPSocketAction, 'No longer used.'),
    sleep: kept(4, SleepAction, { description: 'A time to wait.', since: '1.29', gate: 'PodLifecycleSleepAction' }),
  },
  { description: 'An action at a point in the lifecycle of a container. Exactly one is set.' },
)
export type LifecycleHandler = Static<typeof LifecycleHandler>

/** Actions right after the start and right before the end of a container. */
export const Lifecycle = Struct(
  'core.v1.Lifecycle',
  {
    postStart: kept(1, LifecycleHandler, 'Done right after it starts. If it fails, the container is restarted.'),
    preStop: kept(2, LifecycleHandler, 'Done before it is stopped. The grace period includes it.'),
    stopSignal: kept(3, Text(), {
      description: 'Signal that stops it, such as SIGTERM. That of the image by default. The Pod must name its system.',
      since: '1.33',
      gate: 'ContainerStopSignals',
      dropsEmptyParent: true,
    }),
  },
  { description: 'Actions around the start and the end of a container.' },
)
export type Lifecycle = Static<typeof Lifecycle>
