import type { ApiObject, Authorizer, VersionName } from 'orch/sdk'
import { admit, fakeCollections } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { namesAt } from '../../testing/acme.js'
import { nodeRestriction } from '../node-restriction.js'

const pem = (...lines: string[]) =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`
/** O=system:nodes, CN=system:node:n1 */
const own = pem(
  'MIHrMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lz',
  'dGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQQaShIfiLXRtL/',
  '12MJXnB/mNi/8GjOcqMEy3dt6FDFPG7bfHoSDSckmk/cUBwPDXqiqA7WMHt5B2w+',
  '2Jb12/xRoAAwCgYIKoZIzj0EAwIDSAAwRQIhAJzg04IGvL/D3XqJAyZzyvfUuNlc',
  'EI5Im8dMR3M5sEjcAiBijacDnnvoSOQEBkKKQ2HtfkUesnAbbJzBotbyXd5mRg==',
)
/** CN=system:node:n1, CN=system:node:n2 */
const twice = pem(
  'MIHtMIGUAgEAMDIxFzAVBgNVBAMMDnN5c3RlbTpub2RlOm4xMRcwFQYDVQQDDA5z',
  'eXN0ZW06bm9kZTpuMjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBBpKEh+ItdG',
  '0v/XYwlecH+Y2L/waM5yowTLd23oUMU8btt8ehINJySaT9xQHA8NeqKoDtYwe3kH',
  'bD7YlvXb/FGgADAKBggqhkjOPQQDAgNIADBFAiBIOCB1aCQm0KJZz/yCg7go5EAf',
  'S1EaafdjUn1SdTdxLAIhAN09WSf+HIZ3mtQWxLqVhWOs/kRTv2XTt7lj5OiOQAFn',
)

/** The message of the refusal for the agent of a node. */
async function refusal(text: string, node: string, signer: string, version: VersionName = '1.31') {
  const authorizer = { allows: async () => false } as unknown as Authorizer
  const object = { metadata: {}, spec: { signerName: signer, request: Buffer.from(text).toString('base64') } }
  const request = {
    group: 'certificates.api.acme.test',
    resource: 'certificatesigningrequests',
    namespace: '',
    object: object as ApiObject,
    user: { name: `system:node:${node}`, groups: ['system:nodes'] },
  }
  const services = { ...fakeCollections({}), authorizer }
  return (await admit(nodeRestriction(namesAt(version)), request, services)).refusal?.message
}
const signers = ['acme.test/kube-apiserver-client-kubelet', 'acme.test/kubelet-serving']

const certificates = suite('certificates that a node requests')

for (const signer of signers) {
  certificates(`of ${signer} are its own`, async () => {
    assert.is(await refusal(own, 'n1', signer), undefined)
    assert.match(String(await refusal(own, 'n2', signer)), 'CN=system:node:n2')
  })
  certificates(`of ${signer} are those of the last name`, async () => {
    assert.match(String(await refusal(twice, 'n1', signer)), 'CN=system:node:n1')
    assert.is(await refusal(twice, 'n2', signer), undefined)
  })
  for (const broken of ['', 'text', pem('MIHr'), pem('MAA='), pem('')])
    certificates(`of ${signer} are not requested by ${JSON.stringify(broken)}`, async () => {
      assert.match(String(await refusal(broken, 'n1', signer)), 'unable to parse csr')
    })
}
certificates('of other signers, and before 1.31, may have any name', async () => {
  assert.is(await refusal(own, 'n2', 'acme.test/other'), undefined)
  assert.is(await refusal(own, 'n2', 'acme.test/kubelet-serving', '1.30'), undefined)
})

certificates.run()
