import { type Static, Type } from 'orch/sdk'

const duration = (value: string, description: string) =>
  Type.String({ format: 'duration', default: value, description })
const limit = (value: number, description: string) => Type.Integer({ minimum: 0, default: value, description })
const atLeastOne = (value: number, description: string) => Type.Integer({ minimum: 1, default: value, description })
const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description })
const file = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
const names = (value: string[], description: string) =>
  Type.Array(Type.String({ minLength: 1 }), { default: value, description })

const mebibyte = 1024 * 1024

/** The kernel's own options, declared like any plugin's: each is a config key and a flag. */
export const KernelOptions = Type.Object({
  config: file('Config file; orch.config.ts, .mjs or .js of the working directory by default.'),
  vendor: Type.String({
    minLength: 1,
    default: 'orch',
    description: 'Vendor profile: determines the names of groups, labels and media types.',
  }),
  kubernetesVersion: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Version of the API to serve, such as 1.31, for vendors that have several.',
    }),
  ),
  emulatedVersion: Type.Optional(
    Type.String({ minLength: 1, description: 'Another name of --kubernetes-version, as Kubernetes calls it.' }),
  ),
  dataDir: Type.String({
    minLength: 1,
    default: 'data',
    description: 'Folder of the store, certificates, keys and the admin client config.',
  }),
  storageEngine: Type.String({
    minLength: 1,
    default: 'lmdb',
    description: 'Name of the storage engine.',
  }),

  bindAddress: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on.' }),
  securePort: Type.Integer({
    minimum: 0,
    maximum: 65535,
    default: 6443,
    description: 'Port to listen on; 0 chooses a free one.',
  }),
  workers: Type.Union([Type.Integer({ minimum: 1, maximum: 128 }), Type.Literal('auto')], {
    default: 1,
    description:
      'Number of processes that serve requests, in addition to one that runs the control loops; auto means one per core.',
  }),
  tls: Type.Boolean({ default: true, description: 'Serve with TLS; false is allowed on a loopback address only.' }),
  tlsCertFile: file('Serving certificate (PEM, with intermediates); generated in the data folder by default.'),
  tlsPrivateKeyFile: file('Private key of --tls-cert-file (PEM).'),

  enableAdmissionPlugins: names([], 'Admission controls to enable in addition to the default ones.'),
  disableAdmissionPlugins: names([], 'Admission controls to disable that are enabled by default.'),
  admissionOrder: names([], 'Relative order of these admission controls, which overrides what they declare.'),
  admissionControlConfigFile: file('File with the configuration of admission controls.'),
  featureGates: Type.Record(Type.String(), Type.String(), {
    default: {},
    description: 'Feature gates to turn on or off: NAME=true|false, AllAlpha=true, AllBeta=false.',
  }),
  runtimeConfig: Type.Record(Type.String(), Type.String(), {
    default: {},
    description:
      'Groups, versions and resources to turn on or off: group/version[/resource]=true|false, api/all=false.',
  }),
  controllers: names(
    ['*'],
    'Control loops to run: * for those enabled by default, name for one, -name for all but one, -* for none.',
  ),
  replaceablePlugins: names([], 'Plugins of the config that may be replaced while the server runs.'),
  leaderElect: Type.Optional(
    Type.Boolean({
      description:
        'Run control loops only while this process is the leader; by default if the store is shared, and in orch controllers.',
    }),
  ),
  leaderElectLeaseDuration: duration('15s', 'A leader that has not renewed its lease for this long is replaced.'),
  leaderElectRenewDeadline: duration('10s', 'A leader that cannot renew its lease for this long stops its loops.'),
  leaderElectRetryPeriod: duration('2s', 'Time between attempts to acquire or renew the lease.'),
  leaderElectResourceName: Type.Optional(
    Type.String({ minLength: 1, description: 'Name of the lease; <vendor>-controller-manager by default.' }),
  ),
  leaderElectResourceNamespace: Type.Optional(
    Type.String({ minLength: 1, description: 'Namespace of the lease; that of the system by default.' }),
  ),

  maxRequestsInflight: limit(400, 'Maximum number of concurrent read requests; 0 means no limit.'),
  maxMutatingRequestsInflight: limit(200, 'Maximum number of concurrent write requests; 0 means no limit.'),
  maxRequestBodyBytes: Type.Integer({
    minimum: 1,
    default: 3 * mebibyte,
    description: 'Maximum size of a request body in bytes.',
  }),
  maxYamlNodes: Type.Integer({
    minimum: 1,
    default: 250_000,
    description: 'Maximum number of values in a YAML body, including those repeated by aliases.',
  }),
  yamlTimeout: duration('5s', 'CPU time for parsing a YAML body, or for writing a part of one.'),
  requestTimeout: duration('60s', 'Timeout of requests, except watches and other long-running ones.'),
  maxObjectItems: Type.Integer({
    minimum: 1000,
    default: 200_000,
    description: 'Maximum number of items in all lists and maps of an object together; more are rejected with 413.',
  }),
  eventLoopWarning: duration('250ms', 'A request that blocks the event loop for longer is logged; 0s means never.'),
  maxRequestHeaders: Type.Integer({
    minimum: 20,
    default: 200,
    description: 'Maximum number of header fields of a request.',
  }),
  maxRequestHeadBytes: Type.Integer({
    minimum: 8192,
    maximum: 1_048_576,
    default: 1_048_576,
    description: 'Maximum size of the request line and the header fields in bytes.',
  }),
  maxUnfinishedHeadBytes: limit(
    64 * 1024 * 1024,
    'Maximum size of all incomplete request heads in bytes; beyond it the connections with the largest are closed. 0 means no limit.',
  ),
  maxConnections: limit(
    20_000,
    'Maximum number of connections, or as many as the limit of open files allows; idle ones are closed for new ones. 0 means no limit.',
  ),
  maxConnectionsPerAddress: limit(10_000, 'Maximum number of connections from one address; 0 means no limit.'),
  tlsHandshakeTimeout: duration('10s', 'Timeout of TLS handshakes; 0s means no limit.'),
  headerTimeout: duration(
    '30s',
    'Timeout for the first request of a new connection, and for the header fields of every request.',
  ),
  idleTimeout: duration('90s', 'How long a connection may stay open between two requests.'),
  minTransferRate: limit(
    1024,
    'Minimum rate, in bytes a second, at which a client must send a body and receive a response; 0 means no limit.',
  ),
  slowClientTimeout: duration(
    '20s',
    'A client that is slower than --min-transfer-rate for this long is disconnected; 0s means never.',
  ),
  responseTimeout: duration('5m', 'Timeout for receiving a response, except watches; 0s means no limit.'),
  maxUnsentResponseBytes: limit(
    256 * mebibyte,
    'Maximum size of all buffered responses in bytes; beyond it stalled clients are disconnected. 0 means no limit.',
  ),
  compressResponseBytes: limit(
    128 * 1024,
    'Minimum size in bytes of responses to reads that are compressed for clients that accept gzip; those of unknown length always are. 0 means none.',
  ),
  maxCompressedResponses: limit(
    16,
    'Maximum number of responses that are compressed concurrently; others are sent uncompressed.',
  ),
  disableHttp2Serving: Type.Boolean({ default: false, description: 'Serve HTTP/1.1 only.' }),
  http2MaxStreamsPerConnection: limit(
    0,
    'Maximum number of concurrent requests on an HTTP/2 connection; 0 means the default of 1000.',
  ),
  http2MaxResetsPerMinute: limit(
    600,
    'Maximum number of requests per minute that a client may reset on an HTTP/2 connection, including pings and settings; beyond it the connection is closed. 0 means no limit.',
  ),
  minRequestTimeout: limit(1800, 'Watches without a timeout end after this many seconds up to twice as many.'),
  livezGracePeriod: duration('0s', 'How long after the start /livez tolerates failing checks.'),
  shutdownDelayDuration: duration('0s', 'How long to continue serving after a signal, while /readyz already fails.'),
  shutdownGracePeriod: duration('10s', 'How long requests in flight may take to complete at shutdown.'),
  shutdownLingerDuration: duration(
    '250ms',
    'How long connections stay open at shutdown for requests that are on their way. Their responses close the connection.',
  ),
  pluginStartTimeout: duration('30s', 'Timeout for the start of each start task and control loop of a plugin.'),

  watchHistory: duration('5m', 'How long history is retained for watches, exact reads and continue tokens.'),
  watchBufferBytes: Type.Integer({
    minimum: 1,
    default: 4 * mebibyte,
    description: 'Maximum number of unsent bytes of a watch; a slow watch is ended beyond it, and may resume.',
  }),
  watchBookmarkInterval: duration('1m', 'Interval of bookmarks for idle watches that allow them.'),

  auditLogPath: file('File that audit events are appended to; - for standard output. No audit log by default.'),
  auditPolicyFile: file('File with the audit policy.'),
  auditLogMaxsize: limit(100, 'Size in megabytes at which the audit log is rotated; 0 means never.'),
  auditLogMaxbackup: limit(0, 'Maximum number of rotated audit logs to retain; 0 retains all.'),
  auditLogMaxage: limit(0, 'Maximum age in days of rotated audit logs; 0 retains all.'),
  auditLogTruncateEnabled: flag(false, 'Record events that are too large without request and response bodies.'),
  auditLogTruncateMaxEventSize: atLeastOne(102_400, 'Maximum size in bytes of an audit event that is not truncated.'),
  auditWebhookConfigFile: file('Client config of a server that audit events are sent to.'),
  auditWebhookMode: Type.Union([Type.Literal('batch'), Type.Literal('blocking'), Type.Literal('blocking-strict')], {
    default: 'batch',
    description:
      'Send audit events in batches, or let each request wait until its event was accepted; strict rejects requests whose event was not.',
  }),
  auditWebhookBatchMaxSize: atLeastOne(400, 'Maximum number of audit events in a batch.'),
  auditWebhookBatchMaxWait: duration('30s', 'How long audit events wait for a batch to fill.'),
  auditWebhookBatchBufferSize: atLeastOne(
    10_000,
    'Maximum number of audit events that wait to be sent; further ones are lost, and counted.',
  ),
  auditWebhookBatchBufferBytes: atLeastOne(
    64 * mebibyte,
    'Maximum size in bytes of audit events that wait to be sent.',
  ),
  auditWebhookBatchThrottleEnable: flag(true, 'Limit the rate of batches to --audit-webhook-batch-throttle-qps.'),
  auditWebhookBatchThrottleQps: Type.Number({
    exclusiveMinimum: 0,
    default: 10,
    description: 'Average number of batches of audit events per second.',
  }),
  auditWebhookBatchThrottleBurst: atLeastOne(
    15,
    'Maximum number of batches of audit events sent at once after a pause.',
  ),
  auditWebhookTruncateEnabled: flag(false, 'Send events that are too large without request and response bodies.'),
  auditWebhookTruncateMaxEventSize: atLeastOne(
    102_400,
    'Maximum size in bytes of an audit event that is not truncated.',
  ),
  auditWebhookTruncateMaxBatchSize: atLeastOne(
    10 * mebibyte,
    'Maximum size in bytes of a batch of audit events; larger ones are split.',
  ),
  auditWebhookInitialBackoff: duration('10s', 'Initial delay before audit events that could not be sent are retried.'),
  accessLog: file(
    'File for the access log, with one line per request of a client; - for standard output. None by default.',
  ),
  accessLogMaxsize: limit(100, 'Size in megabytes at which the access log is rotated; 0 means never.'),
  accessLogMaxbackup: limit(0, 'Maximum number of rotated access logs to retain; 0 retains all.'),
  accessLogMaxage: limit(0, 'Maximum age in days of rotated access logs; 0 retains all.'),
  logFormat: Type.Union([Type.Literal('text'), Type.Literal('json')], {
    default: 'text',
    description: 'Format of the log: text for people, with colors on a terminal, or a JSON object per line.',
  }),
  v: Type.Integer({
    minimum: 0,
    default: 0,
    description:
      'Verbosity of the log: 3 shows requests of clients, 4 their steps and debug messages, 5 requests of the server itself.',
  }),
})
export type KernelOptions = Static<typeof KernelOptions>

/** The name of the kernel in messages about plugins. */
export const kernelName = 'kernel'
