import {
  type AdmissionDefinition,
  type AdmissionRequest,
  type ApiObject,
  defineAdmission,
  definePlugin,
  field,
  Int32,
  Kind,
  reject,
  Struct,
  services,
  Text,
} from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../support/temporary-folder.js'
import { Widget, widgetGroup, widgets } from './widgets.js'
import { withServer } from './with-server.js'

/** What the sdk promises to plugins, over HTTP. */
const contracts = suite('what the sdk promises to plugins')

const group = 'gears.test'
/** A body with its own constraints. */
const Turn = Kind('gears.v1.Turn', {
  spec: field(
    2,
    Struct('gears.v1.TurnSpec', {
      by: field(1, Int32({ minimum: 1, maximum: 10 })),
      way: field(2, Text({ enum: ['left', 'right'], default: 'left' })),
    }),
  ),
})
type Turn = ApiObject & { spec?: { by?: number; way?: string } }
const turned = ({ body }: { body: ApiObject | undefined }) => ({ object: { ...body, metadata: {} } })

/** A type with a status, an action and a virtual type beside it. */
const gears = definePlugin({
  name: 'gears',
  register(to) {
    to.resource(
      {
        group,
        kind: 'Gear',
        resource: 'gears',
        namespaced: true,
        versions: [{ name: 'v1', schema: Widget }],
        subresources: {
          turn: {
            kind: 'action',
            group,
            version: 'v1',
            objectKind: 'Turn',
            schema: Turn,
            handlers: { get: turned, create: turned, update: turned },
          },
        },
      },
      {
        group,
        kind: 'Trial',
        resource: 'trials',
        namespaced: false,
        versions: [{ name: 'v1', schema: Turn }],
        virtual: { create: turned },
      },
    )
  },
})
const gearPath = `/apis/${group}/v1/namespaces/n/gears`
const trialPath = `/apis/${group}/v1/trials`

/** A plugin with one admission control. */
const controlled = (control: Partial<AdmissionDefinition>) =>
  definePlugin({
    name: 'controlled',
    register: to =>
      to.admission(
        defineAdmission()({ name: 'Curious', phase: 'validate', sideEffects: 'none', review: () => {}, ...control }),
      ),
  })
const merge = { 'content-type': 'application/merge-patch+json' }

/** Ways to change a read-only object: with an error in strict mode, and silently in sloppy mode. */
const changes: Record<string, (request: AdmissionRequest) => void> = {
  'in a module': ({ object, oldObject }) => {
    ;((object ?? oldObject)['spec'] as { color: string }).color = 'mine'
  },
  'in a sloppy-mode script': new Function(
    '{ object, oldObject }',
    '(object || oldObject).spec.color = "mine"',
  ) as never,
  'in labels': ({ object, oldObject }) => {
    ;(object ?? oldObject).metadata.labels = { mine: 'yes' }
  },
  'by a patch of the served form': ({ served, object }) => {
    if (object) served.patchObject(served.requested, [{ op: 'add', path: '/spec/color', value: 'mine' }])
    else throw new Error('nothing to patch')
  },
}
for (const [how, change] of Object.entries(changes))
  contracts(`changes by a validating control ${how} are never stored`, async () => {
    let isOn = false
    const control = controlled({ matches: { group: widgetGroup }, review: request => void (isOn && change(request)) })
    await withServer({ plugins: [widgets, control] }, async ({ ask, path }) => {
      const widget = { metadata: { name: 'a' }, spec: { color: 'red' } }
      const made = await ask('POST', path, widget)
      isOn = true
      const isLoud = how !== 'in a sloppy-mode script'
      const created = await ask('POST', path, { ...widget, metadata: { name: 'b' } })
      assert.is(created.status, isLoud ? 500 : 201)
      if (isLoud) assert.match(created.text, 'admission control \\"Curious\\" failed')
      const updated = await ask('PUT', `${path}/a`, { ...widget, metadata: { name: 'a', labels: { x: 'y' } } })
      assert.is(updated.status, isLoud ? 500 : 200)
      assert.is((await ask('PATCH', `${path}/a`, { spec: { size: 3 } }, merge)).status, isLoud ? 500 : 200)
      const { json, text } = await ask('GET', path)
      assert.not.match(text, 'mine')
      assert.is(json.items.length, isLoud ? 1 : 2)
      if (isLoud) assert.is(json.items[0]?.metadata['resourceVersion'], made.json.metadata['resourceVersion'])
      assert.is((await ask('DELETE', `${path}/a`)).status, isLoud ? 500 : 200)
    })
  })

