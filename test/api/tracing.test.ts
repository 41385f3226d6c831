import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { namespaces } from 'orch/plugins/namespaces'
import { networking } from 'orch/plugins/networking'
import { webhooks } from 'orch/plugins/webhooks'
import { workloads } from 'orch/plugins/workloads'
import { orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addressOf, tracingSettings } from '../../plugins/tracing/settings.js'
import { eventually } from '../support/eventually.js'
import { startHttpsReceiver } from '../support/https-receiver.js'
import { type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.js'
import { rejects } from '../support/rejects.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { aTrace, patienceMs, plugins, spanKinds, type World, withTracing } from './traced-server.js'
import { widgets } from './widgets.js'
import { type ServerUnderTest, withServer } from './with-server.js'

const { internal: internal_, server: server_, client: client_ } = spanKinds

const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const traces = suite('tracing')

/** A server that tests without special options share: it traces requests with a sampled trace. */
let shared: Promise<World> | undefined
let release: () => void = () => {}
let ended: Promise<void> | undefined
function withShared(run: (world: World) => Promise<void>): Promise<void> {
  shared ??= new Promise((resolve, reject) => {
    const hold = new Promise<void>(free => {
      release = free
    })
    ended = withTracing({}, async world => {
      resolve(world)
      await hold
    })
    ended.catch(reject)
  })
  return shared.then(run)
}
traces.after(async () => {
  release()
  await ended
})

traces('a request is a child span of its client, and its stages are child spans of the request', () =>
  withShared(async ({ server, receiver, trace }) => {
    const { id, parent, headers } = aTrace()
    await server.ask('POST', `${server.path}?x=s3cret`, { metadata: { name: 'a' } }, headers)
    const spans = await trace(id)
    const request = spans.find(({ kind }) => kind === server_)!
    assert.equal([request.name, request.parentSpanId], ['create widgets', parent])
    const { 'url.path': path, 'http.response.status_code': code, 'api.verb': verb } = attributesOf(request)
    assert.equal([path, Number(code), verb], [server.path, 201, 'create'])
    const stages = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
    const names = stages.map(({ name }) => name)
    for (const name of [
      'authentication',
      'authorization',
      'wait for a seat',
      'admission',
      'store write',
      'encode answer',
    ])
      assert.ok(names.includes(name), `${name} in ${names.join(', ')}`)
    const controls = stages.filter(({ name }) => name === 'admission').map(one => attributesOf(one)['control'])
    assert.ok(controls.includes('NamespaceLifecycle'), controls.join())
    assert.equal([...receiver.paths], ['/v1/traces'])
    assert.not.match(receiver.text(), /s3cret/)
  }),
)

traces('reads have stages, too, and failed requests are marked without their contents', () =>
  withShared(async ({ server, receiver, trace }) => {
    const [list, refused] = [aTrace(), aTrace()]
    await server.ask('GET', server.path, undefined, list.headers)
    const names = (await trace(list.id)).map(({ name }) => name)
    assert.ok(names.includes('list widgets') && names.includes('store list'), names.join())
    const secrets = '/api/v1/namespaces/n/secrets'
    const { status } = await server.ask(
      'POST',
      secrets,
      { metadata: { name: 's' }, data: { key: 's3cret!' } },
      refused.headers,
    )
    assert.ok(status >= 400)
    const spans = await trace(refused.id)
    assert.is(Number(attributesOf(spans.find(({ kind }) => kind === server_)!)['http.response.status_code']), status)
    assert.not.match(receiver.text(), /s3cret/)
  }),
)

traces('unsampled requests have no spans', async () => {
  await withShared(async ({ server, receiver, trace }) => {
    const before = new Set(receiver.spans.map(({ traceId }) => traceId))
    const [off, on] = [aTrace(false), aTrace()]
    await server.ask('GET', server.path, undefined, off.headers)
    await server.ask('GET', server.path)
    await server.ask('GET', server.path, undefined, on.headers)
    await trace(on.id)
    const since = receiver.spans.map(({ traceId }) => traceId).filter(id => !before.has(id))
    assert.equal([...new Set(since)], [on.id])
  })
})

traces('spans are sent by a separate thread, so the main thread opens no connection', () =>
  withShared(async ({ server, receiver, trace }) => {
    const sockets: Socket[] = []
    const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket)
    subscribe('net.client.socket', note)
    try {
      // Connections that were kept alive are not reused.
      receiver.dropConnections()
      const { id, headers } = aTrace()
      await server.ask('GET', server.path, undefined, headers)
      assert.ok((await trace(id)).length > 1)
      const own = await fetch(`http://${receiver.endpoint}`, { method: 'POST', body: '{"resourceSpans":[]}' })
      assert.ok(own.ok)
    } finally {
      unsubscribe('net.client.socket', note)
    }
    const toReceiver = sockets.filter(({ remotePort }) => String(remotePort) === receiver.endpoint.split(':')[1])
    assert.is(toReceiver.length, 1, 'the connection that this test has opened')
  }),
)

