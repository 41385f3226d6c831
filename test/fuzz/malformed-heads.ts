import { configMaps, type MalformedKind, target } from './malformed-request.js'
import type { SeededRandom } from './seeded-random.js'

const get = (path: string, headers: Record<string, string> = {}) => ({ method: 'GET', path, headers })
const garbage = (random: SeededRandom) => random.text('abc0189-_.~%25+', random.between(4, 60))
const raw = (text: string) => ({ method: 'GET', path: '/', raw: Buffer.from(text, 'latin1') })

/** Invalid paths, queries and headers. */
export const malformedHeads: readonly MalformedKind[] = [
  {
    name: 'a label selector that cannot be read',
    weight: 15,
    make: random =>
      get(
        `${configMaps}?labelSelector=${encodeURIComponent(
          random.pick([
            'a in (',
            '=x',
            'a b',
            'a in b',
            '!',
            'a=b=c',
            ',,',
            'a notin (b',
            '(',
            'é=x',
            'a>b',
            `${'a'.repeat(64)}=b`,
            'a in ()x',
            '-a=b',
          ]),
        )}`,
      ),
  },
  {
    name: 'a field selector that cannot be read or names no field',
    weight: 10,
    make: random =>
      get(
        `${configMaps}?fieldSelector=${encodeURIComponent(
          random.pick([
            'metadata.bogus=1',
            'data.k=v',
            '=x',
            'a',
            'metadata.name',
            'metadata.name<x',
            `x${random.between(0, 999)}=1`,
          ]),
        )}`,
      ),
  },
  {
    name: 'an invalid continue token',
    weight: 15,
    make: random =>
      get(
        `${configMaps}?limit=${random.between(1, 9)}&continue=${encodeURIComponent(
          random.pick([
            garbage(random),
            random.bytes(random.between(1, 60)).toString('base64'),
            Buffer.from('{"v":"meta.k8s.io/v1","rv":-5,"start":"x"}').toString('base64url'),
            Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"../../secrets/x"}').toString('base64url'),
            Buffer.from('{"v":"v9","rv":1}').toString('base64url'),
            Buffer.from('null').toString('base64url'),
            '!',
          ]),
        )}`,
      ),
  },
  {
    name: 'a query parameter with an invalid value',
    weight: 20,
    make: random =>
      random.pick([
        () => get(`${configMaps}?limit=${random.pick(['abc', '1.5', '99999999999999999999', '1e3', '--1'])}`),
        () =>
          get(`${configMaps}?resourceVersion=${random.pick(['abc', '-1', '1.5', '0x10', '99999999999999999999999'])}`),
        () => get(`${configMaps}?resourceVersionMatch=${random.pick(['Exact', 'NotOlderThan', 'Newest'])}`),
        () => get(`${configMaps}?resourceVersion=1&resourceVersionMatch=Newest`),
        () => get(`${configMaps}?watch=1&timeoutSeconds=${random.pick(['x', '1h', '1.5'])}`),
        () => ({ method: 'POST', path: `${configMaps}?dryRun=${random.pick(['Some', 'true', 'all'])}`, body: '{}' }),
        () => ({ method: 'POST', path: `${configMaps}?fieldValidation=Loose`, body: '{}' }),
        () => ({ method: 'POST', path: `${configMaps}?fieldManager=${'m'.repeat(129)}`, body: '{}' }),
        () => ({ method: 'DELETE', path: `${target}?propagationPolicy=${garbage(random)}` }),
        () => ({ method: 'DELETE', path: `${target}?gracePeriodSeconds=soon` }),
        () => ({
          method: 'DELETE',
          path: target,
          body: random.pick(['[]', '{', '{"gracePeriodSeconds":"x"}', '{"dryRun":["No"]}']),
        }),
        () => ({ method: 'DELETE', path: target, body: '{"preconditions":{"uid":"another"}}' }),
      ])(),
  },
  {
    name: 'a path that is not served',
    weight: 20,
    make: random =>
      get(
        random.pick([
          () => `/${garbage(random)}`,
          () => `/apis/${garbage(random)}/v1/things`,
          () => `/api/v1/${garbage(random)}`,
          () => `/api/v9/configmaps`,
          () => `${configMaps}/%00`,
          () => `${configMaps}/%ff%fe`,
          () => `${configMaps}/%zz`,
          () => `${configMaps}/%`,
          () => `${configMaps}/..%2f..%2fsecrets`,
          () => `/api/v1/namespaces/..%2f/configmaps/x`,
          () => `${configMaps}/${'x'.repeat(random.between(300, 6000))}`,
          () => `${target}/${garbage(random)}`,
          () => `${target}/status/deeper/still`,
          () => `/api/v1/namespaces/fuzz/namespaces`,
          () => `/api/v1/watch/nonsense`,
          () => `/openapi/v9`,
          () => `/healthz/${garbage(random)}x`,
        ])(),
      ),
  },
  {
    name: 'a method that is not allowed there',
    weight: 8,
    make: random =>
      random.pick([
        { method: 'PUT', path: configMaps, body: '{}' },
        { method: 'PATCH', path: configMaps, body: '{}' },
        { method: 'POST', path: target, body: '{}' },
        { method: 'DELETE', path: '/version' },
        { method: 'DELETE', path: '/api/v1/namespaces' },
        { method: 'PURGE', path: target },
        { method: 'LINK', path: configMaps },
      ]),
  },
  {
    name: 'an unknown media type',
    weight: 8,
    make: random =>
      random.pick([
        {
          method: 'POST',
          path: configMaps,
          headers: { 'Content-Type': random.pick(['text/html', 'x', 'a/b;;', ';']) },
          body: '{}',
        },
        get(target, {
          Accept: random.pick(['text/html', 'image/png', 'application/json;as=Chair;g=meta.k8s.io;v=v1', 'x/']),
        }),
      ]),
  },
  {
    name: 'invalid credentials',
    weight: 6,
    make: random => get(target, { Authorization: `Bearer ${garbage(random)}` }),
  },
  {
    name: 'a flood of headers',
    weight: 3,
    make: random =>
      get(
        target,
        Object.fromEntries(
          // More than a mebibyte, the limit of a head.
          Array.from({ length: random.between(150, 400) }, (_, n) => [`X-Flood-${n}`, 'x'.repeat(8000)]),
        ),
      ),
  },
  {
    name: 'something that is not HTTP',
    weight: 3,
    make: random =>
      raw(
        random.pick([
          'GET\r\n\r\n',
          'FLY / HTTP/1.1\r\nHost: x\r\n\r\n',
          'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
          'GET / HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n',
          'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
          'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n',
          'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
          'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n',
          'GET / HTTP/1.1\r\n\r\n',
          '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003 a TLS hello\r\n\r\n',
        ]),
      ),
  },
]
