import { andThen, defineDifference, pathNotFound, type Vendor } from 'orch/sdk'
import { Registry as MetricsRegistry } from 'prom-client'
import { methodNotAllowed } from '../contracts/protocol-errors.js'
import type { Representation } from '../contracts/representation.js'
import type { RequestContext } from '../contracts/request-context.js'
import { withoutSlashesAtEnd } from '../contracts/request-info.js'
import type { AggregatedDiscovery, AggregatedForm } from '../discovery/aggregated-discovery.js'
import type { Discovery } from '../discovery/discovery.js'
import type { Health, HealthEndpoint } from '../observe/health.js'
import { metricsParameter } from '../observe/metrics-text.js'
import type { OpenApiDocuments } from '../openapi/openapi-documents.js'
import type { Representations } from '../representation/representations.js'
import type { DebugPages } from './debug-pages.js'
import type { PluginRoutes } from './plugin-routes.js'

export interface PathParts {
  readonly discovery: Discovery
  readonly aggregated: AggregatedDiscovery
  readonly health: Health
  readonly debugPages: Pick<DebugPages, 'paths' | 'serve'>
  readonly openApi: OpenApiDocuments
  /** The metrics of the whole server, as text: all, or those of these names. */
  metrics(names: readonly string[]): Promise<string>
  readonly routes: PluginRoutes
  readonly representations: Representations
  readonly vendor: Vendor
  readonly serverAddress: () => string
}

const healthPath = /^\/(healthz|livez|readyz)(?:\/(.+))?$/
const textHeaders = () => ({
  'Content-Type': 'text/plain; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache, private',
})

/** Paths outside the resource API: health, metrics, discovery, OpenAPI, version and the routes of plugins. */
export function pathServer(parts: PathParts): (context: RequestContext) => boolean | Promise<boolean> {
  const documentPaths = ['/version', ...parts.routes.exactPaths].map(each => `${each}/`)
  return context => {
    const { path } = context.info
    const health = healthPath.exec(path)
    if (health) return serveHealth(parts, context, health[1] as HealthEndpoint, health[2] ?? '')
    const route = parts.routes.find(path)
    if (route) return parts.routes.serve(context, route)
    if (path === '/metrics') return serveMetrics(parts, context)
    if (path === '/version' || path === '/version/')
      return serveDocument(parts, context, versionOf(parts.vendor), readable)
    if (parts.debugPages.paths.includes(path)) return parts.debugPages.serve(context, allPaths(parts))
    if (path === '/') return serveDocument(parts, context, { paths: allPaths(parts) }, readable)
    if (path.startsWith('/openapi/')) return serveOpenApi(parts, context)
    // Below a known API path the 404 is a Status; elsewhere it is plain text.
    if (documentPaths.some(each => path.startsWith(each))) throw pathNotFound()
    return serveDiscovery(parts, context)
  }
}

async function serveHealth(
  { health }: PathParts,
  { exchange, info }: RequestContext,
  endpoint: HealthEndpoint,
  only: string,
): Promise<boolean> {
  const answer = await health.answer(endpoint, only, info.query)
  if (!answer) return false
  exchange.send(answer.status, textHeaders(), answer.text)
  return true
}

async function serveMetrics(parts: PathParts, { exchange, info }: RequestContext): Promise<boolean> {
  exchange.send(
    200,
    { 'Content-Type': MetricsRegistry.PROMETHEUS_CONTENT_TYPE, 'Cache-Control': 'no-cache, private' },
    await parts.metrics(info.query.getAll(metricsParameter)),
  )
  return true
}

/** The version and the list of paths are always indented JSON, whatever the client accepts. */
const readable: Representation = {
  format: 'json',
  as: 'object',
  metaVersion: 'v1',
  contentType: 'application/json',
  isPretty: true,
  fallback: undefined,
}

function serveDocument(
  { representations }: PathParts,
  context: RequestContext,
  document: object,
  as?: Representation,
): boolean | Promise<boolean> {
  const { exchange } = context
  context.representation = as ?? representations.negotiator.negotiatePlain(exchange.headers.accept)
  // As in Kubernetes, only the documents above the versions of a group support HEAD.
  const answersHead = context.info.path === '/' || /^\/apis(\/[^/]+)?\/?$/.test(context.info.path)
  if (exchange.method !== 'GET' && !(answersHead && exchange.method === 'HEAD')) throw methodNotAllowed()
  return andThen(representations.respondPlain(context, 200, document), () => true)
}

