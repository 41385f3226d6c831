import { consolePlugin } from 'orch/plugins/console'
import { namespaces } from 'orch/plugins/namespaces'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beaconPlugin } from './plugin.js'

const example = suite('the console page example')

example('brings a panel for its type and a page, as modules that a browser can load', async () => {
  const server = await startServer({ plugins: [namespaces, consolePlugin, beaconPlugin] })
  try {
    const { pages } = (await (await fetch(`${server.baseUrl}/console/settings`)).json()) as {
      pages: { module: string }[]
    }
    assert.equal(pages, [
      {
        name: 'beacon-lamp',
        title: 'Lamp',
        plugin: 'beacons',
        module: '/console/pages/beacon-lamp.js',
        type: { group: 'example.com', resource: 'beacons' },
      },
      { name: 'beacon-wall', title: 'Beacon wall', plugin: 'beacons', module: '/console/pages/beacon-wall.js' },
    ])
    for (const { module } of pages) {
      const answer = await fetch(server.baseUrl + module)
      assert.is(answer.headers.get('content-type'), 'text/javascript; charset=utf-8')
      assert.match(await answer.text(), /export function mount/)
    }
    assert.is((await fetch(`${server.baseUrl}/console/pages/..%2fplugin.js`)).status, 404)
  } finally {
    await server.stop()
  }
})

example.run()