traces('a client keeps its trace, but is sampled no more often than the rate allows', async () => {
  for (const [tracingSamplingRatePerMillion, followed] of [
    [0, 0],
    [1_000_000, 5],
  ] as const) {
    const sent = Array.from({ length: 5 }, () => aTrace())
    let spans: readonly ReceivedSpan[] = []
    await withTracing({ tracingTrustClients: false, tracingSamplingRatePerMillion }, async ({ server, receiver }) => {
      for (const { headers } of sent) await server.ask('GET', server.path, undefined, headers)
      spans = receiver.spans
    })
    // The remaining spans were sent when the server stopped.
    assert.is(sent.filter(({ id }) => spans.some(({ traceId }) => traceId === id)).length, followed)
  }
})

traces('a webhook gets the trace context, and its call is a span', async () => {
  const seen: (string | undefined)[] = []
  const hook = await startHttpsReceiver(({ headers, body }) => {
    seen.push(headers['traceparent'] as string)
    const { request, ...review } = JSON.parse(body) as { request: { uid: string } }
    return { code: 200, text: JSON.stringify({ ...review, response: { uid: request.uid, allowed: true } }) }
  }, true)
  try {
    await withTracing(
      {},
      async ({ server, trace }) => {
        const rule = { operations: ['CREATE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['widgets'] }
        const made = await server.ask(
          'POST',
          '/apis/admissionregistration.orch.io/v1/validatingwebhookconfigurations',
          {
            metadata: { name: 'hook' },
            webhooks: [
              {
                name: 'hook.acme.test',
                clientConfig: { url: hook.url, caBundle: Buffer.from(hook.caPem).toString('base64') },
                rules: [rule],
                sideEffects: 'None',
                admissionReviewVersions: ['v1'],
              },
            ],
          },
        )
        assert.is(made.status, 201, made.text)
        let followed = aTrace()
        await eventually('the webhook to be asked', async () => {
          followed = aTrace()
          await server.ask('POST', server.path, { metadata: { generateName: 'a-' } }, followed.headers)
          return seen.length > 0
        })
        const spans = await trace(followed.id)
        const call = spans.find(({ name }) => name === 'webhook')!
        assert.equal([call.kind, attributesOf(call)['name']], [client_, 'hook.acme.test'])
        assert.equal(seen, [`00-${followed.id}-${call.spanId}-01`])
        const control = spans.find(({ spanId }) => spanId === call.parentSpanId)!
        assert.is(attributesOf(control)['control'], 'ValidatingAdmissionWebhook')
      },
      [webhooks, workloads, networking],
    )
  } finally {
    await hook.stop()
  }
})

traces('a receiver that rejects spans is logged once, and fails no request', () =>
  withShared(async ({ server, receiver, trace, log }) => {
    receiver.answer(400)
    for (let number = 0; number < 3; number++) {
      const { status } = await server.ask('GET', server.path, undefined, aTrace().headers)
      assert.is(status, 200)
    }
    await eventually('that to be told', () => log().includes('traces cannot be delivered'), patienceMs)
    receiver.answer(200)
    const { id, headers } = aTrace()
    await server.ask('GET', server.path, undefined, headers)
    await trace(id)
    await eventually('the log line about recovery', () => log().includes('traces are delivered again'), patienceMs)
    assert.match((await server.ask('GET', '/metrics')).text, /tracing_spans_total\{result="lost"\} [1-9]/)
    assert.is(log().split('traces cannot be delivered').length - 1, 1)
  }),
)

traces(
  'a TracingConfiguration is equivalent to flags, here with everything sampled, also loops; an invalid one is rejected',
  async () => {
    const folder = temporaryFolder()
    const receiver = await startOtlpReceiver()
    const config = (fields: object) =>
      folder.write(
        'tracing.yaml',
        JSON.stringify({ apiVersion: 'apiserver.config.orch.io/v1beta1', kind: 'TracingConfiguration', ...fields }),
      )
    const start = (fields: object, run: (server: ServerUnderTest) => Promise<void>) =>
      withServer({ plugins, options: { tracingConfigFile: config(fields) } }, run)
    try {
      await start(
        { endpoint: `http://${receiver.endpoint}/v1/traces`, samplingRatePerMillion: 1_000_000 },
        async server => {
          const off = aTrace(false)
          await server.ask('GET', server.path, undefined, off.headers)
          await server.ask('GET', server.path)
          const isThere = (kind: number) =>
            receiver.spans.some(span => span.kind === kind && span.name.startsWith('list '))
          await eventually('the list of the client', () => isThere(server_), patienceMs)
          await eventually('a list of a loop', () => isThere(internal_), patienceMs)
          assert.not(receiver.spans.some(({ traceId }) => traceId === off.id))
        },
      )
      const refused: [object, RegExp][] = [
        [{}, /names no endpoint/],
        [{ endpoint: 'x:1', samplingRatePerMillion: 1.5 }, /samplingRatePerMillion must be an integer/],
        [{ endpoint: 'x:1', sampling: 1 }, /has an unknown field sampling/],
        [{ endpoint: 'x:1', kind: 'Tracing' }, /must be of kind TracingConfiguration/],
        [{ endpoint: 'x:1', apiVersion: 'v1' }, /must have an apiVersion of apiserver\.config\.orch\.io\/v1,/],
      ]
      for (const [fields, why] of refused) {
        const options = {
          tracingSamplingRatePerMillion: 0,
          tracingTrustClients: false,
          tracingConfigFile: config(fields),
        }
        await rejects(tracingSettings(options, new Vendor(orchProfile)), why)
      }
      assert.throws(() => addressOf('http://['), /is not an endpoint/)
    } finally {
      await receiver.stop()
      folder.remove()
    }
  },
)

traces('--v 4 shows the steps of requests in the log', async () => {
  let log = ''
  await withServer({ plugins: [widgets, namespaces], options: { v: 4 }, log: line => (log += line) }, async server => {
    await server.ask('POST', '/api/v1/namespaces', { metadata: { name: 'n' } })
    await server.ask('POST', server.path, { metadata: { name: 'a' } })
  })
  const lines = log.split('\n').filter(line => line.includes('steps of a request'))
  const line = lines.find(one => one.includes('/widgets'))!
  const { steps, verb } = JSON.parse(line) as { steps: string[]; verb: string }
  assert.is(verb, 'create')
  for (const step of ['authentication: ', 'authorization: ', 'admission mutate NamespaceLifecycle: '])
    assert.ok(
      steps.some(one => one.startsWith(step)),
      steps.join(', '),
    )
  assert.ok(steps.some(step => step.startsWith('store write: ')))
})

traces.run()
