import { randomBody, type Vocabulary } from './random-body.js'
import { names, namespaces, randomText } from './random-value.js'
import type { SeededRandom } from './seeded-random.js'
import type { Target } from './served-api.js'

/** A request that may be valid or not: the server must respond properly either way. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly bytes: Buffer
  /** The response may be endless: its beginning is enough. */
  readonly isWatch: boolean
  /** The response may be slow, or never come. */
  readonly mayBeLate: boolean
}

/** Requests that would end the test: deleting namespaces, webhooks that block everything else. */
export const isFatal = (path: string) =>
  /webhookconfigurations|\/namespaces(?:\/[^/]*)?(?:\/(?:status|finalize))?\/*$/i.test(path)

export function randomRequest(random: SeededRandom, vocabulary: Vocabulary): FuzzRequest {
  const target = random.pick(vocabulary.api.targets)
  const { method, isOnCollection } = randomVerb(random, target)
  const name = random.fraction() < 0.95 ? random.pick(names) : encodeURIComponent(safeText(random))
  const path = oddPath(random, pathOf(random, target, isOnCollection ? '' : name))
  const isReading = method === 'GET' || method === 'HEAD'
  const isTame = !isReading && isFatal(decoded(path))
  const query = isTame ? '?dryRun=All&fieldManager=f' : randomQuery(random, method)
  const body = isTame && method === 'DELETE' ? undefined : randomBody(random, vocabulary, target, method, name)
  const headers = randomHeaders(random, vocabulary, body?.contentType)
  return {
    method,
    path: path + query,
    bytes: encode(random, `${method} ${path}${query} HTTP/1.1`, headers, body?.bytes),
    isWatch: method === 'GET' && /watch/i.test(path + query),
    mayBeLate: /timeout=|resourceVersion=/i.test(query),
  }
}

const methods: Readonly<Record<string, string>> = {
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
}
const collectionVerbs = new Set(['create', 'list', 'watch', 'deletecollection'])

/** Mostly supported verbs; more creates than deletes, so that there are objects. */
function randomVerb(random: SeededRandom, { verbs, subresource }: Target): { method: string; isOnCollection: boolean } {
  const dice = random.fraction()
  if (dice < 0.03) {
    const method = random.pick(['HEAD', 'OPTIONS', 'PURGE', 'TRACE', 'FOO', 'get', 'M-SEARCH'])
    return { method, isOnCollection: subresource === '' && random.fraction() < 0.5 }
  }
  const isCreating = verbs.includes('create') && dice < 0.25
  const verb = isCreating ? 'create' : random.pick(dice < 0.95 ? verbs : Object.keys(methods))
  const isLess = verb === 'deletecollection' && random.fraction() < 0.8
  return {
    method: isLess ? 'GET' : (methods[verb] ?? 'GET'),
    isOnCollection: subresource === '' && collectionVerbs.has(verb),
  }
}

function pathOf(random: SeededRandom, { root, resource, subresource, namespaced }: Target, name: string): string {
  const isBelowNamespace = random.fraction() < 0.97 ? namespaced : !namespaced
  const prefix = random.fraction() < 0.03 ? '/watch' : ''
  const scope = isBelowNamespace ? `/namespaces/${random.pick(namespaces)}` : ''
  const below = name === '' ? '' : `/${name}${subresource && `/${subresource}`}`
  return `${root}${prefix}${scope}/${resource}${below}`
}

/** encodeURIComponent throws on lone surrogates. */
const safeText = (random: SeededRandom) =>
  randomText(random)
    .replaceAll(/[\ud800-\udfff]/g, 'x')
    .slice(0, 3000)

