import { definePlugin, Type } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const pages = suite('the pages /statusz and /flagz')

async function get(server: TestServer, path: string, accept?: string) {
  const headers = { authorization: `Bearer ${server.token}`, ...(accept ? { accept } : {}) }
  const response = await fetch(server.baseUrl + path, { headers })
  const { status } = response
  return {
    status,
    type: response.headers.get('content-type'),
    warning: response.headers.get('warning'),
    text: await response.text(),
  }
}
async function at(
  version: string,
  options: Readonly<Record<string, unknown>>,
  look: (server: TestServer) => Promise<void>,
) {
  const server = await startServer({ vendor: 'kubernetes', kubernetesVersion: version, options })
  try {
    await look(server)
  } finally {
    await server.stop()
  }
}

pages('are plain text by default', () =>
  at('1.36', {}, async server => {
    for (const accept of [undefined, '*/*', 'text/plain']) {
      const { status, type, text } = await get(server, '/statusz', accept)
      assert.equal([status, type], [200, 'text/plain; charset=utf-8'])
      assert.match(text, /^\nkube-apiserver statusz\nWarning: /)
      assert.match(text, /\nEmulation version: 1\.36\n/)
      assert.match(text, /\nPaths: .*\/flagz \/healthz .*\/readyz .*\/statusz /)
    }
    assert.match((await get(server, '/flagz')).text, /\nsecure-port=\d+\n/)
    assert.match((await get(server, '/')).text, /"\/readyz\/informer-sync"/)
  }),
)
pages('are objects for clients that request their kind', () =>
  at('1.36', {}, async server => {
    const asked = (kind: string, version: string) => `application/json;as=${kind};v=${version};g=config.k8s.io`
    const { status, type, text, warning } = await get(server, '/statusz', asked('Statusz', 'v1beta1'))
    assert.equal([status, type, warning], [200, 'application/json;g=config.k8s.io;v=v1beta1;as=Statusz', null])
    const { kind, apiVersion, metadata, emulationVersion } = JSON.parse(text)
    assert.equal(
      { kind, apiVersion, metadata, emulationVersion },
      {
        kind: 'Statusz',
        apiVersion: 'config.k8s.io/v1beta1',
        metadata: { name: 'kube-apiserver' },
        emulationVersion: '1.36',
      },
    )
    const flags = await get(server, '/flagz', asked('Flagz', 'v1alpha1'))
    assert.match(flags.warning ?? '', 'deprecated')
    assert.type(JSON.parse(flags.text).flags['secure-port'], 'string')
    for (const accept of ['application/json', asked('Statusz', 'v2'), 'application/vnd.kubernetes.protobuf'])
      assert.is((await get(server, '/statusz', accept)).status, 406, accept)
  }),
)
pages('are served if their gate is on', async () => {
  await at('1.33', {}, async server => {
    assert.is((await get(server, '/statusz')).status, 404)
  })
  await at('1.33', { featureGates: { ComponentStatusz: 'true' } }, async server => {
    assert.equal([(await get(server, '/statusz')).status, (await get(server, '/flagz')).status], [200, 404])
  })
})
pages('hide the values of flags that are secrets', async () => {
  const mailer = definePlugin({
    name: 'mailer',
    options: Type.Object({ mailToken: Type.Optional(Type.String()), mailTokenFile: Type.Optional(Type.String()) }),
    register() {},
  })
  const options = { mailToken: 'very-secret', mailTokenFile: '/etc/mail/token' }
  const server = await startServer({ vendor: 'kubernetes', morePlugins: [mailer], options })
  try {
    const { text } = await get(server, '/flagz')
    assert.match(text, /\nmail-token=<hidden>\n/)
    assert.match(text, /\nmail-token-file=\/etc\/mail\/token\n/)
    assert.not.match(text, 'very-secret')
  } finally {
    await server.stop()
  }
})

pages.run()
