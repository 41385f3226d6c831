import type { ApiError } from 'orch/sdk'
import { resourceConformance, startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { widgetPlugin } from './plugin.js'
import { widgets } from './resource.js'
import type { Widget } from './schema.js'

const example = suite('the widgets example')
async function withServer(test: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startServer({ plugins: [widgetPlugin({ widgetQuota: 10 })] })
  await test(server).finally(() => server.stop())
}
const parts = [{ name: 'lid' }, { name: 'box' }]

example('sets defaults, assembles, scales and selects', () =>
  withServer(async ({ client }) => {
    const town = client.of(widgets).in('town')
    const made = await town.create({ metadata: { name: 'a' }, spec: { parts } })
    assert.equal([made.spec.color, made.spec.size, made.spec.parts?.[0]?.material], ['red', 2, 'wood'])
    await town.waitFor('a', ({ status }) => status?.assembled === 2)
    const scaled = await town.patch('a', { spec: { size: 5 } }, { subresource: 'scale' })
    assert.equal([scaled.kind, scaled.spec.size], ['WidgetScale', 5])
    await town.waitFor('a', ({ status }) => status?.assembled === 5)
    assert.is((await town.list({ fieldSelector: 'spec.color=red' })).items.length, 1)
    assert.is((await town.list({ fieldSelector: 'spec.color=blue' })).items.length, 0)
  }),
)
example('enforces the quota of the namespace, and the minimum size', () =>
  withServer(async ({ client }) => {
    const town = client.of(widgets).in('town')
    await town.create({ metadata: { name: 'a' }, spec: { size: 8, parts } })
    const refusal = (work: Promise<unknown>) =>
      work.then(
        () => 'accepted',
        (error: ApiError) => error.code,
      )
    assert.is(await refusal(town.create({ metadata: { name: 'b' }, spec: { size: 3 } })), 403)
    assert.is(await refusal(town.patch('a', { spec: { size: 1 } }, { subresource: 'scale' })), 422)
    assert.is(await refusal(town.patch('a', { spec: { size: 11 } }, { subresource: 'scale' })), 403)
    await client
      .of(widgets)
      .in('village')
      .create({ metadata: { name: 'b' }, spec: { size: 3 } })
  }),
)
for (const { name, run } of resourceConformance<Widget>({
  resource: widgets,
  valid: () => ({ spec: { parts } }),
  invalid: {
    'an unknown color': widget => void Object.assign(widget.spec!, { color: 'mauve' }),
    'a part without a name': widget => void Object.assign(widget.spec!, { parts: [{ name: '' }] }),
    'too small for its parts': widget => void Object.assign(widget.spec!, { size: 1 }),
  },
  update: widget => void Object.assign(widget.spec!, { color: 'blue' }),
}))
  example(name, run)
example.run()
