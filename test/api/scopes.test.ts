import { writeFileSync } from 'node:fs'
import * as http from 'node:http'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/**
 * Every served type, by every conceivable path, requested by a user who may do everything in one
 * namespace and nothing elsewhere.
 */

const tokens = 'root,root,1,"system:masters"\ninsider,insider,2\n'
const noSuchPath = 'the server could not find the requested resource'

interface Answer {
  readonly status: number
  /** Of a Status; empty otherwise. */
  readonly message: string
  readonly body: Record<string, unknown>
}
type Ask = (token: string, method: string, path: string, body?: object) => Promise<Answer>

/** Sends a request and reads the response; of a watch only the head. */
function askerOf(url: string, agent: http.Agent): Ask {
  return (token, method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const headers = {
        authorization: `Bearer ${token}`,
        ...(text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
      }
      const request = http.request(url + path, { method, headers, agent }, response => {
        const status = response.statusCode ?? 0
        if (status === 200 && path.includes('watch')) {
          response.destroy()
          resolve({ status, message: '', body: {} })
          return
        }
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString()
          const parsed = answer.startsWith('{') ? JSON.parse(answer) : {}
          resolve({ status, message: parsed.kind === 'Status' ? (parsed.message ?? '') : '', body: parsed })
        })
        response.on('error', reject)
      })
      request.on('error', reject)
      request.end(text)
    })
}

interface Served {
  /** `/api/v1` or `/apis/GROUP/VERSION`. */
  readonly root: string
  readonly resource: string
  readonly subresource: string
  readonly isNamespaced: boolean
  readonly verbs: readonly string[]
}

async function discover(ask: Ask): Promise<Served[]> {
  const get = async (path: string) => (await ask('root', 'GET', path)).body as never
  const { groups } = (await get('/apis')) as { groups: { versions: { groupVersion: string }[] }[] }
  const roots = ['/api/v1', ...groups.flatMap(group => group.versions.map(each => `/apis/${each.groupVersion}`))]
  const served: Served[] = []
  for (const root of roots) {
    const { resources } = (await get(root)) as { resources: { name: string; namespaced: boolean; verbs: string[] }[] }
    for (const { name, namespaced, verbs } of resources) {
      const [resource = '', subresource = ''] = name.split('/')
      served.push({ root, resource, subresource, isNamespaced: namespaced, verbs })
    }
  }
  return served
}

/** Requests to try on each path. None of them stores anything. */
const requests: [method: string, query: string, body?: object][] = [
  ['GET', ''],
  ['GET', '?watch=1&timeoutSeconds=1'],
  ['HEAD', ''],
  ['POST', '?dryRun=All', {}],
  ['PUT', '?dryRun=All', {}],
  ['PATCH', '?dryRun=All', { metadata: { labels: { touched: 'yes' } } }],
  ['DELETE', '?dryRun=All'],
]

/** The methods that are tried on paths that are not served. */
const oddAttempts = new Set(['GET', 'PATCH', 'DELETE'])

interface Path {
  readonly path: string
  readonly expected: 'forbidden' | 'nowhere' | 'allowed'
  readonly isOdd?: boolean
}

/** `foo` is the namespace of the insider, and the name of objects that must be inaccessible. */
function pathsOf({ root, resource, subresource, isNamespaced }: Served): Path[] {
  const below = subresource === '' ? '' : `/${subresource}`
  const items = subresource === '' ? ['', '/foo', '/bar'] : [`/foo${below}`, `/bar${below}`]
  const isNamespaces = root === '/api/v1' && resource === 'namespaces'
  return items.flatMap((item): Path[] => {
    const own: Path = {
      path: `${root}/namespaces/foo/${resource}${item}`,
      expected: isNamespaced ? 'allowed' : 'nowhere',
    }
    const cluster: Path = {
      path: `${root}/${resource}${item}`,
      expected: isNamespaces && item.startsWith('/foo') ? 'allowed' : 'forbidden',
    }
    const other: Path = { path: `${root}/namespaces/bar/${resource}${item}`, expected: 'forbidden' }
    const nowhere = [
      `${root}/namespaces/foo//${resource}${item}`,
      `${root}/namespaces/foo/${resource}%2F${item.slice(1)}x`,
      `${root}/namespaces/foo%2F${resource}${item}`,
      `${root}/namespaces/foo/${resource}${item}/deeper/and/deeper`,
    ]
    // The path of a proxy may continue with any path.
    if (subresource === 'proxy') nowhere.pop()
    return [own, cluster, other, ...nowhere.map((path): Path => ({ path, expected: 'nowhere', isOdd: true }))]
  })
}

