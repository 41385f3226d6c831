import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiObject } from 'orch/sdk'
import { allowRequest, startWebhookServer } from 'orch/sdk/client'
import { selfSignedServer, testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { rejects } from '../support/rejects.js'
import { type Folder, temporaryFolder } from '../support/temporary-folder.js'
import { freePort, hasFlag, programIn, runToEnd, startProgram, writePrograms } from './programs.js'
import { byCertificate, dataFolders, inSuite } from './suite.js'

const envtest = suite<{ home: Folder; programs: Promise<string> }>('the programs of orch envtest')
const pods = { group: '', version: 'v1', resource: 'pods' }
const configMaps = { group: '', version: 'v1', resource: 'configmaps' }
const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' }

/** Written once for the whole file. */
let written: { home: Folder; programs: Promise<string> } | undefined
envtest.before.each(context => {
  if (written === undefined) {
    const home = temporaryFolder()
    written = { home, programs: writePrograms(home.path) }
  }
  Object.assign(context, written)
})
envtest.after(() => written?.home.remove())

envtest('list their flags in the help', async ({ programs }) => {
  const folder = await programs
  assert.ok(await hasFlag(programIn(folder, 'kube-apiserver'), 'insecure-port'))
  assert.not(await hasFlag(programIn(folder, 'kube-apiserver'), 'no-such-flag'))
  assert.ok(await hasFlag(programIn(folder, 'etcd'), 'unsafe-no-fsync'))
})

envtest('reject unknown flags and modes', async ({ programs }) => {
  const server = programIn(await programs, 'kube-apiserver')
  assert.equal(await runToEnd(server, ['--no-such-flag']), {
    code: 1,
    err: 'kube-apiserver: unknown flag: --no-such-flag\n',
  })
  const { code, err } = await runToEnd(server, ['--authorization-mode', 'RBAC,ABAC'])
  assert.is(code, 1)
  assert.match(err, /^kube-apiserver: --authorization-mode: ABAC is not supported/)
})

const olderControls =
  'NamespaceLifecycle,LimitRanger,ServiceAccount,TaintNodesByCondition,Priority,DefaultTolerationSeconds,DefaultStorageClass,StorageObjectInUseProtection,PersistentVolumeClaimResize,ResourceQuota,AlwaysPullNothing'

envtest('serve a suite of the older kind: a plain port, no certificates, no users', async ({ programs }) =>
  inSuite(
    await programs,
    async ({ etcd, port, folder }) => ({
      argv: [
        '--advertise-address=127.0.0.1',
        `--etcd-servers=${etcd}`,
        `--cert-dir=${folder.path}`,
        `--insecure-port=${port}`,
        '--insecure-bind-address=127.0.0.1',
        `--secure-port=${await freePort()}`,
        `--disable-admission-plugins=${olderControls}`,
        '--service-cluster-ip-range=10.0.0.0/24',
        '--allow-privileged=true',
        '--storage-backend=etcd3',
        '--logtostderr',
      ],
    }),
    async ({ as, server, folder }) => {
      const client = as()
      await client
        .resource(configMaps)
        .in('default')
        .create({ metadata: { name: 'one' }, data: { a: 'b' } } as ApiObject)
      const events: string[] = []
      for await (const { type } of client.resource(configMaps).in('default').watch({ resourceVersion: '0' })) {
        events.push(type)
        if (events.length === 1) await client.resource(configMaps).in('default').delete('one')
        else break
      }
      assert.equal(events, ['ADDED', 'DELETED'])
      assert.match(server.err(), /do not exist here: AlwaysPullNothing/)
      assert.match(server.err(), /ignored, because they have no effect: --storage-backend, --logtostderr\n/)
      assert.ok(readdirSync(folder.path).includes('apiserver.crt'), 'as the reference makes one')
      assert.is(await server.end(), 0)
      assert.equal(dataFolders(folder), [], 'its data was removed with it')
    },
    'http',
  ),
)

const apiserverFile = (kind: string, version: string, fields: object) =>
  JSON.stringify({ apiVersion: `apiserver.config.k8s.io/${version}`, kind, ...fields })

envtest('accept the files of the reference: audit, encryption, traces, authorizers', async ({ programs }) =>
  inSuite(
    await programs,
    async ({ etcd, port, folder }) => {
      const keys = [{ name: 'key1', secret: randomBytes(32).toString('base64') }]
      const resources = [{ resources: ['secrets'], providers: [{ aesgcm: { keys } }] }]
      const authorizers = [{ type: 'RBAC', name: 'rbac' }]
      return {
        argv: [
          `--etcd-servers=${etcd}`,
          `--insecure-port=${port}`,
          `--secure-port=${await freePort()}`,
          `--audit-log-path=${join(folder.path, 'audit.log')}`,
          `--audit-policy-file=${folder.write('policy.yaml', 'rules: [{level: Metadata}]')}`,
          '--audit-log-maxsize=1',
          `--encryption-provider-config=${folder.write('e.yaml', apiserverFile('EncryptionConfiguration', 'v1', { resources }))}`,
          `--authorization-config=${folder.write('a.yaml', apiserverFile('AuthorizationConfiguration', 'v1beta1', { authorizers }))}`,
          `--tracing-config-file=${folder.write('t.yaml', apiserverFile('TracingConfiguration', 'v1beta1', { endpoint: '127.0.0.1:9' }))}`,
          '--feature-gates=ServerSideApply=true,APIListChunking=false',
          '--audit-log-mode=blocking',
        ],
      }
    },
    async ({ as, url, server, folder }) => {
      const secrets = as().resource({ group: '', version: 'v1', resource: 'secrets' }).in('default')
      await secrets.create({ metadata: { name: 'kept' }, data: { a: 'c2VjcmV0' } } as ApiObject)
      assert.equal(((await secrets.get('kept')) as unknown as { data: object }).data, { a: 'c2VjcmV0' })
      const metrics = await (await fetch(`${url}/metrics`)).text()
      assert.match(metrics, /transformation_operations_total{[^}]*"from_storage"[^}]*aesgcm[^}]*"OK"/)
      const { items } = (await (await fetch(`${url}/api/v1/namespaces?limit=1`)).json()) as { items: object[] }
      assert.ok(items.length > 1, 'the gate is off')
      await eventually('the audit log', () => readFileSync(join(folder.path, 'audit.log'), 'utf8').includes('"kept"'))
      assert.match(server.err(), /--feature-gates: ignored, because they do not exist here: ServerSideApply\n/)
      assert.match(server.err(), /ignored, because they have no effect: --audit-log-mode\n/)
    },
    'http',
  ),
)

