import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Volume } from '../../volume.js'
import { problems, where } from './testing/volume-problems.js'
import { validateVolumes } from './validate-volumes.js'

const validation = suite('validation of projected volumes and files of the downward API')

const projected: Record<string, [sources: unknown[], ...wrong: string[]]> = {
  'accepts one source of each kind': [
    [
      { secret: { name: 's' } },
      { configMap: { name: 'c', items: [{ key: 'k', path: 'a' }] } },
      { downwardAPI: { items: [{ path: 'b', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }] } },
      { serviceAccountToken: { path: 't', expirationSeconds: 600 } },
    ],
  ],
  'refuses a source without a type': [[{}], '.sources[0] Required'],
  'refuses a source with two types': [[{ secret: { name: 's' }, configMap: { name: 'c' } }], '.sources[0] Forbidden'],
  'validates both types of one source': [
    [{ secret: {}, configMap: {} }],
    '.sources[0].secret.name Required',
    '.sources[0].configMap.name Required',
    '.sources[0] Forbidden',
  ],
  'refuses sources without names': [
    [{ secret: {} }, { configMap: {} }],
    '.sources[0].secret.name Required',
    '.sources[1].configMap.name Required',
  ],
  'refuses a token that is short-lived': [
    [{ serviceAccountToken: { path: 't', expirationSeconds: 599 } }],
    '.sources[0].serviceAccountToken.expirationSeconds Invalid',
  ],
  'refuses a token that lives too long': [
    [{ serviceAccountToken: { path: '', expirationSeconds: 2 ** 32 + 1 } }],
    '.sources[0].serviceAccountToken.expirationSeconds Invalid',
    '.path Required',
  ],
  'accepts trust bundles by name and by signer': [
    [
      { clusterTrustBundle: { name: 'acme.io:team:roots', path: 'a' } },
      { clusterTrustBundle: { signerName: 'acme.io/team', labelSelector: { matchLabels: { a: 'b' } }, path: 'b' } },
    ],
  ],
  'refuses an impossible name of a trust bundle': [
    [{ clusterTrustBundle: { name: 'acme.io:team:', path: 'a' } }, { clusterTrustBundle: { name: 'A b', path: 'b' } }],
    '.sources[0].clusterTrustBundle.name Invalid',
    '.sources[1].clusterTrustBundle.name Invalid',
  ],
  'refuses a name of a trust bundle whose signer is broken, whatever its rest is': [
    [{ clusterTrustBundle: { name: ':B b', path: 'a' } }, { clusterTrustBundle: { name: 'acme.io/team:', path: 'b' } }],
    '.sources[0].clusterTrustBundle.name Invalid',
    '.sources[1].clusterTrustBundle.name Invalid',
  ],
  'refuses a trust bundle without a path, and compares it with another': [
    [{ clusterTrustBundle: { name: 'a', path: '' } }, { clusterTrustBundle: { name: 'b', path: '' } }],
    '.sources[0].clusterTrustBundle.path Required',
    '.sources[1].clusterTrustBundle.path Required',
    ' Invalid',
  ],
  'refuses an impossible signer and selector of trust bundles': [
    [{ clusterTrustBundle: { signerName: 'team', labelSelector: { matchLabels: { a: 'b!' } }, path: 'a' } }],
    '.sources[0].clusterTrustBundle.signerName Invalid',
    '.sources[0].clusterTrustBundle.labelSelector.matchLabels Invalid',
  ],
  'refuses a certificate of this server for more than a day, and of an impossible signer': [
    [
      {
        podCertificate: {
          signerName: 'certs.acme.test/client',
          keyType: 'ED25519',
          maxExpirationSeconds: 86_401,
          keyPath: 'a',
          userAnnotations: { team: 'a' },
        },
      },
      { podCertificate: { signerName: 'x', keyType: 'ED25519', maxExpirationSeconds: 86_401, keyPath: 'b' } },
    ],
    '.sources[0].podCertificate.userAnnotations Invalid',
    '.sources[0].podCertificate.maxExpirationSeconds Invalid',
    '.sources[1].podCertificate.signerName Invalid',
  ],
  'refuses a path that is taken': [
    [
      { secret: { name: 's', items: [{ key: 'k', path: 'a' }] } },
      { configMap: { name: 'c', items: [{ key: 'k', path: 'a' }] } },
    ],
    ' Invalid',
  ],
}
for (const [title, [list, ...wrong]] of Object.entries(projected))
  validation(`${title} of a projected volume`, () => {
    assert.equal(
      problems([{ name: 'v', projected: { sources: list } }]),
      wrong.map(text => `volumes[0].projected${text}`),
    )
  })

