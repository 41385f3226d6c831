import { defineAdmission, definePlugin } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Widget, widgetGroup, widgets } from './widgets.js'
import { withServer } from './with-server.js'

const merge = { 'content-type': 'application/merge-patch+json' }
const lanes = [...Array(16).keys()]

const hot = suite('concurrent writers of one object')

hot('every unconditional patch is applied, and every response has its own version', () =>
  withServer({}, async ({ ask, path }) => {
    await ask('POST', path, { metadata: { name: 'hot' } })
    const versions: string[] = []
    await Promise.all(
      lanes.map(async lane => {
        for (let i = 0; i < 20; i++) {
          const answer = await ask('PATCH', `${path}/hot`, { spec: { notes: { [`n-${lane}-${i}`]: 'x' } } }, merge)
          assert.is(answer.status, 200, answer.text)
          versions.push(answer.json.metadata['resourceVersion'] ?? '')
        }
      }),
    )
    assert.is(new Set(versions).size, 320)
    const { spec } = (await ask('GET', `${path}/hot`)).json as never as { spec: { notes: object } }
    assert.is(Object.keys(spec.notes).length, 320)
  }),
)

hot('of updates with the same version exactly one succeeds', () =>
  withServer({}, async ({ ask, path }) => {
    const made = (await ask('POST', path, { metadata: { name: 'hot' } })).json
    const codes = await Promise.all(
      lanes.map(async lane => (await ask('PUT', `${path}/hot`, { ...made, spec: { color: `c${lane}` } })).status),
    )
    assert.equal(codes.sort(), [200, ...Array(15).fill(409)])
  }),
)

hot('an update that is tried again does not see what admission changed in the first attempt', async () => {
  let reviews = 0
  let overtake: (() => Promise<unknown>) | undefined
  const stamping = definePlugin({
    name: 'stamping',
    register(to) {
      to.admission(
        defineAdmission()({
          name: 'Stamping',
          phase: 'mutate',
          sideEffects: 'none',
          matches: { resource: 'widgets' },
          async review({ object, releaseLock }) {
            const widget = object as Widget
            reviews++
            widget.spec = { ...widget.spec, parts: [...(widget.spec?.parts ?? []), 'stamp'] }
            // Another write comes first, as while a webhook is called.
            const first = overtake
            overtake = undefined
            releaseLock()
            await first?.()
          },
        }),
      )
    },
  })
  await withServer({ plugins: [widgets, stamping] }, async ({ ask, path }) => {
    const put = (color: string) => ask('PUT', `${path}/hot`, { metadata: { name: 'hot' }, spec: { color } })
    await ask('POST', path, { metadata: { name: 'hot' } })
    overtake = () => put('red')
    const { status, text, json } = await put('blue')
    assert.is(status, 200, text)
    assert.equal((json as never as Widget).spec, { color: 'blue', parts: ['stamp'] })
    assert.is(reviews, 4, 'of the creation, of both updates, and of the first one again')
  })
})

hot('concurrent patches, updates and deletions of one object are serializable', () =>
  withServer({}, async ({ ask, path }) => {
    await ask('POST', path, { metadata: { name: 'hot', finalizers: ['example.com/hold'] } })
    const answers = await Promise.all([
      ...lanes.map(lane => ask('PATCH', `${path}/hot`, { spec: { notes: { [`k${lane}`]: 'x' } } }, merge)),
      ask('DELETE', `${path}/hot`),
      ask('PATCH', `${path}/hot`, { metadata: { finalizers: null } }, merge),
    ])
    for (const { status } of answers) assert.ok(status === 200 || status === 404, String(status))
    const left = await ask('GET', `${path}/hot`)
    assert.ok(left.status === 404 || !left.text.includes('deletionTimestamp'), left.text)
  }),
)

hot('an apply that races with a create updates the object instead of failing', () =>
  withServer({}, async ({ ask, path }) => {
    for (let round = 0; round < 10; round++) {
      const metadata = { name: `raced-${round}` }
      const apply = (lane: number) =>
        ask(
          'PATCH',
          `${path}/raced-${round}?fieldManager=m${lane}`,
          { apiVersion: `${widgetGroup}/v1`, kind: 'Widget', metadata, spec: { notes: { [`n${lane}`]: 'x' } } },
          { 'content-type': 'application/apply-patch+yaml' },
        )
      const [created, ...applied] = await Promise.all([ask('POST', path, { metadata }), ...lanes.map(apply)])
      for (const { status, text } of applied) assert.ok(status === 200 || status === 201, text)
      assert.is([created, ...applied].filter(answer => answer?.status === 201).length, 1)
      const { spec } = (await ask('GET', `${path}/raced-${round}`)).json as never as { spec: { notes: object } }
      assert.is(Object.keys(spec.notes).length, lanes.length)
    }
  }),
)

hot.run()