const definitions = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' }
const boats = { group: 'harbour.test', version: 'v1', resource: 'boats' }
const boatDefinition = {
  metadata: { name: 'boats.harbour.test' },
  spec: {
    group: 'harbour.test',
    scope: 'Namespaced',
    names: { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { color: { type: 'string' } } } },
          },
        },
      },
    ],
  },
}

envtest('serve a current suite: users by certificate, keys, definitions, webhooks', async ({ programs }) => {
  const [servers, clients, signer] = await Promise.all([testAuthority(), testAuthority(), testAuthority()])
  const [serving, admin, nobody, account, hook] = await Promise.all([
    servers.server(),
    clients.client('admin', 'system:masters'),
    clients.client('nobody'),
    signer.client('signer'),
    selfSignedServer(),
  ])
  await inSuite(
    await programs,
    async ({ etcd, port, folder }) => {
      folder.write('apiserver.crt', serving.certificatePem)
      folder.write('apiserver.key', serving.keyPem)
      const argv = [
        '--service-cluster-ip-range=10.0.0.0/24',
        '--allow-privileged=true',
        '--disable-admission-plugins=ServiceAccount',
        `--cert-dir=${folder.path}`,
        '--authorization-mode=RBAC',
        `--secure-port=${port}`,
        '--bind-address=127.0.0.1',
        `--service-account-issuer=https://127.0.0.1:${port}/`,
        `--service-account-key-file=${folder.write('sa-signer.crt', account.certificatePem)}`,
        `--service-account-signing-key-file=${folder.write('sa-signer.key', account.keyPem)}`,
        `--etcd-servers=${etcd}`,
        '--insecure-port=0',
        `--client-ca-file=${folder.write('client-cert-auth-ca.crt', clients.caPem)}`,
      ]
      return { argv, caPem: servers.caPem }
    },
    async ({ as, url, server, folder }) => {
      const client = as(byCertificate(admin))
      assert.is(
        (await rejects(as(byCertificate(nobody)).resource(pods).in('default').list())).message.includes('"nobody"'),
        true,
      )

      await client.resource(definitions).create(boatDefinition)
      const found = await eventually('discovery of boats', () =>
        client
          .resource({ ...boats, version: '' })
          .in('default')
          .list()
          .catch(() => undefined),
      )
      assert.equal(found.items, [])

      const webhook = await startWebhookServer({
        ...hook,
        handlers: { '/mutate': () => allowRequest({ patch: [{ op: 'add', path: '/spec', value: { color: 'red' } }] }) },
      })
      try {
        await client
          .resource({ group: 'admissionregistration.k8s.io', version: 'v1', resource: 'mutatingwebhookconfigurations' })
          .create({
            metadata: { name: 'boats' },
            webhooks: [
              {
                name: 'boats.harbour.test',
                admissionReviewVersions: ['v1'],
                sideEffects: 'None',
                clientConfig: {
                  url: `https://localhost:${webhook.port}/mutate`,
                  caBundle: Buffer.from(hook.certificatePem).toString('base64'),
                },
                rules: [
                  { apiGroups: ['harbour.test'], apiVersions: ['v1'], resources: ['boats'], operations: ['CREATE'] },
                ],
              },
            ],
          })
        const boat = await client
          .resource(boats)
          .in('default')
          .create({ metadata: { name: 'one' } })
        assert.equal(boat['spec'], { color: 'red' })
      } finally {
        await webhook.close()
      }

      await client
        .resource(accounts)
        .in('default')
        .create({ metadata: { name: 'robot' } } as ApiObject)
      const { status } = await client
        .resource(accounts)
        .in('default')
        .createSubresource<object, { status: { token: string } }>('robot', 'token', { spec: {} })
      const refusal = await rejects(as({ token: status.token }).resource(pods).in('default').list())
      assert.match(refusal.message, /"system:serviceaccount:default:robot" cannot list resource "pods"/)
      await client.resource(accounts).in('default').delete('robot')

      const pod = await client
        .resource(pods)
        .in('default')
        .create({ metadata: { name: 'one' }, spec: { containers: [{ name: 'a', image: 'a' }] } })
      assert.equal((pod['spec'] as { containers: { resources?: unknown }[] }).containers[0]?.resources, {})
      assert.equal((await client.resource(accounts).in('default').list()).items, [], 'no loop makes one')
      assert.is(await server.end(), 0)
      assert.equal(dataFolders(folder), [])
      assert.equal(url.startsWith('https:'), true)
    },
  )
})

envtest('clean up soon after they are killed', async ({ programs }) => {
  const folder = temporaryFolder()
  try {
    const start = async () => {
      const port = await freePort()
      const argv = ['--secure-port', `${port}`, '--authorization-mode', 'RBAC', '--cert-dir', folder.path]
      return startProgram(
        programIn(await programs, 'kube-apiserver'),
        argv,
        `https://127.0.0.1:${port}/healthz`,
        folder.path,
      )
    }
    await (await start()).end('SIGKILL')
    const [left] = dataFolders(folder)
    assert.ok(left)
    writeFileSync(join(folder.path, 'orch-envtest-data-other'), 'not a folder of theirs')
    const second = await start()
    assert.equal(
      dataFolders(folder).filter(name => name === left),
      [],
    )
    assert.is(await second.end(), 0)
    assert.equal(dataFolders(folder), ['orch-envtest-data-other'])
  } finally {
    folder.remove()
  }
})

envtest.run()