const field = (fieldPath: string, apiVersion = 'v1') => ({ path: 'x', fieldRef: { apiVersion, fieldPath } })
const resource = (name: string, more: object = { containerName: 'c' }) => ({
  path: 'x',
  resourceFieldRef: { resource: name, ...more },
})
const odd = { containerName: 'c', divisor: '7' }
const downward: Record<string, [file: object, ...wrong: string[]]> = {
  'accepts all labels': [field('metadata.labels')],
  'accepts one annotation': [field("metadata.annotations['a.b/C']")],
  'refuses an invalid annotation key': [field("metadata.annotations['a b']"), '.fieldRef Invalid'],
  'refuses a field that files cannot hold': [field('spec.nodeName'), '.fieldRef.fieldPath NotSupported'],
  'refuses the uid, which only variables may hold': [field('metadata.uid'), '.fieldRef.fieldPath NotSupported'],
  'refuses a field that no Pod has': [field('spec.bogus'), '.fieldRef.fieldPath Invalid'],
  'refuses a subscript of a field without subscripts': [field("metadata.name['a']"), '.fieldRef.fieldPath Invalid'],
  'refuses an unknown version': [field('metadata.name', 'v2'), '.fieldRef.fieldPath Invalid'],
  'accepts a limit': [resource('limits.cpu')],
  'accepts a unit of a limit': [resource('limits.memory', { containerName: 'c', divisor: '1Mi' })],
  'refuses a limit without a container': [resource('limits.cpu', {}), '.resourceFieldRef.containerName Required'],
  'refuses an unknown resource': [resource('bogus.cpu', odd), '.resourceFieldRef.resource NotSupported'],
  'refuses an invalid divisor': [resource('limits.cpu', odd), '.resourceFieldRef.divisor Invalid'],
  'refuses neither': [{ path: 'x' }, ' Required'],
  'refuses both': [{ ...field('metadata.name'), ...resource('limits.cpu') }, ' Invalid'],
  'refuses a mode out of range': [{ ...field('metadata.name'), mode: 512 }, '.mode Invalid'],
}
for (const [title, [file, ...wrong]] of Object.entries(downward))
  validation(`${title} in a file of the downward API`, () => {
    assert.equal(
      problems([{ name: 'v', downwardAPI: { items: [file] } }]),
      wrong.map(text => `volumes[0].downwardAPI${text}`),
    )
  })

const hostAddresses: Record<string, [rules: object, ...wrong: string[]]> = {
  'the field is unknown': [{}, '.fieldPath Invalid'],
  'the field is known': [{ knowsHostAddresses: true }, '.fieldPath NotSupported', ' Forbidden'],
  'variables may hold it': [{ knowsHostAddresses: true, takesHostAddresses: true }, '.fieldPath NotSupported'],
}
for (const [title, [rules, ...wrong]] of Object.entries(hostAddresses))
  validation(`no file holds the addresses of the host where ${title}`, () => {
    const volume: Volume = { name: 'v', downwardAPI: { items: [field('status.hostIPs')] } }
    assert.equal(
      validateVolumes([volume], 'v', { ...where, ...rules }).errors.map(
        error => `${error.field} ${error.type.slice(10)}`,
      ),
      wrong.map(text => `v[0].downwardAPI.fieldRef${text}`),
    )
  })

validation.run()
