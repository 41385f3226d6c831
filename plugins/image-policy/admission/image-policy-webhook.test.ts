import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { orchProfile, Vendor } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { admit, fakeClock, fakeLogger, fakeMetrics, type StatedRequest, testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ImagePolicy } from '../image-policy.js'
import { imagePolicyNames } from '../names.js'
import type { ImagePolicySettings } from '../settings.js'
import { imagePolicyWebhook } from './image-policy-webhook.js'

const vendor = new Vendor({ ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' })
const names = imagePolicyNames(vendor)
const control = imagePolicyWebhook(names)
const images = suite('the image policy')

interface Asked {
  readonly client: string | undefined
  readonly review: { apiVersion: string; kind: string; spec: Record<string, unknown> }
}
type Answer = { code?: number; status?: unknown; text?: string }

interface World {
  readonly asked: Asked[]
  answer: Answer
  readonly clock: ReturnType<typeof fakeClock>
  review(request: StatedRequest<Pod>): ReturnType<typeof admit<Pod, never>>
}
/** A backend over TLS that demands a client certificate, and the control that asks it. */
async function withBackend(test: (world: World) => Promise<void>, changes: Partial<ImagePolicySettings> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'orch-image-policy-'))
  const authority = await testAuthority()
  const [server, client] = await Promise.all([authority.server(), authority.client('the-api-server')])
  const clock = fakeClock()
  const world = { asked: [] as Asked[], answer: { status: { allowed: true } } as Answer, clock }
  const backend = createServer(
    { cert: server.certificatePem, key: server.keyPem, ca: authority.caPem, requestCert: true },
    async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const review = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const { CN } = (request.socket as TLSSocket).getPeerCertificate().subject
      world.asked.push({ client: String(CN), review })
      const { code = 200, text, status } = world.answer
      response.writeHead(code, { 'content-type': 'application/json' })
      response.end(text ?? JSON.stringify({ apiVersion: review.apiVersion, kind: 'ImageReview', status }))
    },
  )
  await new Promise<void>(resolve => backend.listen(0, '127.0.0.1', resolve))
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const path = join(folder, 'backend.yaml')
  const { port } = backend.address() as AddressInfo
  writeFileSync(
    path,
    JSON.stringify({
      clusters: [
        {
          name: 'b',
          cluster: {
            server: `https://127.0.0.1:${port}/images`,
            'certificate-authority-data': base64(authority.caPem),
          },
        },
      ],
      users: [
        {
          name: 'u',
          user: { 'client-certificate-data': base64(client.certificatePem), 'client-key-data': base64(client.keyPem) },
        },
      ],
      contexts: [{ name: 'c', context: { cluster: 'b', user: 'u' } }],
      'current-context': 'c',
    }),
  )
  const settings = {
    path,
    allowTtlMs: 60_000,
    denyTtlMs: 10_000,
    retryBackoffMs: 0,
    isAllowedByDefault: false,
    ...changes,
  }
  // Backoff takes no time; only cache entries get older.
  const after = (delayMs: number, call: () => void) => {
    // The config file is not checked for changes.
    if (delayMs < 1000) setImmediate(call)
    return () => {}
  }
  const policy = new ImagePolicy(settings, names.reviewVersion, vendor, {
    clock: { now: () => clock.now(), after },
    logger: fakeLogger(),
    metrics: fakeMetrics(),
  })
  const review = (request: StatedRequest<Pod>) => admit(control, request, { policy, logger: fakeLogger() } as never)
  try {
    await test(Object.assign(world, { review }) as World)
  } finally {
    await policy.close()
    backend.closeAllConnections()
    backend.close()
    rmSync(folder, { recursive: true })
  }
}
const aPod = (image = 'good:1', annotations: Record<string, string> = {}): Pod =>
  ({
    metadata: { name: 'p', annotations },
    spec: { containers: [{ name: 'a', image }], initContainers: [{ name: 'i', image: 'init:1' }] },
  }) as unknown as Pod