contracts(
  'changes by a validating control to the body of an action or a virtual type do not reach its handler',
  async () => {
    const review = new Function('{ object }', 'if (object) object.spec.by = 9') as never
    await withServer(
      { plugins: [gears, controlled({ matches: { group, subresource: '*' }, review })] },
      async ({ ask }) => {
        await ask('POST', gearPath, { metadata: { name: 'a' }, spec: {} })
        for (const path of [`${gearPath}/a/turn`, trialPath]) {
          const { status, json } = await ask('POST', path, { spec: { by: 2 } })
          assert.equal([status, (json as unknown as Turn).spec?.by], [201, 2])
        }
      },
    )
  },
)

contracts('handlers of actions and virtual types may change their body, even after admission', async () => {
  const own = definePlugin({
    name: 'own',
    register(to) {
      to.resource({
        group,
        kind: 'Trial',
        resource: 'trials',
        namespaced: false,
        versions: [{ name: 'v1', schema: Turn }],
        virtual: {
          create({ body }: { body: ApiObject | undefined }) {
            const turn = body as Turn
            turn.spec!.by = 4
            return { object: turn }
          },
        },
      })
    },
  })
  const review = ({ object }: AdmissionRequest) => void object.metadata
  await withServer({ plugins: [own, controlled({ matches: { group }, review })] }, async ({ ask }) => {
    const { status, json } = await ask('POST', trialPath, { spec: { by: 2 } })
    assert.equal([status, (json as unknown as Turn).spec?.by], [201, 4])
  })
})

const dryRuns: Record<AdmissionDefinition['sideEffects'], { isCalled: boolean; status: number }> = {
  none: { isCalled: true, status: 201 },
  noneOnDryRun: { isCalled: true, status: 201 },
  some: { isCalled: false, status: 400 },
}
for (const [sideEffects, { isCalled, status }] of Object.entries(dryRuns))
  for (const phase of ['mutate', 'validate'] as const)
    contracts(
      `a dry run ${isCalled ? 'calls' : 'is rejected before it calls'} a control (${phase}) with side effects: ${sideEffects}`,
      async () => {
        let asked = 0
        const control = controlled({
          phase,
          sideEffects: sideEffects as AdmissionDefinition['sideEffects'],
          matches: { group: widgetGroup },
          review: () => void asked++,
        })
        await withServer({ plugins: [widgets, control] }, async ({ ask, path }) => {
          const answer = await ask('POST', `${path}?dryRun=All`, { metadata: { name: 'a' } })
          assert.equal([answer.status, asked], [status, isCalled ? 1 : 0])
          if (!isCalled) assert.match(answer.text, 'admission control \\"Curious\\" does not support dry run')
          assert.is((await ask('POST', path, { metadata: { name: 'a' } })).status, 201)
          assert.is((await ask('DELETE', `${path}/a?dryRun=All`)).status, isCalled ? 200 : 400)
          assert.is((await ask('POST', '/api/v1/nothing?dryRun=All', {})).status, 404)
        })
      },
    )

