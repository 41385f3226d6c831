import { signal } from '@preact/signals'
import { request } from './api.js'
import { growthBy, type Sample } from './prometheus.js'
import { numbers, queueNumbers } from './server-numbers.js'

/** The health of the server, from its checks and metrics. */

export interface Check {
  readonly name: string
  readonly isOk: boolean
}
export interface ServerHealth {
  readonly isReady: boolean
  readonly checks: readonly Check[]
}
export const serverHealth = signal<ServerHealth | undefined>(undefined)

const periodMs = 5000

export function followHealth(): () => void {
  let isOver = false
  let timer: ReturnType<typeof setTimeout>
  const look = async () => {
    const response = await request('/readyz?verbose', { headers: { Accept: 'text/plain' } }).catch(() => undefined)
    const text = (await response?.text().catch(() => '')) ?? ''
    if (isOver) return
    const checks = [...text.matchAll(/^\[([+-])\](\S+)/gm)].map(([, sign, name = '']) => ({ name, isOk: sign === '+' }))
    // A user who may not read the checks still sees that the server responds.
    const isReady = response !== undefined && (response.ok || response.status === 403)
    serverHealth.value = { isReady, checks }
    timer = setTimeout(look, periodMs)
  }
  void look()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** A problem of the server that needs attention. */
export interface Concern {
  readonly key: string
  readonly severity: 'bad' | 'warn'
  readonly title: string
  readonly message: string
  readonly at: number
}
const recentMs = 10 * 60_000
const dayMs = 86_400_000
/** The server renews its own certificates long before that; its CA has to be replaced by an administrator. */
const certificateNearMs = (certificate: string) => (certificate === 'ca' ? 30 : 7) * dayMs
const backupOldMs = 2 * dayMs

/** The metrics that concerns and queues are derived from. */
export const concernMetrics = [
  ...['workqueue_adds_total', 'workqueue_depth', 'workqueue_retries_total', 'workqueue_last_failure_timestamp_seconds'],
  'apiserver_certificate_expiration_timestamp_seconds',
  ...['storage_backup_total', 'storage_backup_last_success_timestamp_seconds'],
  ...['apiserver_admission_webhook_failures_total', 'apiserver_admission_webhook_rejection_count'],
]
/** Problems that the metrics of the server indicate. */
export function concerns(nowMs: number): Concern[] {
  const { samples, first } = numbers.value
  return [
    ...loopErrors(samples, nowMs),
    ...certificates(samples, nowMs),
    ...backups(samples, nowMs),
    ...webhooks(first, samples),
  ]
}

function loopErrors(samples: readonly Sample[], nowMs: number): Concern[] {
  return queueNumbers(samples)
    .filter(({ lastFailure }) => lastFailure && nowMs - lastFailure.at < recentMs)
    .map(({ name, lastFailure, retries }) => ({
      key: `loop ${name}`,
      severity: 'warn' as const,
      title: `Loop ${name} has errors`,
      message: `${lastFailure!.reason}; ${retries} retries since the server started`,
      at: lastFailure!.at,
    }))
}

function certificates(samples: readonly Sample[], nowMs: number): Concern[] {
  return samples
    .filter(({ name }) => name === 'apiserver_certificate_expiration_timestamp_seconds')
    .filter(({ labels, value }) => value * 1000 - nowMs < certificateNearMs(labels['certificate'] ?? ''))
    .map(({ labels, value }) => {
      const left = value * 1000 - nowMs
      const what = Object.values(labels).join(' ')
      return {
        key: `certificate ${what}`,
        severity: left < 3 * dayMs ? ('bad' as const) : ('warn' as const),
        title: left < 0 ? `Certificate ${what} has expired` : `Certificate ${what} expires soon`,
        message: `on ${new Date(value * 1000).toDateString()}`,
        at: nowMs,
      }
    })
}

/** Only servers that make backups are expected to have a recent one. */
function backups(samples: readonly Sample[], nowMs: number): Concern[] {
  const failed = samples.filter(
    ({ name, labels, value }) => name === 'storage_backup_total' && labels['result'] === 'failure' && value > 0,
  )
  const last = samples
    .filter(({ name, value }) => name === 'storage_backup_last_success_timestamp_seconds' && value > 0)
    .map(({ value }) => value * 1000)
  const newest = last.reduce((most, time) => Math.max(most, time), 0)
  if (last.length > 0 && nowMs - newest > backupOldMs)
    return [
      {
        key: 'backup',
        severity: 'bad',
        title: 'The last backup is old',
        message: `made on ${new Date(newest).toDateString()}`,
        at: newest,
      },
    ]
  if (failed.length > 0 && last.length === 0)
    return [
      {
        key: 'backup',
        severity: 'bad',
        title: 'No backup has succeeded',
        message: 'The server log has the reason.',
        at: nowMs,
      },
    ]
  return []
}

function webhooks(first: readonly Sample[], samples: readonly Sample[]): Concern[] {
  const prefix = 'apiserver_admission_webhook'
  const since = (name: string) => growthBy(first, samples, `${prefix}_${name}`, 'name')
  const total = (name: string) => growthBy([], samples, `${prefix}_${name}`, 'name')
  const [failed, refused, recent] = [total('failures_total'), total('rejection_count'), since('rejection_count')]
  const names = [...new Set([...failed.keys(), ...refused.keys()])]
  return names.flatMap(name => {
    const [failures, refusals] = [failed.get(name) ?? 0, refused.get(name) ?? 0]
    if (failures + refusals === 0) return []
    const parts = [
      ...(refusals > 0 ? [`${refusals} requests rejected since the server started`] : []),
      ...((recent.get(name) ?? 0) > 0 ? [`${recent.get(name)} since this page was opened`] : []),
      ...(failures > 0 ? [`${failures} calls failed`] : []),
    ]
    return [
      {
        key: `webhook ${name}`,
        severity: failures > 0 ? ('bad' as const) : ('warn' as const),
        title: failures > 0 ? `Webhook ${name} fails` : `Webhook ${name} rejects`,
        message: parts.join(', '),
        at: Date.now(),
      },
    ]
  })
}
