import { readFileSync } from 'node:fs'
import * as https from 'node:https'
import { join } from 'node:path'
import { type ApiObject, orchProfile, Vendor } from 'orch/sdk'
import { type Client, clientFromConfig, createClient, httpTransport } from 'orch/sdk/client'
import { leaseCollection } from 'orch/sdk/controllers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aRequest } from '../../plugins/certificates/testing/made-requests.js'
import { aClaim, aVolume } from '../../plugins/storage/testing/storage-server.js'
import { eventually } from '../support/eventually.js'
import { startControllers } from '../support/start-controllers.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'

const vendor = new Vendor(orchProfile)
const core = (resource: string) => ({ group: '', version: 'v1', resource })
const requests = { group: vendor.group('certificates'), version: 'v1', resource: 'certificatesigningrequests' }
type Loose = ApiObject & {
  spec?: Record<string, unknown>
  status?: Record<string, unknown>
  data?: Record<string, string>
}

/** The effects of loops of several plugins. Each check fails if its loop does not work. */
const deeds: Readonly<Record<string, (client: Client, server: RunningServer) => Promise<void>>> = {
  'an account gets a token that the server accepts': async (client, server) => {
    const accounts = client.resource<Loose>(core('serviceaccounts')).in('town')
    const account = await accounts.waitFor('default', ({ secrets }) => Array.isArray(secrets) && secrets.length > 0)
    const [{ name }] = account['secrets'] as [{ name: string }]
    const secret = await client.resource<Loose>(core('secrets')).in('town').get(name)
    const token = Buffer.from(secret.data?.['token'] ?? '', 'base64').toString()
    const caPem = readFileSync(join(server.dataDir, 'pki/ca.crt'), 'utf8')
    assert.is(Buffer.from(secret.data?.['ca.crt'] ?? '', 'base64').toString(), caPem)
    const transport = httpTransport({ server: server.url, caPem, credentials: { token } })
    const { gitVersion } = await createClient({ transport }).request<{ gitVersion: string }>({
      method: 'GET',
      path: '/version',
      headers: {},
    })
    await transport.close()
    assert.ok(gitVersion)
  },
  'a request for a certificate that is approved is signed': async client => {
    const { pem } = await aRequest({ commonNames: ['jane'] })
    const csrs = client.resource<Loose>(requests)
    const spec = {
      request: Buffer.from(pem).toString('base64'),
      signerName: vendor.signer('client'),
      usages: ['client auth'],
    }
    const created = await csrs.create({ metadata: { name: 'jane' }, spec })
    const condition = { type: 'Approved', status: 'True', reason: 'Test', message: 'yes' }
    await csrs.updateSubresource('approval', { ...created, status: { conditions: [condition] } })
    await csrs.waitFor('jane', ({ status }) => Boolean(status?.['certificate']))
  },
  'a claim is bound to a volume': async client => {
    await client.resource(core('persistentvolumes')).create(aVolume('disk') as ApiObject)
    const claims = client.resource<Loose>(core('persistentvolumeclaims')).in('town')
    await claims.create(aClaim('data') as Loose)
    await claims.waitFor('data', ({ status }) => status?.['phase'] === 'Bound')
  },
  'dependents of a deleted object are deleted': async client => {
    const maps = client.resource<Loose>(core('configmaps')).in('town')
    const { metadata } = await maps.create({ metadata: { name: 'owner' } })
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid ?? '' }]
    await maps.create({ metadata: { name: 'part', ownerReferences } })
    await maps.delete('owner')
    await maps.waitForDeletion('part')
  },
  'the status of a quota has the usage': async client => {
    const quotas = client.resource<Loose>(core('resourcequotas')).in('town')
    await quotas.create({ metadata: { name: 'few' }, spec: { hard: { 'count/secrets': '9' } } })
    await quotas.waitFor('few', ({ status }) => status?.['used'] !== undefined)
  },
  'a deleted namespace is removed with its contents': async client => {
    const namespaces = client.resource<Loose>(core('namespaces'))
    await namespaces.create({ metadata: { name: 'ghost-town' } })
    const maps = client.resource<Loose>(core('configmaps')).in('ghost-town')
    await maps.create({ metadata: { name: 'tumbleweed' } })
    await namespaces.delete('ghost-town')
    await namespaces.waitForDeletion('ghost-town')
  },
}

function read(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    https
      .get(url, { ca, agent: false }, response => {
        let text = ''
        response.setEncoding('utf8').on('data', chunk => (text += chunk))
        response.on('end', () => resolve(text))
      })
      .on('error', reject)
  })
}

const apart = suite('orch controllers')

apart('runs the loops of all plugins for a server that runs none', async () => {
  const server = await startOrch({ flags: ['--controllers=-*'] })
  const client = await clientFromConfig({ vendor, environment: {}, path: server.adminConfig })
  const loops = startControllers(
    `--client-config=${server.adminConfig}`,
    `--data-dir=${server.dataDir}`,
    '--secure-port=0',
    '--leader-elect-retry-period=500ms',
  )
  try {
    await client.resource(core('namespaces')).create({ metadata: { name: 'town' } })
    await loops.untilPrinted('became leader')
    for (const [deed, see] of Object.entries(deeds))
      await see(client, server).catch(error => {
        throw new Error(`${deed}: ${error}\n${loops.output()}`)
      })

    const leases = client.resource<Loose>(leaseCollection(vendor)).in('orch-system')
    const holder = async () => (await leases.get('orch-controller-manager')).spec?.['holderIdentity']
    assert.ok(loops.output().includes(`as ${await holder()}`))
    const url = /Health and metrics: (\S+)/.exec(loops.output())?.[1]
    const ca = readFileSync(join(server.dataDir, 'pki/ca.crt'), 'utf8')
    const metrics = await read(`${url}/metrics`, ca)
    assert.match(metrics, /^leader_election_master_status\{name="orch-controller-manager"\} 1$/m)
    assert.match(metrics, /^workqueue_adds_total\{name="persistentvolume-binder"\} [1-9]/m)
    assert.match(await read(`${url}/readyz?verbose`, ca), /\[\+\]server ok/)

    // Another process waits for the lease, without the keys of the server.
    const other = startControllers(
      `--kubeconfig=${server.adminConfig}`,
      '--data-dir=none',
      '--leader-elect-retry-period=500ms',
    )
    try {
      await other.untilPrinted('another process leads')
      assert.is(await loops.stop(), 0)
      await other.untilPrinted('became leader')
      await other.untilPrinted('"controller skipped"')
      await eventually(
        'the loops that it cannot run, and why',
        () =>
          ['csrsigning', 'serviceaccount-token'].every(name =>
            other.output().includes(`"controller":"${name}","why":`),
          ),
        30_000,
      )
      assert.match(other.output(), /give --cluster-signing-cert-file/)
    } finally {
      assert.is(await other.stop(), 0)
    }
    assert.is(await holder(), '')
  } finally {
    await loops.stop()
    await client.close()
    await server.stop()
  }
})

apart.run()