const bodies: Record<string, { method: string; below: string; headers?: Record<string, string> }> = {
  'an action (create)': { method: 'POST', below: `${gearPath}/a/turn` },
  'an action (update)': { method: 'PUT', below: `${gearPath}/a/turn` },
  'an action (patch)': { method: 'PATCH', below: `${gearPath}/a/turn`, headers: merge },
  'a virtual type': { method: 'POST', below: trialPath },
}
for (const [what, { method, below, headers }] of Object.entries(bodies))
  contracts(`the body of ${what} is validated by its schema and gets its defaults`, () =>
    withServer({ plugins: [gears] }, async ({ ask }) => {
      await ask('POST', gearPath, { metadata: { name: 'a' } })
      const send = (spec: object) => ask(method, below, { metadata: { name: 'a' }, spec }, headers)
      const wrong = await send({ by: 11, way: 'up' })
      assert.is(wrong.status, 422)
      const { causes } = (wrong.json as unknown as { details: { causes: { field: string }[] } }).details
      assert.equal(causes.map(cause => cause.field).sort(), ['spec.by', 'spec.way'])
      const { status, json } = await send({ by: 10 })
      assert.equal([status < 300, (json as unknown as Turn).spec], [true, { by: 10, way: 'left' }])
    }),
  )

contracts('a body that mutating admission changed is validated by its schema', async () => {
  const review = ({ object }: AdmissionRequest) => void ((object as Turn).spec = { by: 99 })
  const control = controlled({
    phase: 'mutate',
    matches: { group, resource: ['trials', 'gears'], subresource: ['', 'turn'] },
    review,
  })
  await withServer({ plugins: [gears, control] }, async ({ ask }) => {
    assert.is((await ask('POST', trialPath, { spec: { by: 2 } })).status, 422)
  })
})

contracts('metadata.generation starts at 1 and increases only when the spec changes, also through a subresource', () =>
  withServer({ plugins: [gears] }, async ({ ask }) => {
    const generationAfter = async (method: string, below: string, body: unknown, headers = {}) => {
      const { status, json } = await ask(method, gearPath + below, body, headers)
      assert.ok(status < 300, `${method} answers ${status}`)
      return json.metadata['generation']
    }
    const gear = (spec: object, metadata: object = {}) => ({ metadata: { name: 'a', ...metadata }, spec })
    assert.is(await generationAfter('POST', '', gear({ color: 'red' }, { generation: 7 })), 1)
    assert.is(await generationAfter('PUT', '/a', gear({ color: 'red' }, { labels: { x: 'y' }, generation: 5 })), 1)
    assert.is(await generationAfter('PUT', '/a', gear({ color: 'red', parts: [] })), 1, 'an empty list says nothing')
    assert.is(await generationAfter('PATCH', '/a', { spec: { size: 3 } }, merge), 2)
    assert.is(await generationAfter('PUT', '/a?dryRun=All', gear({ color: 'blue' })), 3)
    assert.is(await generationAfter('PUT', '/a', gear({ color: 'blue', size: 3 })), 3)
    assert.is(await generationAfter('PUT', '/a', gear({ color: 'blue', size: 3 })), 3)
    assert.is(await generationAfter('PATCH', '/a', { metadata: { finalizers: ['x.test/hold'] } }, merge), 3)
    await ask('DELETE', `${gearPath}/a`)
    assert.is(await generationAfter('GET', '/a', undefined), 4, 'its end is wanted now')
  }),
)

contracts('a policy that reads a cache is not bypassed by the first request after a start', async () => {
  const onlyOne = definePlugin({
    name: 'policy',
    register: to =>
      to.admission(
        defineAdmission()({
          name: 'OnlyOneWidget',
          phase: 'validate',
          sideEffects: 'none',
          matches: { group: widgetGroup, resource: 'widgets', operations: ['create'] },
          needs: { caches: services.caches },
          review(_, { caches }) {
            const all = caches.of({ group: widgetGroup, resource: 'widgets' }).list()
            if (all.length > 0) return reject('there is already one')
          },
        }),
      ),
  })
  const folder = temporaryFolder()
  const options = { plugins: [widgets, onlyOne], dataDir: folder.path }
  try {
    await withServer(options, async ({ ask, path }) => {
      assert.is((await ask('POST', path, { metadata: { name: 'first' } })).status, 201)
    })
    await withServer(options, async ({ ask, path }) => {
      assert.is((await ask('POST', path, { metadata: { name: 'second' } })).status, 403)
    })
  } finally {
    folder.remove()
  }
})

contracts.run()