/** One path in twenty is not quite one. */
function oddPath(random: SeededRandom, path: string): string {
  if (random.fraction() > 0.05) return path
  const parts = path.split('/')
  const at = random.between(1, parts.length)
  const step = random.pick([
    '',
    '.',
    '..',
    '%2f',
    '%2e%2e',
    '%00',
    '%',
    '%zz',
    '%ff',
    'x',
    'status',
    'namespaces',
    '🐎',
    '#',
    ';a=b',
  ])
  return random.pick<() => string>([
    () => [...parts.slice(0, at), step, ...parts.slice(at)].join('/'),
    () => [...parts.slice(0, at), ...parts.slice(at + 1)].join('/'),
    () => parts.slice(0, at).join('/') || '/',
    () => `${path}${'/'.repeat(random.pick([1, 2, 20_000]))}`,
    () => path.replaceAll('/', random.pick(['//', '%2F', '\\', '/./'])),
    () => path.toUpperCase(),
    () => `${path}/${'x/'.repeat(random.between(1, 5000))}`,
    () => random.pick(['/', '/api', '/apis', '/version', '/healthz', '/livez/ping', '/openapi/v3', '/version/x', '*']),
  ])()
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const parameters: Readonly<Record<string, readonly string[]>> = {
  dryRun: ['All', 'All', '', 'Some'],
  fieldManager: ['f', 'g', '', 'm'.repeat(200), '\n'],
  fieldValidation: ['Strict', 'Warn', 'Ignore', 'Odd'],
  force: ['true', 'false', 'maybe'],
  limit: ['1', '2', '500', '0', '-1', 'x', '99999999999999999999'],
  continue: ['eyJ2IjoxfQ', 'x', Buffer.from('{"v":1,"rv":1,"after":"a"}').toString('base64url')],
  resourceVersion: ['0', '1', '00', '-1', 'x', '999999999999'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', 'Odd'],
  labelSelector: ['a=b', 'a in (b,c)', '!a', 'a=b=c', 'a in (', ',', 'é=x', '('.repeat(3000)],
  fieldSelector: ['metadata.name=a', 'metadata.namespace=fuzz', 'spec.nodeName=x', 'x=1', '=', ','.repeat(3000)],
  timeoutSeconds: ['1', '-1', 'x'],
  timeout: ['1s', '5x', '-1s', '1h'],
  watch: ['1', 'true', 'false', 'x'],
  allowWatchBookmarks: ['true', 'x'],
  pretty: ['1', 'true', 'x'],
  gracePeriodSeconds: ['0', '30', '-1', 'x'],
  propagationPolicy: ['Orphan', 'Foreground', 'Background', 'Odd'],
  orphanDependents: ['true', 'x'],
  includeObject: ['None', 'Metadata', 'Object', 'Odd'],
  __proto__x: ['x'],
}

function randomQuery(random: SeededRandom, method: string): string {
  const wanted: [string, string][] = method === 'PATCH' ? [['fieldManager', 'f']] : []
  while (random.fraction() < 0.45) {
    const name = random.pick(Object.keys(parameters))
    wanted.push([name, random.fraction() < 0.97 ? random.pick(parameters[name]!) : safeText(random)])
  }
  if (wanted.some(([name]) => name === 'watch')) wanted.push(['timeoutSeconds', '-1'])
  const text = wanted.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return text === '' ? '' : `?${text}`
}

function randomHeaders(
  random: SeededRandom,
  { protobufType, metaGroup }: Vocabulary,
  contentType: string | undefined,
): [string, string][] {
  const headers: [string, string][] = [['Host', 'fuzz']]
  const dice = random.fraction()
  if (dice < 0.85) headers.push(['Authorization', 'Bearer admintoken'])
  else if (dice < 0.95) headers.push(['Authorization', 'Bearer anntoken'])
  else if (dice < 0.98)
    headers.push(['Authorization', random.pick(['Bearer x', 'Basic eDp5', 'Bearer', '', 'Bearer a b'])])
  if (contentType !== undefined) headers.push(['Content-Type', contentType])
  const accepted = [
    'application/yaml',
    protobufType,
    `${protobufType}, */*`,
    `application/json;as=Table;g=${metaGroup};v=v1,application/json`,
    `application/json;as=PartialObjectMetadata;g=${metaGroup};v=v1`,
    `application/json;as=PartialObjectMetadataList;g=${metaGroup};v=v1`,
    'image/png',
    ';;,',
    'application/json;as=',
  ]
  const odd: [string, string][] = [
    ['Accept', random.pick(accepted)],
    ['Accept', random.pick(accepted)],
    ['Accept', random.pick(accepted)],
    ['Impersonate-User', random.pick(['ann', 'nobody', 'system:serviceaccount:fuzz:default', ''])],
    ['Impersonate-Group', 'system:masters'],
    ['Impersonate-Uid', 'x'],
    ['Impersonate-Extra-a%62', 'x'],
    ['Impersonate-Odd', 'x'],
    ['User-Agent', random.pick(['curl/7', 'Mozilla/5.0', '', 'x'.repeat(3000), 'é'])],
    ['Audit-ID', random.pick(['x', 'x'.repeat(500), ''])],
    ['X-Forwarded-For', '1.2.3.4, x'],
    ['X-Remote-User', 'admin'],
    ['Authorization', 'Bearer other'],
    ['Content-Type', 'application/json'],
    ['Content-Encoding', 'gzip'],
    ['Transfer-Encoding', random.pick(['gzip, chunked', 'identity', 'chunked, chunked'])],
    ['Expect', random.pick(['100-continue', 'wonders'])],
    ['Upgrade', 'websocket'],
    ['Connection', random.pick(['close', 'upgrade', 'keep-alive'])],
    ['If-None-Match', '"x"'],
    ['Range', 'bytes=0-5'],
    ['__proto__', 'x'],
    ['constructor', 'x'],
  ]
  while (random.fraction() < 0.12) headers.push(random.pick(odd))
  if (random.fraction() < 0.003) for (let n = random.between(150, 300); n > 0; n--) headers.push([`X-${n}`, 'y'])
  return headers
}

function encode(random: SeededRandom, line: string, headers: [string, string][], body: Buffer | undefined): Buffer {
  const isChunked = body !== undefined && random.fraction() < 0.05
  const framing: [string, string][] =
    body === undefined ? [] : [isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)]]
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${line}\r\n${lines.join('')}\r\n`)
  if (body === undefined) return head
  if (!isChunked) return Buffer.concat([head, body])
  const chunk = body.length === 0 ? [] : [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]
  return Buffer.concat([head, ...chunk, Buffer.from('0\r\n\r\n')])
}
