import { readFileSync } from 'node:fs'
import { type Clock, type Logger, type Metrics, parseDuration, type Vendor } from 'orch/sdk'
import { WebhookEndpoint } from 'orch/sdk/client'
import { type AuditRecordType, auditRecordType } from 'orch/sdk/host'
import type { SharedWork } from 'orch/sdk/proposed'
import { truncatedAnnotation } from '../contracts/audit-level.js'
import { LogFile } from '../observe/log-file.js'
import type { KernelOptions } from '../options/kernel-options.js'
import type { ResourceTypes } from '../types/resource-types.js'
import { AccessLog } from './access-log.js'
import { type Audit, AuditLog, type AuditSink, type LongRunning, noAudit } from './audit.js'
import { AuditPolicy } from './audit-policy.js'
import { AuditWebhook } from './audit-webhook.js'
import { truncating } from './truncated-events.js'

/** What the audit and access logs are created from. */
export interface AuditParts {
  readonly options: KernelOptions
  readonly vendor: Vendor
  readonly types: ResourceTypes
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly sharedWork: SharedWork
}

/** The audit log the options ask for; none by default. */
export function createAudit(parts: AuditParts): Audit {
  const { options, vendor, types, clock, metrics, logger } = parts
  const { auditLogPath, auditWebhookConfigFile, auditPolicyFile } = options
  if (auditLogPath === undefined && auditWebhookConfigFile === undefined) return noAudit
  const text = auditPolicyFile === undefined ? undefined : readFileSync(auditPolicyFile, 'utf8')
  const isSensitive = (group: string, resource: string, subresource: string) =>
    types.get(group, resource)?.isSensitive(subresource) ?? false
  const policy = new AuditPolicy(text, isSensitive)
  const recordType = auditRecordType(vendor)
  const lost = metrics.counter('apiserver_audit_error_total', 'Audit events that were lost, by where they went.', [
    'plugin',
  ])
  const sinks: AuditSink[] = []
  const annotation = truncatedAnnotation(vendor)
  if (auditLogPath !== undefined) {
    const onLoss = (lines: number) => lost.inc({ plugin: 'log' }, lines)
    const file = fileSink(parts, auditLogPath, recordType, onLoss)
    const maxEventBytes = options.auditLogTruncateMaxEventSize
    const truncation = { what: 'the audit log', maxEventBytes, annotation, isStrict: false, logger, onLoss }
    sinks.push(options.auditLogTruncateEnabled ? truncating(file, truncation) : file)
  }
  if (auditWebhookConfigFile !== undefined) {
    const onLoss = (events: number) => lost.inc({ plugin: 'webhook' }, events)
    const webhook = webhookSink(parts, auditWebhookConfigFile, recordType, onLoss)
    const isStrict = options.auditWebhookMode === 'blocking-strict'
    const maxEventBytes = options.auditWebhookTruncateMaxEventSize
    const truncation = { what: 'the audit webhook', maxEventBytes, annotation, isStrict, logger, onLoss }
    sinks.push(options.auditWebhookTruncateEnabled ? truncating(webhook, truncation) : webhook)
  }
  const recorded = metrics.counter('apiserver_audit_event_total', 'Audit events.')
  const refused = metrics.counter(
    'apiserver_audit_requests_rejected_total',
    'Requests that were refused because they could not be recorded.',
  )
  const counts = { recorded: () => recorded.inc(), refused: () => refused.inc() }
  const isConnection: LongRunning = ({ info }) => info.isResource && types.connectionAt(info) !== undefined
  return new AuditLog(policy, sinks, counts, () => clock.now(), isConnection)
}

/** The access log the options ask for; undefined by default. */
export function createAccessLog(parts: AuditParts): AccessLog | undefined {
  const { options, logger, metrics } = parts
  const { accessLog: path, accessLogMaxsize, accessLogMaxbackup, accessLogMaxage } = options
  const rotation = { maxMegabytes: accessLogMaxsize, maxBackups: accessLogMaxbackup, maxAgeDays: accessLogMaxage }
  const verbosity = options.v
  if (path === undefined) return AccessLog.of({ file: undefined, logger, verbosity })
  const lost = metrics.counter('apiserver_access_log_error_total', 'Lines of the access log that were lost.')
  const onLoss = (lines: number) => lost.inc({}, lines)
  const file = new LogFile({ ...parts, path, what: 'the access log', rotation, onLoss })
  return AccessLog.of({ file, logger, verbosity })
}

type OnLoss = (events: number) => void

/** A line for each event. */
function fileSink(parts: AuditParts, path: string, { kind, apiVersion }: AuditRecordType, onLoss: OnLoss): AuditSink {
  const { auditLogMaxsize, auditLogMaxbackup, auditLogMaxage } = parts.options
  const file = new LogFile({
    ...parts,
    path,
    what: 'the audit log',
    rotation: { maxMegabytes: auditLogMaxsize, maxBackups: auditLogMaxbackup, maxAgeDays: auditLogMaxage },
    onLoss,
  })
  const start = JSON.stringify({ kind, apiVersion }).slice(0, -1)
  return { write: event => file.write(`${start},${event.slice(1)}\n`), close: () => file.close() }
}

function webhookSink(parts: AuditParts, path: string, recordType: AuditRecordType, onLoss: OnLoss): AuditSink {
  const { options } = parts
  const endpoint = new WebhookEndpoint({ ...parts, path })
  const webhook = new AuditWebhook({
    ...parts,
    endpoint,
    recordType,
    mode: options.auditWebhookMode,
    maxBatchEvents: options.auditWebhookBatchMaxSize,
    maxWaitMs: parseDuration(options.auditWebhookBatchMaxWait),
    maxBufferedEvents: options.auditWebhookBatchBufferSize,
    maxBufferedBytes: options.auditWebhookBatchBufferBytes,
    maxBatchBytes: options.auditWebhookTruncateMaxBatchSize,
    throttle: options.auditWebhookBatchThrottleEnable
      ? { perSecond: options.auditWebhookBatchThrottleQps, burst: options.auditWebhookBatchThrottleBurst }
      : undefined,
    firstBackoffMs: parseDuration(options.auditWebhookInitialBackoff),
    onLoss,
  })
  return {
    open: () => endpoint.connect(),
    write: event => webhook.write(event),
    close: () => webhook.close(),
  }
}