/** The problem with a response, if there is one. */
function complaint(expected: Path['expected'], method: string, { status, message }: Answer): string | undefined {
  if (status >= 500) return `${status} ${message}`
  if (expected === 'forbidden') return status === 403 ? undefined : `${status} instead of 403: ${message}`
  if (expected === 'allowed') return status === 403 && message.includes('cannot') ? `403: ${message}` : undefined
  // Without permission, 403 is as good as 404.
  if (status === 403) return undefined
  const isNowhere = status === 404 && (method === 'HEAD' || message === noSuchPath)
  return isNowhere ? undefined : `${status} instead of 404: ${message}`
}

/** Every user may review their own permissions. */
const isOpenToAll = (path: string, method: string) => method === 'POST' && /\/selfsubject\w*reviews\b/.test(path)

const scopes = suite('types and namespaces')

for (const vendor of ['orch', 'kubernetes'])
  scopes(`the owner of a namespace reaches nothing outside of it, by any path (${vendor})`, async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder.path, 'tokens.csv'), tokens)
    const flags = ['--vendor', vendor, '--tls=false', '--token-auth-file', join(folder.path, 'tokens.csv')]
    const server = await startOrch({ flags })
    const agent = new http.Agent({ keepAlive: true, maxSockets: 8 })
    try {
      const ask = askerOf(server.url, agent)
      const served = await discover(ask)
      const rbac = served.find(each => each.resource === 'rolebindings')!.root
      const apiGroup = rbac.split('/')[2]
      const create = async (path: string, object: object) => {
        const { status, message } = await ask('root', 'POST', path, object)
        assert.is(status, 201, `${path}: ${message}`)
      }
      for (const name of ['foo', 'bar']) await create('/api/v1/namespaces', { metadata: { name } })
      await create(`${rbac}/clusterroles`, {
        metadata: { name: 'foo' },
        rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
      })
      await create('/api/v1/nodes', { metadata: { name: 'foo' } })
      await create(`${rbac}/namespaces/foo/rolebindings`, {
        metadata: { name: 'owner' },
        roleRef: { apiGroup, kind: 'ClusterRole', name: 'foo' },
        subjects: [{ apiGroup, kind: 'User', name: 'insider' }],
      })

      const wrong: string[] = []
      let count = 0
      const tryAll = async (each: Served) => {
        for (const { path, expected, isOdd } of pathsOf(each))
          for (const [method, query, body] of requests) {
            if (isOdd && !oddAttempts.has(method)) continue
            const what = `${method} ${path}${query}`
            const answer = await ask('insider', method, path + query, body)
            const isOpen = expected === 'forbidden' && isOpenToAll(path + query, method)
            const problem = isOpen ? undefined : complaint(expected, method, answer)
            if (problem) wrong.push(`${what}: ${problem}`)
            if (expected === 'nowhere') {
              const forRoot = complaint('nowhere', method, await ask('root', method, path + query, body))
              if (forRoot) wrong.push(`as root ${what}: ${forRoot}`)
            }
            count++
          }
      }
      const queue = [...served]
      const lane = async () => {
        for (let each = queue.pop(); each; each = queue.pop()) await tryAll(each)
      }
      await Promise.all(Array.from({ length: 8 }, lane))
      for (const problem of wrong.slice(0, 40)) console.log(problem)
      console.log(`${served.length} types and subresources, ${count} requests`)
      assert.is(wrong.length, 0)
      assert.ok(served.length > 60)
    } finally {
      agent.destroy()
      await server.stop()
      folder.remove()
    }
  })

scopes.run()
