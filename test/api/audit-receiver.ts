import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { orchProfile } from 'orch/sdk'
import { type HttpsReceiver, type Received, startHttpsReceiver } from '../support/https-receiver.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { type ServerUnderTest, withServer } from './with-server.js'

/** Generous, because the machine may be busy. */
export const patienceMs = 60_000
const vendor = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'api.acme.test' }

export interface Batch {
  readonly kind: string
  readonly apiVersion: string
  readonly items: readonly { readonly auditID: string; readonly stage: string; readonly kind?: string }[]
}
export interface World {
  readonly server: ServerUnderTest
  readonly receiver: HttpsReceiver
  readonly received: Received[]
  /** The ids of the events that arrived, by stage. */
  arrived(stage: string): string[]
  batches(): Batch[]
  /** Sends a request with its own audit id and returns the status. */
  ask(id: string): Promise<number>
  metric(name: string): Promise<number>
  log(): string
  /** The audit log in the file. */
  lines(): string[]
}

/** Runs a test on a server that sends audit events to a receiver with this answer. */
export async function withReceiver(
  answer: (received: Received) => { code: number } | Promise<{ code: number }>,
  options: object,
  run: (world: World) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder()
  const received: Received[] = []
  const receiver = await startHttpsReceiver(async one => {
    const { code } = await answer(one)
    if (code === 200) received.push(one)
    return { code, text: '' }
  })
  let log = ''
  const batches = () => received.map(({ body }) => JSON.parse(body) as Batch)
  const all = {
    auditWebhookConfigFile: receiver.configFile(folder),
    auditWebhookInitialBackoff: '10ms',
    auditWebhookBatchMaxWait: '20ms',
    auditLogPath: join(folder.path, 'audit.log'),
    ...options,
  }
  try {
    await withServer({ vendor, options: all, log: line => (log += line) }, server =>
      run({
        server,
        receiver,
        received,
        batches,
        arrived: stage =>
          batches().flatMap(({ items }) => items.filter(one => one.stage === stage).map(one => one.auditID)),
        ask: async id => (await server.ask('GET', '/version', undefined, { 'audit-id': id })).status,
        metric: async name => {
          const line = (await server.ask('GET', '/metrics')).text.split('\n').find(one => one.startsWith(name))
          return line === undefined ? 0 : Number(line.split(' ').at(-1))
        },
        log: () => log,
        lines: () => readFileSync(all.auditLogPath, 'utf8').split('\n'),
      }),
    )
  } finally {
    await receiver.stop().catch(() => {})
    folder.remove()
  }
}
export const ids = (count: number, name = 'r') => Array.from({ length: count }, (_, index) => `${name}${index}`)
export const lostEvents = 'apiserver_audit_error_total{plugin="webhook"}'
