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
    description: 'Vendor profile: whose names groups, labels and media types carry.',
  }),
  dataDir: Type.String({
    minLength: 1,
    default: 'data',
    description: 'Folder of the store, certificates, keys and the admin client config.',
  }),
  storageEngine: Type.String({
    minLength: 1,
    default: 'lmdb',
    description: 'Storage engine, by the name a plugin registered it under.',
  }),

  bindAddress: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on.' }),
  securePort: Type.Integer({
    minimum: 0,
    maximum: 65535,
    default: 6443,
    description: 'Port to listen on; 0 picks a free one.',
  }),
  workers: Type.Union([Type.Integer({ minimum: 1, maximum: 128 }), Type.Literal('auto')], {
    default: 1,
    description: 'Processes that serve requests, beside one that runs the control loops; auto takes one per core.',
  }),
  tls: Type.Boolean({ default: true, description: 'Serve with TLS; false is allowed on a loopback address only.' }),
  tlsCertFile: file('Serving certificate (PEM, with intermediates); generated in the data folder by default.'),
  tlsPrivateKeyFile: file('Private key of --tls-cert-file (PEM).'),

  enableAdmissionPlugins: names([], 'Admission controls to enable beside the default ones.'),
  disableAdmissionPlugins: names([], 'Admission controls to disable although they are on by default.'),
  admissionOrder: names([], 'Admission controls in the order they are to run among each other, whatever they declare.'),
  admissionControlConfigFile: file('File with the configuration of admission controls.'),
  featureGates: Type.Record(Type.String(), Type.String(), {
    default: {},
    description: 'Gates to turn on or off: NAME=true|false, AllAlpha=true, AllBeta=false.',
  }),
  runtimeConfig: Type.Record(Type.String(), Type.String(), {
    default: {},
    description:
      'Groups, versions and resources to turn on or off: group/version[/resource]=true|false, api/all=false.',
  }),
  controllers: names(
    ['*'],
    'Control loops to run: * for those on by default, name for one, -name for all but one, -* for none.',
  ),
  leaderElect: Type.Optional(
    Type.Boolean({
      description:
        'Run control loops only while leading the other processes; by default where the store is shared, and in orch controllers.',
    }),
  ),
  leaderElectLeaseDuration: duration('15s', 'A leader that was silent this long is replaced.'),
  leaderElectRenewDeadline: duration('10s', 'A leader that could not renew its lease for this long stops its loops.'),
  leaderElectRetryPeriod: duration('2s', 'Time between attempts to get or renew the lease.'),
  leaderElectResourceName: Type.Optional(
    Type.String({ minLength: 1, description: 'Name of the lease; <vendor>-controller-manager by default.' }),
  ),
  leaderElectResourceNamespace: Type.Optional(
    Type.String({ minLength: 1, description: 'Namespace of the lease; that of the system by default.' }),
  ),

  maxRequestsInflight: limit(400, 'Reading requests served at once; 0 means no limit.'),
  maxMutatingRequestsInflight: limit(200, 'Writing requests served at once; 0 means no limit.'),
  maxRequestBodyBytes: Type.Integer({
    minimum: 1,
    default: 3 * mebibyte,
    description: 'Largest request body in bytes.',
  }),
  maxYamlNodes: Type.Integer({
    minimum: 1,
    default: 250_000,
    description: 'Values in a YAML body, those that aliases repeat included.',
  }),
  yamlTimeout: duration('5s', 'How long the reading of a YAML body, or the writing of a part of one, may take.'),
  requestTimeout: duration('60s', 'How long a request may take, apart from watches and other long-running ones.'),
  maxObjectItems: Type.Integer({
    minimum: 1000,
    default: 20_000,
    description: 'Items that all lists and maps of an object may have together; more are refused with 413.',
  }),
  eventLoopWarning: duration(
    '250ms',
    'How long a request may hold up all others before the log names it; 0s for never.',
  ),
  maxRequestHeaders: Type.Integer({
    minimum: 20,
    default: 200,
    description: 'Header fields that a request may have.',
  }),
  maxRequestHeadBytes: Type.Integer({
    minimum: 8192,
    maximum: 1_048_576,
    default: 32_768,
    description: 'Bytes that the first line and the header fields of a request may have.',
  }),
  maxConnections: limit(
    20_000,
    'Connections at once, or as many as the limit of open files allows; idle ones make room for new ones. 0 means no limit.',
  ),
  maxConnectionsPerAddress: limit(10_000, 'Connections from one address at once; 0 means no limit.'),
  tlsHandshakeTimeout: duration('10s', 'How long a TLS handshake may take; 0s means no limit.'),
  headerTimeout: duration(
    '30s',
    'How long a new connection may take to send the first request, and any to send headers.',
  ),
  idleTimeout: duration('90s', 'How long a connection may stay open between two requests.'),
  minTransferRate: limit(
    1024,
    'Bytes a second that a body must arrive with, and an answer be read with; 0 means no limit.',
  ),
  slowClientTimeout: duration(
    '20s',
    'A client that is slower than --min-transfer-rate for this long is cut off; 0s means never.',
  ),
  responseTimeout: duration('5m', 'How long a client may take to read an answer, watches apart; 0s means no limit.'),
  maxUnsentResponseBytes: limit(
    256 * mebibyte,
    'Bytes of answers kept for clients to read them, all together; beyond it those that stall are cut off. 0 means no limit.',
  ),
  compressResponseBytes: limit(
    128 * 1024,
    'Answers to reads of so many bytes and more, or of unknown length, are compressed for clients that take gzip; 0 compresses none.',
  ),
  maxCompressedResponses: limit(16, 'So many answers are compressed at once; further ones are sent as they are.'),
  disableHttp2Serving: Type.Boolean({ default: false, description: 'Speak HTTP/1.1 alone.' }),
  http2MaxStreamsPerConnection: limit(
    0,
    'Requests that a client may have at once on an HTTP/2 connection; 0 means the default of 1000.',
  ),
  http2MaxResetsPerMinute: limit(
    600,
    'Requests that a client may give up before they are answered, in a minute on an HTTP/2 connection, pings and settings counted in; beyond it the connection is closed. 0 means no limit.',
  ),
  minRequestTimeout: limit(
    1800,
    'Watches without a timeout of their own end after this many seconds up to twice as many.',
  ),
  livezGracePeriod: duration('0s', 'How long after start /livez tolerates failing checks.'),
  shutdownDelayDuration: duration('0s', 'How long to go on serving after a signal while /readyz already fails.'),
  shutdownGracePeriod: duration('10s', 'How long requests in flight may take to finish when the server stops.'),
  shutdownLingerDuration: duration(
    '250ms',
    'How long connections stay open when the server stops, for a request that is on its way. Its answer closes the connection.',
  ),
  pluginStartTimeout: duration('30s', 'How long each start task and control loop of a plugin may take to start.'),

  watchHistory: duration('5m', 'How long past versions are kept for watches, exact reads and continue tokens.'),
  watchBufferBytes: Type.Integer({
    minimum: 1,
    default: 4 * mebibyte,
    description: 'Unsent bytes after which a slow watch is ended; it may resume.',
  }),
  watchBookmarkInterval: duration('1m', 'How often an idle watch that allows bookmarks gets one.'),

  auditLogPath: file('File that audit events are appended to; - for standard output. No audit log by default.'),
  auditPolicyFile: file('File that says what is audited, and how much of it.'),
  auditLogMaxsize: limit(100, 'Megabytes after which the audit log is put aside and begun anew; 0 means never.'),
  auditLogMaxbackup: limit(0, 'So many audit logs that were put aside are kept; 0 keeps all.'),
  auditLogMaxage: limit(0, 'Days that audit logs are kept after they were put aside; 0 keeps all.'),
  auditLogTruncateEnabled: flag(false, 'Record events that are too large without what was sent and answered.'),
  auditLogTruncateMaxEventSize: atLeastOne(102_400, 'Bytes of an audit event that the log takes as it is.'),
  auditWebhookConfigFile: file('Client config of a server that audit events are sent to.'),
  auditWebhookMode: Type.Union([Type.Literal('batch'), Type.Literal('blocking'), Type.Literal('blocking-strict')], {
    default: 'batch',
    description:
      'Send audit events in batches, or have each request wait until its event was taken; strict refuses those whose event was not.',
  }),
  auditWebhookBatchMaxSize: atLeastOne(400, 'Audit events sent at once.'),
  auditWebhookBatchMaxWait: duration('30s', 'How long audit events wait for a batch to fill.'),
  auditWebhookBatchBufferSize: atLeastOne(10_000, 'Audit events that may wait to be sent; more are lost, and counted.'),
  auditWebhookBatchBufferBytes: atLeastOne(64 * mebibyte, 'Bytes of audit events that may wait to be sent.'),
  auditWebhookBatchThrottleEnable: flag(true, 'Send no more batches than --audit-webhook-batch-throttle-qps says.'),
  auditWebhookBatchThrottleQps: Type.Number({
    exclusiveMinimum: 0,
    default: 10,
    description: 'Batches of audit events sent in a second on average.',
  }),
  auditWebhookBatchThrottleBurst: atLeastOne(15, 'Batches of audit events sent at once after a pause.'),
  auditWebhookTruncateEnabled: flag(false, 'Send events that are too large without what was sent and answered.'),
  auditWebhookTruncateMaxEventSize: atLeastOne(102_400, 'Bytes of an audit event that is sent as it is.'),
  auditWebhookTruncateMaxBatchSize: atLeastOne(10 * mebibyte, 'Bytes of a batch of audit events; more go as several.'),
  auditWebhookInitialBackoff: duration(
    '10s',
    'How long to wait before audit events that failed to be sent are sent again.',
  ),
  accessLog: file('File that gets a line for each request of a client; - for standard output. None by default.'),
  accessLogMaxsize: limit(100, 'Megabytes after which the access log is put aside and begun anew; 0 means never.'),
  accessLogMaxbackup: limit(0, 'So many access logs that were put aside are kept; 0 keeps all.'),
  accessLogMaxage: limit(0, 'Days that access logs are kept after they were put aside; 0 keeps all.'),
  logFormat: Type.Union([Type.Literal('auto'), Type.Literal('json'), Type.Literal('text')], {
    default: 'auto',
    description: 'How the log is written: text on a terminal and JSON elsewhere, or always the same.',
  }),
  v: Type.Integer({
    minimum: 0,
    default: 0,
    description:
      'Verbosity of the log: 3 shows requests of clients, 4 their steps and what helps to debug, 5 requests of the server itself.',
  }),
})
export type KernelOptions = Static<typeof KernelOptions>

/** The name under which the kernel appears in messages, next to plugins. */
export const kernelName = 'kernel'