images('sends the images of all containers and its own annotations', () =>
  withBackend(async ({ asked, review }) => {
    const annotations = { 'team.image-policy.acme.test/break-glass': 'yes', other: 'no' }
    const { refusal } = await review({ object: aPod('good:1', annotations) })
    assert.is(refusal, undefined)
    assert.is(asked.length, 1)
    const [{ client, review: seen } = asked[0]!] = asked
    assert.is(client, 'the-api-server')
    assert.equal(seen, {
      kind: 'ImageReview',
      apiVersion: 'imagepolicy.acme.test/v1alpha1',
      metadata: { creationTimestamp: null },
      spec: {
        containers: [{ image: 'good:1' }, { image: 'init:1' }],
        annotations: { 'team.image-policy.acme.test/break-glass': 'yes' },
        namespace: 'town',
      },
      status: { allowed: false },
    } as never)
  }),
)
images('sends only ephemeral containers when these are added', () =>
  withBackend(async ({ asked, review }) => {
    const pod = aPod()
    Object.assign(pod.spec as object, { ephemeralContainers: [{ name: 'e', image: 'debug:1' }] })
    await review({ operation: 'update', subresource: 'ephemeralcontainers', object: pod, oldObject: aPod() })
    assert.equal(asked[0]?.review.spec['containers'], [{ image: 'debug:1' }])
    await review({ operation: 'update', subresource: 'status', object: pod, oldObject: pod })
    await review({ operation: 'delete', oldObject: pod })
    await review({ resource: 'configmaps', object: pod })
    assert.is(asked.length, 1)
  }),
)
images('checks dry runs and updates, too', () =>
  withBackend(async world => {
    world.answer = { status: { allowed: false } }
    assert.is((await world.review({ object: aPod(), dryRun: true })).refusal?.code, 403)
    const update = { operation: 'update', object: aPod('other:1'), oldObject: aPod() } as const
    assert.is((await world.review(update)).refusal?.code, 403)
    assert.is(world.asked.length, 2)
  }),
)
images('refuses with 403 and the reason of the backend', () =>
  withBackend(async world => {
    world.answer = { status: { allowed: false, reason: 'not signed' } }
    const { refusal } = await world.review({ object: aPod('bad:1') })
    assert.is(refusal?.code, 403)
    assert.match(refusal?.message ?? '', /denied one or more images: not signed$/)
    world.answer = { status: { allowed: false } }
    assert.match((await world.review({ object: aPod('bad:2') })).refusal?.message ?? '', /rejected by webhook backend$/)
  }),
)
images('caches approvals and denials, each for its time', () =>
  withBackend(async world => {
    const { asked, review, clock } = world
    await review({ object: aPod() })
    await review({ object: aPod() })
    assert.is(asked.length, 1)
    await clock.advance(59_000)
    await review({ object: aPod() })
    assert.is(asked.length, 1)
    await clock.advance(2000)
    await review({ object: aPod() })
    assert.is(asked.length, 2)
    world.answer = { status: { allowed: false } }
    await review({ object: aPod('bad:1') })
    await clock.advance(9000)
    assert.ok((await review({ object: aPod('bad:1') })).refusal)
    assert.is(asked.length, 3)
    await clock.advance(2000)
    await review({ object: aPod('bad:1') })
    assert.is(asked.length, 4)
  }),
)
images('caches nothing if the time is off', () =>
  withBackend(
    async ({ asked, review }) => {
      await review({ object: aPod() })
      await review({ object: aPod() })
      assert.is(asked.length, 2)
    },
    { allowTtlMs: 0 },
  ),
)
images('tries five times while the backend fails, then rejects', () =>
  withBackend(async world => {
    world.answer = { code: 503, text: '{}' }
    const { refusal, annotations } = await world.review({ object: aPod() })
    assert.is(refusal?.code, 403)
    assert.is(world.asked.length, 5)
    assert.equal(annotations, {})
    world.answer = { status: { allowed: true } }
    assert.is((await world.review({ object: aPod() })).refusal, undefined, 'a failure is not cached')
  }),
)
images('allows Pods when the backend fails if that is the default, and annotates the audit event', () =>
  withBackend(
    async world => {
      world.answer = { code: 400, text: '{}' }
      const { refusal, annotations } = await world.review({ object: aPod() })
      assert.is(refusal, undefined)
      assert.is(world.asked.length, 1, 'client errors are not retried')
      assert.equal(annotations, { 'imagepolicywebhook.image-policy.acme.test/failed-open': 'true' })
    },
    { isAllowedByDefault: true },
  ),
)
for (const [title, answer] of Object.entries({
  'no JSON': { text: '<html>' },
  'no status': { text: '{}' },
  'an object of another kind': { text: '{"kind":"Other","status":{"allowed":true}}' },
  'an object of another version': { text: '{"apiVersion":"acme.test/v1","status":{"allowed":true}}' },
  'a verdict that is not a boolean': { status: { allowed: 'yes' } },
}))
  images(`treats ${title} as no answer`, () =>
    withBackend(async world => {
      world.answer = answer
      assert.is((await world.review({ object: aPod() })).refusal?.code, 403)
    }),
  )
images('forwards annotations of the backend to the audit log', () =>
  withBackend(async world => {
    world.answer = { status: { allowed: true, auditAnnotations: { scanned: 'yes', 'not a key': 'x' } } }
    const { annotations } = await world.review({ object: aPod() })
    assert.equal(annotations, { 'imagepolicywebhook.image-policy.acme.test/scanned': 'yes' })
  }),
)

images.run()
