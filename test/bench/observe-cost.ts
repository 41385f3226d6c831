import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startHttpsReceiver } from '../support/https-receiver.js'
import { startOtlpReceiver } from '../support/otlp-receiver.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { BenchServer, kibPayload } from './bench-server.js'
import { LoadClient } from './load-client.js'
import { median } from './process-figures.js'

/**
 * `node dist/test/bench/observe-cost.js [--rounds 7] [--gets 20000] [--only 'access-log,tracing 1 %']`
 *
 * What it costs to watch a server: its CPU time per `get` with an access log, an audit log in a file and at a webhook, and with traces,
 * beside a server without any. All get the same requests in turn.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    gets: { type: 'string', default: '20000' },
    only: { type: 'string', default: '' },
  },
})
const [clients, objects] = [16, 256]
const folder = temporaryFolder()
const tokens = folder.write('tokens.csv', 'admintoken,admin,1,"system:masters"\n')
const policy = folder.write('policy.yaml', 'omitStages: [RequestReceived]\nrules: [{level: Metadata}]\n')
const receiver = await startHttpsReceiver(() => ({ code: 200, text: '' }))

const otlp = await startOtlpReceiver()
const tracing = (rate: number) => [`--tracing-endpoint=${otlp.endpoint}`, `--tracing-sampling-rate-per-million=${rate}`]

const variants: Record<string, string[]> = {
  off: [],
  // The same once more: how far two servers differ that are alike.
  'off again': [],
  'tracing 0 %': tracing(0),
  'tracing 1 %': tracing(10_000),
  'tracing 100 %': tracing(1_000_000),
  'access-log': [`--access-log=${join(folder.path, 'access.log')}`, '--access-log-maxbackup=1'],
  'audit-log': [
    `--audit-log-path=${join(folder.path, 'audit.log')}`,
    `--audit-policy-file=${policy}`,
    '--audit-log-maxbackup=1',
  ],
  'audit-webhook': [
    `--audit-webhook-config-file=${receiver.configFile(folder)}`,
    `--audit-policy-file=${policy}`,
    '--audit-webhook-batch-max-wait=1s',
    '--audit-webhook-batch-buffer-size=1000000',
  ],
}
const only = values.only === '' ? Object.keys(variants) : ['off', ...values.only.split(',')]

const loadClient = new LoadClient()
const servers: { name: string; running: RunningServer; namespace: string }[] = []
try {
  for (const name of only) {
    const flags = ['--vendor=kubernetes', `--token-auth-file=${tokens}`, '--controllers=-*', ...(variants[name] ?? [])]
    const running = await startOrch({ flags })
    const target = { url: running.url, token: 'admintoken', pids: [running.pid] }
    servers.push({ name, running, namespace: await new BenchServer(target, loadClient).fill('observe', objects) })
  }
  const costs = new Map<string, number[]>(only.map(name => [name, []]))
  // The first round only warms up.
  for (let round = 0; round <= Number(values.rounds); round++)
    for (const { name, running, namespace } of servers) {
      const { serverCpuMs, latencies } = await loadClient.do('load', {
        target: { url: running.url, token: 'admintoken', pids: [running.pid] },
        operation: 'get',
        namespace,
        size: kibPayload,
        first: 0,
        objects,
        salt: 0,
        clients,
        count: Number(values.gets),
      })
      if (round > 0) costs.get(name)?.push((serverCpuMs * 1e3) / latencies.length)
    }
  const off = costs.get('off') ?? []
  for (const [name, each] of costs) {
    const ratio = median(each.map((cost, round) => cost / off[round]!))
    console.log(`get, ${name.padEnd(14)} ${median(each).toFixed(1)} µs of CPU × ${ratio.toFixed(3)}`)
  }
} finally {
  for (const { running } of servers) await running.stop()
  await loadClient.close()
  await receiver.stop()
  await otlp.stop()
  folder.remove()
}
