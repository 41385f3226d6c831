import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { flagsOf } from '../golden/server-flags.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { ConnectionPool } from './connection-pool.js'
import { compare, costLines, type Variant } from './paired.js'

/**
 * `node dist/test/bench/encryption-cost.js [--rounds 20] [--operation get|create|list] [--objects 100]`
 *
 * What encryption at rest adds to a Secret: servers without it, with AES-GCM and with secretbox alternate. With more than about 1,400
 * objects that are read in turn, each is decrypted every time.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    operation: { type: 'string', default: 'get' },
    objects: { type: 'string', default: '100' },
  },
})
const most = 1.3
const secretPath = '/api/v1/namespaces/default/secrets'
const data = { password: randomBytes(24).toString('base64'), certificate: randomBytes(900).toString('base64') }
const secret = (name: string) => JSON.stringify({ metadata: { name, labels: { app: 'bench' } }, data })
const listed = Number(values.objects)

const folder = temporaryFolder()
/** Flags for a server with one provider. */
function encryptedWith(kind: string): string[] {
  const providers = [{ [kind]: { keys: [{ name: 'key1', secret: randomBytes(32).toString('base64') }] } }]
  const resources = [{ resources: ['secrets'], providers: [...providers, { identity: {} }] }]
  const content = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources }
  return ['--encryption-provider-config', folder.write(`${kind}.yaml`, JSON.stringify(content))]
}

async function variantOf(name: string, server: RunningServer): Promise<Variant & { pool: ConnectionPool }> {
  const pool = new ConnectionPool({ url: server.url, token: 'admintoken', pids: [server.pid] })
  for (let i = 0; i < listed; i++) await pool.post(secretPath, secret(`listed-${i}`))
  const operations: Record<string, (n: number) => Promise<unknown>> = {
    get: n => pool.request('GET', `${secretPath}/listed-${n % listed}`),
    list: () => pool.request('GET', secretPath),
    create: n => pool.post(secretPath, secret(`created-${n}`)),
  }
  const operation = operations[values.operation]
  if (!operation) throw new Error(`--operation must be one of ${Object.keys(operations).join(', ')}`)
  return {
    name,
    pids: [server.pid],
    pool,
    run: async n => void (await operation(n)),
  }
}

const flags = await flagsOf('base')
const servers: RunningServer[] = []
const start = async (name: string, ...more: string[]) => {
  const server = await startOrch({ flags: [...flags, ...more] })
  servers.push(server)
  return variantOf(name, server)
}
try {
  const variants = [
    await start('plain'),
    await start('AES-GCM', ...encryptedWith('aesgcm')),
    await start('secretbox', ...encryptedWith('secretbox')),
  ]
  process.stdout.write(costLines(await compare(variants, Number(values.rounds))))
  process.stdout.write(`target of a GET with AES-GCM: CPU × ${most}\n`)
  for (const { pool } of variants) pool.close()
} finally {
  for (const server of servers) await server.stop()
  folder.remove()
}
