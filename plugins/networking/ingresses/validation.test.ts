import { kubernetesProfile, profileAtVersion, Vendor, type VersionName } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { networkingNames } from '../names.js'
import { acmeNames } from '../testing/acme.js'
import type { HTTPIngressPath, Ingress, IngressBackend, IngressSpec } from './schema.js'
import { validateIngress, validateIngressStatus, validateIngressUpdate } from './validation.js'

const validation = suite('validation of ingresses')
const web: IngressBackend = { service: { name: 'web', port: { number: 80 } } }
const anIngress = (spec: IngressSpec): Ingress => ({ metadata: { name: 'i' }, spec })
const withPath = (path: Partial<HTTPIngressPath>): IngressSpec => ({
  rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: web, ...path }] } }],
})
const at = 'spec.rules[0].http.paths[0]'

const created: Record<string, { spec: IngressSpec; wrong: string[] }> = {
  'accepts a default backend alone': { spec: { defaultBackend: web }, wrong: [] },
  'accepts rules alone, also without paths': { spec: { rules: [{ host: 'a.example.com' }] }, wrong: [] },
  'asks for one of them': { spec: {}, wrong: ['FieldValueInvalid spec'] },
  'accepts a wildcard and refuses one in the middle': {
    spec: { rules: [{ host: '*.example.com' }, { host: 'a.*.com' }] },
    wrong: ['FieldValueInvalid spec.rules[1].host'],
  },
  'refuses an address for a host': {
    spec: { rules: [{ host: '10.0.0.1' }] },
    wrong: ['FieldValueInvalid spec.rules[0].host'],
  },
  'asks for paths where there is http': {
    spec: { rules: [{ http: { paths: [] } }] },
    wrong: ['FieldValueRequired spec.rules[0].http.paths'],
  },
  'requires the path type before anything else': {
    spec: withPath({ pathType: undefined as unknown as string, path: 'x', backend: {} }),
    wrong: [`FieldValueRequired ${at}.pathType`],
  },
  'rejects unknown path types': {
    spec: withPath({ pathType: 'Regex' }),
    wrong: [`FieldValueNotSupported ${at}.pathType`],
  },
  'asks for an absolute path': {
    spec: withPath({ path: 'x', pathType: 'Exact' }),
    wrong: [`FieldValueInvalid ${at}.path`],
  },
  'rejects every form of a non-canonical path': {
    spec: withPath({ path: '/a//b/./c%2fd/..' }),
    wrong: Array(4).fill(`FieldValueInvalid ${at}.path`),
  },
  'accepts non-canonical and empty paths if their meaning is implementation-specific': {
    spec: {
      rules: [
        {
          http: {
            paths: [
              { path: '/a//b', pathType: 'ImplementationSpecific', backend: web },
              { pathType: 'ImplementationSpecific', backend: web },
            ],
          },
        },
      ],
    },
    wrong: [],
  },
  'asks for a backend': { spec: withPath({ backend: {} }), wrong: [`FieldValueInvalid ${at}.backend`] },
  'takes one backend': {
    spec: { defaultBackend: { ...web, resource: { kind: 'Bucket', name: 'b' } } },
    wrong: ['FieldValueInvalid spec.defaultBackend'],
  },
  'checks the reference to another object as a backend': {
    spec: { defaultBackend: { resource: { apiGroup: 'Not A Group', kind: '', name: 'a/b' } } },
    wrong: [
      'FieldValueInvalid spec.defaultBackend.resource.apiGroup',
      'FieldValueRequired spec.defaultBackend.resource.kind',
      'FieldValueInvalid spec.defaultBackend.resource.name',
    ],
  },
  'asks for the name and the port of a service': {
    spec: { defaultBackend: { service: { name: '', port: {} } } },
    wrong: ['FieldValueRequired spec.defaultBackend.service.name', 'FieldValueRequired spec.defaultBackend'],
  },
  'takes a port by name or by number': {
    spec: { defaultBackend: { service: { name: 'web', port: { name: 'http', number: 80 } } } },
    wrong: ['FieldValueInvalid spec.defaultBackend'],
  },
  'checks names and numbers of ports': {
    spec: {
      defaultBackend: { service: { name: 'Web', port: { number: 70000 } } },
      rules: [
        {
          http: {
            paths: [{ pathType: 'Exact', path: '/', backend: { service: { name: 'web', port: { name: 'A' } } } }],
          },
        },
      ],
    },
    wrong: [
      'FieldValueInvalid spec.defaultBackend.service.name',
      'FieldValueInvalid spec.defaultBackend.service.port.number',
      `FieldValueInvalid ${at}.backend.service.port.name`,
      `FieldValueInvalid ${at}.backend.service.port.name`,
    ],
  },
  'checks hosts and Secrets of certificates, and the class': {
    spec: {
      defaultBackend: web,
      tls: [{ hosts: ['ok.example.com', '*bad'], secretName: 'Not_A_Name' }],
      ingressClassName: 'Not_A_Name',
    },
    wrong: [
      'FieldValueInvalid spec.tls[0].hosts[1]',
      'FieldValueInvalid spec.tls[0].secretName',
      'FieldValueInvalid spec.ingressClassName',
    ],
  },
}
for (const [title, { spec, wrong }] of Object.entries(created))
  validation(title, () => {
    assert.equal(
      validateIngress(anIngress(spec), acmeNames).map(({ type, field }) => `${type} ${field}`),
      wrong,
    )
  })

