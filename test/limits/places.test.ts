import type { TLSSocket } from 'node:tls'
import { testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { ScriptedWebhook } from '../webhooks/scripted-webhook.js'
import { type AttackedServer, head, missingProgram, patientMs, serverKinds, startAttacked } from './attacked-server.js'

const limits = ['--slow-client-timeout=3s', '--header-timeout=3s', '--idle-timeout=2s', '--request-timeout=20s']
/** Clients that do the same. */
const attackers = 3

const maps = '/api/v1/namespaces/default/configmaps'
const hooked = '/api/v1/namespaces/hooked/configmaps'
const json = 'Content-Type: application/json'
const object = (name: string, text = '') => ({ metadata: { name }, data: { text } })
const body = JSON.stringify(object('never'))
const whole = `Content-Length: ${body.length}`

/** What a client sends before it stalls. */
const requests: Record<string, string> = {
  'in its headers': head('POST', maps, json, whole).slice(0, -6),
  'in its body': `${head('POST', maps, json, 'Content-Length: 100')}{`,
  'in its body, which takes too long': `${head('POST', `${maps}?timeout=1s`, json, 'Content-Length: 100')}{`,
  'in a body of chunks': `${head('PUT', `${maps}/a`, json, 'Transfer-Encoding: chunked')}1\r\n{\r\n`,
  'in the body of a patch': `${head('PATCH', `${maps}/a`, 'Content-Type: application/merge-patch+json', whole)}{`,
  'in the body of a delete': `${head('DELETE', `${maps}/a`, json, whole)}{`,
  'at an admission webhook': head('POST', hooked, json, whole) + body,
  'at an admission webhook, which takes too long': head('POST', `${hooked}?timeout=1s`, json, whole) + body,
  'in a list': head('GET', '/api/v1/configmaps'),
  'in a list as Protobuf': head('GET', '/api/v1/configmaps', 'Accept: application/vnd.orch.protobuf'),
  'in a list as a Table': head(
    'GET',
    '/api/v1/configmaps?includeObject=Object',
    'Accept: application/json;as=Table;v=v1;g=meta.orch.io',
  ),
  'in lists one behind another': head('GET', '/api/v1/configmaps').repeat(3),
  'in a watch': head('GET', '/api/v1/configmaps?watch=1'),
  'in a watch behind a list': head('GET', '/api/v1/configmaps') + head('GET', '/api/v1/configmaps?watch=1'),
}

/** How it ends. */
const endings: Record<string, (sockets: readonly TLSSocket[]) => Promise<void>> = {
  'kills its connection': async sockets => {
    for (const socket of sockets) socket.destroy()
  },
  'half-closes its connection': async sockets => {
    for (const socket of sockets) socket.end()
  },
  'does no more': async () => {},
}

/** Counted when they end, even if the client is gone. */
const verbs = ['POST', 'PUT', 'PATCH', 'DELETE', 'LIST', 'WATCH']
const countRequests = async (server: AttackedServer) => {
  const metric = await server.metrics()
  return verbs.map(verb => metric('apiserver_request_total', `verb="${verb}"`))
}

/** Pauses before requests are ended, so that they have started: longer ones are for busy machines. */
const pausesMs = [500, 3000, 10_000]

async function attack(server: AttackedServer, end: (typeof endings)[string]): Promise<void> {
  let few: readonly string[] = []
  for (const pauseMs of pausesMs) {
    few = await attackOnce(server, end, pauseMs)
    if (few.length === 0) break
  }
  assert.equal(few, [], 'these were not tried')
  for (const path of [maps, `${maps}/filled-0`]) assert.is((await server.ask('GET', path)).status, 200)
}

/** Returns the verbs of which not all requests had started. */
async function attackOnce(
  server: AttackedServer,
  end: (typeof endings)[string],
  pauseMs: number,
): Promise<readonly string[]> {
  const before = await countRequests(server)
  const sockets: TLSSocket[] = []
  try {
    for (const _ of Object.values(requests))
      sockets.push(...(await Promise.all(Array.from({ length: attackers }, () => server.open()))))
    const texts = Object.values(requests)
    for (const [index, socket] of sockets.entries())
      socket.on('error', () => {}).write(texts[Math.floor(index / attackers)] ?? '')
    // So that most have begun: those that have not are told apart by nothing but where they stand.
    await new Promise(resolve => setTimeout(resolve, pauseMs))
    await end(sockets)
    await server.atRest()
    const after = await countRequests(server)
    return verbs.filter((_, index) => (after[index] ?? 0) - (before[index] ?? 0) < attackers)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** Enough that no socket buffer holds the complete list. */
async function fill(server: AttackedServer): Promise<void> {
  const text = 'x'.repeat(900_000)
  for (let i = 0; i < 8; i++) assert.is((await server.ask('POST', maps, object(`filled-${i}`, text))).status, 201)
}

/** Namespaces with a webhook for ConfigMaps that never responds, and its timeout. */
const hookTimeouts = { hooked: 3, patient: 30 }

async function hangAdmission(server: AttackedServer): Promise<ScriptedWebhook> {
  const authority = await testAuthority()
  const webhook = await ScriptedWebhook.start(await authority.server('hook'))
  const caBundle = Buffer.from(authority.caPem).toString('base64')
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]
  const rest = { rules, sideEffects: 'None', admissionReviewVersions: ['v1'], failurePolicy: 'Fail' }
  const webhooks = []
  for (const [namespace, timeoutSeconds] of Object.entries(hookTimeouts)) {
    await webhook.behave(`/${namespace}`, { is: 'hang' })
    await server.ask('POST', '/api/v1/namespaces', { metadata: { name: namespace, labels: { hooked: namespace } } })
    const clientConfig = { url: `${webhook.url}/${namespace}`, caBundle }
    const namespaceSelector = { matchLabels: { hooked: namespace } }
    webhooks.push({ name: `${namespace}.acme.test`, clientConfig, namespaceSelector, timeoutSeconds, ...rest })
  }
  const path = '/apis/admissionregistration.orch.io/v1/validatingwebhookconfigurations'
  const made = await server.ask('POST', path, { metadata: { name: 'hang' }, webhooks })
  assert.is(made.status, 201, made.text)
  await eventually(
    'the webhook to be called',
    async () => {
      await server.ask('POST', `${hooked}?timeout=1s`, object('probe'))
      return (await webhook.takeCalls('/hooked')).length > 0
    },
    patientMs,
  )
  return webhook
}

for (const kind of serverKinds) {
  const lost = suite(`places in flight, ${kind}`)
  if (missingProgram(kind)) {
    console.log('SKIP etcd is not installed')
    continue
  }
  let server: AttackedServer
  let webhook: ScriptedWebhook | undefined
  lost.before(async () => {
    server = await startAttacked(kind, limits)
    await fill(server)
    webhook = await hangAdmission(server)
  })
  lost.after(async () => {
    await webhook?.stop()
    await server?.stop()
  })
  for (const [how, end] of Object.entries(endings))
    lost(`none is leaked by a client that ${how}, at any stage`, () => attack(server, end))
  lost('a disconnected client keeps no seat during a webhook call, and the call is cancelled', async () => {
    const sockets: TLSSocket[] = []
    try {
      while (sockets.length < attackers) sockets.push((await server.open()).on('error', () => {}))
      const text = head('POST', '/api/v1/namespaces/patient/configmaps', json, whole) + body
      for (const socket of sockets) socket.write(text)
      let calls = 0
      const areAsked = async () => (calls += (await webhook!.takeCalls('/patient')).length) === attackers
      await eventually('the webhook to be called', areAsked, patientMs)
      assert.ok((await server.metrics())('apiserver_current_inflight_requests') >= attackers)
      const goneAt = Date.now()
      for (const socket of sockets) socket.destroy()
      await server.atRest()
      const seconds = (Date.now() - goneAt) / 1000
      assert.ok(seconds < hookTimeouts.patient / 2, `they kept their places for ${seconds} seconds`)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
  lost.run()
}