function serveOpenApi({ openApi }: PathParts, { exchange, info }: RequestContext): boolean | Promise<boolean> {
  const answering = openApi.answer(info.path, exchange.headers.accept)
  if (!answering) return false
  if (typeof answering === 'number') {
    exchange.send(answering, { 'Cache-Control': 'no-cache, private', Vary: 'Accept' }, '')
    return true
  }
  return answering.then(({ contentType, body, etag, hash }) => {
    const asked = info.query.get('hash')
    const headers: Record<string, string> = { 'Cache-Control': 'no-cache, private', Etag: etag, Vary: 'Accept' }
    if (asked !== null && hash !== undefined && asked !== '') {
      // Clients cache a document under its hash forever, so an outdated hash is redirected to the current document.
      if (asked !== hash) {
        const location = `${info.path}?hash=${hash}`
        const type = contentType === 'application/json' || contentType.endsWith('protobuf') ? contentType : 'text/html'
        exchange.send(301, { ...headers, 'Content-Type': type, Location: location }, '')
        return true
      }
      headers['Cache-Control'] = 'public, immutable'
      headers['Expires'] = new Date(Date.now() + yearMs).toUTCString()
    }
    if (exchange.headers['if-none-match'] === etag) exchange.send(304, headers, '')
    else exchange.send(200, { ...headers, 'Content-Type': contentType }, body)
    return true
  })
}
const yearMs = 365 * 86_400_000

/** Where all of discovery is served in one document. As in Kubernetes, not at `/apis/`. */
const wholePath = /^\/(?:api\/?|apis)$/

function serveAggregated(
  { aggregated, representations }: PathParts,
  context: RequestContext,
  root: 'api' | 'apis',
  form: AggregatedForm,
): boolean | Promise<boolean> {
  const { exchange, isPretty } = context
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw methodNotAllowed()
  return andThen(aggregated.document(root, form), document => {
    const headers: Record<string, string> = { Etag: document.etag, Vary: 'Accept', 'Cache-Control': 'public' }
    if (exchange.headers['if-none-match'] === document.etag) {
      exchange.send(304, headers, '')
      return true
    }
    headers['Content-Type'] = form.contentType
    const isAsMade = form.format === 'json' && !isPretty
    return andThen(isAsMade ? document.bytes : representations.print(document.json, form.format), bytes => {
      exchange.send(200, headers, bytes)
      return true
    })
  })
}

function serveDiscovery(parts: PathParts, context: RequestContext): boolean | Promise<boolean> {
  const { path } = context.info
  const [, root, group = ''] = path.split('/')
  if (root !== 'api' && root !== 'apis') return false
  const form = wholePath.test(path) ? parts.aggregated.formFor(context.exchange.headers.accept) : undefined
  if (form) return serveAggregated(parts, context, root, form)
  // An empty path segment counts, except at the end.
  const isWhole = !withoutSlashesAtEnd(path).includes('//')
  const document = isWhole ? parts.discovery.document(path, parts.serverAddress()) : undefined
  if (document) return serveDocument(parts, context, document)
  // Below an existing group the 404 for a missing version or resource is a Status; elsewhere it is plain text.
  if (root === 'api' || parts.discovery.hasGroup(group)) throw pathNotFound()
  return false
}

const reportsEmulation = defineDifference({
  name: 'version-reports-emulation',
  since: '1.33',
  description: '/version reports the emulated version and the minimum compatible version.',
  knownFrom: 'recorded',
})

const builtFromCleanTree = defineDifference({
  name: 'version-reports-a-clean-tree',
  since: '1.24',
  description: '/version reports that the server was built from a clean tree.',
  knownFrom: 'recorded',
})

function versionOf({ profile, level }: Vendor): object {
  const { major, minor, gitVersion } = profile.version
  const emulation = {
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
  }
  return {
    major,
    minor,
    ...(level.has(reportsEmulation) ? emulation : {}),
    gitVersion,
    gitCommit: '',
    gitTreeState: level.has(builtFromCleanTree) ? 'clean' : '',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: process.version,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch}`,
  }
}

function allPaths({ discovery, routes, health, debugPages }: PathParts): string[] {
  const own = ['/healthz', '/livez', '/readyz', '/metrics', '/openapi/v2', '/openapi/v3', '/version']
  return [...discovery.paths(), ...own, ...health.paths, ...debugPages.paths, ...routes.paths].sort()
}