validation('a new ingress sets its class in one place, a stored one may set it in both', () => {
  const both: Ingress = {
    metadata: { annotations: { 'acme.test/ingress.class': 'x' } },
    spec: { defaultBackend: web, ingressClassName: 'y' },
  }
  assert.equal(
    validateIngress(both, acmeNames).map(({ field }) => field),
    ['annotations.acme.test/ingress.class'],
  )
  assert.equal(validateIngressUpdate(both, both, acmeNames), [])
})

validation('values that were stored before the rules existed are accepted', () => {
  const old = anIngress({
    defaultBackend: web,
    tls: [{ secretName: 'Not_A_Name' }],
    rules: [{ host: '*.example.com', http: { paths: [] } }],
  })
  assert.equal(validateIngressUpdate(old, old, acmeNames), [])
  const wrong = validateIngressUpdate(old, anIngress({ defaultBackend: web }), acmeNames)
  assert.equal(
    wrong.map(({ field }) => field),
    ['spec.rules[0].http.paths', 'spec.tls[0].secretName'],
  )
})

validation('the name of a Service may begin with a digit from 1.36 on', () => {
  const digits = anIngress({ defaultBackend: { service: { name: '1web', port: { number: 80 } } } })
  const namesAt = (version: '1.35' | '1.36') =>
    networkingNames(new Vendor(profileAtVersion(kubernetesProfile, version)!))
  assert.is(validateIngress(digits, namesAt('1.35')).length, 1)
  assert.equal(validateIngress(digits, namesAt('1.36')), [])
})

const toService = (name: string): IngressBackend => ({ service: { name, port: { number: 80 } } })
const inRule = (name: string, host?: string): Ingress =>
  anIngress({
    rules: [
      {
        ...(host === undefined ? {} : { host }),
        http: { paths: [{ path: '/', pathType: 'Prefix', backend: toService(name) }] },
      },
    ],
  })
const byDefault = (name: string) => anIngress({ defaultBackend: toService(name) })
const kept: [version: VersionName, stored: Ingress, isKept: boolean][] = [
  ['1.33', inRule('1web'), false],
  ['1.34', inRule('1web'), true],
  ['1.34', byDefault('1web'), false],
  ['1.35', byDefault('1web'), true],
  ['1.35', inRule('web'), false],
  ['1.35', inRule('Web'), false],
]
for (const [version, stored, isKept] of kept)
  validation(
    `at ${version}, digits ${isKept ? 'may' : 'may not'} begin names like in ${JSON.stringify(stored.spec)}`,
    () => {
      const names = networkingNames(new Vendor(profileAtVersion(kubernetesProfile, version)!))
      assert.is(validateIngressUpdate(inRule('2web'), stored, names).length, isKept ? 0 : 1)
      assert.is(validateIngress(inRule('2web'), names).length, 1)
    },
  )

validation('stored rules of wildcards are judged by the strict rule for names of Services', () => {
  const broken = anIngress({ rules: [{ host: '*.example.com', http: { paths: [] } }] })
  const names = networkingNames(new Vendor(profileAtVersion(kubernetesProfile, '1.36')!))
  assert.equal(validateIngressUpdate(broken, inRule('1web', '*.example.com'), names), [])
  assert.is(validateIngressUpdate(broken, inRule('web', '*.example.com'), names).length, 1)
})

validation('the status names addresses', () => {
  const status = { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '10.0.0.1' }, { ip: '10.0.0.1' }] } }
  assert.equal(
    validateIngressStatus({ status }).map(({ field }) => field),
    ['status.loadBalancer.ingress[0].ip', 'status.loadBalancer.ingress[1].hostname'],
  )
})

validation.run()
