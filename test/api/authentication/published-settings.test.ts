import { authentication } from 'orch/plugins/authentication'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { kubernetesProfile, orchProfile } from 'orch/sdk'
import { startServer, testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../support/temporary-folder.js'

const published = suite('settings for extension servers')
const plugins = [namespaces, configuration, authentication]
interface ConfigMap {
  readonly metadata: { readonly name?: string }
  readonly data?: Readonly<Record<string, string>>
}
const configMaps = { group: '', version: 'v1', resource: 'configmaps' }

for (const vendor of [orchProfile, kubernetesProfile])
  published(`are in the system namespace of ${vendor.name}: CAs and the settings of the proxy`, async () => {
    const folder = temporaryFolder()
    const [clients, proxy] = [(await testAuthority('clients')).caPem, (await testAuthority('proxy')).caPem]
    const options = {
      clientCaFile: folder.write('clients.pem', clients),
      requestheaderClientCaFile: folder.write('proxy.pem', proxy),
      requestheaderAllowedNames: ['front'],
      requestheaderUsernameHeaders: ['X-Remote-User'],
      requestheaderGroupHeaders: ['X-Remote-Group'],
      requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
    }
    const server = await startServer({ plugins, vendor, tls: true, options })
    try {
      const inside = server.client.resource<ConfigMap>(configMaps).in(vendor.namespaces.system)
      const { data = {} } = await inside.get('extension-apiserver-authentication')
      const { 'client-ca-file': ca = '', ...others } = data
      assert.ok(ca.includes(clients.trim()))
      assert.is(ca.match(/BEGIN CERTIFICATE/g)?.length, 2, 'the authority of the server itself is the other one')
      assert.equal(others, {
        'requestheader-allowed-names': '["front"]',
        'requestheader-client-ca-file': proxy,
        'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
        'requestheader-group-headers': '["X-Remote-Group"]',
        'requestheader-username-headers': '["X-Remote-User"]',
        // Proxies can send UIDs since 1.32; the specification does not publish that header.
        ...(vendor === kubernetesProfile ? { 'requestheader-uid-headers': '[]' } : {}),
      })
    } finally {
      await server.stop()
      folder.remove()
    }
  })

published('contain no settings of a proxy that is not configured', async () => {
  const server = await startServer({ plugins, tls: true })
  try {
    const inside = server.client.resource<ConfigMap>(configMaps).in(orchProfile.namespaces.system)
    const { data = {} } = await inside.get('extension-apiserver-authentication')
    assert.equal(Object.keys(data), ['client-ca-file'])
  } finally {
    await server.stop()
  }
})

published.run()
