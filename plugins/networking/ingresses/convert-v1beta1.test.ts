import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fromV1, toV1 } from './convert-v1beta1.js'

const conversion = suite('ingresses of v1beta1')

const former = {
  metadata: { name: 'shop' },
  spec: {
    ingressClassName: 'public',
    backend: { serviceName: 'front', servicePort: 'web' },
    rules: [
      { host: 'a.example', http: { paths: [{ path: '/', backend: { serviceName: 'shop', servicePort: 8080 } }] } },
      { host: 'b.example' },
    ],
  },
}

conversion('name the Service of a backend and its port by name or number', () => {
  const { spec } = toV1(former)
  assert.equal(spec?.defaultBackend, { service: { name: 'front', port: { name: 'web' } } })
  assert.equal(spec?.rules?.[0]?.http?.paths[0]?.backend, { service: { name: 'shop', port: { number: 8080 } } })
  assert.equal(spec?.rules?.[1], { host: 'b.example' })
})

conversion('are the same after a round trip', () => {
  assert.equal(fromV1(toV1(former)), former)
  for (const backend of [{ servicePort: 'web' }, { servicePort: '' }, { serviceName: 'front' }, {}])
    assert.equal(fromV1(toV1({ spec: { backend } })), { spec: { backend } })
})

conversion.run()
